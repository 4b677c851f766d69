"""Whether the runs of a task agree on an answer, and whether that is the expected one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from cases import Case, Outcome, Run
from probes.scorer.equivalence import Likeness, compare
from probes.transcript import phrases

Agreement = Literal["too few", "scattered", "expected", "another", "open"]
"""`another`: on an answer that is not the expected one; `open`: on one that may be the expected one."""
RUNS = 3
"""In a group, from which on its runs count as agreeing."""
VOICES = 2
"""Different agents or models among them."""
SHARE = 0.6
"""Of all answers."""
MOST_ANSWERS = 200


@dataclass(frozen=True)
class Group:
    """Runs that gave the same answer."""

    answer: str
    """The first run's wording."""
    runs: tuple[Run, ...]
    likeness: Likeness | None
    """To the expected answer; None where that is not known."""

    @property
    def voices(self) -> frozenset[str]:
        """The agents and models that gave it, as far as they are known."""
        return frozenset(voice for run in self.runs if (voice := _voice(run)))

    @property
    def expected(self) -> bool:
        """Whether it is the expected answer, by comparison or since a run passed with it."""
        return self.likeness == "same" or any(run.outcome is Outcome.PASSED for run in self.runs)


@dataclass(frozen=True)
class Convergence:
    """All answers of a task's runs, the largest group first."""

    groups: tuple[Group, ...]
    agreement: Agreement

    @property
    def answers(self) -> int:
        """How many runs gave an answer."""
        return sum(len(group.runs) for group in self.groups)


def converge(case: Case) -> Convergence:
    """Group the answers of all runs by what they say; what only tells of giving up is none."""
    groups = _groups(case)
    return Convergence(groups, _agreement(case, groups))


def _groups(case: Case) -> tuple[Group, ...]:
    task, gold = case.task.prompt or "", case.task.gold
    found: list[tuple[str, list[Run]]] = []
    answering = sorted((run for run in case.runs if _answers(run)), key=lambda run: run.run_id)
    for run in answering[:MOST_ANSWERS]:
        answer = run.answer or ""
        same = next((runs for first, runs in found if compare(answer, first, task).likeness == "same"), None)
        if same is None:
            found.append((answer, [run]))
        else:
            same.append(run)
    known = gold is not None and bool(gold.strip())
    groups = [
        Group(answer, tuple(runs), compare(answer, gold or "", task).likeness if known else None)
        for answer, runs in found
    ]
    return tuple(sorted(groups, key=lambda group: (-len(group.runs), group.runs[0].run_id)))


def _answers(run: Run) -> bool:
    answer = (run.answer or "").strip()
    return bool(answer) and phrases.search("gave_up", answer) is None


def _voice(run: Run) -> str | None:
    parts = (run.environment.get("scaffold") or run.agent, run.model)
    return ", ".join(part for part in parts if part) or None


def _agreement(case: Case, groups: Sequence[Group]) -> Agreement:
    answers = sum(len(group.runs) for group in groups)
    if answers < RUNS:
        return "too few"
    top = groups[0]
    if len(top.runs) < RUNS or len(top.voices) < VOICES or len(top.runs) < SHARE * answers:
        return "scattered"
    if top.expected:
        return "expected"
    passed = any(run.outcome is Outcome.PASSED for run in case.runs)
    failed = all(run.outcome is Outcome.FAILED for run in top.runs)
    return "another" if top.likeness == "different" and failed and not passed else "open"
