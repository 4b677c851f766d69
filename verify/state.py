"""Where an audit that is not finished is kept: a folder of its own, in which one process at a time works."""

import asyncio
import errno
import fcntl
import os
import shutil
import socket
import stat
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from cases import InputError
from cases.sentences import Sentences

say = Sentences(__name__)

LOOK_SECONDS = 0.2
_LOCK = "held-by"
_CHECKPOINTS = "checkpoints.sqlite"
_FINISHED = ".finished"
_PACKED = "packed"
begun = set[Path]()
"""The folders of the audits that this process has begun and not finished."""
WITHOUT_LOCKS = (errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS)
"""What a file system answers that knows no locks: there nobody can be kept out."""

NO_FILE = (errno.ELOOP, errno.EISDIR, errno.ENXIO)
"""What opening a link, a directory or a socket as a file comes to."""


@asynccontextmanager
async def held(folder: Path, tell: Callable[[str], None]) -> AsyncIterator[None]:
    """Make the folder and hold it; while another process does, wait, and `tell` once who that is.

    The lock goes with the process that holds it, however that ends.

    Raises:
        InputError: there is no room for a folder of that name, or something else than a file of ours in it.
    """
    told = False
    while (lock := _taken(folder)) is None:
        if not told:
            tell(say("state.being_audited_already_waiting", holder=_holder(folder)))
            told = True
        await asyncio.sleep(LOOK_SECONDS)
    begun.add(folder)
    try:
        yield
    finally:
        os.close(lock)


def _taken(folder: Path) -> int | None:
    """The lock's descriptor; None while somebody else holds it, or has just removed it with all the rest."""
    for path in (folder.parent, folder):
        make_directory(path, "VERIFY_STATE", mode=0o700)
    _keep_to_user(folder, 0o700)
    try:
        lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600)
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno not in NO_FILE:
            raise
        raise _no_file(folder / _LOCK) from None
    if not stat.S_ISREG(os.fstat(lock).st_mode):
        os.close(lock)
        raise _no_file(folder / _LOCK)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in WITHOUT_LOCKS:
            os.close(lock)
            if isinstance(error, BlockingIOError):
                return None
            raise
    if not _same(lock, folder / _LOCK):
        os.close(lock)
        return None
    os.truncate(lock, 0)
    os.write(
        lock,
        say(
            "state.process_since",
            process=os.getpid(),
            machine=socket.gethostname(),
            time=f"{datetime.now(UTC):%H:%M:%SZ}",
        ).encode(),
    )
    return lock


def _no_file(path: Path) -> InputError:
    return InputError(say("state.no_file_program_wrote", path=path))


def _same(lock: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(lock), path.stat())
    except FileNotFoundError:
        return False


def _holder(folder: Path) -> str:
    with suppress(OSError):
        return (folder / _LOCK).read_text("utf-8", "replace")[:200] or say("state.another_process")
    return say("state.another_process")


def checkpoints_in(folder: Path) -> Path:
    """The file of checkpoints, which only its owner may read.

    Raises:
        InputError: something else is there.
    """
    path = folder / _CHECKPOINTS
    if path.is_symlink() or (path.exists() and not path.is_file()):
        raise _no_file(path)
    path.touch(mode=0o600)
    _keep_to_user(path, 0o600)
    return path


def remove(folder: Path) -> None:
    """Remove what is kept of an audit that is finished, by whoever holds it.

    It goes from its place at once: who waits for it must not begin in a folder that is being emptied.
    """
    gone = folder.with_name(f"{folder.name}{_FINISHED}")
    shutil.rmtree(gone, ignore_errors=True)  # a kill may have left it
    folder.rename(gone)
    begun.discard(folder)
    shutil.rmtree(gone, ignore_errors=True)


def clear_finished(state: Path, finished: Callable[[], Collection[str]]) -> None:
    """Remove what a kill has left of audits that were finished; `finished` are the packs that the ledger knows."""
    for folder in state.glob(f"*{_FINISHED}"):
        shutil.rmtree(folder, ignore_errors=True)
    told = {path.parent: path.read_text("utf-8", "replace") for path in state.glob(f"*/{_PACKED}")}
    known = finished() if told else ()
    for folder, pack in told.items():
        if pack in known:
            remove(folder)


def note_pack(folder: Path, pack: str) -> None:
    """Say in which pack an audit is, for whoever finds its folder after a kill."""
    with suppress(OSError):
        (folder / _PACKED).write_text(pack, "utf-8")


def set_aside(folder: Path) -> Path:
    """Put checkpoints that cannot be read beside the folder, in the place of earlier ones; returns where they are."""
    aside = folder.with_name(f"{folder.name}.damaged.sqlite")
    for ending in ("", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            (folder / f"{_CHECKPOINTS}{ending}").replace(f"{aside}{ending}")
    return aside


def make_directory(path: Path, setting: str, mode: int = 0o777) -> None:
    """A directory that a setting names, with those above it.

    Raises:
        InputError: something else is there.
    """
    try:
        path.mkdir(mode, parents=True, exist_ok=True)
    except (FileExistsError, FileNotFoundError, NotADirectoryError) as error:
        raise InputError(say("state.directory", setting=setting, path=path, strerror=error.strerror)) from None


def _keep_to_user(path: Path, mode: int) -> None:
    """Take from everybody else what they were given before; what is not ours stays as it is."""
    told = path.stat()
    if told.st_uid == os.geteuid() and told.st_mode & 0o077:
        path.chmod(mode)
