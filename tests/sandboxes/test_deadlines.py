"""An engine that is stuck, or gives a byte now and then, ends every call of ours in its time, with one sentence."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

from sandboxes import Engine, EngineUnavailable
from sandboxes.container import Container
from sandboxes.deadlines import each_within, within
from sandboxes.images.base import pulled

LET = 0.5
"""Seconds that a call may take here."""
ANSWER = {"ApiVersion": "1.44", "Id": "x", "Volumes": [], "Running": True, "ExitCode": None}


class Dripping:
    """An engine that says that it is there, and gives every other answer byte by byte, without end."""

    def __init__(self, *, well_until: bytes) -> None:
        """Answer as an engine does what comes before a request with these words."""
        self._well_until = well_until
        self._server = socket.create_server(("127.0.0.1", 0))
        self.host = f"tcp://127.0.0.1:{self._server.getsockname()[1]}"
        self._ended = threading.Event()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                threading.Thread(target=self._answer, args=(self._server.accept()[0],), daemon=True).start()

    def _answer(self, client: socket.socket) -> None:
        with suppress(OSError), client, client.makefile("rb") as reader:
            while asked := reader.readline():
                heads = dict(line.lower().split(b":", 1) for line in iter(reader.readline, b"\r\n"))
                if self._well_until in asked:
                    return self._drip(client, begun=self._begun)
                reader.read(int(heads.get(b"content-length", 0)))
                path = asked.split()[1].partition(b"?")[0]
                if b"/images/" in path and not path.endswith(b"/images/json"):
                    client.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
                    continue
                listed = path.endswith((b"/containers/json", b"/images/json", b"/networks"))
                told = json.dumps([] if listed else ANSWER).encode()
                client.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n")
                client.sendall(b"Content-Length: %d\r\n\r\n%s" % (len(told), told))
        return None

    def _drip(self, client: socket.socket, begun: bytes) -> None:
        client.sendall(begun)
        while not self._ended.wait(0.05):
            client.sendall(b"x")

    _begun = b"HTTP/1.1 200 OK\r\nX-Head: "

    def in_its_body(self) -> "Dripping":
        """Give the head at once."""
        self._begun = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n"
        return self

    def close(self) -> None:
        """End every thread."""
        self._ended.set()
        self._server.close()


@pytest.fixture
def dripping(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Dripping]]:
    """Make an engine that drips, and call it from now on, with little time for each call."""
    made: list[Dripping] = []
    for place, name in (
        ("engine", "ANSWER_SECONDS"),
        ("engine", "CALL_SECONDS"),
        ("images.base", "ANSWER_SECONDS"),
        ("images.base", "LONG_SECONDS"),
        ("placing", "COPY_SECONDS"),
        ("bounded", "LONG_SECONDS"),
        ("bounded", "COPY_SECONDS"),
    ):
        monkeypatch.setattr(f"sandboxes.{place}.{name}", LET)

    def make(well_until: bytes = b"nothing", *, body: bool = False) -> Dripping:
        made.append(Dripping(well_until=well_until).in_its_body() if body else Dripping(well_until=well_until))
        monkeypatch.setenv("DOCKER_HOST", made[-1].host)
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.mark.parametrize("body", [False, True], ids=["head", "body"])
@pytest.mark.parametrize("asked", [b"/version", b"/_ping", b"/containers/json", b"/networks"])
def test_an_engine_that_drips_is_none(asked: bytes, body: bool, dripping: Callable[..., Dripping]) -> None:
    dripping(asked, body=body)
    begun = time.monotonic()
    with pytest.raises(EngineUnavailable, match=r"no whole answer within 0\.5 seconds.*DOCKER_HOST"):
        Engine.connect()
    assert time.monotonic() - begun < LET + 3


CALLS: dict[str, tuple[bytes, Callable[[Engine], object]]] = {
    "inspect": (b"/images/x/json", lambda engine: engine.identity("x")),
    "versions": (b"/info", lambda engine: engine.versions()),
    "remove": (b"/containers/x", lambda engine: engine.remove_container("x")),
    "run": (b"/containers/x/exec", lambda engine: Container(engine.api, "x").quick("true")),
    "start": (b"/exec/x/start", lambda engine: Container(engine.api, "x").quick("true")),
    "state": (b"/containers/x/json", lambda engine: Container(engine.api, "x").state()),
    "copy in": (b"/containers/x/archive", lambda engine: Container(engine.api, "x").extract("/", bytes(3_000_000))),
}


@pytest.mark.parametrize("body", [False, True], ids=["head", "body"])
@pytest.mark.parametrize("call", CALLS)
def test_no_call_waits_for_an_engine_that_drips(call: str, body: bool, dripping: Callable[..., Dripping]) -> None:
    asked, does = CALLS[call]
    dripping(asked, body=body)
    engine = Engine.connect(sweep=False)
    begun = time.monotonic()
    if call == "start" and body:  # what a command says may come slowly: its own clock ends it
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("sandboxes.container.QUICK_SECONDS", LET)
            does(engine)
    else:
        with pytest.raises(EngineUnavailable, match=r"no whole answer within 0\.5 seconds"):
            does(engine)
    assert time.monotonic() - begun < LET + 3


@pytest.mark.parametrize("asked", [b"/distribution/", b"/images/create"])
def test_a_registry_that_drips_is_none(asked: bytes, dripping: Callable[..., Dripping]) -> None:
    dripping(asked, body=True)
    begun = time.monotonic()
    assert not pulled(Engine.connect(sweep=False), "elsewhere/image:1", lambda _: None)
    assert time.monotonic() - begun < LET + 3


def test_a_stream_is_whole_in_its_time_or_refused() -> None:
    def slow() -> Iterator[int]:
        for number in range(50):
            time.sleep(0.02)
            yield number

    assert list(each_within(30, slow())) == list(range(50))
    with pytest.raises(TimeoutError):
        list(each_within(0.2, slow()))


def test_what_fails_in_time_fails_as_it_is() -> None:
    with pytest.raises(ZeroDivisionError):
        within(5, lambda: 1 // 0)
