"""A task's own solution and checks, given with the task, through the real program."""

import json
import zipfile
from pathlib import Path

import pytest

from tests.probes.oracle.conftest import image
from tests.probes.oracle.made import BROKEN, CANARY, CLOSED, terminal_bench
from tests.verify.synthetic import Verify, one_sentence

__all__ = ["image"]
TRIAL = {
    "task_id": "wrong",
    "trial_name": "wrong.1-of-1.made",
    "is_resolved": False,
    "failure_mode": "unset",
    "instruction": "Add them.",
    "parser_results": {"test_there": "passed", "test_sum": "failed"},
    "recording_path": None,
}


@pytest.fixture
def results(tmp_path: Path) -> Path:
    path = tmp_path / "results.json"
    path.write_text(json.dumps(TRIAL))
    return path


@pytest.mark.exhaustive
@pytest.mark.docker
@pytest.mark.slow
def test_checks_that_refuse_their_own_solution_are_the_benchmarks_fault_and_no_public_pack_shows_it(
    verify: Verify, results: Path, tmp_path: Path, work: Path, image: str
):
    tasks = terminal_bench(tmp_path / "tasks" / "wrong", image, **BROKEN["wrong"]).parent
    asked = ("wrong", "--run", results, "--tasks", tasks, "--offline", "--json", "--public")
    done = verify(*asked)
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    verdict = document["verdict"]
    assert (verdict["status"], verdict["locus"], verdict["score"]) == ("supported", "grader", 1), verdict
    assert {one.rpartition("/")[2] for one in verdict["decisive"]} == {"PRESENT", "PASSABLE", "CAUSED"}
    pack = work / document["pack"]
    issue = (pack / "issue.md").read_text()
    assert "The task's own checks reject what the benchmark's own solution leaves behind, 4 of 4 times" in " ".join(
        issue.split()
    )
    assert 'docker build -t oracle "$TASK"' in issue
    assert "chosen for this audit" not in issue
    assert "no command shows this" not in issue
    files = [file for file in pack.rglob("*") if file.is_file()]
    with zipfile.ZipFile(pack.with_name(f"{pack.name}.zip")) as archive:
        content = [archive.read(name) for name in archive.namelist()] + [file.read_bytes() for file in files]
    assert any(b"is left out of this public pack" in data for data in content)
    for secret in (CANARY, "awk", str(tmp_path)):
        assert not any(secret.encode() in data for data in content), secret
    assert CANARY not in done.stdout + done.stderr
    assert verify("check", pack).returncode == 0
    assert verify("recompute", pack).returncode == 0


@pytest.mark.exhaustive
@pytest.mark.docker
@pytest.mark.slow
def test_a_solution_that_passes_settles_a_run_whose_record_tells_nothing(
    verify: Verify, tmp_path: Path, work: Path, image: str
):
    task = terminal_bench(tmp_path / "tasks" / "wrong", image, compose=CLOSED)
    results = tmp_path / "results.json"
    results.write_text(json.dumps(TRIAL | {"parser_results": None}))
    done = verify("wrong", "--run", results, "--oracle", task, "--offline", "--json")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    verdict = document["verdict"]
    assert (verdict["status"], verdict["score"]) == ("not_supported", 0), verdict
    assert "passes its own checks on the task's machine" in verdict["reason"]
    assert "bash /oracle/solution.sh" in verdict["capable_agent"]
    assert "Nothing to file" in (work / document["pack"] / "issue.md").read_text()


def test_what_is_no_reference_solution_is_said_in_one_sentence(verify: Verify, results: Path, tmp_path: Path):
    script = tmp_path / "solve.sh"
    script.write_text("true\n")
    for given, said in ((script, "nothing says how it is checked"), (tmp_path, "no task wrong in a known layout")):
        done = verify("wrong", "--run", results, "--oracle", given, "--json")
        assert done.returncode == 2
        assert said in one_sentence(done)


def test_a_tasks_folder_is_a_profile(verify: Verify, tmp_path: Path):
    done = verify("profiles", terminal_bench(tmp_path / "wrong", "debian", **BROKEN["wrong"]))
    assert done.returncode == 0, done.stderr
    told = " ".join(done.stdout.split())
    assert "network none stated here" in told
    assert "workdir /app stated here" in told
    two = terminal_bench(tmp_path / "two", "debian", compose="services: {client: {image: a}, db: {image: b}}\n")
    assert "only tasks with one machine" in one_sentence(verify("profiles", two))


def test_the_plan_names_what_would_be_run_and_not_what_it_does(verify: Verify, results: Path, tmp_path: Path):
    tasks = terminal_bench(tmp_path / "tasks" / "wrong", "debian", **BROKEN["wrong"]).parent
    done = verify("wrong", "--run", results, "--tasks", tasks, "--dry-run", "--json")
    steps = json.loads(done.stdout)["plan"]["steps"]
    (oracle,) = [one for one in steps if one["probe"] == "oracle" and one["hypothesis"].startswith("reference")]
    assert "bash /oracle/solution.sh" in oracle["targets"][-1]
    assert CANARY not in done.stdout
    without = json.loads(verify("wrong", "--run", results, "--dry-run", "--json").stdout)["plan"]["steps"]
    assert "oracle" not in {one["probe"] for one in without}
