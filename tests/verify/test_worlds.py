"""The lab of labelled worlds: its labels and recordings are sound, and `verify` says what is true of a sample of it."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from probes import Barrier
from sandboxes import Engine
from sandboxes.spec import host_ca
from tests.lab.cases import load_worlds, upload
from tests.lab.cases.judging import Said, compare
from tests.lab.cases.machine import image_of
from tests.lab.cases.record import scrubbed
from tests.lab.cases.running import judge
from tests.lab.cases.world import RECORDED, World, recording_of
from tests.verify.forking import Forking

ROOT = Path(__file__).resolve().parents[2]
NEUTRAL_HOSTS = {
    "pip.pypa.io",
    "www.anaconda.com",
    "packaging.python.org",
    "github.com",
    "peps.python.org",
    "index.example",
    "cran.r-project.org",
    "docs.python.org",
    "setuptools.pypa.io",
}
"""What tools name in their own advice."""
REPRODUCED = {"command-python-m", "module-offline"}
"""A supported one without a network, and one that is passable."""
SAMPLE = (
    "claim-invented",
    "command-python-m",
    "example-5-output-format",
    "module-offline",
    "permission-relative-path",
)
WORLDS = {world.id: world for world in load_worlds()}


def test_there_are_sixty_worlds_of_all_statuses_and_environmental_kinds():
    assert len(WORLDS) >= 60
    assert {world.truth.status for world in WORLDS.values()} == {"supported", "not_supported", "inconclusive"}
    told = {world.truth.barrier for world in WORLDS.values()}
    assert {Barrier.MODULE, Barrier.COMMAND, Barrier.HEADER, Barrier.PIP, Barrier.PERMISSION, None} <= told


def test_most_worlds_are_recorded_and_each_recording_shows_something():
    recorded = [recording for world in WORLDS.values() if (recording := recording_of(world))]
    assert len(recorded) >= 60
    assert all(any(step.output.strip() or step.exit_code for step in recording.steps) for recording in recorded)


def test_no_recording_is_left_without_its_world():
    assert {path.stem for path in RECORDED.glob("*.json")} <= WORLDS.keys()


@pytest.mark.parametrize("path", sorted(RECORDED.glob("*.json")), ids=lambda path: path.stem)
def test_a_recording_tells_nothing_of_the_machine_that_made_it(path: Path):
    text = path.read_text("utf-8")
    world = WORLDS[path.stem].model_dump_json()
    hosts = set(re.findall(r"https?://([\w.-]+\.[\w-]+)", text)) - NEUTRAL_HOSTS
    assert {host for host in hosts if host not in world} == set()
    assert str(ROOT) not in text
    assert set(re.findall(r"\b(?:\d{1,3}\.){3}\d{1,3}\b(?![.\d])", text)) <= {"127.0.0.1", "0.0.0.0"}
    assert len(text) < 60_000


def test_hosts_and_the_proxys_address_are_taken_out_of_a_recording():
    said = "Looking in indexes: https://mirror.site.test/simple\nvia 172.18.0.1:40123\r50 %\r100 %"
    assert scrubbed(said, {"mirror.site.test"}) == "Looking in indexes: https://index.example/simple\n100 %"


def test_a_world_without_its_truths_reason_does_not_load():
    shown = WORLDS["module-offline"].model_dump(exclude={"why"})
    with pytest.raises(ValueError, match="why"):
        World.model_validate(shown)


def test_a_verdict_that_differs_from_the_truth_is_noticed():
    truth = WORLDS["module-offline"].truth
    right = Said("supported", "module", ("module",), (), ("PRESENT=yes", "PASSABLE=no", "CAUSED=yes"), "")
    assert compare(truth, right) == []
    wrong = Said("not_supported", "pip", ("pip",), ("pip-user",), ("PASSABLE=yes",), "")
    assert [one.what for one in compare(truth, wrong)] == ["status", "barrier", "answer"]


def test_a_step_whose_output_was_cut_says_so_as_the_harness_does():
    world = WORLDS["module-truncated"]
    recording = recording_of(world)
    assert recording
    text = json.dumps(upload(world, recording))
    assert "This content has been truncated to stay below 200 characters" in text


@pytest.mark.docker
@pytest.mark.network
@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", SAMPLE)
def test_verify_says_what_is_true_of_a_world(name: str, forking: Forking):
    world = WORLDS[name]
    recording = recording_of(world)
    assert recording
    engine = Engine.connect()
    try:
        image = image_of(world, engine)
    finally:
        engine.close()
    judged = judge(world, recording, image, program=forking.run)
    assert judged.differences == (), judged.said
    if name in REPRODUCED:
        done = reproduced(judged.script)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "It came out as the report says" in done.stdout
        other = judged.script.replace("expect works", "expect fails")
        assert name != "command-python-m" or reproduced(other).returncode == 1
        assert reproduced(judged.script, IMAGE="impassable/nowhere:none").returncode == 2


def reproduced(script: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """What the pack's script says on the bare engine."""
    bundle = host_ca()
    env = {**os.environ, **({"CA_BUNDLE": str(bundle)} if bundle else {}), **settings}
    return subprocess.run(
        ["bash", "-s"], input=script, env=env, capture_output=True, text=True, timeout=500, check=False
    )
