"""What a proxy that reads along lets through: requests to the host that was asked for, and only those that read."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import h11

from cases import patterns as re
from cases.loading import Expression, load
from cases.sentences import Sentences
from sandboxes.egress.addresses import normalise_host
from sandboxes.egress.records import Refused

say = Sentences(__name__)

READS = frozenset({"GET", "HEAD", "OPTIONS"})
QUERY_BYTES = 4_000_000
OVERRIDES = frozenset({b"x-http-method-override", b"x-http-method", b"x-method-override"})
HOP_BY_HOP = frozenset(
    (b"host", b"connection", b"keep-alive", b"proxy-connection", b"proxy-authorization", b"te", b"trailer", b"upgrade")
)

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Read = Callable[[asyncio.StreamReader], Awaitable[bytes]]


@dataclass(frozen=True)
class Query:
    """A request that only asks, though its method could write."""

    method: str
    path: Expression
    source: str


async def _some(reader: asyncio.StreamReader) -> bytes:
    return await reader.read(65_536)


async def next_event(connection: h11.Connection, reader: asyncio.StreamReader, read: Read = _some) -> object:
    """What comes next on one side of a connection."""
    while (event := connection.next_event()) is h11.NEED_DATA:
        connection.receive_data(await read(reader))
    return event


def ambiguous(request: h11.Request) -> bool:
    """Whether two servers could disagree about where its body ends."""
    names = [name.lower() for name, _ in request.headers]
    return b"transfer-encoding" in names and b"content-length" in names


def objection(request: h11.Request, host: str, port: int, path: bytes) -> str | None:
    """Why a request in a connection to `host` and `port` is not passed on."""
    headers = [(name.lower(), value) for name, value in request.headers]
    method = request.method.decode("ascii", "replace")[:20]
    named = [value for name, value in headers if name == b"host"]
    if len(named) != 1 or not _names(named[0], host, port):
        return say(
            "egress.reading.request_connection", named=b", ".join(named).decode("ascii", "replace")[:80] or "no host"
        )
    if not path.startswith(b"/") or b"#" in path:  # behind it a server reads nothing
        return say("egress.reading.request_no_path")
    if any(name in OVERRIDES for name, _ in headers):
        return say("egress.reading.header_stands_another_method")
    sized = [value for name, value in headers if name == b"content-length"]
    body = any(name == b"transfer-encoding" for name, _ in headers) or any(value.strip(b"0") for value in sized)
    if method in READS:
        return say("egress.reading.body_not_reading", method=method) if body else None
    plain = path.partition(b"?")[0].decode("ascii", "replace")
    queries = load(tuple[Query, ...], "sandboxes.egress", "queries.toml", "query")
    asks = any(query.method == method and re.search(query.path, plain) for query in queries)
    return None if asks else say("egress.reading.not_reading", method=method)


async def converse(down: Streams, up: Streams, read: Read, check: Callable[[h11.Request], str | None]) -> int:
    """Carry requests and answers, one after the other, until either side has enough; returns how many.

    Raises:
        Refused: a request to which `check` objects; it was not passed on.
    """
    client, server = h11.Connection(h11.SERVER), h11.Connection(h11.CLIENT)
    carried = 0
    while True:
        try:
            request = await next_event(client, down[0], read)
        except h11.RemoteProtocolError as error:
            raise Refused(400, say("egress.reading.malformed_request", error=error)) from error
        if not isinstance(request, h11.Request):
            return carried
        if problem := say("egress.reading.two_lengths_body") if ambiguous(request) else check(request):
            raise Refused(403, problem)
        host = next(value for name, value in request.headers if name == b"host")
        headers = [(b"Host", host), *end_to_end(request)]
        up[1].write(server.send(h11.Request(method=request.method, target=request.target, headers=headers)) or b"")
        await _body(client, server, down, up, read)
        await _answer(client, server, down, up, read)
        carried += 1
        if client.our_state is not h11.DONE or server.our_state is not h11.DONE or server.their_state is not h11.DONE:
            return carried
        client.start_next_cycle()
        server.start_next_cycle()


async def _body(client: h11.Connection, server: h11.Connection, down: Streams, up: Streams, read: Read) -> None:
    size = 0
    if client.they_are_waiting_for_100_continue:
        down[1].write(client.send(h11.InformationalResponse(status_code=100, headers=[])) or b"")
    while isinstance(event := await next_event(client, down[0], read), h11.Data | h11.EndOfMessage):
        if isinstance(event, h11.Data):
            size += len(event.data)
            if size > QUERY_BYTES:
                raise Refused(413, say("egress.reading.body_too_long_question"))
        up[1].write(server.send(event) or b"")
        await up[1].drain()
        if isinstance(event, h11.EndOfMessage):
            return


async def _answer(client: h11.Connection, server: h11.Connection, down: Streams, up: Streams, read: Read) -> None:
    while True:
        event = await next_event(server, up[0], read)
        if isinstance(event, h11.InformationalResponse):
            continue
        if not isinstance(event, h11.Response | h11.Data | h11.EndOfMessage):
            return
        if isinstance(event, h11.Response):
            kept = [(name, value) for name, value in event.headers.raw_items() if name.lower() not in HOP_BY_HOP]
            if any(name == b"connection" and b"close" in value.lower() for name, value in event.headers):
                kept.append((b"Connection", b"close"))
            event = h11.Response(status_code=event.status_code, headers=kept, reason=event.reason)
        down[1].write(client.send(event) or b"")
        await down[1].drain()
        if isinstance(event, h11.EndOfMessage):
            return


def end_to_end(request: h11.Request) -> list[tuple[bytes, bytes]]:
    """The headers that are not only for the next hop, as they were written."""
    return [(name, value) for name, value in request.headers.raw_items() if name.lower() not in HOP_BY_HOP]


def _names(value: bytes, host: str, port: int) -> bool:
    text = value.decode("ascii", "replace").strip()
    name, _, told = text.rpartition(":") if re.search(r":\d*$", text) else (text, "", "")
    try:
        return normalise_host(name) == host and (not told or int(told) == port)
    except ValueError:
        return False
