"""Gzipped files in which a place is reached without unpacking all that stands before it.

The points from which unpacking can go on (a window of what came before, every few megabytes) are found while the file
is read for the first time, and are kept beside what else is kept of it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from cases.errors import InputError
from cases.readers.pacing import check_ratio
from cases.readers.streams import GZIP_MAGIC
from cases.sentences import Sentences

say = Sentences(__name__)


def gzipped(path: Path) -> bool:
    """Whether the file is packed."""
    with path.open("rb") as file:
        return file.read(2) == GZIP_MAGIC


@contextmanager
def seekable(path: Path, points: Path, *, fresh: bool = False) -> Iterator[BinaryIO]:
    """The file unpacked; with the points that are kept, or (`fresh`) with new ones, which are kept when all is read.

    Raises:
        InputError: the file is damaged, or its points cannot be read or written.
    """
    from indexed_gzip import IndexedGzipFile  # noqa: PLC0415 - only large packed files need it

    try:
        with IndexedGzipFile(path, index_file=None if fresh else points) as stream:
            yield cast("BinaryIO", _Checked(stream, path.stat().st_size))
            if fresh:
                stream.export_index(points)
    except OSError as error:
        raise InputError(say("seekable.gzip_data_cannot_read", path=path, error=error)) from error


class _Checked:
    """An unpacked file that refuses to be more than any log unpacks to."""

    def __init__(self, stream: BinaryIO, packed: int) -> None:
        self._stream, self._packed = stream, packed
        self.seek, self.tell = stream.seek, stream.tell

    def read(self, size: int) -> bytes:
        data = self._stream.read(size)
        check_ratio(self._packed, self._stream.tell())
        return data
