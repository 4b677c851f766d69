"""A pack on its way to disk: whole or not at all, and never over another."""

import os
import secrets
import shutil
from collections.abc import Mapping
from pathlib import Path

from cases import EnvironmentNotReady, PackError
from evidence.archive import unzipped
from sandboxes.temporary import hold, sweep


def place(content: Mapping[str, bytes], archive: bytes, out: Path, name: str) -> Path:
    """Write the folder `out/name`, then `out/name.zip`, and return the folder.

    Raises:
        EnvironmentNotReady: the disk is full or the folder cannot be written.
        PackError: something else of that name is there.
    """
    target, zipped = out / name, out / f"{name}.zip"
    made, held = not out.exists(), None
    partial = out / f".{name}.{os.getpid()}.{secrets.token_hex(4)}.partial"
    try:
        partial.mkdir(parents=True)
        held = hold(partial)
        if not target.exists():
            _write_folder(content, partial / name)
            _rename(partial / name, target)
        _require_same(content, target)
        if not zipped.exists():
            _write(partial / zipped.name, archive)
            _rename(partial / zipped.name, zipped)
        if zipped.read_bytes() != archive and unzipped(zipped.read_bytes(), str(zipped)).content != content:
            raise PackError(f"{zipped} was altered; move it away and try again.")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise EnvironmentNotReady(
            f"The evidence pack could not be written to {out}: {reason}; "
            "make room there or name another folder with --out."
        ) from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)
        if held is not None:
            os.close(held)
        if made and out.is_dir() and not any(out.iterdir()):
            out.rmdir()
    return target


def clear_partial(out: Path) -> None:
    """Remove what killed processes had half written there."""
    sweep(out, ".*.partial")


def _rename(partial: Path, target: Path) -> None:
    try:
        partial.rename(target)
    except OSError:
        if not target.exists():  # where it exists, another audit of the same evidence was quicker
            raise


def _write_folder(content: Mapping[str, bytes], folder: Path) -> None:
    for path, data in content.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        _write(folder / path, data)


def _write(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _require_same(content: Mapping[str, bytes], target: Path) -> None:
    for path, data in content.items():
        if not (target / path).is_file() or (target / path).read_bytes() != data:
            raise PackError(
                f"{target} was altered: {path} is not what was written; move that folder away and try again."
            )
