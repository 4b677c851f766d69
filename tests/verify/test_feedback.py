"""What a maintainer says of a pack travels back: as a claim that disputes it, and as a labelled world."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from evidence import write_pack
from probes import ArtifactStore
from tests.evidence.synthetic_audits import ALL
from tests.verify.synthetic import Verify, one_sentence
from verify.labelled import LabelledSet

WHY = "the header lies below /opt/zither, as the task's README says"


@pytest.fixture
def pack(work: Path, verify: Verify) -> Path:
    assert verify
    store = ArtifactStore(work / "store")
    return write_pack(ALL["supported"](store), store, work / "packs").path


def test_a_false_alarm_is_a_file_that_disputes_the_task(verify: Verify, pack: Path, work: Path):
    before = {path: path.read_bytes() for path in pack.rglob("*") if path.is_file()}
    done = verify("feedback", f"{pack}.zip", "--false", "--because", WHY, "--by", "Ann", "--out", "said.json")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "said.json\n"
    said = json.loads((work / "said.json").read_text())["feedback"]
    assert (said["says"], said["because"], said["by"], said["status"]) == ("false alarm", WHY, "Ann", "supported")
    assert pack.name.endswith(said["digest"])
    assert {path: path.read_bytes() for path in before} == before
    told = verify("cases", "--claims", "said.json", "--json")
    assert told.returncode == 0, told.stderr
    assert said["task_id"] in told.stdout


def test_a_false_alarm_becomes_a_world_whose_truth_is_another(verify: Verify, pack: Path, work: Path):
    assert verify("feedback", pack, "--false", "--because", WHY, "--by", "Ann").returncode == 0
    said = pack.with_name(f"{pack.name}.feedback.json")
    command = [sys.executable, "benchmarks/disputed/feedback.py", str(said), str(pack)]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (work / "worlds").mkdir()
    (work / "worlds" / "false-alarm.toml").write_text(done.stdout, encoding="utf-8")
    (work / "set.toml").write_text('title = "a"\nsource = "b"\n')
    [world] = LabelledSet(work).worlds()
    assert (world.truth.status, world.truth.barrier) == ("not_supported", "header")
    assert [step.command for step in world.step] == ["pip install zither"]
    assert WHY in world.why

    other = json.loads(said.read_text())
    other["feedback"]["digest"] = "000000000000"
    said.write_text(json.dumps(other))
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "this feedback is about the pack 000000000000" in done.stderr


def test_feedback_without_a_word_or_a_reason_is_refused(verify: Verify, pack: Path):
    for given, said in (
        (("--because", WHY), "--false for a false alarm"),
        (("--false",), "needs a reason"),
        (("--false", "--because", " "), "needs a reason"),
    ):
        done = verify("feedback", pack, *given)
        assert done.returncode == 2
        assert said in one_sentence(done)
