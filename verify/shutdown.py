"""How work ends when somebody asks for it: cancelled in order, and never with a traceback."""

import asyncio
import signal
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

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


def run(work: Coroutine[Any, Any, T], drain: Drain | None = None) -> T:
    """Run it to its end; a request to end cancels it, so that containers and browser are put away.

    With `drain`, only the second one does; the first is for the work itself to hear.

    Only the main thread hears of it. It does not go through SIGINT, which a shell lets its background jobs ignore. What
    is ignored already, as SIGHUP is below `nohup`, stays so.

    Raises:
        KeyboardInterrupt: it was asked to end.
    """

    async def heard() -> T:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task

        def end() -> None:
            if drain and not drain.asked:
                drain()
            else:
                task.cancel()

        requests = (*REQUESTS, signal.SIGINT) if drain else REQUESTS
        for request in requests if threading.current_thread() is threading.main_thread() else ():
            if signal.getsignal(request) is not signal.SIG_IGN:
                loop.add_signal_handler(request, end)
        return await work

    try:
        return asyncio.run(heard())
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
