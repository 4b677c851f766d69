"""Through whichever door a run comes, its verdict is the one that `verify` gives."""

import asyncio
import json
import logging
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.probes.oracle.conftest import image
from tests.probes.oracle.made import harbor as harbor_task
from tests.verify.doors import FAILED, IMPASSABLE, PASSED, harbor_job, inspect_log, trial
from tests.verify.synthetic import QUIET_RUN, Verify, environment, one_sentence

__all__ = ["image"]
ROOT = Path(__file__).parents[2]
WANTED = {IMPASSABLE: ("supported", 1), FAILED: ("not_supported", 0)}


def told(verify: Verify, *arguments: object) -> dict[str, tuple[str, int]]:
    """Each task's verdict."""
    done = verify(*arguments, "--profile", "offline", "--json", "-q")
    assert done.returncode == 0, done.stderr
    documents = map(json.loads, done.stdout.splitlines())
    return {one["case"]["task_id"]: (one["verdict"]["status"], one["verdict"]["score"]) for one in documents}


@pytest.mark.exhaustive
@pytest.mark.docker
@pytest.mark.slow
def test_a_harbor_job_gives_the_same_verdicts_and_each_lies_in_its_trial(verify: Verify, tmp_path: Path, work: Path):
    job = harbor_job(tmp_path / "job")
    assert told(verify, "harbor", job) == WANTED == told(verify, *WANTED, "--run", job, "--out", "plain")
    for task, (status, score) in WANTED.items():
        written = json.loads((job / f"{task}__1" / "impassable.json").read_text())
        assert (written["verdict"]["status"], written["verdict"]["score"]) == (status, score)
        assert verify("check", written["pack"]).returncode == 0
    assert not (job / f"{PASSED}__1" / "impassable.json").exists()
    ledger = (work / "packs" / "ledger.jsonl").read_bytes()
    assert told(verify, "harbor", job) == WANTED
    assert (work / "packs" / "ledger.jsonl").read_bytes() == ledger


@pytest.mark.exhaustive
@pytest.mark.docker
@pytest.mark.slow
def test_a_trial_brings_its_tasks_folder_and_so_machine_solution_and_checks(verify: Verify, tmp_path: Path, image: str):
    place = harbor_task(tmp_path / "tasks" / "sum", image, internet=False)
    trial(tmp_path / "job", "sum", QUIET_RUN, reward=0.0, place=place)
    done = verify("harbor", tmp_path / "job", "--offline", "--json", "-q")
    assert done.returncode == 0, done.stderr
    verdict = json.loads(done.stdout)["verdict"]
    assert verdict["status"] == "not_supported"
    assert "passes its own checks on the task's machine" in verdict["reason"]


def test_only_the_trial_that_is_asked_for_is_audited(verify: Verify, tmp_path: Path):
    job = tmp_path / "job"
    for task in ("one", "two"):
        trial(job, task, QUIET_RUN, reward=0.0)
    done = verify("harbor", job, "--trial", "two__1", "--offline", "-q")
    assert done.returncode == 0, done.stderr
    assert [path.parent.name for path in job.glob("*/impassable.json")] == ["two__1"]


def test_what_a_job_lacks_is_not_asked_for_by_an_option_that_the_command_has_not(verify: Verify, tmp_path: Path):
    trial(tmp_path / "job", "one", [], reward=0.0)
    done = verify("harbor", tmp_path / "job", "--offline", "-q", "--profile", "offline")
    assert done.returncode == 0, done.stderr
    assert "a transcript, for 1 task" in done.stdout
    assert not [line for line in done.stdout.splitlines() if "verify harbor" in line]


def test_what_is_no_job_is_said_in_one_sentence(verify: Verify, tmp_path: Path):
    trial(tmp_path / "job", "one", QUIET_RUN, reward=0.0)
    for given, said in (
        ((tmp_path / "nowhere",), "no such folder"),
        ((tmp_path,), "no finished trials in it"),
        ((tmp_path / "job", "--trial", "two"), "one is one__1"),
    ):
        done = verify("harbor", *given)
        assert done.returncode == 2
        assert said in one_sentence(done)


class Job:
    """What Harbor hands to a plug-in: the job's folder, and whom to tell when a trial has ended."""

    def __init__(self, job_dir: Path) -> None:
        self.job_dir = job_dir
        self.ended: list[Any] = []

    def on_trial_ended(self, callback: Any) -> "Job":
        self.ended.append(callback)
        return self


class Event:
    def __init__(self, trial_name: str) -> None:
        self.trial_name = trial_name


def until(path: Path) -> None:
    """Wait until a file is there."""
    ends = time.monotonic() + 100
    while not path.exists():
        assert time.monotonic() < ends
        time.sleep(0.1)


@pytest.mark.exhaustive
def test_the_plug_in_audits_a_trial_before_the_job_ends_and_holds_none_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    from impassable.harbor import Audits

    monkeypatch.chdir(tmp_path)
    caplog.set_level(logging.INFO, "impassable.harbor")
    job = Job(tmp_path / "job")
    verdicts = [trial(job.job_dir, task, QUIET_RUN, reward=0.0) / "impassable.json" for task in ("one", "two")]

    async def run() -> None:
        plugin = Audits(offline=True, out=tmp_path / "packs")
        await plugin.on_job_start(job)
        [ended] = job.ended
        await ended(Event("one__1"))
        assert not verdicts[0].exists()
        await asyncio.to_thread(until, verdicts[0])
        await ended(Event("two__1"))
        await ended(Event("gone__1"))
        await plugin.on_job_end(None)

    asyncio.run(asyncio.wait_for(run(), 120))
    assert all(json.loads(one.read_text())["verdict"]["status"] == "not_supported" for one in verdicts)
    assert "gone__1 was not audited: --trial gone__1: no finished trial has this name" in caplog.text


