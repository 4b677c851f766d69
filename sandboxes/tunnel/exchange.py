"""The outer end: lines from relays come together here, and each is served by a proxy of its own."""

import asyncio
import concurrent.futures
import contextlib
import socket
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from cases.sentences import Sentences
from sandboxes.egress import EgressProxy
from sandboxes.errors import SandboxError
from sandboxes.streams import STDOUT, close_stream, frames
from sandboxes.tunnel.mux import CHUNK, MOST, Mux, Streams

say = Sentences(__name__)

READY_SECONDS = 60
"""How long a relay may take to say that it is there, also on a busy machine."""
CLOSE_SECONDS = 5
T = TypeVar("T")


class Line:
    """One relay's connections, and what was refused of them; any thread may ask."""

    def __init__(self, new: Callable[[], EgressProxy], keep: Callable[[Streams], Streams]) -> None:
        """Belong to the exchange that made it, which makes proxies and keeps all streams to close them in the end."""
        self._new = new
        self._keep = keep
        self._proxies = [new()]
        self._served: asyncio.Task[None] | None = None

    async def serve(self, streams: Streams, ready: asyncio.Event) -> None:
        """Serve what comes over the relay's streams until it is gone; `ready` is set when it is there."""

        async def dial() -> Streams:
            if sum(proxy.busy for proxy in self._proxies) >= MOST:  # with whom it was that hung up, perhaps
                raise BlockingIOError
            pair, ends = socket.socketpair(), list[Streams]()
            try:
                for one in pair:
                    ends.append(self._keep(await asyncio.open_connection(sock=one)))
            except BaseException:  # the other end hung up in the middle
                for _, writer in ends:
                    writer.close()
                for one in pair[len(ends) :]:
                    one.close()
                raise
            self._proxies[-1].accept(*ends[1])
            return ends[0]

        self._served = asyncio.current_task()
        try:
            await Mux(streams, ready, dial).run()
        finally:
            for proxy in self._proxies:
                await proxy.hang_up()
            streams[1].close()

    def renew(self) -> None:
        """Count anew what is refused, for the next container."""
        self._proxies.append(self._new())

    @property
    def alive(self) -> bool:
        """Whether the relay is still there."""
        return self._served is not None and not self._served.done()

    def close(self) -> None:
        """Hang up."""
        if self._served:
            with contextlib.suppress(RuntimeError):  # the exchange was closed before
                self._served.get_loop().call_soon_threadsafe(self._served.cancel)

    def denials(self) -> tuple[str, ...]:
        """`host:port` of what was refused since the line was made or renewed."""
        return _named(self._proxies[-1:])

    def all_denials(self) -> tuple[str, ...]:
        """The same since it was made."""
        return _named(self._proxies)

    def all_admissions(self) -> tuple[str, ...]:
        """`host:port` of what was let through since it was made."""
        made = (admission for proxy in self._proxies for admission in proxy.allowed)
        return tuple(dict.fromkeys(f"{admission.host}:{admission.port}" for admission in made))


class Exchange:
    """A thread of its own with all proxies, so that no caller's event loop has to run for them."""

    def __init__(self) -> None:
        """No line is open yet."""
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True, name="exchange")
        self._lines: list[Line] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: list[asyncio.StreamWriter] = []
        self._thread.start()

    def open(self, connection: Any, new: Callable[[], EgressProxy]) -> Line:  # noqa: ANN401 - the SDK has no types
        """Serve what comes over the SDK's stream of an attached relay by proxies that `new` makes.

        Raises:
            SandboxError: the relay does not say that it is there.
        """
        ours, theirs = socket.socketpair()
        threading.Thread(target=_pump, args=(connection, theirs), daemon=True).start()
        try:
            return self._do(self._serve(ours, new))
        except (TimeoutError, concurrent.futures.TimeoutError) as error:
            _shut(theirs)
            raise SandboxError(say("tunnel.exchange.relay_package_indexes_not")) from error

    def denials(self) -> tuple[str, ...]:
        """What all proxies refused so far, each once."""
        return tuple(dict.fromkeys(denial for line in list(self._lines) for denial in line.all_denials()))

    def close(self) -> None:
        """Hang up on all relays."""

        async def end() -> None:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            left = self._open()
            for writer in left:
                writer.transport.abort()  # whoever does not read any more is not waited for
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(CLOSE_SECONDS):
                    await asyncio.gather(*(writer.wait_closed() for writer in left), return_exceptions=True)

        self._do(end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _do(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(READY_SECONDS + 5)

    def _keep(self, streams: Streams) -> Streams:
        """Remember them until their sockets are closed: a task that is cancelled before its first step closes nothing,
        and a stream that is closing still waits for its reader.
        """
        self._writers = [*self._open(), streams[1]]
        return streams

    def _open(self) -> list[asyncio.StreamWriter]:
        return [writer for writer in self._writers if writer.get_extra_info("socket").fileno() >= 0]

    async def _serve(self, ours: socket.socket, new: Callable[[], EgressProxy]) -> Line:
        line, ready = Line(new, self._keep), asyncio.Event()
        task = asyncio.create_task(line.serve(self._keep(await asyncio.open_connection(sock=ours)), ready))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        waiting = asyncio.create_task(ready.wait())
        done, _ = await asyncio.wait({waiting, task}, timeout=READY_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        if waiting not in done:
            task.cancel()
            raise TimeoutError
        self._lines.append(line)
        return line


def _named(proxies: list[EgressProxy]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(f"{denial.host}:{denial.port}" for proxy in proxies for denial in proxy.denials))


def _pump(connection: Any, end: socket.socket) -> None:  # noqa: ANN401 - the SDK has no types
    """Pass on what the relay writes, and what goes to it, until either end is closed."""
    back = threading.Thread(target=_into, args=(connection, end), daemon=True)
    back.start()
    with contextlib.suppress(OSError, ValueError):
        for stream, data in frames(connection):
            if stream == STDOUT:
                end.sendall(data)
    _shut(end)
    back.join()
    end.close()
    close_stream(connection)


def _into(connection: Any, end: socket.socket) -> None:  # noqa: ANN401 - the SDK has no types
    raw = getattr(connection, "_sock", connection)
    with contextlib.suppress(OSError):
        while data := end.recv(CHUNK):
            raw.sendall(data)
    with contextlib.suppress(OSError):
        raw.shutdown(socket.SHUT_RDWR)


def _shut(end: socket.socket) -> None:
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
