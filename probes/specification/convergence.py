"""Whether the runs of a task agree on an answer, and whether that is the expected one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from cases import Case, Outcome, Run
from cases.answers.equivalence import Likeness, compare, items

Agreement = Literal["too few", "scattered", "expected", "another", "open"]
"""`another`: on an answer that is not the expected one; `open`: on one that may be the expected one."""
RUNS = 3
"""In a group, from which on its runs count as agreeing."""
VOICES = 2
"""Different agents or models among them."""
SHARE = 0.6
"""Of all answers."""
MOST_COMPARED = 40
"""Different wordings that are compared with each other."""
LONGEST_COMPARED = 500
"""Characters of an answer that is compared with others than the expected one."""
MOST_ITEMS = 12
"""Of such an answer."""
JUDGED = 12
"""Groups that are compared with the expected answer."""


@dataclass(frozen=True)
class Group:
    """Runs that gave the same answer."""

    answer: str
    """The first run's wording."""
    runs: tuple[Run, ...]
    likeness: Likeness | None
    """To the expected answer; None where that is not known, and for the rarest groups."""

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
    """Group the answers of all runs by what they say."""
    groups = _groups(case)
    return Convergence(groups, _agreement(case, groups))


def _groups(case: Case) -> tuple[Group, ...]:
    task, gold = case.task.prompt or "", case.task.gold
    known = gold is not None and bool(gold.strip())
    merged = sorted(_merged(_alike(case), task), key=lambda entry: (-len(entry[1]), entry[1][0].run_id))
    return tuple(
        Group(answer, tuple(runs), compare(answer, gold or "", task).likeness if known and place < JUDGED else None)
        for place, (answer, runs) in enumerate(merged)
    )


def _alike(case: Case) -> list[tuple[str, list[Run]]]:
    """Runs by the letters of their answers, the commonest answer first."""
    found: dict[str, tuple[str, list[Run]]] = {}
    answering = sorted((run for run in case.runs if (run.answer or "").strip()), key=lambda run: run.run_id)
    for run in answering:
        answer = run.answer or ""
        found.setdefault(" ".join(answer.casefold().split()), (answer, []))[1].append(run)
    return sorted(found.values(), key=lambda entry: (-len(entry[1]), entry[1][0].run_id))


def _merged(alike: list[tuple[str, list[Run]]], task: str) -> list[tuple[str, list[Run]]]:
    """Joined where two wordings say the same; of rare and of long answers only equal letters count."""
    merged: list[tuple[str, list[Run]]] = []
    short: list[tuple[str, list[Run]]] = []
    for place, entry in enumerate(alike):
        answer, runs = entry
        compared = place < MOST_COMPARED and len(answer) <= LONGEST_COMPARED and len(items(answer)) <= MOST_ITEMS
        others = short if compared else []
        same = next((known for first, known in others if compare(answer, first, task).likeness == "same"), None)
        if same is not None:
            same += runs
            continue
        merged.append(entry)
        short += [entry] if compared else []
    return merged


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
    return "another" if top.likeness == "different" and failed and not passed and _found(top) else "open"


def _found(group: Group) -> bool:
    """Whether something showed one of its runs the answer, as far as records tell: what runs say when they find nothing
    was shown to none.
    """
    records = [run.transcript for run in group.runs if run.transcript]
    answer = " ".join(group.answer.casefold().split()).rstrip(".")
    shown = (block.text for one in records for block in one.blocks if block.kind == "result")
    return not records or any(answer in " ".join(text.casefold().split()) for text in shown)
