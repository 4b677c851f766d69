"""Who passed, from a HAL file's `results` and `raw_eval_results`, whose shape differs from benchmark to benchmark."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cases import benchmarks
from cases.model import Outcome
from cases.readers.base import Problem
from cases.sentences import Sentences

say = Sentences(__name__)


@dataclass(slots=True)
class Scores:
    """Outcomes and scores by task id."""

    passed: dict[str, None] = field(default_factory=dict)
    failed: dict[str, None] = field(default_factory=dict)
    scores: dict[str, float] = field(default_factory=dict)
    tasks: list[str] = field(default_factory=list)
    """Every task the results speak of, in the order of the file."""

    @classmethod
    def of(cls, benchmark: str, results: dict[str, Any], raw: object) -> "Scores":
        """Read what is there; `results` wins over `raw_eval_results`."""
        found = cls()
        evaluation = raw if isinstance(raw, dict) else {}
        found._lists(results)
        if not found.passed and not found.failed:
            found._lists(evaluation)
        success = benchmarks.success(benchmark)
        where, grade = GRADES[success.rule] if success and success.rule in GRADES else ("scores", _own_score)
        entries = evaluation.get(where, evaluation if where in WHOLE else None)
        found._graded(entries if isinstance(entries, dict) else {}, grade)
        latencies = results.get("latencies")
        extra = list(latencies) if isinstance(latencies, dict) else []
        found.tasks = list(dict.fromkeys([*found.passed, *found.failed, *found.tasks, *map(str, extra)]))
        return found

    def outcome(self, task_id: str) -> Outcome:
        """How the run of this task ended; unknown also where the file contradicts itself."""
        passed, failed = task_id in self.passed, task_id in self.failed
        if passed == failed:
            return Outcome.UNKNOWN
        return Outcome.PASSED if passed else Outcome.FAILED

    def score(self, task_id: str) -> float | None:
        """The benchmark's own score, where it is keyed by task."""
        return self.scores.get(task_id)

    def problems(self, path: Path) -> list[Problem]:
        """Tasks listed as passed and as failed."""
        return [
            Problem(
                file=str(path),
                place="results",
                message=say("hal_scores.listed_both_successful_failed", task=task),
                remedy=say("hal_scores.outcome_taken_unknown"),
            )
            for task in self.passed
            if task in self.failed
        ]

    def _lists(self, source: dict[str, Any]) -> None:
        for name, target in (("successful_tasks", self.passed), ("failed_tasks", self.failed)):
            entries = source.get(name)
            if isinstance(entries, list):
                target.update({str(entry): None for entry in entries if isinstance(entry, str | int)})

    def _graded(self, entries: dict[str, Any], grade: Callable[[object], tuple[bool | None, float | None]]) -> None:
        for key, entry in entries.items():
            task = str(key)
            passed, score = grade(entry)
            self.tasks.append(task)
            if isinstance(score, int | float):
                self.scores[task] = score
            if passed is not None and task not in self.passed and task not in self.failed:
                (self.passed if passed else self.failed)[task] = None


def _corebench(entry: object) -> tuple[bool | None, float | None]:
    """All written and all vision questions must be right."""
    if not isinstance(entry, dict):
        return None, None
    names = ("correct_written_answers", "total_written_questions", "correct_vision_answers", "total_vision_questions")
    values = [entry.get(name) for name in names]
    if not all(isinstance(value, int) for value in values):
        return None, None
    right, asked, seen, shown = (int(value) for value in values if value is not None)
    passed = asked + shown > 0 and right == asked and seen == shown
    return passed, float(passed)


def _scienceagentbench(entry: object) -> tuple[bool | None, float | None]:
    rate = entry.get("success_rate") if isinstance(entry, dict) else None
    return (rate >= 1, float(rate)) if isinstance(rate, int | float) else (None, None)


def _scicode(entry: object) -> tuple[bool | None, float | None]:
    """The list of solved steps; how many there are to solve is not in the file, so only none at all is a failure."""
    return (False if isinstance(entry, list) and not entry else None), None


def _own_score(entry: object) -> tuple[bool | None, float | None]:
    """A score by task says nothing of passing."""
    return None, float(entry) if isinstance(entry, int | float) else None


WHOLE = frozenset({"", "eval_result"})
"""Places that may be left out, so that the tasks stand at the top."""
GRADES: dict[str, tuple[str, Callable[[object], tuple[bool | None, float | None]]]] = {
    "all_questions": ("", _corebench),
    "full_rate": ("eval_result", _scienceagentbench),
    "steps": ("details", _scicode),
}
"""A rule's place in `raw_eval_results`, and what an entry there says of passing and of the score."""
