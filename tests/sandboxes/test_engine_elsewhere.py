"""The engine goes away in the middle and comes back; and an engine behind TCP does all that a local one does."""

import contextlib
import gc
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandboxes import ContainerPool, Engine, EngineUnavailable, Spec
from sandboxes.indexes import index_access
from tests.private_engine import SMALL, PrivateEngine, private_engine

pytestmark = pytest.mark.docker


def interrupted(engine: Engine, private: PrivateEngine) -> None:
    with ContainerPool(engine) as containers:
        session = containers.start(Spec(image=SMALL))
        assert session.run("id -un").output.strip() == "agent"
        stopping = threading.Timer(1, private.stop)
        stopping.start()
        try:
            session.run("sleep 200", seconds=250)
            session.run("true")
        finally:
            stopping.join()


@pytest.mark.exhaustive
@pytest.mark.slow
@pytest.mark.filterwarnings(
    "ignore::pytest.PytestUnraisableExceptionWarning"
)  # the SDK does not close a refused socket
def test_an_engine_that_stops_in_the_middle_is_one_sentence_and_works_when_it_is_back(
    engine: Engine, image: str
) -> None:
    with private_engine(engine, image) as private:
        connected = private.connect()
        with pytest.raises(EngineUnavailable, match="DOCKER_HOST") as caught:
            interrupted(connected, private)
        assert "\n" not in str(caught.value)
        with pytest.raises(EngineUnavailable):
            private.connect()
        connected.close()

        private.start()
        again = private.connect()
        with ContainerPool(again) as containers, containers.start(Spec(image=SMALL)) as session:
            session.run("echo kept > file")
            with containers.start(Spec(image=session.snapshot())) as later:
                assert later.run("cat file").output == "kept\n"
        again.close()
    del caught
    gc.collect()


@pytest.fixture
def port() -> Iterator[int]:
    """A TCP port that leads to the engine's socket."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=_forward, args=(listener,), daemon=True).start()
        yield int(listener.getsockname()[1])
        listener.shutdown(socket.SHUT_RDWR)


def _forward(listener: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while True:
            client = listener.accept()[0]
            up = socket.socket(socket.AF_UNIX)
            up.connect("/var/run/docker.sock")
            ways = [threading.Thread(target=_pump, args=pair, daemon=True) for pair in ((client, up), (up, client))]
            for way in ways:
                way.start()
            threading.Thread(target=_close, args=(ways, client, up), daemon=True).start()


def _pump(source: socket.socket, sink: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65_536):
            sink.sendall(data)
    with contextlib.suppress(OSError):
        sink.shutdown(socket.SHUT_WR)


def _close(ways: list[threading.Thread], *ends: socket.socket) -> None:
    for way in ways:
        way.join()
    for end in ends:
        end.close()


@pytest.mark.network
@pytest.mark.skipif(not Path("/var/run/docker.sock").is_socket(), reason="the engine is not at its usual socket")
def test_an_engine_behind_tcp_runs_puts_gets_and_reaches_the_indexes(
    port: int, image: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"tcp://127.0.0.1:{port}")
    engine = Engine.connect()
    with index_access(engine, image):
        assert engine.index_route, engine.index_note
        with ContainerPool(engine) as containers, containers.start(Spec(image=image, network="indexes")) as session:
            session.put("/home/agent/in", b"\0in")
            assert session.get("/home/agent/in") == b"\0in"
            done = session.run("pip install -q --no-deps six && python3 -c 'import six'", seconds=120)
            assert done.ok, done.output
            assert session.run("ls /sys/class/net").output.split() == ["lo"]
            assert "no network except a relay" in session.network
            assert session.run("sleep 100", seconds=1).limit == "time"
    engine.close()
