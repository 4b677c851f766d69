"""Temporary files in a folder of this process's own: however it ends, the next one removes what it left."""

import atexit
import fcntl
import os
import shutil
import tempfile
from contextlib import suppress
from functools import cache
from itertools import count
from pathlib import Path

PREFIX = "impassable-run-"
_TRIES = 8
"""After so many folders without a lock, nobody can have one there."""
_THROUGH = 0o711
"""A browser with a user of its own must come through to its profile."""


@cache
def shared() -> Path:
    """Where temporary files of all processes are."""
    root = Path(tempfile.gettempdir())
    return root.parent if root.name.startswith(PREFIX) else root


def own_folder() -> Path:
    """From now on temporary files, also those of programs that this one starts, are in a folder that goes with it."""
    return _folder(os.getpid())


@cache
def _folder(_: int) -> Path:
    root = shared()
    sweep(root, f"{PREFIX}*")
    for tries in count(1):
        folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=root))
        held = hold(folder)
        if folder.exists() and (held is not None or tries == _TRIES):
            break  # else somebody else's sweep came before our lock, or is at it
        if held is not None:
            os.close(held)
        with suppress(OSError):
            folder.rmdir()
    folder.chmod(_THROUGH)
    os.environ["TMPDIR"] = tempfile.tempdir = str(folder)
    atexit.register(_remove, folder, os.getpid())
    return folder


def hold(folder: Path) -> int | None:
    """A lock on a folder that goes with this process; None where somebody else has it, or nobody can have one."""
    opened = None
    try:
        opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        if opened is not None:
            os.close(opened)
        return None
    return opened


def sweep(root: Path, pattern: str) -> None:
    """Remove the folders of such a name that are ours and that no living process holds."""
    for folder in root.glob(pattern):
        with suppress(OSError):
            if folder.lstat().st_uid == os.geteuid() and (held := hold(folder)) is not None:
                shutil.rmtree(folder, ignore_errors=True)
                os.close(held)


def _remove(folder: Path, pid: int) -> None:
    if os.getpid() == pid:  # a fork inherits what was registered
        shutil.rmtree(folder, ignore_errors=True)
