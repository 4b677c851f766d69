"""What each network reaches: the hosts that a task names to read, any public address, or less; a server on loopback."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from sandboxes import ContainerPool, Engine, Network, Session, Spec
from sandboxes.indexes import index_access

pytestmark = [pytest.mark.docker, pytest.mark.network, pytest.mark.xdist_group("one relay")]
NAMED = ("data.lab.example", "not a host")


class Site(BaseHTTPRequestHandler):
    """Answers all methods, and counts them."""

    seen: list[str]

    def answer(self) -> None:
        self.seen.append(f"{self.command} {self.headers['Host']}")
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    do_GET = do_POST = do_PUT = answer  # noqa: N815 - the library's names

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def site() -> Iterator[ThreadingHTTPServer]:
    Site.seen = []
    with ThreadingHTTPServer(("127.0.0.1", 0), Site) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def routed(image: str, site: ThreadingHTTPServer) -> Iterator[Engine]:
    connected = Engine.connect()
    with index_access(connected, image, {"*.lab.example": f"127.0.0.1:{site.server_port}"}):
        yield connected
    connected.close()


def started(containers: ContainerPool, image: str, network: Network) -> Session:
    return containers.start(Spec(image=image, network=network, hosts=NAMED if network == "task" else ()))


GET = "curl -fsS -m 20 http://data.lab.example/table.csv"
POST = "curl -fsS -m 20 -d x=1 http://data.lab.example/orders"
OTHER = "curl -fsS -m 20 http://other.lab.example/"
PRIVATE = "curl -fsS -m 20 http://10.1.2.3/"
WAYS = {"get": GET, "post": POST, "other": OTHER, "private": PRIVATE}


@pytest.mark.parametrize(
    ("network", "reached", "refused"),
    [
        ("none", set(), set()),
        ("indexes", set(), {"data.lab.example:80", "other.lab.example:80", "10.1.2.3:80"}),
        ("task", {"get"}, {"data.lab.example:80", "other.lab.example:80", "10.1.2.3:80"}),
        ("open", {"get", "post", "other"}, {"10.1.2.3:80"}),
    ],
)
def test_each_network_reaches_what_it_says(
    routed: Engine, image: str, network: Network, reached: set[str], refused: set[str]
) -> None:
    Site.seen.clear()
    with ContainerPool(routed) as containers, started(containers, image, network) as session:
        assert {name for name, command in WAYS.items() if session.run(command).ok} == reached
        assert set(session.denials()) == refused
        let = {"task": {"data.lab.example:80"}, "open": {"data.lab.example:80", "other.lab.example:80"}}
        assert set(containers.admissions()) == let.get(network, set())
        assert session.profile()["network"]["asked"] == network
        assert session.run("ls /sys/class/net").output.split() == ["lo"]
        assert "localhost" in session.run("getent hosts localhost").output
    assert len(Site.seen) == len(reached)


def test_a_relay_of_one_network_is_never_lent_to_another(routed: Engine, image: str) -> None:
    with ContainerPool(routed) as containers:
        with started(containers, image, "open") as wide:
            assert wide.run(POST).ok
        with started(containers, image, "task") as narrow:
            assert not narrow.run(POST).ok
        with started(containers, image, "indexes") as least:
            assert not least.run(GET).ok


def test_packages_are_installed_in_every_network_but_none(routed: Engine, image: str) -> None:
    with ContainerPool(routed) as containers:
        for network in ("task", "open"):
            with started(containers, image, network) as session:
                done = session.run("pip install --no-deps six && python3 -c 'import six'", seconds=120)
                assert done.ok, f"{network}: {done.output}"
