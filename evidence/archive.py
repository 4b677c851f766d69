"""A pack as one file: written to the same bytes for the same content, opened without trust."""

import datetime as dt
import io
import os
import stat
import struct
import unicodedata
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from cases import InputError, PackError
from cases import patterns as re
from cases.sentences import Sentences

say = Sentences(__name__)

_MOST_FILES = 4096
_MOST_NAME = 512
"""Bytes that one file takes of a zip's directory, on the average."""
_MOST_BYTES = 256 * 2**20
_MOST_RATIO = 200
_RATIO_COUNTS_FROM = 32 * 2**20
_EARLIEST = dt.datetime(1980, 1, 1, tzinfo=dt.UTC)
_LATEST = dt.datetime(2107, 12, 31, 23, 59, 58, tzinfo=dt.UTC)
_UNSAFE = re.compile(r"^[/\\]|^[A-Za-z]:|\\|(?:^|/)\.{0,2}(?:/|$)|[\x00-\x1f\x7f]")
_LOCAL, _CENTRAL = 30, 46
"""Bytes of a zip's headers before the name."""
_END, _LARGE = b"PK\x05\x06", b"PK\x06\x07"
"""What a zip's last header begins with, and what stands before it in one of more than four gigabytes."""
_STEP = 2**20
_ZIP = b"PK\x03\x04"
REMEDY = "get the pack again from whoever made it"
_MARKS = ("bagit.txt", "tagmanifest-sha256.txt", "verdict.json")
"""A file or folder with none of these is nobody's pack."""
_REFUSED = "do not unpack it, and ask its sender for another"


@dataclass(frozen=True)
class Opened:
    """A pack as it came: nothing in it has been compared with anything."""

    folder: str
    """The name that it was given when it was written."""
    content: dict[str, bytes]
    zipped: bytes | None
    """The zip's own bytes; None for a folder."""


def archived(content: Mapping[str, bytes], folder: str, moment: dt.datetime | None) -> bytes:
    """A zip of `content` below `folder`, its entries sorted and dated `moment`, or 1980 where there is none."""
    at = min(max((moment or _EARLIEST).astimezone(dt.UTC), _EARLIEST), _LATEST)
    dated = (at.year, at.month, at.day, at.hour, at.minute, at.second // 2 * 2)
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for path, data in sorted(content.items()):
            entry = zipfile.ZipInfo(f"{folder}/{path}", dated)
            entry.create_system = 3
            entry.external_attr = (stat.S_IFREG | 0o644) << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED, 9)
    return written.getvalue()


def opened(path: Path) -> Opened:
    """A pack, a folder or a zip; nothing is unpacked to disk.

    Raises:
        InputError: there is nothing of that name, or what is there is no pack.
        PackError: it is no whole pack, or it holds what could harm who unpacks it.
    """
    try:
        if path.is_dir():
            _require_pack_folder(path)
            found = Opened(path.resolve().name, _folder(path), None)
        elif path.is_file():
            data = plain_file(path.resolve(), _MOST_BYTES, str(path))
            if not data.startswith(_ZIP) and not zipfile.is_zipfile(io.BytesIO(data)):
                raise InputError(say("archive.no_pack_neither_folder", path=path))
            found = unzipped(data, str(path))
        else:
            raise InputError(say("archive.no_pack_folder_zip", path=path))
    except OSError as error:
        raise PackError(
            say("archive.cannot_read_complete_pack", filename=error.filename or path, strerror=error.strerror)
        ) from error
    for name, data in found.content.items():
        if data.startswith(_ZIP):
            _require_safe_inside(data, name)
    return found


def unzipped(data: bytes, name: str) -> Opened:
    """A pack from the bytes of its zip.

    Raises:
        InputError: it is a zip of something else.
        PackError: it is no whole one, or not a safe one; `name` is what the message calls it.
    """
    try:
        content = members(data, name)
    except (zipfile.BadZipFile, zlib.error, struct.error, EOFError, RuntimeError, ValueError) as error:
        raise PackError(say("archive.not_whole_zip_altered", name=name, error=error)) from error
    if not any(path.rpartition("/")[2] in _MARKS for path in content):
        if any(f"/{mark}PK".encode() in data for mark in _MARKS):
            raise PackError(say("archive.holds_files_directory_hides", name=name))
        raise InputError(say("archive.zip_something_else_no", name=name))
    folders = {path.partition("/")[0] for path in content}
    if len(folders) != 1 or any("/" not in path for path in content):
        raise PackError(say("archive.not_hold_folder_nothing", name=name))
    [folder] = folders
    return Opened(folder, {path.removeprefix(f"{folder}/"): data for path, data in content.items()}, data)


def members(data: bytes, name: str) -> dict[str, bytes]:
    """What the members of a zip hold, each unpacked in bounded steps, whatever its stream would still give.

    Raises:
        PackError: it holds what could harm who unpacks it.
        BadZipFile, zlib.error, RuntimeError: it is no whole zip.
    """
    _require_small_directory(data, name)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = archive.infolist()
        require_safe(entries, name)
        return {entry.filename: _unpacked(archive, entry) for entry in entries}


def _unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """A member's bytes; to read it whole would unpack all of its stream, however little the directory says it is."""
    with archive.open(entry) as stream:
        return b"".join(iter(lambda: stream.read(_STEP), b""))


def _require_small_directory(data: bytes, name: str) -> None:
    """Refuse a directory that alone would fill the memory; the library reads it whole before anything can be asked."""
    at = data.rfind(_END)
    size = int.from_bytes(data[at + 12 : at + 16], "little") if at >= 0 else 0
    if size > _MOST_FILES * _MOST_NAME or data[max(at - 20, 0) : at].startswith(_LARGE):
        raise PackError(say("archive.holds_more_files_than", name=name))


