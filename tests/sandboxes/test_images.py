"""Images made here: from a Dockerfile or by commands, made once for what they are made of, and said plainly if not."""

import socket
import subprocess
import time
from collections.abc import Iterator
from ipaddress import ip_network
from pathlib import Path

import pytest

from sandboxes import ContainerPool, Engine, ImageUnavailable, Limits, Spec
from sandboxes.images import ensure_base, ensure_built, ensure_extended, ensure_image
from sandboxes.indexes import index_hosts
from sandboxes.owner import Owner

pytestmark = pytest.mark.docker


@pytest.fixture
def made(engine: Engine) -> Iterator[list[str]]:
    """Names of images that go again."""
    names: list[str] = []
    yield names
    for name in names:
        engine.remove_image(name)


def output(engine: Engine, image: str, command: str) -> str:
    with ContainerPool(engine) as containers, containers.start(Spec(image=image)) as session:
        return session.run(command).output.strip()


@pytest.mark.exhaustive
def test_a_dockerfile_is_built_once_with_what_lies_beside_it(engine: Engine, made: list[str], tmp_path: Path) -> None:
    dockerfile = tmp_path / "Dockerfile"
    dockerfile.write_text("FROM impassable/base\nCOPY data.txt /srv/data.txt\nENV FROM_BUILD=yes\n")
    (tmp_path / "data.txt").write_text("beside")
    said: list[str] = []
    first = ensure_image(engine, f"dockerfile:{dockerfile}", said.append)
    made.append(first)
    assert output(engine, first, "cat /srv/data.txt; echo $FROM_BUILD") == "besideyes"
    assert ensure_built(engine, dockerfile, said.append) == first
    assert len(said) == 1
    (tmp_path / "data.txt").write_text("changed")
    second = ensure_built(engine, dockerfile)
    made.append(second)
    assert output(engine, second, "cat /srv/data.txt") == "changed"
    assert engine.identity(first)["made"] == "dockerfile"


def test_what_cannot_be_built_is_said_with_the_step(engine: Engine, tmp_path: Path) -> None:
    with pytest.raises(ImageUnavailable, match="Step 2"):
        ensure_built(engine, "FROM impassable/base\nRUN exit 3\n")
    with pytest.raises(ImageUnavailable, match="No such file"):
        ensure_built(engine, tmp_path / "Dockerfile")
    with pytest.raises(ImageUnavailable, match="not on this Docker engine"):
        ensure_extended(engine, "impassable/absent:1", ["true"])


@pytest.mark.exhaustive
@pytest.mark.network
def test_commands_make_an_image_once_that_outlives_the_process(engine: Engine, image: str, made: list[str]) -> None:
    commands = ["pip install --no-deps --target /srv/packages six", "echo 1 > /srv/mark"]
    said: list[str] = []
    extended = ensure_extended(engine, image, commands, said.append)
    made.append(extended)
    assert (
        output(engine, extended, "PYTHONPATH=/srv/packages python3 -c 'import six; print(6)'; cat /srv/mark") == "6\n1"
    )
    assert ensure_extended(engine, image, commands, said.append) == extended
    assert len(said) == 3
    config = engine.api.inspect_image(extended)["Config"]
    assert (config["Cmd"], config["WorkingDir"]) == (["sleep", "infinity"], "/home/agent")
    assert Owner.parse(config["Labels"]["impassable.owner"]) is None
    with pytest.raises(ImageUnavailable, match="`exit 5` ended with exit code 5"):
        ensure_extended(engine, image, ["exit 5"])


BUILT = """FROM impassable/base
RUN ls /sys/class/net >/srv/interfaces
RUN (curl -sS -k -o /dev/null https://{index}/ || curl -sS -o /dev/null http://{index}/) && echo reached >/srv/index
RUN (curl -sS -m 5 http://169.254.169.254/; curl -sS -m 5 --noproxy '*' http://{gateway}:{port}/) >/srv/reached || true
"""


