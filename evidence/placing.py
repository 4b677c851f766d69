"""A pack on its way to disk, or to a store that many machines share: whole or not at all, and never over another."""

import os
import secrets
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from cases import EnvironmentNotReady, InputError, PackError
from cases.sentences import Sentences
from evidence.archive import unzipped
from sandboxes.temporary import hold, sweep

say = Sentences(__name__)

_PARTIAL = ".partial"


def place(content: Mapping[str, bytes], archive: bytes, out: Path, name: str) -> Path:
    """Write the folder `out/name`, then `out/name.zip`, and return the folder.

    Raises:
        EnvironmentNotReady: the disk is full or the folder cannot be written.
        PackError: something else of that name is there.
    """
    target, zipped = out / name, out / f"{name}.zip"
    made = not out.exists()
    try:
        with unfinished(out, name) as partial:
            if target.exists() or not _written_folder(content, partial / name, target):
                _require_same(content, target)
            if zipped.exists() or not _written_file(archive, partial / zipped.name, zipped):
                _require_same_zip(content, archive, zipped)
        _synced(out)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise EnvironmentNotReady(say("placing.evidence_pack_could_not", out=out, reason=reason)) from error
    finally:
        if made and out.is_dir() and not any(out.iterdir()):
            out.rmdir()
    return target


@contextmanager
def unfinished(out: Path, name: str) -> Iterator[Path]:
    """A folder for what is not whole yet, held while it is written, so that a sweep knows what a kill has left."""
    while True:
        partial = out / f".{name}.{os.getpid()}.{secrets.token_hex(4)}{_PARTIAL}"
        partial.mkdir(parents=True)
        held = hold(partial)
        if partial.exists():
            break
        if held is not None:  # a sweep came before our lock
            os.close(held)
    try:
        yield partial
    finally:
        shutil.rmtree(partial, ignore_errors=True)
        if held is not None:
            os.close(held)


def clear_partial(out: Path) -> None:
    """Remove what killed processes had half written in a folder of packs, and nothing that is being written."""
    sweep(out, f".*{_PARTIAL}")


def archive_of(pack: Path) -> Path:
    """The zip beside a pack's folder."""
    return pack.with_name(pack.name + ".zip")


def store(pack: Path, url: str) -> None:
    """Put the zip beside `pack` to `url`, any address that fsspec knows, whole or not at all.

    One of its size that is there already is it.

    Raises:
        InputError: nothing here speaks to such an address.
        EnvironmentNotReady: it could not be written.
    """
    try:
        from fsspec.core import url_to_fs  # noqa: PLC0415 - an extra
    except ImportError:
        raise InputError(say("placing.evidence_store_needs_fsspec")) from None
    archive = archive_of(pack)
    try:
        system, root = url_to_fs(url)
        target = f"{root.rstrip('/')}/{archive.name}"
        if system.exists(target) and system.size(target) == archive.stat().st_size:
            return
        system.makedirs(root, exist_ok=True)
        with system.transaction, archive.open("rb") as here, system.open(target, "wb") as there:
            shutil.copyfileobj(here, there)
    except (ImportError, ValueError) as error:
        raise InputError(f"evidence {url}: {error}") from None
    except Exception as error:
        raise EnvironmentNotReady(
            say("placing.evidence_could_not_put", url=url, name=archive.name, error=error)
        ) from error


def _written_folder(content: Mapping[str, bytes], partial: Path, target: Path) -> bool:
    """Whether this wrote it; first all files, then the waits for the disk, of which the first does most of the work."""
    for path, data in content.items():
        (partial / path).parent.mkdir(parents=True, exist_ok=True)
        (partial / path).write_bytes(data)
    for path in content:
        _synced(partial / path)
    for folder in {(partial / path).parent for path in content}:
        _synced(folder)
    return _renamed(partial, target)


def _written_file(data: bytes, partial: Path, target: Path) -> bool:
    partial.write_bytes(data)
    _synced(partial)
    return _renamed(partial, target)


def _renamed(partial: Path, target: Path) -> bool:
    """Whether it was put there; where something is already, another audit of the same evidence was quicker."""
    try:
        partial.rename(target)
    except OSError:
        if not target.exists():
            raise
        return False
    return True


def _synced(path: Path) -> None:
    """What was written of a file or a folder is on the disk."""
    opened = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _require_same(content: Mapping[str, bytes], target: Path) -> None:
    for path, data in content.items():
        if not (target / path).is_file() or (target / path).read_bytes() != data:
            raise PackError(say("placing.altered_not_written_move", target=target, path=path))


def _require_same_zip(content: Mapping[str, bytes], archive: bytes, zipped: Path) -> None:
    found = zipped.read_bytes()
    if found != archive and unzipped(found, str(zipped)).content != content:
        raise PackError(say("placing.altered_move_away_try", zipped=zipped))
