"""With the network policy `indexes` a container has no network, and reaches the package indexes and nothing else."""

import asyncio
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from sandboxes import ContainerPool, Engine, Session, Spec
from sandboxes.indexes import index_access, index_hosts, index_route
from sandboxes.owner import LABEL

pytestmark = [pytest.mark.docker, pytest.mark.network, pytest.mark.xdist_group("one relay")]
OPEN_FILES = Path("/proc/self/fd")
UNSET = "unset http_proxy https_proxy HTTP_PROXY HTTPS_PROXY"
PARALLEL = "for i in 1 2 3 4 5 6; do pip download -q --no-deps --no-cache-dir -d $i pip & done; wait; sha256sum */*.whl"


@pytest.fixture(scope="module")
def routed(image: str) -> Iterator[Engine]:
    engine = Engine.connect()
    with index_access(engine, image):
        assert engine.index_route, engine.index_note
        yield engine
    engine.close()


@pytest.fixture(scope="module")
def session(routed: Engine, image: str) -> Iterator[Session]:
    with ContainerPool(routed) as containers, containers.start(Spec(image=image, network="indexes")) as session:
        yield session


def test_pip_and_apt_work_through_the_relay(session: Session) -> None:
    pip = session.run("pip install --no-deps six && python3 -c 'import six'", seconds=120)
    assert pip.ok, pip.output
    apt = session.run(
        "mkdir -p l/partial && apt-get -o Dir::State::lists=$PWD/l -o Debug::NoLocking=1 update", seconds=120
    )
    assert apt.ok, apt.output


@pytest.mark.exhaustive
def test_connections_at_once_get_what_each_asked_for(session: Session) -> None:
    done = session.run(f"mkdir p && cd p && {PARALLEL}", seconds=240)
    digests = [line.split()[0] for line in done.output.splitlines() if line.endswith(".whl")]
    assert len(digests) == 6, done.output
    assert len(set(digests)) == 1


ISSUER = """
import os, ssl, socket, sys
tunnel = socket.create_connection(("127.0.0.1", 3128))
tunnel.sendall(f"CONNECT {sys.argv[1]}:443 HTTP/1.1\\r\\nHost: {sys.argv[1]}\\r\\n\\r\\n".encode())
assert b" 200 " in tunnel.recv(1000)
inside = ssl.create_default_context().wrap_socket(tunnel, server_hostname=sys.argv[1])
inside.sendall(f"HEAD / HTTP/1.1\\r\\nHost: {sys.argv[1]}\\r\\nConnection: close\\r\\n\\r\\n".encode())
print(inside.recv(15), inside.getpeercert()["issuer"])
"""


def test_tls_ends_at_the_proxy_also_for_what_takes_no_setting(routed: Engine, session: Session) -> None:
    assert routed.index_route
    host = next(host for host in routed.index_route.reach.indexes if host.startswith("pypi"))
    session.put("/home/agent/issuer.py", ISSUER.encode())
    for command in (f"python3 issuer.py {host}", f"env -i /usr/bin/python3 issuer.py {host}"):
        done = session.run(command, seconds=60)
        assert "HTTP/1.1" in done.output, done.output
        assert "Impassable, for this audit only" in done.output
    assert session.denials() == ()


def test_other_hosts_are_refused_and_recorded_for_each_container(routed: Engine, session: Session, image: str) -> None:
    done = session.run("curl -sS http://elsewhere.example/ ; curl -sS https://elsewhere.example/")
    assert done.exit_code != 0
    refused = {"elsewhere.example:80", "elsewhere.example:443"}
    assert set(session.denials()) == refused
    with ContainerPool(routed) as containers:
        for host in ("one.example", "two.example"):
            with containers.start(Spec(image=image, network="indexes")) as other:
                other.run(f"curl -sS http://{host}/")
                assert other.denials() == (f"{host}:80",)
        relays = routed.api.containers(filters={"label": f"{LABEL}={routed.owner.label()}"})
        assert len(relays) == 3, "the second container used the relay of the first"
    assert routed.index_route
    assert set(routed.index_route.denials()) >= {*refused, "one.example:80", "two.example:80"}


CROWD = """
import resource, socket, time
resource.setrlimit(resource.RLIMIT_NOFILE, (5000, 5000))
held = []
for _ in range(3000):
    one = socket.socket()
    one.setblocking(False)
    one.connect_ex(("127.0.0.1", 3128))
    held.append(one)
time.sleep(8)
print(len(held))
"""


