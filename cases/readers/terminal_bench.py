"""Terminal-Bench's `results.json`, of one trial or of a whole run: task, outcome and how a trial failed."""

from pathlib import Path
from typing import Any

from cases.model import Outcome, Run, Task
from cases.readers.base import Found, Graded, Problem, Report, RunRecord
from cases.readers.fields import listed, text_of, trimmed
from cases.readers.records import Place, records
from cases.readers.sniff import Head
from cases.sentences import Sentences

say = Sentences(__name__)

LIMITS = frozenset({"agent_timeout", "context_length_exceeded", "output_length_exceeded"})
"""Failure modes by which an agent was ended that had not finished; the others are errors of the harness."""
NEEDED = frozenset({"task_id", "is_resolved"})
BENCHMARK = "terminal_bench"


class TerminalBenchReader:
    """Reads what became of trials, whose logs lie in folders of their names."""

    name = "Terminal-Bench results.json"
    signs = "task_id and is_resolved, at its top or in its results"
    omits = "token counts"

    def recognises(self, head: Head) -> bool:
        """A trial, or a list of them."""
        results = head.shape.get("results")
        return head.json_keys >= NEEDED or bool(results and results.kind == "array" and results.keys >= NEEDED)

    def read(self, path: Path) -> Found:
        """One report of the file; a trial's own lies in the trial's folder, a run's own above those of its tasks."""
        found = Found()
        graded: list[Graded] = []

        def take(data: dict[str, Any], _: Place) -> None:
            alone = "results" not in data
            for number, trial in enumerate([data] if alone else listed(data["results"]), 1):
                one = _graded(path, trial, alone=alone) if isinstance(trial, dict) else None
                if one:
                    graded.append(one)
                else:
                    message, remedy = say("terminal_bench.no_task_id"), say("terminal_bench.trial_left_out")
                    found.problems.append(
                        Problem(file=str(path), place=f"trial {number}", message=message, remedy=remedy)
                    )

        found.problems += records(path, take)
        found.reports.append(Report(path, tuple(graded)))
        return found


def _graded(path: Path, trial: dict[str, Any], *, alone: bool) -> Graded | None:
    task_id = trimmed(trial.get("task_id"))
    if task_id is None:
        return None
    name = trimmed(trial.get("trial_name")) or task_id
    recording = (trimmed(trial.get("recording_path")) or "").split("/")
    resolved, mode = trial.get("is_resolved"), trimmed(trial.get("failure_mode"))
    run = Run(
        run_id=f"{recording[0]}/{name}" if len(recording) > 1 else name,
        outcome=(Outcome.PASSED if resolved else Outcome.FAILED) if isinstance(resolved, bool) else Outcome.UNKNOWN,
        checks=_checks(trial.get("parser_results")),
        environment=_ended(mode) if mode and mode not in ("unset", "none") else {},
        source=str(path),
    )
    record = RunRecord(BENCHMARK, task_id, run, Task(prompt=text_of(trial.get("instruction"))))
    return Graded(record, folder="" if alone else f"{task_id}/{name}")


def _checks(value: object) -> dict[str, bool] | None:
    """The tests by name, as its parser read them."""
    return {str(name): said == "passed" for name, said in value.items()} if isinstance(value, dict) and value else None


def _ended(mode: str) -> dict[str, str]:
    """What became of a trial besides its tests."""
    return {"failure_mode": mode, "limit" if mode in LIMITS else "error": f"Terminal-Bench: {mode}"}
