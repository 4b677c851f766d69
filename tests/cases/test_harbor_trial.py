"""What a Harbor trial's folder tells beside its result."""

import json
from pathlib import Path

import pytest

from cases.library import Inputs, Library
from cases.model import Run
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
