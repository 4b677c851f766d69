"""Archives as the engine takes them: one file, or a directory of this machine that is not followed out of."""

import io
import os
import stat
import tarfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from cases.sentences import Sentences

say = Sentences(__name__)

FILES = 50_000
"""Most entries of a directory."""


@dataclass(frozen=True)
class Packed:
    """What of a directory went into an archive."""

    files: int
    size: int
    """Bytes of content."""
    skipped: tuple[str, ...] = field(default=())
    """What did not, each with its reason: links that lead out, sockets, files that may not be read."""


class TooLarge(Exception):  # noqa: N818 - a state of the directory
    """The directory holds more than was allowed."""


def pack_file(name: str, data: bytes, mode: int) -> bytes:
    """An archive of one file of root's."""
    return pack_files({name: data}, mode)


def pack_files(content: Mapping[str, bytes], mode: int) -> bytes:
    """An archive of files of root's, by name."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, data in content.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode, entry.mtime = len(data), mode, int(time.time())
            archive.addfile(entry, io.BytesIO(data))
    return packed.getvalue()


def unpack_file(packed: bytes) -> bytes | None:
    """The content of the first ordinary file in an archive."""
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        entry = next((member for member in archive if member.isfile()), None)
        content = archive.extractfile(entry) if entry else None
        return content.read() if content else None


def pack_tree(directory: Path, prefix: str, owner: tuple[int, int], limit: int, into: BinaryIO) -> Packed:
    """Write a directory's content below `prefix` as the user and group `owner`.

    Raises:
        TooLarge: it holds more than `limit` bytes or `FILES` entries.
        OSError: the directory itself cannot be read.
    """
    top = directory.resolve(strict=True)
    files, size, skipped = 0, 0, list[str]()
    with tarfile.open(fileobj=into, mode="w") as archive:
        lead = prefix.strip("/")
        if lead:
            archive.addfile(_entry(lead, owner, tarfile.DIRTYPE, 0o755))
        for path in _walk(top):
            below = str(path.relative_to(top))
            files += 1
            if files > FILES:
                raise TooLarge(say("packing.holds_more_than_files", directory=directory, files=FILES))
            try:
                size += _add(archive, path, top, f"{lead}/{below}".lstrip("/"), owner, limit - size)
            except (OSError, ValueError) as error:
                reason = error.strerror if isinstance(error, OSError) else error
                skipped.append(f"{below}: {reason}")
    return Packed(files - len(skipped), size, tuple(skipped))


def _walk(top: Path) -> "list[Path]":
    def complain(error: OSError) -> None:
        if Path(error.filename) == top:
            raise error

    found = []
    for root, folders, names in os.walk(top, onerror=complain):
        folders.sort()
        found += [Path(root, name) for name in sorted((*folders, *names))]
        if len(found) > FILES:
            break
    return found


def _add(archive: tarfile.TarFile, path: Path, top: Path, name: str, owner: tuple[int, int], room: int) -> int:
    """Add one entry; returns the bytes of its content."""
    state = path.lstat()
    mode = stat.S_IMODE(state.st_mode) & 0o777
    if stat.S_ISLNK(state.st_mode):
        target = path.readlink()
        if target.is_absolute() or not Path(os.path.normpath(path.parent / target)).is_relative_to(top):
            raise ValueError(say("packing.link_leads_out_directory"))
        entry = _entry(name, owner, tarfile.SYMTYPE, 0o777)
        entry.linkname = str(target)
        archive.addfile(entry)
        return 0
    if stat.S_ISDIR(state.st_mode):
        archive.addfile(_entry(name, owner, tarfile.DIRTYPE, mode | 0o700))
        return 0
    if not stat.S_ISREG(state.st_mode):
        raise ValueError(say("packing.neither_file_nor_directory"))
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as content:
        data = content.read(room + 1)
    if len(data) > room:
        raise TooLarge(say("packing.directory_holds_more_than", top=top))
    entry = _entry(name, owner, tarfile.REGTYPE, mode | 0o600)
    entry.size, entry.mtime = len(data), int(state.st_mtime)
    archive.addfile(entry, io.BytesIO(data))
    return len(data)


def _entry(name: str, owner: tuple[int, int], kind: bytes, mode: int) -> tarfile.TarInfo:
    entry = tarfile.TarInfo(name)
    entry.type, entry.mode = kind, mode
    entry.uid, entry.gid = owner
    return entry
