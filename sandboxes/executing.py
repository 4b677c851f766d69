"""Following the output of one exec, whatever it does to its file descriptors."""

import queue
import threading
import time
from collections.abc import Callable
from typing import Any, Literal

from sandboxes.capture import Capture
from sandboxes.streams import close_stream, frames

LINGER_SECONDS = 2.0
"""How long to listen on after the command itself ended but a process it left behind holds its output open."""
LOOK_SECONDS = 1.0
Followed = Literal["ended", "not ended", "at rest"]


def follow(
    api: Any,  # noqa: ANN401 - the SDK has no types
    exec_id: str,
    capture: Capture,
    deadline: float,
    most: int,
    rests: Callable[[float], bool] | None = None,
) -> Followed:
    """Start the exec and feed its output into `capture`.

    `deadline` is on the monotonic clock, `most` a number of bytes. "not ended" when one of them was passed first, "at
    rest" when `rests` says so of the seconds since the last output; the processes then still run.
    """
    connection = api.exec_start(exec_id, socket=True)
    chunks: queue.Queue[bytes | BaseException | None] = queue.Queue(maxsize=64)
    abandoned = threading.Event()
    threading.Thread(target=_read, args=(connection, chunks, abandoned), daemon=True).start()
    ended, heard = None, time.monotonic()
    try:
        while True:
            try:
                chunk = _next(chunks)
            except queue.Empty:
                if ended is None and _has_ended(api.exec_inspect(exec_id)):
                    ended = time.monotonic()
                elif ended is None and rests and rests(time.monotonic() - heard):
                    return "at rest"
            else:
                if chunk is None:
                    return "ended"
                capture.feed(chunk)
                heard = time.monotonic()
            now = time.monotonic()
            if ended is not None and now - ended > LINGER_SECONDS:
                return "ended"
            if now > deadline or capture.size > most:
                return "not ended"
    finally:
        abandoned.set()  # however this ended, nobody listens any more: the reader must not wait until somebody does


def _next(chunks: "queue.Queue[bytes | BaseException | None]") -> bytes | None:
    """The next output, None at its end; raises `queue.Empty` after `LOOK_SECONDS`, and what the reader met."""
    chunk = chunks.get(timeout=LOOK_SECONDS)
    if isinstance(chunk, BaseException):
        raise chunk
    return chunk


def _has_ended(state: dict[str, Any]) -> bool:
    """On a busy machine an exec may not even have begun; it does not run then either, and has no exit code yet."""
    return not state["Running"] and state["ExitCode"] is not None


def _read(connection: object, chunks: "queue.Queue[bytes | BaseException | None]", abandoned: threading.Event) -> None:
    """Pass the stream on until it ends; once abandoned, go on reading but throw it away."""
    last: BaseException | None = None
    try:
        for _, data in frames(connection):
            _offer(chunks, data, abandoned)
    except BaseException as error:  # noqa: BLE001 - handed to the thread that waits
        last = error
    close_stream(connection)
    _offer(chunks, last, abandoned)


def _offer(
    chunks: "queue.Queue[bytes | BaseException | None]", item: bytes | BaseException | None, abandoned: threading.Event
) -> None:
    while not abandoned.is_set():
        try:
            chunks.put(item, timeout=LOOK_SECONDS)
        except queue.Full:
            continue
        return
