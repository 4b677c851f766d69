"""A server behind the proxy, and what is said to it."""

import asyncio
import contextlib

BODY = b"hello from upstream\n"


class Upstream:
    """A real TCP server that records what reached it and answers every request alike."""

    def __init__(self, reply: bytes | None = None, *, keep_open: bool = False, echo: bool = False) -> None:
        self.reply = reply or b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\nConnection: keep-alive\r\n\r\n%s" % (
            len(BODY),
            BODY,
        )
        self.keep_open = keep_open
        self.echo = echo
        self.heads: list[bytes] = []
        self.connections = 0

    async def __aenter__(self):
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", 0)
        self.at = f"127.0.0.1:{self.server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_):
        self.server.close()
        await self.server.wait_closed()

    async def serve(self, reader, writer):
        self.connections += 1
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            if self.echo:
                while data := await reader.read(100):
                    writer.write(data)
                    await writer.drain()
            else:
                self.heads.append(await reader.readuntil(b"\r\n\r\n"))
                writer.write(self.reply)
                await writer.drain()
                if self.keep_open:
                    await reader.read()
        writer.close()


async def talk(address: str, data: bytes) -> bytes:
    """Everything the proxy answers to raw bytes until it closes."""
    host, port = address.rsplit(":", 1)
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(data)
    answer = await asyncio.wait_for(reader.read(), 20)
    writer.close()
    return answer
