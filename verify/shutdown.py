"""How work ends when somebody asks for it: cancelled in order, and never with a traceback."""

import _thread
import asyncio
import signal
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

PATIENCE = 5.0
"""Seconds that a request to end waits until what is computed right now has a pause."""
REQUESTS = (signal.SIGTERM, signal.SIGHUP)
"""An end that is asked for otherwise than by Ctrl-C: by whoever runs this program, or by a terminal that closes."""


class Drain:
    """The first request to end: what is begun is finished, and nothing more is begun."""

    def __init__(self, said: Callable[[], None]) -> None:
        """Call `said` at the request."""
        self.asked = False
        self._said = said

    def __call__(self) -> None:
        """It was asked to end."""
        self.asked = True
        self._said()


async def side_by_side(work: Callable[[], Coroutine[Any, Any, None]], times: int) -> None:
    """Do the same several times at once; where one raises, the others are cancelled and it is raised."""
    if times == 1:  # an interrupt would be told of a task of its own too
        await work()
        return
    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(times):
                group.create_task(work())
    except BaseExceptionGroup as several:
        raise several.exceptions[0] from None


class Busy:
    """A request to end that nothing answers while something is computed is made a Ctrl-C where the program stands."""

    def __init__(self) -> None:
        """Nothing was asked for yet."""
        self._asked: threading.Timer | None = None

    def ask(self, number: int) -> None:
        """It was asked to end, by this signal.

        Raises:
            KeyboardInterrupt: the request before was not heard within `PATIENCE` seconds, or there is another.
        """
        if self._asked:
            self.heard()
            raise KeyboardInterrupt
        self._asked = threading.Timer(PATIENCE, _thread.interrupt_main, (number,))
        self._asked.daemon = True
        self._asked.start()

    def heard(self) -> None:
        """The request was heard."""
        if self._asked:
            self._asked.cancel()
            self._asked = None


def run(work: Coroutine[Any, Any, T], drain: Drain | None = None) -> T:
    """Run it to its end; a request to end cancels it, so that containers and browser are put away.

    With `drain`, only the second one does; the first is for the work itself to hear.

    Only the main thread hears of it. It does not go through SIGINT, which a shell lets its background jobs ignore. What
    is ignored already, as SIGHUP is below `nohup`, stays so.

    Raises:
        KeyboardInterrupt: it was asked to end.
    """
    try:
        return asyncio.run(_heard(work, drain))
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None


async def _heard(work: Coroutine[Any, Any, T], drain: Drain | None) -> T:
    """It, with the signals of a request to end heard meanwhile."""
    loop, task, busy = asyncio.get_running_loop(), asyncio.current_task(), Busy()
    assert task

    def end() -> None:
        busy.heard()
        if drain and not drain.asked:
            drain()
        else:
            task.cancel()

    def request(number: int, _frame: object) -> None:
        loop.call_soon_threadsafe(end)
        busy.ask(number)

    if threading.current_thread() is threading.main_thread():
        for number in (*REQUESTS, signal.SIGINT):
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, request)
    try:
        return await work
    finally:
        busy.heard()
