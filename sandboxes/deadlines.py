"""Every call of the engine ends: one may be stuck, or give a byte a minute, which no socket's timeout notices."""

import threading
import time
from collections.abc import Callable, Iterator
from typing import TypeVar

from cases.sentences import Sentences

say = Sentences(__name__)

T = TypeVar("T")

LONG_SECONDS = 1800
"""Of calls that the SDK gives all the time they want: to pull or import an image."""
COPY_SECONDS = 600
"""Of calls that carry files."""


def within(seconds: float, work: Callable[[], T]) -> T:
    """What `work` gives, waited for so many seconds: a thread that waits for an engine can only be left, not ended.

    Raises:
        TimeoutError: it took longer.
    """
    done = threading.Event()
    given: list[T] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            given.append(work())
        except BaseException as error:  # noqa: BLE001 - handed to the thread that waits
            failed.append(error)
        done.set()

    threading.Thread(target=run, daemon=True).start()
    if not done.wait(seconds):
        raise TimeoutError(say("deadlines.no_whole_answer_within", seconds=seconds))
    if failed:
        raise failed.pop()  # what is raised and still held here would hold its frames, and their sockets, in a circle
    return given.pop()


def each_within(seconds: float, items: Iterator[T]) -> Iterator[T]:
    """The items of a stream of the engine's, all of them within so many seconds.

    Raises:
        TimeoutError: they took longer.
    """
    until, end = time.monotonic() + seconds, object()
    while (item := within(max(until - time.monotonic(), 0.0), lambda: next(items, end))) is not end:
        yield item  # type: ignore[misc]  # it is not the end
