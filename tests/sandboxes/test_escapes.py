"""What replayed code may try against its container, its neighbours and this machine is contained and recorded."""

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from sandboxes import ContainerPool, Engine, Executed, Limits, SandboxError, Session, Spec
from sandboxes.egress import Denied, HostsPolicy, Resolution
from sandboxes.indexes import index_access
from sandboxes.owner import LABEL

pytestmark = pytest.mark.xdist_group("one container under attack")

METADATA = "169.254.169.254"
GIGABYTE = 1_000_000_000
HOLD = 'import os, time; held = [os.open("/dev/null", 0) for _ in range(4000)]; time.sleep(60)'
SERVE = "import http.server as h; h.test(h.SimpleHTTPRequestHandler, port=8080, bind='0.0.0.0')"


class Canary:
    """Listens at every address of this machine and counts who comes."""

    def __init__(self) -> None:
        self.visits = 0
        self._listener = socket.create_server(("", 0), backlog=64)
        self.port = int(self._listener.getsockname()[1])
        self._thread = threading.Thread(target=self._count, daemon=True)
        self._thread.start()

    def _count(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                self._listener.accept()[0].close()
                self.visits += 1

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join()


@dataclass
class World:
    """One container that is attacked from, a neighbour that serves something, and a canary on this machine."""

    engine: Engine
    containers: ContainerPool
    session: Session
    neighbour: str
    """Its address on its own network, a stand-in for a metadata service or somebody else's container."""
    canary: Canary
    addresses: list[str] = field(default_factory=list)
    """Of this machine, as a container might guess them."""


@pytest.fixture(scope="module")
def world(image: str) -> Iterator[World]:
    engine, canary = Engine.connect(), Canary()
    with contextlib.ExitStack() as stack:
        stack.callback(engine.close)
        stack.callback(canary.close)
        containers = stack.enter_context(ContainerPool(engine))
        neighbour = containers.start(
            Spec(image=image, network="open")
        )  # before there are relays: on the engine's bridge
        stack.enter_context(index_access(engine, image))
        assert neighbour.run(f'nohup python3 -c "{SERVE}" >/dev/null 2>&1 &').ok
        address = neighbour.run("hostname -i").output.strip()
        limits = Limits(memory_mb=300, cpus=1, pids=60, disk_mb=300, files=60_000, file_mb=100, opened=60_000)
        spec = Spec(
            image=image,
            network="indexes",
            limits=limits,
            read_only=("/usr/share",),
            tmpfs=("/small:size=8m,mode=1777",),
        )
        session = containers.start(spec)
        gateways = [str(engine.api.inspect_network("bridge")["IPAM"]["Config"][0].get("Gateway", ""))]
        yield World(engine, containers, session, address, canary, [*filter(None, gateways), *own_addresses()])


def own_addresses() -> list[str]:
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        asked.connect(("192.0.2.1", 9))  # sends nothing: only chooses the address that would be sent from
        return [str(asked.getsockname()[0])]
    return []


CONTAINED: list[tuple[str, str, float, str, dict[str, Any]]] = [
    ("a fork bomb that goes on behind", ":(){ :|:& };:", 60, "agent", {"forks_refused": True}),
    ("a fork bomb in front", "while :; do sleep 60 & done", 3, "agent", {"forks_refused": True}),
    (
        "a disk filler",
        "i=0; while :; do head -c 50000000 /dev/zero > f$i || sleep 1; i=$((i+1)); done",
        120,
        "agent",
        {"limit": "disk", "timed_out": False, "ok": False},
    ),
    (
        "filling the disk with files that have no name",
        "for i in $(seq 70); do exec {f}>f$i; fallocate -l 90M f$i; rm f$i; done; sleep 60",
        50,
        "agent",
        {"limit": "disk", "timed_out": False, "ok": False},
    ),
    (
        "a hundred thousand empty files",
        "mkdir f0; for d in $(seq 100); do mkdir f0/$d; (cd f0/$d; seq 1000 | xargs touch); done; sleep 60",
        100,
        "agent",
        {"limit": "disk", "timed_out": False, "ok": False},
    ),
    (
        "a tree too deep for the engine to measure",
        "mkdir f0; cd f0; d=$(printf %0100d 0); for i in $(seq 60); do mkdir $d; cd $d; done; "
        "for i in 1 2 3 4 5 6; do fallocate -l 90M x$i; done; sleep 40",
        30,
        "agent",
        {"limit": "disk", "timed_out": False, "ok": False},
    ),
    (
        "holding more files open than the kernel has for everybody",
        f"for i in $(seq 20); do python3 -c '{HOLD}' & done; sleep 40",
        30,
        "agent",
        {"limit": "open", "timed_out": False, "ok": False},
    ),
    ("one huge file", "head -c 200000000 /dev/zero > big", 60, "agent", {"limit": "file"}),
    ("filling its own tmpfs", "head -c 20000000 /dev/zero > /small/x", 60, "agent", {"disk_full": True, "limit": None}),
    ("a memory hog", "python3 -c 'x = bytearray(10**9)'", 60, "agent", {"oom": True, "limit": "memory"}),
    (
        "a gigabyte of output",
        f"yes | head -c {GIGABYTE}",
        280,
        "agent",
        {"limit": "output", "truncated": True, "ok": False},
    ),
    ("sleep past the timeout", "sleep 1000", 2, "agent", {"limit": "time", "timed_out": True}),
    ("killing PID 1 as an ordinary user", "kill -9 1", 30, "agent", {"ok": False, "ended_container": False}),
    ("killing everything", "kill -9 -1", 30, "agent", {"ended_container": False}),
    ("writing to a read-only path as root", "touch /usr/share/x", 30, "root", {"ok": False, "limit": None}),
    ("mounting it again", "mount -o remount,rw /usr/share", 30, "root", {"ok": False}),
    ("writing to the kernel's settings", "echo 1 > /proc/sys/kernel/panic", 30, "root", {"ok": False}),
    ("raising its own limits", "echo 9 > $(ls -d /sys/fs/cgroup/pids*/pids.max | head -1)", 30, "root", {"ok": False}),
    (
        "a device of the host",
        "mknod d b 8 0 && head -c 1 d || mknod e b 254 0 && head -c 1 e",
        30,
        "root",
        {"ok": False},
    ),
    ("the engine's socket", "curl -sS --unix-socket /var/run/docker.sock http://x/info", 30, "root", {"ok": False}),
]


@pytest.mark.exhaustive
@pytest.mark.docker
@pytest.mark.network
@pytest.mark.parametrize(
    ("command", "seconds", "user", "expected"), [row[1:] for row in CONTAINED], ids=[r[0] for r in CONTAINED]
)
def test_it_is_contained_and_recorded(
    world: World, command: str, seconds: float, user: str, expected: dict[str, Any]
) -> None:
    done = world.session.run(command, seconds=seconds, user=user)
    assert {name: getattr(done, name) for name in expected} == expected, brief(done)
    assert len(done.output) < 300_000
    after = world.session.run("rm -rf f[0-9]*; echo alive; ps -e --no-headers | wc -l")
    assert after.ok, brief(after)
    assert int(after.output.split()[1]) < 15


def brief(done: Executed) -> str:
    return f"{done.how}: {done.output[-500:]}"


@pytest.mark.docker
@pytest.mark.network
def test_what_a_command_leaves_running_is_looked_after(world: World) -> None:
    limits = Limits(disk_mb=200)
    with world.containers.start(Spec(image=world.session.spec.image, limits=limits)) as session:
        fill = "i=0; while :; do head -c 20000000 /dev/zero >g$i; i=$((i+1)); sleep 0.2; done"
        assert session.run(f"nohup sh -c '{fill}' >/dev/null 2>&1 &").ok
        count = "ls g* | wc -l"
        deadline = time.monotonic() + 60
        seen = [0, 1]
        while seen[-1] != seen[-2] and time.monotonic() < deadline:
            time.sleep(7)
            seen.append(int(session.run(count).output))
        assert seen[-1] == seen[-2], f"it was left to write: {seen}"
        assert 10 <= seen[-1] < 100


@pytest.mark.docker
@pytest.mark.network
def test_neither_this_machine_nor_a_neighbour_can_be_reached(world: World) -> None:
    assert world.addresses
    targets = [f"{address}:{world.canary.port}" for address in [*world.addresses, "127.0.0.1", "0.0.0.0"]]
    targets.append(f"{world.neighbour}:8080")
    ask = "; ".join(
        f"curl -fsS -m 5 {way} http://{target}/ && echo REACHED" for target in targets for way in ("", "--noproxy '*'")
    )
    done = world.session.run(f"{ask}; true", seconds=200)
    assert "REACHED" not in done.output
    assert world.canary.visits == 0
    assert f"{world.neighbour}:8080" in world.session.denials()
    with socket.create_connection(("127.0.0.1", world.canary.port)):
        pass  # it does count
    there = f"curl -sS --retry 30 --retry-delay 1 --retry-connrefused http://{world.neighbour}:8080/"
    plain = Engine.connect()
    with (
        ContainerPool(plain) as containers,
        containers.start(Spec(image=world.session.spec.image, network="open")) as beside,
    ):
        assert beside.run(there).ok, "the neighbour does serve"
    plain.close()


@pytest.mark.docker
@pytest.mark.network
def test_killing_pid_1_as_root_ends_the_container_and_is_told_apart_from_a_failure(world: World) -> None:
    session = world.containers.start(Spec(image=world.session.spec.image))
    done = session.run("kill 1; sleep 60", user="root", seconds=50)
    assert (done.ended_container, done.timed_out, done.ok) == (True, False, False)
    assert "the container ended with it" in done.how
    with pytest.raises(SandboxError):
        session.run("true")


@pytest.mark.docker
@pytest.mark.network
def test_afterwards_nothing_of_it_is_left(world: World) -> None:
    world.containers.start(Spec(image=world.session.snapshot()))
    world.containers.close()
    ours = {"filters": {"label": f"{LABEL}={world.engine.owner.label()}"}}
    api = world.engine.api
    assert api.containers(all=True, **ours) == []
    assert api.images(all=True, **ours) == []
    assert api.networks(**ours) == []
    assert not api.volumes(**ours)["Volumes"]


class Liar:
    """Answers every name with the metadata service's address."""

    name = "liar"

    async def resolve(self, _: str) -> Resolution:
        return Resolution(self.name, "ok", (METADATA,))


async def test_the_metadata_service_is_refused_by_address_and_behind_an_allowed_name() -> None:
    policy = HostsPolicy(["index.example", METADATA], resolver=Liar())
    assert isinstance(await policy.dial(METADATA, 80), Denied)
    assert isinstance(await policy.dial("index.example", 80), Denied)
