"""The server: one loopback port, TLS or plain by the first byte, answers by host and path."""

import asyncio
import contextlib
import socket
import ssl
import tempfile
from collections import Counter
from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

import h11
import trustme

from .archive import AVAILABILITY, INDEX, archive_answer, live_scenarios
from .scenarios import Answer, Scenario, every_scenario, load_scenarios, render, route_scenarios

HOME = Answer(page="home")
MISSING = Answer(status=404, page="missing")


class Lab:
    """Runs while its context is open; counts what it is asked for."""

    def __init__(
        self,
        *,
        port: int = 0,
        hosts: Mapping[str, str] | None = None,
        ca: trustme.CA | None = None,
        put: Mapping[str, str] | None = None,
        routes: bool = False,
    ) -> None:
        """`hosts` gives further host names a scenario by its id, on all paths or one; `put` replaces words in bodies.

        `routes` adds the archive and the other places that ways around a wall lead to.
        """
        self._port = port
        self._routes = routes
        self.scenarios = load_scenarios() | (route_scenarios() | live_scenarios() if routes else {})
        self._extra = {name.lower(): every_scenario()[scenario] for name, scenario in (hosts or {}).items()}
        self.asked: list[tuple[str, str, dict[str, str]]] = []
        """Host, path and headers of every request."""
        self._turns: Counter[str] = Counter()
        self._put = dict(put or {})
        self._ca = ca or _authority()
        self._folder = tempfile.TemporaryDirectory(prefix="lab-web-")
        self.ca = Path(self._folder.name) / "ca.pem"
        self._foreign = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._deaf = socket.socket()
        """Bound and not listening: its port refuses."""
        self._servers: list[asyncio.Server] = []
        self._tasks: set[asyncio.Task[None]] = set()

    def put(self, word: str, value: str) -> None:
        """From now on replace a word in headers and bodies."""
        self._put[word] = value

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self._port}"

    @property
    def hosts(self) -> tuple[str, ...]:
        """Every host that plays a scenario, the wildcard first."""
        named = {scenario.at for scenario in self.scenarios.values() if not scenario.at.endswith(".lab.example")}
        extra = {name.partition("/")[0] for name in self._extra}
        named |= {INDEX, AVAILABILITY} if self._routes else set()
        return ("*.lab.example", *sorted(named - self._below("unnamed")), *sorted(extra))

    @property
    def resolve(self) -> dict[str, str]:
        """Mappings for the probe's settings."""
        closed = f"127.0.0.1:{self._deaf.getsockname()[1]}"
        return dict.fromkeys(self.hosts, self.address) | dict.fromkeys(self._below("closed"), closed)

    def _below(self, wire: str) -> set[str]:
        return {scenario.at for scenario in self.scenarios.values() if scenario.wire == wire}

    def visits(self, host: str) -> int:
        """How many page requests of a browser a host got."""
        return sum(asked == host and "upgrade-insecure-requests" in headers for asked, _, headers in self.asked)

    async def __aenter__(self) -> Self:
        self._ca.cert_pem.write_to_path(self.ca)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        _issued(self._ca, self.hosts).configure_cert(context)
        context.sni_callback = self._certified
        trustme.CA().issue_cert("*.lab.example").configure_cert(self._foreign)
        self._deaf.bind(("127.0.0.1", 0))
        secure = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=context)
        plain = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self._inner = {True: _port(secure), False: _port(plain)}
        front = await asyncio.start_server(self._front, "127.0.0.1", self._port)
        self._port = _port(front)
        self._servers = [front, secure, plain]
        return self

    def _certified(self, tunnel: ssl.SSLObject, name: str | None, _: ssl.SSLContext) -> None:
        if name in self._below("foreign"):
            tunnel.context = self._foreign

    async def __aexit__(self, *_: object) -> None:
        self._deaf.close()
        for server in self._servers:
            server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for server in self._servers:
            await server.wait_closed()
        self._folder.cleanup()

    def _track(self) -> None:
        task = asyncio.current_task()
        assert task
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _front(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Hand the connection to the inner server that speaks its language."""
        self._track()
        with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            first = await reader.readexactly(1)
            inner_reader, inner = await asyncio.open_connection("127.0.0.1", self._inner[first == b"\x16"])
            inner.write(first)
            try:
                await asyncio.gather(_pump(reader, inner), _pump(inner_reader, writer))
            finally:
                inner.close()
        writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._track()
        with contextlib.suppress(OSError, asyncio.CancelledError, h11.ProtocolError):
            await self._answer(reader, writer)
        writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talk = h11.Connection(h11.SERVER)
        while (event := talk.next_event()) is h11.NEED_DATA:
            talk.receive_data(await reader.read(65_536))
        if not isinstance(event, h11.Request):
            return
        headers = {name.decode(): value.decode("latin-1") for name, value in event.headers}
        host = headers.get("host", "").rsplit(":", 1)[0].lower()
        path, query = urlsplit(event.target.decode("latin-1"))[2:4]
        self.asked.append((host, event.target.decode("latin-1"), headers))
        archived = archive_answer(host, event.target.decode("latin-1")) if self._routes else None
        answer = archived or self._choose(host, path, query, headers.get("cookie", ""))
        await asyncio.sleep(answer.delay)
        if answer.mode == "reset":
            writer.transport.abort()
            return
        if answer.mode == "hang":
            await asyncio.sleep(3600)
        body = self._filled(render(answer, host, path).decode()).encode()
        sent = {"Content-Type": "text/html; charset=utf-8", "Connection": "close"} | answer.headers
        if answer.mode == "whole":
            sent.setdefault("Content-Length", str(len(body)))
        lines = [f"{name}: {self._filled(text.replace('{{host}}', host))}" for name, text in sent.items()]
        writer.write("\r\n".join((f"HTTP/1.1 {answer.status} Lab", *lines, "", "")).encode())
        await writer.drain()
        await _send(writer, body, answer.mode)

    def _filled(self, text: str) -> str:
        for word, value in self._put.items():
            text = text.replace(word, value)
        return text

    def _choose(self, host: str, path: str, query: str, cookie: str) -> Answer:
        scenario = self._find(host, path, query, cookie)
        if scenario is None:
            return HOME if path == "/" else MISSING
        turn = self._turns[scenario.id]
        if len(scenario.answers) > 1 and path != "/favicon.ico":
            self._turns[scenario.id] += 1
        return scenario.answers[turn % len(scenario.answers)]

    def _find(self, host: str, path: str, query: str, cookie: str) -> Scenario | None:
        if extra := self._extra.get(f"{host}{path}") or self._extra.get(host):
            return extra
        for scenario in self.scenarios.values():
            fits = scenario.query in query and scenario.cookie in cookie
            if scenario.at == host and fits and (scenario.path == path or fnmatchcase(path, scenario.path)):
                return scenario
        return None


@cache
def _authority() -> trustme.CA:
    """One for all labs of a process, so that a browser that trusts one of them may serve the next."""
    return trustme.CA()


@cache
def _issued(authority: trustme.CA, hosts: tuple[str, ...]) -> trustme.LeafCert:
    return authority.issue_cert(*hosts)


async def _send(writer: asyncio.StreamWriter, body: bytes, mode: str) -> None:
    if mode == "endless":
        while True:
            writer.write(b"<p>and so it goes on</p>" * 500)
            await writer.drain()
    if mode == "drip":
        for position in range(0, len(body), 200):
            writer.write(body[position : position + 200])
            await writer.drain()
            await asyncio.sleep(0.1)
    else:
        writer.write(body)
    await writer.drain()
    with contextlib.suppress(OSError, NotImplementedError):
        writer.write_eof()


async def _pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await source.read(65_536):
            sink.write(data)
            await sink.drain()
    sink.close()


def _port(server: asyncio.Server) -> int:
    return int(server.sockets[0].getsockname()[1])
