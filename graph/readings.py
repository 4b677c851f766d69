"""Independent readings of a task's text, compared by rule; they add to an open question and decide nothing."""

from collections.abc import Iterator, Sequence
from itertools import combinations, product

from cases import Case
from cases import patterns as re
from cases.answers.equivalence import compare
from cases.sentences import Sentences
from graph.verdict import Choice, JudgeInputs, Reading, Status, Verdict
from probes import Barrier, Hypothesis
from probes.barriers import Trait, having

say = Sentences(__name__)

LEAST = 2
"""Readings below which there is nothing to compare."""
_TOLD = 3


def waits_for_readings(case: Case, verdict: Verdict, hypotheses: Sequence[Hypothesis]) -> bool:
    """Whether the verdict is open because nobody has settled what the task's text means."""
    leading = next((one for one in hypotheses if one.id == verdict.leading), None)
    open_ = verdict.status is Status.INCONCLUSIVE and bool(verdict.open_question)
    read = having(Trait.ABOUT_WORDING) | {Barrier.UNSPECIFIED}
    return open_ and leading is not None and leading.barrier in read and bool((case.task.prompt or "").strip())


def read_again(case: Case, verdict: Verdict, hypotheses: Sequence[Hypothesis], basis: JudgeInputs) -> Verdict:
    """The verdict whose open question says where the basis' readings differ; its other fields but limits stay."""
    readings = basis.readings
    if len(readings) < LEAST or not waits_for_readings(case, verdict, hypotheses):
        return verdict
    told = _differences(readings, case.task.prompt or "")
    model = basis.assistance.model if basis.assistance else "a model"
    dropped = basis.assistance.misread if basis.assistance else 0
    limits = (*verdict.limits, _limit(readings, case.task.prompt or "", model, dropped))
    return verdict.model_copy(update={"open_question": " ".join((verdict.open_question, *told)), "limits": limits})


def contradictions(one: Reading, other: Reading, task: str) -> Iterator[tuple[Choice, Choice]]:
    """Pairs of choices that mean another thing by the same words; one that only says more than another is none."""
    for mine, theirs in product(one.choices, other.choices):
        if mine.aspect == theirs.aspect and _overlap(mine.quote, theirs.quote, task) and _differ(mine, theirs):
            yield mine, theirs


def agreeing(readings: Sequence[Reading], task: str) -> int:
    """How many of the readings, at most, contradict none of each other."""
    for size in range(len(readings), 1, -1):
        for some in combinations(readings, size):
            if not any(True for one, other in combinations(some, 2) for _ in contradictions(one, other, task)):
                return size
    return 0


def _differences(readings: Sequence[Reading], task: str) -> Iterator[str]:
    """One sentence for each aspect, with the first two readings that differ there."""
    first: dict[str, str] = {}
    for one, other in combinations(readings, 2):
        for mine, theirs in contradictions(one, other, task):
            told = f"{_told(one, mine)}, {_told(other, theirs)}"
            first.setdefault(mine.aspect, say("readings.differ", told=told))
    yield from list(first.values())[:_TOLD]


def _told(reading: Reading, choice: Choice) -> str:
    meant = f"{choice.aspect}: {choice.choice}"
    return f"“{reading.text.rstrip('.')}” ({meant}) rests on “{' '.join(choice.quote.split())}”"


def _limit(readings: Sequence[Reading], task: str, model: str, dropped: int) -> str:
    number, same = len(readings), agreeing(readings, task)
    agreed = say("readings.all" if same == number else "readings.some" if same else "readings.none", same=same)
    rest = say("readings.dropped", number=dropped) if dropped else ""
    return say("readings.limit", number=number, model=model, agreed=agreed, rest=rest)


def _differ(one: Choice, other: Choice) -> bool:
    mine, theirs = (
        frozenset(word.strip(".,;:()") for word in choice.choice.casefold().split()) for choice in (one, other)
    )
    if mine <= theirs or theirs <= mine:
        return False
    return "same" not in {compare(one.choice, other.choice).likeness, compare(other.choice, one.choice).likeness}


def _overlap(one: str, other: str, task: str) -> bool:
    spans = product(_spans(one, task), _spans(other, task))
    return any(start < other_end and other_start < end for (start, end), (other_start, other_end) in spans)


def _spans(quote: str, task: str) -> list[tuple[int, int]]:
    return [match.span() for match in re.finditer(re.escape(quote, any_length=True), task)] if quote else []
