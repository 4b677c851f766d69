"""Many connections over one pair of byte streams, with a window for each so that a slow one holds up no other.

Both ends run this module: outside it is imported, inside a container its source is all there is, so it needs the
standard library only. A frame is `HEAD` and, for DATA, that many bytes; for ACK the number counts bytes passed on.
"""

import asyncio
import contextlib
import socket
import struct
import sys
from collections.abc import Awaitable, Callable

HEAD = struct.Struct(">IBI")
READY, OPEN, DATA, END, CLOSE, ACK = range(6)
WINDOW = 1 << 20
"""Bytes of one connection that may be under way."""
CHUNK = 1 << 16
CHANNELS = 32
"""Connections that the inner end accepts at once; further ones wait in the kernel for their turn."""
MOST = 2 * CHANNELS
"""What the outer end opens at once, whatever the inner one says: some of those that it closed may not be gone yet."""
BACKLOG = 256
HOST = "127.0.0.1"

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Dial = Callable[[], Awaitable[Streams]]


class _Carried:
    """One connection."""

    def __init__(self) -> None:
        self.incoming: asyncio.Queue[bytes] = asyncio.Queue()
        """What the other end sent; an empty piece is its end."""
        self.credit = WINDOW
        self.more = asyncio.Event()
        self.task: asyncio.Task[None] | None = None


class Mux:
    """One end; `run` lasts until the other end is gone."""

    def __init__(self, streams: Streams, ready: asyncio.Event, dial: Dial | None = None) -> None:
        """`ready` is set when the other end greets; `dial` makes the local side of a connection that it opens."""
        self._reader, self._writer = streams
        self._dial = dial
        self._carried: dict[int, _Carried] = {}
        self._last = 0
        self._draining = asyncio.Lock()
        self._ready = ready

    async def run(self) -> None:
        """Serve the other end."""
        try:
            while True:
                number, kind, size = HEAD.unpack(await self._reader.readexactly(HEAD.size))
                data = await self._reader.readexactly(size) if kind == DATA else b""
                self._take(number, kind, size, data)
        except (asyncio.IncompleteReadError, OSError):
            pass
        finally:
            tasks = [carried.task for carried in self._carried.values() if carried.task]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def greet(self) -> None:
        """Say to the other end that this one is there."""
        await self._send(0, READY)

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry a local connection to the other end."""
        self._last += 1
        number = self._last
        carried = self._carried[number] = _Carried()
        await self._send(number, OPEN)
        carried.task = asyncio.create_task(self._bridge(number, carried, (reader, writer)))
        with contextlib.suppress(asyncio.CancelledError):
            await carried.task

    def _take(self, number: int, kind: int, size: int, data: bytes) -> None:
        carried = self._carried.get(number)
        if kind == READY:
            self._ready.set()
        elif kind == OPEN and self._dial and carried is None:
            if len(self._carried) >= MOST:
                self._writer.write(HEAD.pack(number, CLOSE, 0))
                return
            carried = self._carried[number] = _Carried()
            carried.task = asyncio.create_task(self._answer(number, carried))
            carried.task.add_done_callback(lambda _: self._carried.pop(number, None))  # also one that never began
        elif carried is None:
            return  # closed on this side while the other still sent
        elif kind in (DATA, END):
            carried.incoming.put_nowait(data)
        elif kind == ACK:
            carried.credit += size
            carried.more.set()
        elif kind == CLOSE and carried.task:
            carried.task.cancel()

    async def _answer(self, number: int, carried: _Carried) -> None:
        assert self._dial
        try:
            streams = await self._dial()
        except OSError:
            await self._send(number, CLOSE)
            return
        await self._bridge(number, carried, streams)

    async def _bridge(self, number: int, carried: _Carried, streams: Streams) -> None:
        ways = [
            asyncio.create_task(self._outwards(number, carried, streams[0])),
            asyncio.create_task(self._inwards(number, carried, streams[1])),
        ]
        try:
            await asyncio.gather(*ways)
        except OSError:
            await self._send(number, CLOSE)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            self._carried.pop(number, None)
            streams[1].close()

    async def _outwards(self, number: int, carried: _Carried, reader: asyncio.StreamReader) -> None:
        while True:
            while carried.credit <= 0:
                carried.more.clear()
                await carried.more.wait()
            data = await reader.read(min(CHUNK, carried.credit))
            if not data:
                await self._send(number, END)
                return
            carried.credit -= len(data)
            await self._send(number, DATA, data)

    async def _inwards(self, number: int, carried: _Carried, writer: asyncio.StreamWriter) -> None:
        while True:
            data = await carried.incoming.get()
            if not data:
                if writer.can_write_eof():
                    writer.write_eof()
                return
            writer.write(data)
            await writer.drain()
            await self._send(number, ACK, size=len(data))

    async def _send(self, number: int, kind: int, data: bytes = b"", size: int = 0) -> None:
        self._writer.write(HEAD.pack(number, kind, len(data) or size) + data)
        async with self._draining:
            await self._writer.drain()


async def _inside(port: int) -> None:
    """The end in the container: whatever connects to `port` is carried out over the standard streams."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin.buffer)
    transport, protocol = await loop.connect_write_pipe(asyncio.streams.FlowControlMixin, sys.stdout.buffer)
    mux = Mux((reader, asyncio.StreamWriter(transport, protocol, None, loop)), asyncio.Event())
    with socket.create_server((HOST, port), backlog=BACKLOG) as listener:
        listener.setblocking(False)
        accepting = asyncio.create_task(_accept(mux, listener))
        await mux.greet()
        await mux.run()
        accepting.cancel()


async def _accept(mux: Mux, listener: socket.socket) -> None:
    """Carry what connects; what comes while enough are under way waits in the kernel for its turn."""
    slots, tasks = asyncio.Semaphore(CHANNELS), set[asyncio.Task[None]]()

    async def carry(connection: socket.socket) -> None:
        try:
            await mux.carry(*await asyncio.open_connection(sock=connection))
        finally:
            slots.release()

    while True:
        await slots.acquire()
        connection, _ = await asyncio.get_running_loop().sock_accept(listener)
        task = asyncio.create_task(carry(connection))
        tasks.add(task)
        task.add_done_callback(tasks.discard)


if __name__ == "__main__":
    asyncio.run(_inside(int(sys.argv[1])))
