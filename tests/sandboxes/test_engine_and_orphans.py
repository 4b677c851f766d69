"""The engine: a clear sentence when it is not there, orphans of dead sessions swept, living ones left alone."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from sandboxes import ContainerPool, Engine, EngineUnavailable, Spec
from sandboxes.owner import Owner

ROOT = Path(__file__).parents[2]
LEAVE = """
import os, sys
from sandboxes import ContainerPool, Engine, Spec
session = ContainerPool(Engine.connect()).start(Spec(image=sys.argv[1]))
image = session.snapshot()
print(session.container, image, flush=True)
os._exit(9)
"""


def test_no_engine_is_one_sentence_with_the_remedy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/none.sock")
    with pytest.raises(EngineUnavailable, match="DOCKER_HOST") as caught:
        Engine.connect()
    assert "\n" not in str(caught.value)


def test_an_owner_is_gone_when_its_process_is() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        here = Owner.here()
        other = Owner.parse(here.label())
        assert other == here
        assert not here.gone()
        stat = Path(f"/proc/{child.pid}/stat").read_text(encoding="ascii")
        living = Owner(here.host, here.boot, child.pid, stat.rpartition(")")[2].split()[19], here.created)
        assert not living.gone()
        reused = Owner(here.host, here.boot, child.pid, "1", here.created)
        assert reused.gone()
        child.communicate(b"\n")
    assert living.gone()
    assert Owner(here.host, "another boot", here.pid, here.started, here.created).gone()
    assert not Owner("another machine", here.boot, here.pid, here.started, here.created).gone()
    assert Owner("another machine", here.boot, here.pid, here.started, 0).gone()


def there(engine: Engine) -> set[str]:
    return {one["Id"] for one in [*engine.api.containers(all=True), *engine.api.images(all=True)]}


@pytest.mark.docker
def test_the_next_session_sweeps_what_a_killed_one_left(
    engine: Engine, image: str, spec: Spec, containers: ContainerPool
) -> None:
    living = containers.start(spec)
    left = subprocess.run([sys.executable, "-c", LEAVE, image], cwd=ROOT, capture_output=True, text=True, check=False)
    assert left.returncode == 9, left.stderr
    container, snapshot = left.stdout.split()
    deadline = time.monotonic() + 30
    while {container, snapshot} & there(engine) and time.monotonic() < deadline:
        engine.sweep()  # another session's may be removing the same at this moment
    assert not {container, snapshot} & there(engine)
    assert living.container in there(engine)


@pytest.mark.docker
def test_making_the_base_image_again_is_quick_and_says_where_it_came_from(image: str) -> None:
    made = subprocess.run(
        [sys.executable, "-m", "sandboxes.images"], cwd=ROOT, capture_output=True, text=True, check=False, timeout=30
    )
    assert made.returncode == 0
    assert image in made.stdout
    assert "base from pulled" in made.stdout or "base from debootstrap" in made.stdout
    assert "sha256:" in made.stdout
    named = subprocess.run(
        [sys.executable, "-m", "sandboxes.images", "--print"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert named.stdout.strip() == image


def test_a_wrong_argument_is_a_usage_error() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "sandboxes.images", "--wrong"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "usage" in done.stderr
