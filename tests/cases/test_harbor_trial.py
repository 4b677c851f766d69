"""What a Harbor trial's folder tells beside its result."""

import json
import shutil
from pathlib import Path

import pytest

from cases.library import Inputs, Library
from cases.model import Outcome, Run
from cases.readers.harbor_trial import task_folder
from tests.cases.samples import atif, harbor_result

CTRF = {"results": {"tests": [{"name": "a", "status": "passed"}, {"name": "b", "status": "failed"}, {"name": "c"}]}}
PRINTED = (
    "collected 2\nPASSED tests/t.py::test_a\nFAILED tests/t.py::test_b - assert 1 == 2\nERROR tests/t.py::test_c\n"
)


def run_of(trial: Path) -> Run:
    library = Library.open(Inputs(runs=(trial / "result.json", *trial.glob("agent/trajectory.json"))))
    [run] = library.case(library.resolve("fix-git")).runs
    return run


@pytest.fixture
def trial(tmp_path: Path) -> Path:
    folder = tmp_path / "fix-git__abc"
    for name in ("agent", "verifier"):
        (folder / name).mkdir(parents=True)
    harbor_result(folder / "result.json")
    return folder


def test_checks_are_those_of_the_report_and_else_of_the_printed_summary(trial: Path):
    assert run_of(trial).checks is None
    (trial / "verifier" / "test-stdout.txt").write_text(PRINTED)
    printed = {"tests/t.py::test_a": True, "tests/t.py::test_b": False, "tests/t.py::test_c": False}
    assert run_of(trial).checks == printed
    (trial / "verifier" / "ctrf.json").write_text(json.dumps(CTRF))
    assert run_of(trial).checks == {"a": True, "b": False}
    (trial / "verifier" / "ctrf.json").write_text("{")
    assert run_of(trial).checks == printed


def test_what_raised_is_the_log_of_a_trial_that_left_none_and_else_its_end(trial: Path):
    raised = "Traceback (most recent call last):\nSandboxBuildFailedError: no space left on device\n"
    (trial / "exception.txt").write_text(raised)
    told = run_of(trial).transcript
    assert told
    assert [(block.role, block.text) for block in told.blocks] == [("harness", raised.strip())]
    atif(trial / "agent" / "trajectory.json")
    told = run_of(trial).transcript
    assert told
    assert (len(told.blocks), told.blocks[-1].text) == (9, raised.strip())


@pytest.mark.parametrize("more", [{}, {"git_url": "https://forge.test/tasks"}])
def test_a_task_lies_where_the_configuration_says_unless_it_was_fetched(trial: Path, more: dict[str, str]):
    place = trial.parent / "tasks" / "fix-git"
    (trial / "config.json").write_text(json.dumps({"task": {"path": str(place)} | more}))
    assert task_folder(trial) is None
    place.mkdir(parents=True)
    assert task_folder(trial) == (None if more else place)


def step(trial: Path, name: str, *said: str) -> None:
    """A step's trajectory and its checks."""
    steps = [
        {"step_id": number, "source": ("user", "agent")[number % 2], "message": text}
        for number, text in enumerate(said)
    ]
    for folder in ("agent", "verifier"):
        (trial / "steps" / name / folder).mkdir(parents=True)
    atif(trial / "steps" / name / "agent" / "trajectory.json", steps=steps, subagent_trajectories=[])
    (trial / "steps" / name / "verifier" / "ctrf.json").write_text(json.dumps(CTRF))


@pytest.fixture
def stepped(trial: Path) -> Path:
    """A trial whose second step failed, and ran before the one whose name sorts first."""
    step(trial, "b-plan", "Plan it.", "Planned.")
    step(trial, "a-build", "Build it.", "It does not build.")
    rewards = {"b-plan": 1.0, "a-build": 0.0}
    results = [{"step_name": name, "verifier_result": {"rewards": {"reward": one}}} for name, one in rewards.items()]
    results[1]["exception_info"] = {"exception_type": "AgentTimeoutError", "exception_message": "too long"}
    harbor_result(trial / "result.json", verifier_result={"rewards": {"reward": 0.5}}, step_results=results)
    return trial


@pytest.mark.parametrize("given", ["result.json", "steps/a-build/agent/trajectory.json", "**/*.json"])
def test_a_trial_of_several_steps_is_one_run_in_the_order_in_which_they_ran(stepped: Path, given: str):
    library = Library.open(Inputs(runs=tuple(sorted(stepped.glob(given)))))
    case = library.case(library.resolve("fix-git"))
    [run] = case.runs
    assert (run.run_id, run.outcome, run.score) == ("fix-git__abc", Outcome.FAILED, 0.5)
    assert case.task.prompt == "Plan it.\n\nBuild it."
    assert run.transcript
    spoken = ["Plan it.", "Planned.", "Build it.", "It does not build.", "AgentTimeoutError\ntoo long"]
    assert [block.text for block in run.transcript.blocks] == spoken
    names = ("a-build: a", "a-build: b", "b-plan: a", "b-plan: b")
    assert run.checks == dict(zip(names, (True, False) * 2, strict=True))


def test_a_step_that_goes_on_with_the_trajectory_before_it_repeats_nothing(stepped: Path):
    before = ("Plan it.", "Planned.")
    shutil.rmtree(stepped / "steps" / "a-build")
    step(stepped, "a-build", *before, "Build it.", "Built.")
    told = run_of(stepped).transcript
    assert told
    assert [block.text for block in told.blocks[:-1]] == [*before, "Build it.", "Built."]


def test_steps_without_a_failed_one_leave_the_outcome_to_the_reward_of_all(stepped: Path):
    harbor_result(stepped / "result.json", verifier_result={"rewards": {"reward": 1.0}})
    assert run_of(stepped).outcome is Outcome.PASSED
    harbor_result(stepped / "result.json", verifier_result={"rewards": {"reward": 0.7}})
    assert run_of(stepped).outcome is Outcome.UNKNOWN
