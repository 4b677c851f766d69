"""Members of zip archives, read in memory and never written anywhere."""

import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from cases.errors import InputError
from cases.readers.pacing import HostileError, check_ratio
from cases.sentences import Sentences

say = Sentences(__name__)

if sys.version_info >= (3, 14):
    import zipfile

    from compression.zstd import ZstdError
else:
    from backports.zstd import ZstdError, zipfile

ZIP_MAGIC = b"PK\x03\x04"
EMPTY_ZIP_MAGIC = b"PK\x05\x06"
MOST_MEMBERS = 1_000_000
MOST_BYTES = 4 * 1024 * 1024 * 1024
"""Unpacked bytes of one member beyond which it is no log."""
_DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    ZstdError,
    EOFError,
    NotImplementedError,
    RuntimeError,
    KeyError,
    UnicodeDecodeError,
)


class Archive:
    """An open archive."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        """Take an open zip file."""
        self._archive = archive
        self.names = tuple(archive.namelist()[:MOST_MEMBERS])
        """As the archive states them; none are ever used as paths."""

    @contextmanager
    def member(self, name: str) -> Iterator[BinaryIO]:
        """One member's content, unpacked while it is read."""
        packed = max(self._archive.getinfo(name).compress_size, 1)
        with self._archive.open(name) as stream:
            yield cast("BinaryIO", _Checked(cast("BinaryIO", stream), packed))


@contextmanager
def member(path: Path, name: str) -> Iterator[BinaryIO]:
    """One member's content, unpacked while it is read.

    Raises:
        InputError: as `opened_zip`.
    """
    with opened_zip(path) as archive, archive.member(name) as stream:
        yield stream


class _Checked:
    """A member that refuses to unpack beyond measure, whatever size the archive states."""

    def __init__(self, stream: BinaryIO, packed: int) -> None:
        self._stream = stream
        self._packed = packed
        self._read = 0

    def tell(self) -> int:
        return self._read

    def read(self, size: int = -1) -> bytes:
        pieces = []
        while size:
            piece = self._stream.read(1 << 20 if size < 0 else min(size, 1 << 20))
            if not piece:
                break
            self._read += len(piece)
            size -= len(piece) if size > 0 else 0
            check_ratio(self._packed, self._read)
            if self._read > MOST_BYTES:
                raise HostileError(say("archives.member_unpacks_more_than"))
            pieces.append(piece)
        return b"".join(pieces)


@contextmanager
def opened_zip(path: Path) -> Iterator[Archive]:
    """The archive at `path`.

    Raises:
        InputError: it or a member is damaged, protected by a password, or unpacks beyond measure.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            yield Archive(archive)
    except FileNotFoundError as error:
        raise InputError(say("archives.no_file_check_path", path=path)) from error
    except HostileError as error:
        raise InputError(say("archives.archive_cannot_taken_check", path=path, error=error)) from error
    except _DAMAGED as error:
        reason = str(error).strip("'\"") or type(error).__name__
        raise InputError(say("archives.zip_archive_cannot_read", path=path, reason=reason)) from error
    except (OSError, OverflowError) as error:
        raise InputError(say("archives.zip_archive_cannot_read_2", path=path, error=error)) from error
