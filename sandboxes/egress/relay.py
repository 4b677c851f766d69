"""Bytes from one side to the other, counted, and never longer than allowed."""

import asyncio
import contextlib
from collections.abc import Callable
from time import monotonic

from cases.sentences import Sentences

say = Sentences(__name__)

CHUNK = 65_536
CLOSE_SECONDS = 2


class Relay:
    """The counters and clocks of one connection."""

    def __init__(self, idle_seconds: float, total: Callable[[int], None], limit: int) -> None:
        """Count up to `limit` bytes; `total` counts for the whole proxy and may raise OverflowError."""
        self._idle = idle_seconds
        self._total = total
        self._left = limit
        self._last = monotonic()

    def count(self, size: int) -> None:
        """Account for bytes.

        Raises:
            OverflowError: a byte limit was reached.
        """
        self._last = monotonic()
        self._left -= size
        self._total(size)
        if self._left < 0:
            raise OverflowError(say("egress.relay.byte_limit_connection_reached"))

    async def read(self, reader: asyncio.StreamReader) -> bytes:
        """The next bytes, empty at the end.

        Raises:
            TimeoutError: nothing moved in either direction for too long.
        """
        pending = asyncio.ensure_future(reader.read(CHUNK))
        try:
            while True:
                wait = self._last + self._idle - monotonic()
                if wait <= 0:
                    raise TimeoutError(say("egress.relay.idle_too_long"))
                done, _ = await asyncio.wait({pending}, timeout=wait)
                if done:
                    data = pending.result()
                    self.count(len(data))
                    return data
        finally:
            if not pending.done():
                pending.cancel()

    async def both(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        upstream: asyncio.StreamReader,
        sink: asyncio.StreamWriter,
    ) -> None:
        """A tunnel, until both sides have ended or one has failed."""
        pumps = {asyncio.create_task(self._pump(reader, sink)), asyncio.create_task(self._pump(upstream, writer))}
        try:
            done, _ = await asyncio.wait(pumps, return_when=asyncio.FIRST_EXCEPTION)
        finally:
            for pump in pumps:
                pump.cancel()
            await asyncio.gather(*pumps, return_exceptions=True)
        for pump in done:
            if error := pump.exception():
                raise error

    async def _pump(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        while data := await self.read(source):
            sink.write(data)
            await sink.drain()
        if sink.can_write_eof():
            with contextlib.suppress(OSError):
                sink.write_eof()


async def close(writer: asyncio.StreamWriter) -> None:
    """Close, and wait a little for what is still under way."""
    writer.close()
    with contextlib.suppress(OSError, TimeoutError):
        async with asyncio.timeout(CLOSE_SECONDS):
            await writer.wait_closed()


async def relay_response(
    source: asyncio.StreamReader, sink: asyncio.StreamWriter, relay: Relay, head_bytes: int, *, head_only: bool
) -> None:
    """One response with `Connection: close`, its body untouched; interim responses go before it.

    Raises:
        TimeoutError: the server fell silent.
        OverflowError: a byte limit was reached.
    """
    buffer = b""
    while True:
        while b"\r\n\r\n" not in buffer and b"\n\n" not in buffer:
            data = await relay.read(source)
            if not data:
                sink.write(buffer)
                await sink.drain()
                return
            buffer += data
            if len(buffer) > head_bytes:
                raise OverflowError(say("egress.relay.response_headers_too_long"))
        head, status, buffer = _split(buffer)
        sink.write(_closing(head))
        if not 100 <= status < 200:
            break
    length = _length(head)
    left = 0 if head_only or status in {204, 304} else length
    while left is None or left > 0:
        piece = buffer or await relay.read(source)
        buffer = b""
        if not piece:
            break
        piece = piece if left is None else piece[:left]
        left = None if left is None else left - len(piece)
        sink.write(piece)
        await sink.drain()
    await sink.drain()


def _split(buffer: bytes) -> tuple[list[bytes], int, bytes]:
    separator = b"\r\n\r\n" if b"\r\n\r\n" in buffer else b"\n\n"
    raw, _, rest = buffer.partition(separator)
    lines = [line.rstrip(b"\r") for line in raw.split(b"\n")]
    code = lines[0].split(b" ")[1:2]
    return lines, int(code[0]) if code and code[0].isdigit() else 0, rest


def _closing(lines: list[bytes]) -> bytes:
    dropped = (b"connection:", b"keep-alive:", b"proxy-connection:")
    kept = [line for line in lines if not line.lower().startswith(dropped)]
    return b"\r\n".join([*kept, b"Connection: close", b"", b""])


def _length(lines: list[bytes]) -> int | None:
    """The body's length, or None when only its end tells (chunked bodies too: the server closes)."""
    headers = [line.lower().partition(b":") for line in lines[1:]]
    if any(name.strip() == b"transfer-encoding" for name, _, _ in headers):
        return None
    lengths = [value.strip() for name, _, value in headers if name.strip() == b"content-length"]
    return int(lengths[0]) if lengths and lengths[0].isdigit() else None
