"""A forward proxy inside this process: CONNECT and absolute-form HTTP, dialling only what its policy allows."""

import asyncio
import contextlib
import secrets
import ssl
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

import h11

from cases.sentences import Sentences
from sandboxes.egress.addresses import normalise_host
from sandboxes.egress.authority import Authority, end_tls
from sandboxes.egress.policy import Allowed, Denied, Policy
from sandboxes.egress.reading import Streams, ambiguous, converse, end_to_end, next_event, objection
from sandboxes.egress.records import Admission, Denial, Distinct, Failure, Limits, Refused
from sandboxes.egress.relay import Relay, close, relay_response
from sandboxes.egress.via import Via

say = Sentences(__name__)

TLS_PORT = 443


class EgressProxy:
    """Serves while its context is open; what it let through and what not can be read at any time."""

    def __init__(
        self,
        policy: Policy,
        host: str = "127.0.0.1",
        port: int = 0,
        *,
        limits: Limits | None = None,
        authority: Authority | None = None,
        via: Via | None = None,
    ) -> None:
        """Listen on `host` and `port` (0 picks a free one) once entered.

        With an `authority` the proxy reads along, TLS included, and lets through only what reads from the very host
        that was asked for; its clients have to trust that authority. All that is let through goes `via` another
        proxy, where there is one.
        """
        self._open = via.open if via else asyncio.open_connection
        self._policy = policy
        self._authority = authority
        self._host = host
        self._port = port
        self._limits = limits or Limits()
        self._denials = Distinct[Denial](self._limits.records)
        self._allowed = Distinct[Admission](self._limits.records)
        self._failures = Distinct[Failure](self._limits.records)
        self._slots = asyncio.Semaphore(self._limits.connections)
        self._read_from = set[str]()
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None
        self.bytes = 0
        """Relayed so far, both directions."""
        self.mark_header = "X-Egress-Refused"
        self.mark = secrets.token_hex(8)
        """The value of `mark_header` in answers of the proxy itself, which no server can know."""

    @property
    def address(self) -> str:
        """`host:port`, once entered."""
        return f"{self._host}:{self._port}"

    @property
    def busy(self) -> int:
        """Connections that it serves, also for a client that is gone by now."""
        return len(self._tasks)

    @property
    def denials(self) -> list[Denial]:
        """Distinct denials in their order."""
        return self._denials.list()

    @property
    def allowed(self) -> list[Admission]:
        """Distinct connections made, in their order."""
        return self._allowed.list()

    @property
    def failures(self) -> list[Failure]:
        """Distinct connections that failed, in their order."""
        return self._failures.list()

    async def __aenter__(self) -> Self:
        """Listen.

        Raises:
            OSError: the address cannot be bound.
        """
        self._server = await asyncio.start_server(self.accept, self._host, self._port, limit=self._limits.head_bytes)
        self._port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the listener and every connection."""
        if self._server:
            self._server.close()
        await self.hang_up()
        if self._server:
            await self._server.wait_closed()

    async def hang_up(self) -> None:
        """Close every connection."""
        await _cancel(self._tasks)

    def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve a connection that came some other way than through the listener; it needs none."""
        task = asyncio.get_running_loop().create_task(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with self._slots:
                await self._handle(reader, writer)
        except Refused as refused:
            with contextlib.suppress(OSError):
                writer.write(self._refusal(refused))
                await writer.drain()
        except (OSError, TimeoutError, asyncio.IncompleteReadError, h11.ProtocolError):
            pass  # the client or the server went away; the browser sees a closed connection
        finally:
            await close(writer)

    def _refusal(self, refused: Refused) -> bytes:
        body = f"{refused}\n".encode("ascii", "backslashreplace")
        lines = (
            f"HTTP/1.1 {refused.status} Egress refused",
            f"{self.mark_header}: {self.mark}",
            f"Content-Length: {len(body)}",
            "Connection: close",
        )
        return "\r\n".join((*lines, "", "")).encode() + body

    async def _handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        client = h11.Connection(h11.SERVER, max_incomplete_event_size=self._limits.head_bytes)
        try:
            async with asyncio.timeout(self._limits.head_seconds):
                request = await next_event(client, reader)
        except h11.RemoteProtocolError as error:
            raise Refused(400, say("egress.proxy.malformed_request", error=error)) from error
        if not isinstance(request, h11.Request):
            return
        if ambiguous(request):
            raise Refused(400, say("egress.proxy.malformed_request_two_lengths"))
        tunnel = request.method == b"CONNECT"
        host, port, path, authority = _target(request.target, tunnel=tunnel)
        if self._authority:
            early = say("egress.proxy.client_speaks_before_let") if client.trailing_data[0] else None
            self._check(early if tunnel else objection(request, _normal(host), port, path), host, port)
        upstream, sink = await self._dial(host, port, tls=bool(self._authority) and tunnel and port == TLS_PORT)
        relay = Relay(self._limits.idle_seconds, self._count, self._limits.connection_bytes)
        try:
            if tunnel:
                writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
                if self._authority:
                    await self._read_along((reader, writer), (upstream, sink), (host, port), self._authority, relay)
                else:
                    sink.write(client.trailing_data[0])
                    await relay.both(reader, writer, upstream, sink)
            else:
                await self._forward(client, request, path, authority, (reader, writer), (upstream, sink), relay)
        except (TimeoutError, OverflowError) as error:
            self._failures.add(Failure(host, port, str(error) or "timed out"))
        finally:
            await close(sink)

    async def _read_along(
        self, down: Streams, up: Streams, asked: tuple[str, int], authority: Authority, relay: Relay
    ) -> None:
        """A tunnel that is read, so that nothing goes through it but requests that read from the host asked for."""
        host, port = asked
        name, problems, carried = _normal(host), list[str](), 0
        try:
            if port == TLS_PORT:
                context = authority.inwards(name, problems.append)
                down = await end_tls(down, context, self._limits.head_seconds)
            carried = await converse(
                down, up, relay.read, lambda request: objection(request, name, port, request.target)
            )
        except Refused as refused:
            problems.append(str(refused))
            with contextlib.suppress(OSError):
                down[1].write(self._refusal(refused))
                await down[1].drain()
        except OSError as error:
            if not carried and not isinstance(error, TimeoutError):
                problems.append(say("egress.proxy.client_not_take_our", error=error))
            raise
        finally:
            if carried:
                self._read_from.add(name)
            elif port == TLS_PORT and name not in self._read_from and not problems:
                problems.append(say("egress.proxy.client_hung_up_when"))
            for problem in problems[:1]:
                self._denials.add(Denial(host, port, problem))
            await close(down[1])

    def _check(self, problem: str | None, host: str, port: int) -> None:
        if problem:
            self._denials.add(Denial(host, port, problem))
            raise Refused(403, f"{host}:{port}: {problem}")

    def _count(self, count: int) -> None:
        self.bytes += count
        if self.bytes > self._limits.total_bytes:
            raise OverflowError(say("egress.proxy.byte_limit_proxy_reached"))

    async def _dial(self, host: str, port: int, *, tls: bool) -> Streams:
        decision = await self._policy.dial(host, port)
        if isinstance(decision, Denied):
            self._denials.add(Denial(host, port, decision.reason))
            raise Refused(403, f"{host}:{port}: {decision.reason}")
        return await self._connect(host, port, decision, tls=tls)

    async def _connect(self, host: str, port: int, allowed: Allowed, *, tls: bool) -> Streams:
        problem = ""
        secure = self._authority.outwards if tls and self._authority else None
        name = _normal(host) if secure else None
        for address in (allowed.address, *allowed.others[:3]):
            try:
                async with asyncio.timeout(self._limits.connect_seconds):
                    streams = await self._open(address, allowed.port, ssl=secure, server_hostname=name)
            except ssl.SSLCertVerificationError as error:
                self._check(say("egress.proxy.certificate_not_valid", verify_message=error.verify_message), host, port)
            except TimeoutError:
                problem = "connection timed out"
            except ConnectionRefusedError:
                problem = "connection refused"
            except OSError as error:
                problem = error.strerror or type(error).__name__
            else:
                self._allowed.add(Admission(host, port, address))
                return streams
        self._failures.add(Failure(host, port, problem))
        raise Refused(504 if "timed out" in problem else 502, f"{host}:{port}: {problem}")

    async def _forward(
        self,
        client: h11.Connection,
        request: h11.Request,
        path: bytes,
        host: bytes,
        down: Streams,
        up: Streams,
        relay: Relay,
    ) -> None:
        """Send one request, bring back one response, and close: a second request gets a connection of its own."""
        server = h11.Connection(h11.CLIENT)
        headers = [(b"Host", host), (b"Connection", b"close"), *end_to_end(request)]
        head = h11.Request(method=request.method, target=path, headers=headers)
        up[1].write(server.send(head) or b"")

        async def send_body() -> None:
            while isinstance(event := await next_event(client, down[0]), h11.Data | h11.EndOfMessage):
                data = server.send(event) or b""
                relay.count(len(data))
                up[1].write(data)
                await up[1].drain()
                if isinstance(event, h11.EndOfMessage):
                    return

        body = asyncio.create_task(send_body())
        try:
            await relay_response(up[0], down[1], relay, self._limits.head_bytes, head_only=request.method == b"HEAD")
        finally:
            await _cancel({body})


def _target(target: bytes, *, tunnel: bool) -> tuple[str, int, bytes, bytes]:
    """Host, port, origin-form path and `Host` header of a request target."""
    text = target.decode("ascii", "replace")
    try:
        parts = urlsplit(f"//{text}" if tunnel else text)
        port = parts.port
    except ValueError as error:
        raise Refused(400, say("egress.proxy.malformed_target", error=error)) from error
    if not parts.hostname or (tunnel and port is None):
        raise Refused(400, say("egress.proxy.forward_proxy_absolute_form"))
    if tunnel:
        return parts.hostname, port or 443, b"", b""
    if parts.scheme != "http":
        raise Refused(400, say("egress.proxy.scheme_not_forwarded", scheme=parts.scheme[:20]))
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    authority = parts.netloc.rpartition("@")[2]
    return parts.hostname, port or 80, path.encode("ascii", "replace"), authority.encode("ascii", "replace")


def _normal(host: str) -> str:
    try:
        return normalise_host(host)
    except ValueError:
        return ""  # the policy refuses it


async def _cancel(tasks: set[asyncio.Task[None]]) -> None:
    pending = list(tasks)
    for task in pending:
        task.cancel()
    await asyncio.gather(*pending, return_exceptions=True)
