"""However many connections a container opens, or its relay claims, few of them are carried at once."""

import asyncio
import contextlib
import socket
import sys
import threading
import time
from pathlib import Path

from sandboxes.egress import EgressProxy, HostsPolicy, Resolution
from sandboxes.streams import STDOUT
from sandboxes.tunnel import mux
from sandboxes.tunnel.exchange import Exchange, Line
from sandboxes.tunnel.mux import ACK, CHANNELS, CLOSE, DATA, HEAD, MOST, OPEN, READY

CROWD = 3_000


def descriptors() -> int:
    return len([*Path("/proc/self/fd").iterdir()])


async def heard(reader: asyncio.StreamReader, seconds: float = 0.5) -> list[tuple[int, int]]:
    """Number and kind of every frame until it is quiet."""
    frames = []
    with contextlib.suppress(TimeoutError):
        while True:
            number, kind, _ = HEAD.unpack(await asyncio.wait_for(reader.readexactly(HEAD.size), seconds))
            frames.append((number, kind))
    return frames


async def test_a_relay_that_claims_thousands_of_connections_gets_few_sockets():
    near, far = socket.socketpair()
    reader, writer = await asyncio.open_connection(sock=near)
    line = Line(lambda: EgressProxy(HostsPolicy(())), lambda streams: streams)
    before = descriptors()
    served = asyncio.create_task(line.serve(await asyncio.open_connection(sock=far), asyncio.Event()))
    for number in range(CROWD):
        writer.write(HEAD.pack(number, OPEN, 0))
    await writer.drain()
    frames = await heard(reader)
    assert sum(kind == CLOSE for _, kind in frames) == CROWD - MOST
    assert descriptors() - before <= 2 * MOST + 5
    writer.close()
    await served


class Silent:
    """A source of names that never answers."""

    name = "silent"

    async def resolve(self, _: str) -> Resolution:
        await asyncio.sleep(600)
        raise AssertionError


async def test_connections_that_are_dropped_while_a_host_keeps_us_waiting_leave_nothing_behind():
    near, far = socket.socketpair()
    reader, writer = await asyncio.open_connection(sock=near)
    line = Line(lambda: EgressProxy(HostsPolicy(("slow.example",), resolver=Silent())), lambda streams: streams)
    before = descriptors()
    served = asyncio.create_task(line.serve(await asyncio.open_connection(sock=far), asyncio.Event()))
    asks = b"CONNECT slow.example:443 HTTP/1.1\r\nHost: slow.example\r\n\r\n"
    for number in range(CROWD // 10):
        writer.write(HEAD.pack(number, OPEN, 0) + HEAD.pack(number, DATA, len(asks)) + asks)
        await writer.drain()
        await asyncio.sleep(0.002)
        writer.write(HEAD.pack(number, CLOSE, 0))
    await heard(reader)
    assert descriptors() - before <= 2 * MOST + 5
    writer.close()
    await served


async def test_connections_that_end_before_they_begin_take_nobodys_place():
    near, far = socket.socketpair()
    reader, writer = await asyncio.open_connection(sock=near)
    line = Line(lambda: EgressProxy(HostsPolicy(())), lambda streams: streams)
    served = asyncio.create_task(line.serve(await asyncio.open_connection(sock=far), asyncio.Event()))
    for number in range(2 * MOST):
        writer.write(HEAD.pack(number, OPEN, 0) + HEAD.pack(number, CLOSE, 0))
    await heard(reader)
    asks = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
    writer.write(HEAD.pack(CROWD, OPEN, 0) + HEAD.pack(CROWD, DATA, len(asks)) + asks)
    number, kind, size = HEAD.unpack(await asyncio.wait_for(reader.readexactly(HEAD.size), 5))
    while kind == ACK:
        number, kind, size = HEAD.unpack(await asyncio.wait_for(reader.readexactly(HEAD.size), 5))
    assert (number, kind) == (CROWD, DATA)
    assert b"forward proxy" in await reader.readexactly(size)
    writer.close()
    await served


async def test_a_crowd_at_the_inner_end_waits_its_turn_and_gets_it():
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    pipes = {"stdin": asyncio.subprocess.PIPE, "stdout": asyncio.subprocess.PIPE}
    inner = await asyncio.create_subprocess_exec(sys.executable, mux.__file__, str(port), **pipes)
    assert inner.stdin
    assert inner.stdout
    assert HEAD.unpack(await asyncio.wait_for(inner.stdout.readexactly(HEAD.size), 20))[1] == READY
    crowd = [socket.create_connection(("127.0.0.1", port)) for _ in range(CHANNELS + 40)]
    opened = [number for number, kind in await heard(inner.stdout) if kind == OPEN]
    assert len(opened) == CHANNELS
    for number in opened[:10]:
        inner.stdin.write(HEAD.pack(number, CLOSE, 0))
    assert sum(kind == OPEN for _, kind in await heard(inner.stdout)) == 10
    for connection in crowd:
        connection.close()
    inner.stdin.close()
    await asyncio.wait_for(inner.wait(), 10)


def test_a_relay_that_no_longer_reads_leaves_nothing_open():
    before = descriptors()
    relay, connection = socket.socketpair()
    exchange = Exchange()
    said = HEAD.pack(0, READY, 0) + b"".join(HEAD.pack(number, OPEN, 0) for number in range(20 * CROWD))
    claims = threading.Thread(
        target=lambda: relay.sendall(bytes([STDOUT, 0, 0, 0]) + len(said).to_bytes(4, "big") + said)
    )
    claims.start()
    exchange.open(connection, lambda: EgressProxy(HostsPolicy(())))
    claims.join()
    exchange.close()
    relay.close()
    end = time.monotonic() + 5
    while descriptors() > before and time.monotonic() < end:
        time.sleep(0.05)
    assert descriptors() <= before