def test_harbor_finds_the_plug_in_by_its_name():
    from importlib.metadata import entry_points

    [point] = entry_points(group="harbor.plugins", name="impassable")
    assert {"on_job_start", "on_job_end"} <= set(dir(point.load()))


SCAN = """
import sys
from inspect_scout import scan, scan_results_df, transcripts_from
from impassable.scout import impassable

def main():
    done = scan([impassable(profile="offline")], transcripts=transcripts_from(sys.argv[1]), scans="scans",
                display="none", max_processes=1)
    assert done.complete, done
    table = scan_results_df(done.location).scanners["impassable"]
    print(table[["transcript_task_id", "value", "answer"]].to_json(orient="records"))

if __name__ == "__main__":
    main()
"""


@pytest.mark.exhaustive
@pytest.mark.docker
@pytest.mark.slow
def test_a_scan_of_an_inspect_log_gives_the_same_verdicts_and_no_value_to_a_run_that_passed(
    verify: Verify, tmp_path: Path, work: Path
):
    (tmp_path / "logs").mkdir()
    log = inspect_log(tmp_path / "logs" / "2026-01-15_three.eval")
    (work / "scan.py").write_text(SCAN)
    command = [sys.executable, "scan.py", str(log.parent)]
    env = environment(tmp_path / "home")
    done = subprocess.run(command, cwd=work, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    rows = {one["transcript_task_id"]: one for one in json.loads(done.stdout.splitlines()[-1])}
    assert {task: (rows[task]["answer"], int(rows[task]["value"])) for task in WANTED} == WANTED
    assert (rows[PASSED]["answer"], rows[PASSED]["value"]) == ("passed", None)
    assert told(verify, *WANTED, "--run", log, "--out", "plain") == WANTED


PYTHON = """
import json
import sys
import impassable

found = impassable.audit_many(json.loads(sys.argv[2]), run=sys.argv[1], profile="offline")
print(json.dumps({one.task_id: (one.status, one.score) for one in found}))
"""
GRAPH = """
import asyncio
import json
import sys
from graph import build

async def main():
    graph, told = build().compile(), {}
    for task in json.loads(sys.argv[2]):
        asked = {"task_id": task, "runs": [sys.argv[1]], "store": "store"}
        state = await graph.ainvoke(asked, context={"profile": "offline"})
        told[task] = (state["verdict"].status.value, state["verdict"].score)
    print(json.dumps(told))

asyncio.run(main())
"""


@pytest.mark.exhaustive
@pytest.mark.docker
@pytest.mark.slow
def test_python_the_graph_and_what_is_exported_say_the_same_of_a_run_that_passed_one_that_failed_and_one_that_could_not(
    verify: Verify, tmp_path: Path, work: Path
):
    log = inspect_log(tmp_path / "2026-01-15_three.eval")
    tasks = (IMPASSABLE, FAILED, PASSED)
    wanted = told(verify, *tasks, "--run", log)
    assert wanted == WANTED | {PASSED: ("not_supported", 0)}
    for name, code, path in (("door.py", PYTHON, ""), ("graph_door.py", GRAPH, str(ROOT))):
        (work / name).write_text(code)
        env = environment(tmp_path / "home") | ({"PYTHONPATH": path} if path else {})
        command = [sys.executable, name, str(log), json.dumps(tasks)]
        done = subprocess.run(command, cwd=work, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert {task: tuple(one) for task, one in json.loads(done.stdout.splitlines()[-1]).items()} == wanted, name

    advice = json.loads(verify("export", "packs", "--format", "advisory").stdout)
    assert (advice["infra_failure_ids"], advice["ambiguous_failure_ids"]) == ([IMPASSABLE], [])
    assert {task: one["status"] for task, one in advice["evidence"].items()} == {
        task: status for task, (status, _) in wanted.items()
    }
    proposed = json.loads(verify("export", "packs", "--format", "inspect").stdout)["invalidations"]
    assert [sample["id"] for one in proposed for sample in one["samples"]] == [IMPASSABLE]


SCORE = """
import json
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import Score, accuracy, scorer
from inspect_scout import as_scorer
from impassable.scout import impassable

@scorer(metrics=[accuracy()])
def sums():
    async def score(state, target):
        said = state.output.completion
        return Score(value="C" if said == "4" else "I", answer=said)
    return score

said = ("4", "I believe that it is five.", "I believe that it is five.")
answers = [ModelOutput.from_content("mockllm/model", text) for text in said]
for one in answers:
    one.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)  # or it fetches a table of tokens
samples = [Sample(id=name, input="Add two and two.", target=gold) for name, gold in
           (("right", ""), ("wrong", ""), ("open", "4"))]
task = Task(dataset=samples, scorer=[sums(), as_scorer(impassable(offline=True))], name="sums")
[log] = eval(task, model=get_model("mockllm/model", custom_outputs=answers), max_samples=1, display="none")
assert log.status == "success", log.error.message
scores = {one.id: one.scores["impassable"] for one in log.samples}
print(json.dumps({name: [str(one.value), one.answer, bool(one.explanation)] for name, one in scores.items()}))
"""


@pytest.mark.exhaustive
@pytest.mark.slow
def test_as_a_scorer_it_scores_what_is_settled_and_leaves_the_rest_unscored_with_a_reason(
    tmp_path: Path, work: Path, verify: Verify
):
    assert verify
    (work / "score.py").write_text(SCORE)
    env = environment(tmp_path / "home")
    done = subprocess.run([sys.executable, "score.py"], cwd=work, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == {
        "right": ["nan", "passed", True],
        "wrong": ["0", "not_supported", True],
        "open": ["nan", "inconclusive", True],
    }