@pytest.mark.exhaustive
def test_three_thousand_connections_at_once_cost_few_descriptors_and_nobody_elses_turn(
    routed: Engine, image: str
) -> None:
    with ContainerPool(routed) as containers, containers.start(Spec(image=image, network="indexes")) as crowded:
        quiet = containers.start(Spec(image=image, network="indexes"))
        before, most = len([*OPEN_FILES.iterdir()]), 0
        crowded.put("/home/agent/crowd.py", CROWD.encode())
        with ThreadPoolExecutor() as pool:
            crowd = pool.submit(crowded.run, "python3 crowd.py", seconds=60)
            beside = pool.submit(quiet.run, "pip download -q --no-deps six", seconds=60)
            while not crowd.done():
                most = max(most, len([*OPEN_FILES.iterdir()]))
                time.sleep(0.2)
        assert crowd.result().output.strip() == "3000"
        assert most - before < 200
        assert beside.result().ok, beside.result().output
        after = crowded.run("pip download -q --no-deps six", seconds=120)
        assert after.ok, after.output


@pytest.mark.exhaustive
def test_who_has_sudo_reaches_the_indexes_as_root_too(routed: Engine, image: str) -> None:
    with ContainerPool(routed) as containers:
        with containers.start(Spec(image=image, network="indexes", sudo=True)) as session:
            done = session.run("sudo apt-get update && sudo pip download -q --no-deps six", seconds=120)
            assert done.ok, done.output
        with containers.start(Spec(image=image, network="none", sudo=True)) as session:
            assert not session.run("sudo pip download -q --timeout 3 --no-deps six", seconds=60).ok


def test_there_is_no_network_to_go_around_the_relay_on(session: Session) -> None:
    assert session.run("ls /sys/class/net; hostname").output.split() == ["lo", "sandbox"]
    assert session.run(f"{UNSET}; curl -sS -m 5 http://192.0.2.1/").exit_code != 0
    assert session.run(f"{UNSET}; pip download --timeout 3 --retries 0 --no-deps six", seconds=60).exit_code != 0


def test_a_server_in_the_container_is_not_looked_for_beyond_it(session: Session) -> None:
    ask = "curl -sS --retry 30 --retry-delay 1 --retry-connrefused http://127.0.0.1:8765/"
    done = session.run(f"python3 -m http.server 8765 >/dev/null 2>&1 & {ask} | head -1")
    assert "DOCTYPE" in done.output


def test_the_network_and_its_policy_stand_in_the_profile(session: Session) -> None:
    network = session.profile()["network"]
    assert network["asked"] == "indexes"
    assert "no network except a relay to a read-only proxy" in network["in effect"]


async def test_a_caller_with_an_event_loop_gets_the_same_and_nothing_stays(image: str) -> None:
    engine = await asyncio.to_thread(Engine.connect)
    async with index_route(engine, image):
        assert engine.index_route
    assert engine.index_route is None
    assert (
        engine.api.containers(all=True, filters={"label": f"{LABEL}={engine.owner.label()}", "status": "created"}) == []
    )
    engine.close()


def test_without_a_route_the_profile_says_that_nothing_was_filtered(
    engine: Engine, containers: ContainerPool, image: str
) -> None:
    assert engine.index_route is None
    with containers.start(Spec(image=image, network="indexes")) as session:
        assert "bridge (not filtered)" in str(session.profile()["network"])


def test_where_the_way_to_the_indexes_does_not_work_nothing_is_reached_and_the_profile_says_why(
    containers: ContainerPool, image: str
) -> None:
    with containers.start(Spec(image=image, user="root")) as session:
        assert session.run("ln -sf /bin/false $(readlink -f $(command -v python3))").ok
        without_relay = session.snapshot()
    engine = Engine.connect()
    with index_access(engine, without_relay), ContainerPool(engine) as pool:
        assert "relay" in engine.index_note
        for network in ("indexes", "task", "open"):
            with pool.start(Spec(image=image, network=network)) as session:
                assert session.run("ls /sys/class/net").output.split() == ["lo"]
                effect = f"none: {engine.index_note}"
                assert session.profile()["network"] == {"asked": network, "in effect": effect}
    assert not engine.shut
    engine.close()


def test_the_hosts_come_from_the_image_s_own_tools(engine: Engine, image: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = index_hosts(engine, image)
    assert len(found) >= 3
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", "http://mirror.example/simple file:///srv/simple")
    assert index_hosts(engine, image) - found == {"mirror.example"}
