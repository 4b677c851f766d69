"""The issue text that lies in a pack, with the pack's own digest."""

import hashlib
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from cases import PackError
from evidence.issue.markdown import code

_NAME = "issue.md"
_MANIFEST = "manifest-sha256.txt"
_LARGEST = 2_000_000
"""Bytes of either file."""


def stored_issue(pack: Path) -> str:
    """The issue text of a pack, a folder or a zip, ready to be pasted.

    Raises:
        PackError: it cannot be read, or the text is not the one that the pack's manifest names.
    """
    read = _folder if pack.is_dir() else _archive
    text, manifest = (read(pack, name) for name in (_NAME, _MANIFEST))
    listed = f"{hashlib.sha256(text).hexdigest()}  {_NAME}"
    if listed not in manifest.decode("utf-8", "replace").splitlines():
        raise PackError(f"{pack}: {_NAME} is not the one that {_MANIFEST} names; the pack was altered.")
    digest = hashlib.sha256(manifest).hexdigest()
    name = pack.name.removesuffix(".zip")
    return f"{text.decode('utf-8', 'replace')}\nEvidence pack: {code(name)}, SHA-256 of its manifest {code(digest)}.\n"


def _folder(pack: Path, name: str) -> bytes:
    try:
        with (pack / name).open("rb") as file:
            return file.read(_LARGEST)
    except OSError as error:
        raise PackError(f"{pack / name} cannot be read: {error.strerror}; name a complete pack.") from error


def _archive(pack: Path, name: str) -> bytes:
    try:
        with ZipFile(pack) as archive:
            found = [entry for entry in archive.infolist() if entry.filename.split("/")[-1] == name]
            found = [entry for entry in found if entry.filename.count("/") <= 1]
            if len(found) != 1:
                raise PackError(f"{pack} holds {len(found)} files {name} instead of one; name a complete pack.")
            with archive.open(found[0]) as file:
                return file.read(_LARGEST)
    except (OSError, BadZipFile, RuntimeError, NotImplementedError) as error:
        raise PackError(f"{pack} cannot be read as a pack: {error}; name a pack's folder or its .zip.") from error
