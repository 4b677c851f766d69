"""Reports of how runs ended find their runs and no others; a folder says what a file of no telling name is about."""

import json
from pathlib import Path
from typing import Any

import pytest

from cases import Outcome, Run
from cases.library import Inputs, Library
from tests.cases.case_files import OUTCOMES, said, table

ONE, TWO, THREE = "django__django-11099", "sympy__sympy-13146", "psf__requests-1724"
TALK = [said("user", "Mend it."), said("assistant", "Mended.")]


def run_in(folder: Path, name: str = "trajectory.json", **more: Any) -> Path:
    """A run that says of itself neither its task nor how it ended."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(json.dumps({"messages": TALK, **more} if more else TALK))
    return path


def wrote(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))
    return path


def runs(*paths: Path, outcomes: tuple[Path, ...] = ()) -> dict[str, list[Run]]:
    library = Library.open(Inputs(runs=paths, outcomes=outcomes))
    return {task.task_id: list(library.case(task).runs) for task in library.tasks()}


def ended(*paths: Path, outcomes: tuple[Path, ...] = ()) -> dict[str, list[str]]:
    return {task: [run.outcome.value for run in found] for task, found in runs(*paths, outcomes=outcomes).items()}


def report(resolved: bool) -> dict[str, Any]:
    return {"patch_is_None": False, "patch_successfully_applied": True, "resolved": resolved, "tests_status": {}}


IDS = {"total_instances": 3, "resolved_ids": [ONE], "unresolved_ids": [TWO], "error_ids": [], "schema_version": 2}
LISTS = {"no_generation": [TWO], "no_logs": [], "resolved": [ONE]}


class TestSweBench:
    """A submission's folders, as the experiments' repository and the harness leave them."""

    @pytest.mark.parametrize("told", [IDS, LISTS], ids=["ids", "lists"])
    @pytest.mark.parametrize("place", ["results.json", "results/results.json", "gpt.run-1.json"])
    def test_lists_of_a_submission_say_how_its_runs_ended(self, tmp_path: Path, told: Any, place: str) -> None:
        for task in (ONE, TWO, THREE):
            run_in(tmp_path / "trajs" / task)
        wrote(tmp_path / place, told)
        rest = ["failed"] if told is LISTS else ["unknown"]
        assert ended(tmp_path) == {ONE: ["passed"], TWO: ["failed"], THREE: rest}

    @pytest.mark.parametrize(
        "name", [f"{ONE}.json", f"{ONE}/{ONE}.json", f"{ONE}/trajectory.json", f"{ONE}/x/log.json"]
    )
    def test_the_report_of_one_instance_beside_its_run(self, tmp_path: Path, name: str) -> None:
        path = run_in((tmp_path / "trajs" / name).parent, Path(name).name)
        wrote(tmp_path / "logs" / ONE / "report.json", {ONE: report(False)})
        assert ended(tmp_path) == {ONE: ["failed"]}
        assert [task.benchmark for task in Library.open(Inputs(runs=(tmp_path,))).tasks()] == ["swebench"]
        if name.count("/") < 2:
            assert ended(path) == {ONE: ["failed"]}, "a report is found without being named"

    def test_a_report_that_names_no_instance_speaks_of_its_folders(self, tmp_path: Path) -> None:
        run_in(tmp_path / ONE, "messages.json")
        wrote(tmp_path / ONE / "report.json", report(True))
        assert ended(tmp_path) == {ONE: ["passed"]}

    def test_a_report_without_runs_is_who_passed_what(self, tmp_path: Path) -> None:
        path = wrote(tmp_path / "results.json", IDS)
        assert ended(outcomes=(path,)) == {ONE: ["passed"], TWO: ["failed"]}

    def test_another_submissions_report_says_nothing_of_a_run(self, tmp_path: Path) -> None:
        run_in(tmp_path / "a" / "trajs" / ONE)
        wrote(tmp_path / "b" / "results" / "results.json", LISTS)
        assert sorted(ended(tmp_path)[ONE]) == ["passed", "unknown"]

    def test_two_runs_of_one_task_are_not_told_apart_by_a_report_above_both(self, tmp_path: Path) -> None:
        for folder in ("a", "b"):
            run_in(tmp_path / folder / ONE)
        run_in(tmp_path / "a" / THREE)
        wrote(tmp_path / "results.json", LISTS)
        library = Library.open(Inputs(runs=(tmp_path,)))
        assert ended(tmp_path) == {ONE: ["unknown", "unknown"], THREE: ["unknown"], TWO: ["failed"]}
        assert "it could mean any of 2 runs" in str(library.problems[0])

    def test_one_named_report_and_one_named_run_belong_together_wherever_they_lie(self, tmp_path: Path) -> None:
        path = run_in(tmp_path / "here", f"{ONE}.json")
        told = wrote(tmp_path / "elsewhere" / "report.json", {ONE: report(True)})
        assert ended(path, outcomes=(told,)) == {ONE: ["passed"]}
        assert ended(path) == {ONE: ["unknown"]}

    def test_what_is_beside_a_named_run_brings_no_other_task(self, tmp_path: Path) -> None:
        path = run_in(tmp_path, f"{TWO}.json")
        wrote(tmp_path / "results.json", LISTS)
        assert ended(path) == {TWO: ["failed"]}

    def test_what_the_run_says_of_itself_is_not_overruled(self, tmp_path: Path) -> None:
        history = [{"action": "message", "source": "user", "args": {"content": "Mend it."}, "message": "Mend it."}]
        line = {"instance_id": ONE, "history": history, "report": {"resolved": True}}
        (tmp_path / "output.jsonl").write_text(json.dumps(line) + "\n")
        wrote(tmp_path / "report.json", {"resolved_ids": [], "unresolved_ids": [ONE]})
        library = Library.open(Inputs(runs=(tmp_path,)))
        assert ended(tmp_path) == {ONE: ["passed"]}
        assert "the run failed here but passed according to" in str(library.problems[0])

    def test_a_choice_of_the_benchmarks_tasks_is_named_by_whoever_knows_it(self, tmp_path: Path) -> None:
        run_in(tmp_path / "runs", f"{ONE}.json")
        row = ("SWE-bench Verified", ONE, "agent", "model", "2025-01-01", "0", "another-run")
        rows = table(tmp_path / "outcomes.csv", OUTCOMES, [row])
        library = Library.open(Inputs(runs=(tmp_path / "runs",), outcomes=(rows,)))
        assert [(task.benchmark, task.runs) for task in library.tasks()] == [("swebench_verified", 2)]


def trial(number: int, resolved: bool | None, **more: Any) -> dict[str, Any]:
    name = f"fix-git.{number}-of-2"
    return {
        "trial_name": name,
        "task_id": "fix-git",
        "instruction": "Find my changes.",
        "is_resolved": resolved,
        "failure_mode": "unset" if resolved else "agent_timeout",
        "recording_path": f"2031-05-06/fix-git/{name}/sessions/agent.cast",
    } | more


class TestTerminalBench:
    """A run's folder: results of all trials, and below each task and trial that trial's own."""

    def test_trials_are_runs_of_their_tasks_with_outcome_and_instruction(self, tmp_path: Path) -> None:
        wrote(tmp_path / "results.json", {"results": [trial(1, True), trial(2, False)], "accuracy": 0.5})
        wrote(tmp_path / "fix-git" / "fix-git.2-of-2" / "results.json", trial(2, False))
        library = Library.open(Inputs(runs=(tmp_path,)))
        [task] = library.tasks()
        assert (task.benchmark, task.task_id, task.passed, task.failed) == ("terminal_bench", "fix-git", 1, 1)
        case = library.case(task)
        assert case.task.prompt == "Find my changes."
        assert {run.run_id: run.environment for run in case.runs} == {
            "2031-05-06/fix-git.1-of-2": {},
            "2031-05-06/fix-git.2-of-2": {"failure_mode": "agent_timeout", "limit": "Terminal-Bench: agent_timeout"},
        }

    def test_how_a_trial_broke_is_the_harnesss_error_and_stands_last(self, tmp_path: Path) -> None:
        run_in(tmp_path / "sessions", "agent.json")
        wrote(tmp_path / "results.json", trial(1, None, failure_mode="unknown_agent_error"))
        [run] = runs(tmp_path)["fix-git"]
        assert run.environment["error"] == "Terminal-Bench: unknown_agent_error"
        assert run.transcript
        assert run.transcript.blocks[-1].role == "harness"

    @pytest.mark.parametrize("beside", ["results.json", "fix-git/fix-git.1-of-2/results.json"])
    def test_a_log_in_a_trials_folder_is_that_trial(self, tmp_path: Path, beside: str) -> None:
        path = run_in(tmp_path / "fix-git" / "fix-git.1-of-2" / "agent-logs", "chat.json")
        run_in(tmp_path / "fix-git" / "fix-git.1-of-2" / "sessions", "agent.json")
        wrote(tmp_path / beside, {"results": [trial(1, False)]} if "/" not in beside else trial(1, False))
        [run] = runs(tmp_path)["fix-git"]
        assert (run.outcome, run.run_id) == (Outcome.FAILED, "2031-05-06/fix-git.1-of-2")
        assert run.transcript
        assert path.exists()

    def test_a_trial_without_a_task_is_told_and_the_others_are_used(self, tmp_path: Path) -> None:
        path = wrote(tmp_path / "results.json", {"results": [{"is_resolved": True}, trial(1, None)]})
        library = Library.open(Inputs(outcomes=(path,)))
        assert [task.task_id for task in library.tasks()] == ["fix-git"]
        assert "trial 1: it has no task_id" in str(library.problems[0])
        assert [run.outcome for run in library.case(library.tasks()[0]).runs] == [Outcome.UNKNOWN]


class TestRows:
    """Rows of a table name their runs."""

    def test_a_row_joins_the_run_whose_id_is_its_files_name(self, tmp_path: Path) -> None:
        path = run_in(tmp_path, "run-7.json", task_id="task-1")
        rows = table(tmp_path / "outcomes.csv", OUTCOMES, [("", "task-1", "agent", "m", "2025-01-01", "0", "run-7")])
        for order in ((path, rows), (rows, path)):
            [run] = runs(*order)["task-1"]
            assert (run.outcome, run.agent) == (Outcome.FAILED, "agent")
            assert run.transcript

    def test_a_row_that_two_files_answer_to_is_told_and_changes_neither(self, tmp_path: Path) -> None:
        for folder in ("a", "b"):
            run_in(tmp_path / folder, "run-7.json", task_id="task-1")
        rows = table(tmp_path / "outcomes.csv", OUTCOMES, [("", "task-1", "agent", "m", "2025-01-01", "1", "run-7")])
        assert ended(tmp_path, rows) == {"task-1": ["unknown", "unknown"]}
        assert "it could mean any of 2 runs" in str(Library.open(Inputs(runs=(tmp_path,))).problems[0])

    def test_a_row_of_another_run_stays_a_run_of_its_own(self, tmp_path: Path) -> None:
        path = run_in(tmp_path, "run-7.json", task_id="task-1")
        rows = table(tmp_path / "outcomes.csv", OUTCOMES, [("", "task-1", "agent", "m", "2025-01-01", "1", "run-8")])
        assert sorted(ended(path, outcomes=(rows,))["task-1"]) == ["passed", "unknown"]


class TestNames:
    """What a task is called where its file does not say."""

    def test_folders_name_the_tasks_of_files_that_are_all_called_alike(self, tmp_path: Path) -> None:
        for task in ("task-10", "task-2"):
            run_in(tmp_path / "runs" / task, "messages.json")
        assert list(runs(tmp_path / "runs")) == ["task-2", "task-10"], "and numbers stand in their order"

    @pytest.mark.parametrize("name", ["trajectory.json", "my-task.json"])
    def test_a_file_beside_no_folder_of_its_own_keeps_its_name(self, tmp_path: Path, name: str) -> None:
        run_in(tmp_path / "runs", name)
        assert list(runs(tmp_path / "runs")) == [name.removesuffix(".json")]

    def test_a_file_that_says_its_task_is_called_so_wherever_it_lies(self, tmp_path: Path) -> None:
        assert list(runs(run_in(tmp_path / ONE, "trajectory.json", task_id="other"))) == ["other"]


class TestFolders:
    """Several paths at once: what one of them lacks is told, with its own reason, and the others are used."""

    def test_an_unusable_folder_is_told_and_the_others_are_used(self, tmp_path: Path) -> None:
        run_in(tmp_path / "good", "task-1.json")
        (tmp_path / "empty").mkdir()
        (tmp_path / "foreign").mkdir()
        (tmp_path / "foreign" / "notes.txt").write_text("Just notes.")
        (tmp_path / "good" / "broken.json").write_text("{")
        given = tuple(tmp_path / name for name in ("empty", "foreign", "good"))
        library = Library.open(Inputs(runs=given))
        assert [task.task_id for task in library.tasks()] == ["task-1"]
        told = {problem.file: str(problem) for problem in library.problems}
        assert "the directory holds no files" in told[str(given[0])]
        assert "notes.txt: this looks like plain text; the file is left out); the other" in told[str(given[1])]
        assert "broken.json" not in told[str(given[1])]
        assert all("the other paths are used" in told[str(given[one])] for one in (0, 1))
