"""Where the steps of an audit are kept: a file of its own, or a PostgreSQL that many machines share."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from cases import EnvironmentNotReady, InputError
from cases.sentences import Sentences

say = Sentences(__name__)

T = TypeVar("T")
Saver = BaseCheckpointSaver[Any]

_MACHINE = ("FULL", "READONLY", "CANTOPEN", "IOERR", "BUSY", "LOCKED", "PERM")
"""What SQLite calls errors of a file that say nothing of what is in it."""


class StateDamaged(Exception):  # noqa: N818 - it is what was found
    """The checkpoints of an earlier call are not what such a call writes; says why."""


@contextmanager
def reading() -> Iterator[None]:
    """Whatever goes wrong in it is the fault of what is kept, other than what the machine refuses.

    Raises:
        StateDamaged: what is kept cannot be read.
        sqlite3.OperationalError: the machine does not let it be read.
    """
    try:
        yield
    except sqlite3.OperationalError as error:
        if error.sqlite_errorname.removeprefix("SQLITE_").startswith(_MACHINE):
            raise
        raise StateDamaged(str(error)) from error
    except Exception as error:
        raise StateDamaged(str(error).splitlines()[0] if str(error) else type(error).__name__) from error


@dataclass
class Shared:
    """A PostgreSQL database, and the threads of one audit in it."""

    url: str = field(repr=False)
    threads: set[str] = field(default_factory=set)

    async def forget(self) -> None:
        """Remove what is kept of this audit, which is finished.

        Raises:
            EnvironmentNotReady: the database cannot be reached.
        """
        async with _in_postgres(self.url) as saver:
            for thread in self.threads:
                await saver.adelete_thread(thread)


@asynccontextmanager
async def saver_of(checkpoints: Path | Shared | None) -> AsyncIterator[Saver | None]:
    """What keeps them, while it is open.

    Raises:
        InputError: what speaks to PostgreSQL is not installed, or the address is none.
        EnvironmentNotReady: the database cannot be reached.
        StateDamaged: the file is no database.
    """
    if checkpoints is None:
        yield None
    elif isinstance(checkpoints, Shared):
        async with _in_postgres(checkpoints.url) as saver:
            yield saver
    else:
        async with _in_file(checkpoints) as saver:
            yield saver


@asynccontextmanager
async def _in_file(path: Path) -> AsyncIterator[Saver]:
    path.parent.mkdir(parents=True, exist_ok=True)
    async with AsyncExitStack() as kept:
        opened = AsyncExitStack()
        kept.push_async_callback(lambda: _whole(opened.aclose()))
        saver = await _whole(opened.enter_async_context(AsyncSqliteSaver.from_conn_string(str(path))))
        # What an audit leaves holds its inputs as they were.
        with reading():
            await _whole(_overwriting(saver))
        yield saver


async def _overwriting(saver: AsyncSqliteSaver) -> None:
    await saver.conn.execute("PRAGMA secure_delete = ON")
    await saver.conn.execute("PRAGMA synchronous = NORMAL")  # a kill loses nothing; a power cut the last steps at most


async def _whole(work: Coroutine[Any, Any, T]) -> T:
    """Do it to its end, whoever wants to cancel it: its thread answers into this event loop, which has to be there."""
    task, cancelled = asyncio.ensure_future(work), False
    while not task.done():
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError:
            cancelled = True
    if cancelled:
        raise asyncio.CancelledError
    return task.result()


@asynccontextmanager
async def _in_postgres(url: str) -> AsyncIterator[Saver]:
    try:
        from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver  # noqa: PLC0415 - an extra
        from psycopg import OperationalError, ProgrammingError  # noqa: PLC0415
    except ImportError:
        raise InputError(say("checkpoints.checkpoints_postgresql_need_driver")) from None
    try:
        async with AsyncPostgresSaver.from_conn_string(url) as saver:
            await saver.setup()
            yield saver
    except ProgrammingError as error:
        raise InputError(say("checkpoints.address_checkpoints_none_postgresql", error=_line(error))) from None
    except OperationalError as error:
        raise EnvironmentNotReady(
            say("checkpoints.postgresql_checkpoints_cannot_reached", error=_line(error))
        ) from None


def _line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
