"""Whether a failed run's answer was right and marked wrong, as far as rules and the benchmark's own scorer can tell."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cases import Case, Outcome, Run
from cases.answers.allowed import Allowance, allowance
from cases.answers.asked import instructed, question, told
from cases.answers.equivalence import Comparison, compare
from cases.answers.normal import normal_forms
from cases.sentences import Sentences
from probes.model import Answer, Barrier
from probes.scorer.grader import Grader, deciding_in, graders_of

if TYPE_CHECKING:
    from probes.scorer.grading import Marks

say = Sentences(__name__)

LENIENT = frozenset({"unit", "number word", "order"})
"""Differences that may be the agent's own fault, so that the benchmark's own scorer must overlook them too."""
MOST_RUNS = 40


@dataclass(frozen=True)
class Judged:
    """One failed run's answer beside the expected one."""

    run: Run
    answer: str
    grader: Grader
    """The one that decided the run."""
    asked: str
    """The task's text, and what the agent was told before it began."""
    comparison: Comparison
    task: str
    """The task's own text."""
    instructions: tuple[str, ...] | None = None
    """Everything that the record shows to have been told to the agent; None where it does not show that."""
    normal: tuple[str, ...] = ()
    """The documented forms in which alone it differs from the expected answer."""
    allowed: Allowance | None = None
    """What makes it right by the task's own text though it is not the expected answer."""

    @property
    def wrong(self) -> bool:
        """Whether the answer is simply another one."""
        return self.comparison.likeness == "different" and self.allowed is None

    @property
    def by_form(self) -> bool:
        """Whether it differs from the expected one in its form only, so that it is known in what."""
        if self.allowed or self.normal:
            return True
        return self.comparison.likeness == "same" and not self.comparison.differences & LENIENT

    @property
    def of_form(self) -> str:
        """All that the task, the run's instructions and the benchmark's own published ones say of an answer's form."""
        return "\n".join((self.asked, *([self.grader.asks] if self.grader.asks else [])))

    @property
    def barrier(self) -> Barrier:
        """What its grader may be at fault for."""
        if self.allowed is None:
            return Barrier.STRICT_MATCH
        return Barrier.TOLERANCE if self.allowed.kind == "tolerance" else Barrier.PARTIAL_CREDIT


@dataclass(frozen=True)
class Cause:
    """Whether a run was right and marked wrong."""

    answer: Answer
    reason: str
    """Part of a sentence."""
    by: Grader | None = None
    """The benchmark's other grader that gives the answer full marks."""


def judged_runs(case: Case) -> tuple[Judged, ...]:
    """Every failed run with an answer, the most like the expected one first; none without a grader or a gold answer."""
    gold = case.task.gold
    if gold is None or not gold.strip():
        return ()
    found = []
    for run in case.runs:
        grader = deciding_in(case, run)
        if run.outcome is Outcome.FAILED and run.answer and run.answer.strip() and grader:
            found.append(_judged(case, run, run.answer, gold, grader))
    order = ("same", "unsure", "different")
    return tuple(sorted(found, key=lambda item: (item.allowed is None, order.index(item.comparison.likeness))))[
        :MOST_RUNS
    ]


def _judged(case: Case, run: Run, answer: str, gold: str, grader: Grader) -> Judged:
    asked, task = told(case, run), question(case, run)
    comparison = compare(answer, gold, task)
    normal = normal_forms(comparison, answer, gold, task)
    permitted = allowance(answer, gold, asked)
    return Judged(run, answer, grader, asked, comparison, task, instructed(run), normal, permitted)


@dataclass(frozen=True)
class Unjudged:
    """A run of which no grader can say here whether it was right."""

    run: Run
    reason: str
    """A clause about the run, without its final stop."""
    equal: bool = False
    """Whether its answer says the same as the expected one."""


def unjudged_runs(case: Case) -> tuple[Unjudged, ...]:
    """Runs that may have been right though no grader can be asked: whose is not known, or what they answered is not.

    A run that nobody recorded as failed is one of them where its answer may be the expected one.
    """
    gold = case.task.gold
    if gold is None or not gold.strip():
        return ()
    found = (_unjudged(case, run, gold) for run in case.runs if run.outcome is not Outcome.PASSED)
    return tuple(item for item in found if item)[:MOST_RUNS]