@pytest.mark.network
def test_the_steps_of_a_dockerfile_reach_the_web_and_neither_this_machine_nor_its_neighbours(
    engine: Engine, made: list[str]
) -> None:
    [bridge, *_] = engine.api.inspect_network("bridge")["IPAM"]["Config"]
    gateway = bridge.get("Gateway") or str(next(ip_network(bridge["Subnet"]).hosts()))
    with socket.create_server(("", 0)) as canary:
        canary.settimeout(0.1)
        index = min(index_hosts(engine, ensure_base(engine)))
        made.append(ensure_built(engine, BUILT.format(index=index, gateway=gateway, port=canary.getsockname()[1])))
        with pytest.raises(TimeoutError):
            canary.accept()
    told = output(engine, made[0], "cat /srv/interfaces /srv/index; grep -o 'cloud metadata' /srv/reached")
    assert told.splitlines() == ["lo", "reached", "cloud metadata"]


@pytest.mark.exhaustive
@pytest.mark.xdist_group("one container under attack")
@pytest.mark.parametrize(
    ("step", "limit"),
    [
        ("for i in $(seq 600); do sleep 50 & done; sleep 50", "processes"),
        ("for i in $(seq 100); do mkdir /srv/$i; (cd /srv/$i; seq 1000 | xargs touch); done; sleep 50", "disk space"),
        ("for i in 1 2 3; do fallocate -l 2G /srv/x$i; done; sleep 50", "disk space"),
        (
            "exec 9>/x; rm /x; for i in 0 2 4 6 8 10; do fallocate -o ${i}G -l 2G /dev/fd/9; done; sleep 50",
            "disk space",
        ),
    ],
    ids=["a crowd", "a hundred thousand files", "a full disk", "a full disk without a name"],
)
@pytest.mark.parametrize("offline", [True, False], ids=["offline", "open"])
def test_a_step_of_a_dockerfile_that_takes_too_much_of_this_machine_is_ended(
    engine: Engine, made: list[str], step: str, limit: str, offline: bool
) -> None:
    small = Limits(memory_mb=1000, pids=300, disk_mb=300, files=60_000)
    begun = time.monotonic()
    with pytest.raises(ImageUnavailable, match=f"a step used more {limit} than we allow"):
        made.append(ensure_built(engine, f"FROM impassable/base\nRUN {step}\n", offline=offline, limits=small))
    assert time.monotonic() - begun < 40


def test_offline_nothing_is_pulled_and_a_build_has_no_network(engine: Engine, made: list[str], tmp_path: Path) -> None:
    dockerfile = tmp_path / "Dockerfile"
    dockerfile.write_text("FROM impassable/base\nRUN ls /sys/class/net >/srv/interfaces # offline\n")
    made.append(ensure_image(engine, f"dockerfile:{dockerfile}", offline=True))
    assert output(engine, made[0], "cat /srv/interfaces") == "lo"
    with pytest.raises(ImageUnavailable, match="is not on this Docker engine"):
        ensure_image(engine, "debian:no-such-tag", offline=True)


def test_only_an_image_of_ours_is_exported_and_comes_back_as_it_was(
    engine: Engine, made: list[str], tmp_path: Path
) -> None:
    for name, label in (("impassable/export-test:ours", "impassable.origin=test"), ("export-test:theirs", "x=y")):
        command = ["docker", "import", "--change", f"LABEL {label}", "-", name]
        subprocess.run(command, input=b"\0" * 10240, check=True, capture_output=True)
        made.append(name)
    ours, theirs = made
    file = tmp_path / "pack.image.tar"
    assert engine.export(ours, file) == file.stat().st_size
    before = engine.identity(ours)["id"]
    engine.remove_image(ours)
    subprocess.run(["docker", "load", "-i", str(file)], check=True, capture_output=True)
    assert engine.identity(ours)["id"] == before
    with pytest.raises(ImageUnavailable, match="not made by this program"):
        engine.export(theirs, tmp_path / "other.tar")
    assert list(tmp_path.iterdir()) == [file]