def require_own_form(pack: Opened, moment: dt.datetime | None, name: str) -> None:
    """Compare every byte of a pack's zip with what `archived` writes of its content.

    Another build of zlib compresses every stream in its own way, which is accepted where the rest is the same; a
    single stream of another form was altered.

    Raises:
        PackError: the two differ.
    """
    own = archived(pack.content, pack.folder, moment)
    if pack.zipped in (None, own):
        return
    (frame, streams), (own_frame, own_streams) = (_taken_apart(data) for data in (pack.zipped or b"", own))
    different = sum(one != other for one, other in zip(streams, own_streams, strict=False))
    if frame != own_frame or different == 1:
        raise PackError(say("archive.not_zip_program_writes", name=name))


def _taken_apart(data: bytes) -> tuple[list[bytes], list[bytes]]:
    """A zip's headers without what depends on the compressor, and its compressed streams."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = archive.infolist()
        directory = archive.start_dir
    frame: list[bytes] = []
    streams: list[bytes] = []
    at = 0
    for entry in entries:
        body = at + _LOCAL + len(entry.filename.encode())
        told = int.from_bytes(data[at + 18 : at + 22], "little") == entry.compress_size and entry.header_offset == at
        frame += [data[at : at + 18], data[at + 22 : body], b"" if told else b"?"]
        at = body + entry.compress_size
        streams.append(data[body:at])
    frame.append(b"" if directory == at else b"?")
    for entry in entries:
        end = at + _CENTRAL + len(entry.filename.encode())
        frame += [data[at : at + 20], data[at + 24 : at + 42], data[at + 46 : end]]
        at = end
    return [*frame, data[at : at + 16], data[at + 20 :]], streams


def require_safe(entries: Iterable[zipfile.ZipInfo], name: str) -> None:
    """Refuse paths that leave the folder, links, devices, doubles and bombs, before a byte is unpacked.

    Raises:
        PackError: the first such entry.
    """
    entries = list(entries)
    for entry in entries:
        kind = stat.S_IFMT(entry.external_attr >> 16)
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) or entry.flag_bits & 1:
            raise PackError(say("archive.holds_encrypted_rare_compression", name=name, filename=entry.filename))
        if kind not in (0, stat.S_IFREG):
            raise PackError(say("archive.holds_no_plain_file", name=name, filename=entry.filename))
    require_safe_names([entry.orig_filename for entry in entries], name)
    whole, packed = (sum(values) for values in zip(*((e.file_size, e.compress_size) for e in entries), strict=True))
    if whole > _MOST_BYTES or (whole > _RATIO_COUNTS_FROM and whole > _MOST_RATIO * packed):
        raise PackError(say("archive.would_unpack_bytes_no", name=name, whole=whole, packed=packed))


def require_safe_names(names: list[str], name: str) -> None:
    """Refuse paths that leave the folder or that some file system takes for one another.

    Raises:
        PackError: the first such path.
    """
    if not 0 < len(names) <= _MOST_FILES:
        raise PackError(say("archive.holds_files_no_pack", name=name, number=len(names)))
    seen: dict[str, str] = {}
    for path in names:
        if _UNSAFE.search(path):
            raise PackError(say("archive.holds_no_plain_path", name=name, path=path))
        folded = unicodedata.normalize("NFC", path).casefold()
        if folded in seen:
            raise PackError(say("archive.holds_both_not_unpack", name=name, seen=seen[folded], path=path))
        seen[folded] = path


def _require_safe_inside(data: bytes, name: str) -> None:
    """Refuse a zip inside the pack that would not be safe to open; one that is none is plain bytes."""
    _require_small_directory(data, name)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
    except (zipfile.BadZipFile, ValueError):
        return
    if entries:
        require_safe(entries, name)


def _require_pack_folder(path: Path) -> None:
    if any((path / mark).is_file() for mark in _MARKS):
        return
    zips = any(path.glob("*.zip"))
    if zips or any((one / mark).is_file() for one in path.iterdir() for mark in _MARKS):
        inside = path / ("*.zip" if zips else "*")
        raise InputError(say("archive.folder_packs_no_pack", path=path, inside=inside))
    raise InputError(say("archive.no_pack_holds_no", path=path, mark=_MARKS[-1]))


def _folder(root: Path) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    size = 0
    for folder, folders, files in os.walk(root):
        for one in sorted((*folders, *files)):
            path = Path(folder) / one
            name = path.relative_to(root).as_posix()
            if stat.S_ISDIR(path.lstat().st_mode):
                continue
            if len(found) >= _MOST_FILES:
                raise PackError(say("archive.larger_than_pack_can", root=root))
            found[name] = plain_file(path, _MOST_BYTES - size, name)
            size += len(found[name])
    require_safe_names(list(found), str(root))
    return found


def plain_file(path: Path, most: int, name: str = "") -> bytes:
    """What a plain file holds: no link is followed, no pipe or device opened for what it gives, no more than `most`.

    Raises:
        OSError: it cannot be read.
        PackError: it is something else, or larger; `name` is what the message calls it.
    """
    called = name or path
    if not stat.S_ISREG(path.lstat().st_mode):
        raise PackError(say("archive.link_device_pack_holds", called=called))
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        told = os.fstat(file.fileno())
        if not stat.S_ISREG(told.st_mode):
            raise PackError(say("archive.no_plain_file_any", called=called))
        if told.st_size > most:
            raise PackError(say("archive.larger_than_bytes_no", called=called, most=most))
        return file.read(told.st_size)