def _unjudged(case: Case, run: Run, gold: str) -> Unjudged | None:
    grader, failed = deciding_in(case, run), run.outcome is Outcome.FAILED
    if not run.answer or not run.answer.strip():
        unknown = failed and grader and run.answer is None and "error" not in run.environment
        return Unjudged(run, say("judged.what_answered_not")) if unknown else None
    if failed and grader:
        return None
    comparison = compare(run.answer, gold, question(case, run))
    if comparison.likeness == "different":
        return None
    who = say("judged.grader_marked_not") if failed else say("judged.no_file_records")
    return Unjudged(run, f"{comparison.reason}, and {who}", equal=comparison.likeness == "same")


def caused(judged: Judged, barrier: Barrier, marks: "Marks", gold: str, benchmark: str) -> Cause:
    """Whether the answer was right and marked wrong.

    A yes needs that the answer says the same, in documented forms or by another grader of the benchmark, or that the
    task's own text takes it for right.
    """
    comparison = judged.comparison
    if judged.wrong:
        return Cause(Answer.NO, comparison.reason)
    if judged.run.settled_by_rule:
        return Cause(Answer.UNKNOWN, say("judged.but_no_file", reason=comparison.reason))
    mark = marks.of(judged.grader, judged.answer, gold)
    if mark.full:
        return Cause(Answer.UNKNOWN, say("judged.marks_right_now", name=judged.grader.name))
    if judged.allowed:
        return _permitted(judged.allowed, barrier, judged, str(mark))
    if not _explains(barrier, comparison):
        return Cause(Answer.UNKNOWN, say("judged.not_what_barrier", reason=comparison.reason))
    return _equal(judged, marks, gold, benchmark)


def _permitted(allowed: Allowance, barrier: Barrier, judged: Judged, mark: str) -> Cause:
    """The same for an answer that the task's own text takes for right; a promised part is not the whole."""
    told = f"{allowed.reason} (“{allowed.words}”)"
    if barrier is not judged.barrier:
        return Cause(Answer.UNKNOWN, say("judged.not_what_barrier_about", told=told))
    if allowed.kind == "promise":
        doubt = say("judged.whether_mark_part")
        return Cause(Answer.UNKNOWN, say("judged.gives", told=told, name=judged.grader.name, mark=mark, doubt=doubt))
    return Cause(Answer.YES, told)


def _equal(judged: Judged, marks: "Marks", gold: str, benchmark: str) -> Cause:
    comparison = judged.comparison
    others = [one for one in graders_of(benchmark) if one.name != judged.grader.name]
    full = sorted((one for one in others if marks.of(one, judged.answer, gold).full), key=lambda one: not one.official)
    if comparison.likeness != "same":
        by = say("judged.gives_full_marks", name=full[0].name) if full else ""
        return Cause(Answer.UNKNOWN, f"{comparison.reason}{by}")
    lenient = sorted(comparison.differences & LENIENT)
    enough = [one for one in full if one.official or not lenient]
    if enough:
        return Cause(
            Answer.YES, say("judged.gives_full_marks_2", reason=comparison.reason, name=enough[0].name), enough[0]
        )
    if judged.normal:
        forms = ", ".join(judged.normal)
        return Cause(Answer.YES, say("judged.another_form_published", reason=comparison.reason, forms=forms))
    if lenient:
        return Cause(
            Answer.UNKNOWN, say("judged.but", reason=comparison.reason, lenient=say("judged.and_its").join(lenient))
        )
    return Cause(Answer.UNKNOWN, say("judged.but_no_other", reason=comparison.reason, benchmark=benchmark))


def _explains(barrier: Barrier, comparison: Comparison) -> bool:
    if barrier is Barrier.LIST_ORDER:
        return "order" in comparison.differences
    return barrier is Barrier.STRICT_MATCH
