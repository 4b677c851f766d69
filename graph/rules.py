"""The verdict rules: each a row with its number, what it says, when it holds, and the status that follows.

The first row that holds decides. Numbers are those of the plan; rules 8 and 10, of how findings make an answer, are in
`aggregate.py`, and what a person may add to rule 9 is in `review.py`.
"""

import posixpath
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Literal, NamedTuple, TypeVar

from cases import Case, Outcome, Run
from cases import patterns as re
from cases.shell import steps_of
from cases.task_words import prompt_of
from graph.verdict import Status
from probes import Answer, Barrier, Finding, Ground, Hypothesis, Question
from probes.barriers import Trait, entry, having

T = TypeVar("T")
_MEANS = frozenset(
    {
        *(Barrier.NETWORK, Barrier.PIP, Barrier.APT, Barrier.CONDA),
        *(Barrier.COMMAND, Barrier.MODULE, Barrier.R_PACKAGE, Barrier.READ_ONLY, Barrier.PERMISSION),
    }
)
"""Barriers on one of several ways to the same."""
_NAMED = re.Whole(r"[\w.-]", r"[\w-]|\.\w")
"""A file's name that stands alone in a text."""
YES, NO, UNKNOWN = Answer.YES, Answer.NO, Answer.UNKNOWN
SUPPORTED, NOT_SUPPORTED, INCONCLUSIVE = Status.SUPPORTED, Status.NOT_SUPPORTED, Status.INCONCLUSIVE


@dataclass(frozen=True)
class Settled:
    """The three answers about one hypothesis and what follows from them."""

    hypothesis: Hypothesis
    present: Answer
    passable: Answer
    caused: Answer
    findings: tuple[Finding, ...]
    rival: str = ""
    """What speaks against it from another hypothesis's findings; ends a sentence."""

    @property
    def aside(self) -> bool:
        """Whether nothing in the records says that it was met: it was asked all the same, and opens nothing."""
        asked = self.hypothesis.proposer in {"structure", "task"}
        return asked and not self.hypothesis.citations

    @property
    def doubted(self) -> bool:
        """Whether its page was visited, with every control passed, and what stands there leaves open what it is."""
        return any(
            one.question is Question.PRESENT
            and one.answer is UNKNOWN
            and one.ground is Ground.WEB
            and one.controls
            and all(control.passed for control in one.controls)
            for one in self.findings
        )

    @property
    def had(self) -> bool:
        """Whether a way on the web was seen to what the task needs."""
        ways = (one for one in self.findings if one.question is Question.PASSABLE and one.ground is Ground.WEB)
        return any(counted(one) is YES for one in ways)

    @property
    def passes(self) -> bool:
        """Whether the benchmark's own solution passes its checks, so that the task can be passed."""
        return Trait.REFERENCE in entry(self.hypothesis.barrier).traits and self.passable is YES

    @property
    def failed_here(self) -> bool:
        """Whether a machine saw it fail, though nothing shows yet what that is."""
        return any(
            one.question is Question.PRESENT and one.answer is YES and one.ground is Ground.MACHINE
            for one in self.findings
        )

    @property
    def own_code(self) -> bool:
        """Whether code of the run's own failed, and nothing measured names why."""
        return self.hypothesis.barrier is Barrier.OWN_CODE_FAILS

    @property
    def side(self) -> bool:
        """Whether it was met in the record, and nothing shows that the task needs it."""
        return self.hypothesis.proposer in {"rules", "structure"} and self.caused is UNKNOWN

    @property
    def is_means(self) -> bool:
        """Whether it only failed to bring something, lacked software, or could not write somewhere."""
        return self.hypothesis.barrier in _MEANS

    def data_read(self, prompt: str) -> bool:
        """Whether it is about data of the task's that some way was seen to open; by its command where the task's own
        text spells a file of that.
        """
        if self.passable is not YES:
            return False
        words = (
            word
            for command in self.hypothesis.targets.commands
            for step in steps_of(command)
            for word in step.command.words[1:]
        )
        files = (posixpath.basename(word.text) for word in words if word.literal)
        spelled = any("." in name.strip(".") and _NAMED.within(name, prompt) for name in files)
        return spelled or self.hypothesis.barrier in (Barrier.DAMAGED_DATA, Barrier.SEALED_DATA)

    @property
    def first_met(self) -> int:
        """The first block that shows it; beyond all where none does."""
        return min((citation.block for citation in self.hypothesis.citations), default=sys.maxsize)

    @property
    def bare(self) -> bool:
        """Whether somebody claims it without naming an error: that opens nothing which the records have settled."""
        return self.hypothesis.barrier is Barrier.UNSPECIFIED

    @property
    def status(self) -> Status:
        """Supported, refuted (`not_supported`) or neither."""
        return first(OF_ONE, self).status

    @property
    def decisive(self) -> tuple[Finding, ...]:
        """The findings that settle it, in the order of the questions."""
        if self.status is SUPPORTED:
            wanted = {Question.PRESENT: YES, Question.PASSABLE: NO, Question.CAUSED: YES}
        elif self.status is NOT_SUPPORTED:
            wanted = {Question.PASSABLE: YES, Question.CAUSED: NO}
        else:
            wanted = {Question.PRESENT: self.present} if self.present is not UNKNOWN else {}
        found = [finding for finding in self.findings if wanted.get(finding.question) is counted(finding)]
        order = list(Question)
        return tuple(sorted(found, key=lambda finding: (order.index(finding.question), finding.id)))


@dataclass(frozen=True)
class Matter:
    """All that a verdict is ruled on."""

    case: Case
    own: tuple[Settled, ...]
    """What records, claims and the task propose, by rank."""
    proposed: tuple[Settled, ...] = ()
    """What a model proposes."""
    unexplained: bool = False
    """Whether a run ended in a failure that no rule knows."""

    @property
    def alone(self) -> bool:
        """Whether there is a task and nothing else."""
        return not self.case.runs and not self.case.claims

    @property
    def nothing(self) -> bool:
        """Whether nothing was met, by name or without one."""
        return not self.settling and not self.unexplained

    @property
    def settling(self) -> tuple[Settled, ...]:
        """What opens or settles the case: all but what was only asked aside and is not there, or open still.

        Where some way opens data of the task's, what else the run failed to fetch, to start or to write later, and
        nothing shows to be needed, were attempts to do without that. Where some way was seen to what the task needs,
        other pages that were only asked aside do not matter.
        """
        met = tuple(
            one
            for one in self.own
            if not (one.own_code and one.status is INCONCLUSIVE)
            and (not one.aside or one.status is SUPPORTED or one.failed_here or one.present is YES or one.doubted)
        )
        met = met or (() if self.unexplained else tuple(one for one in self.own if one.passes))
        known = [
            one for one in met if one.hypothesis.proposer in {"rules", "structure"} and one.status is not INCONCLUSIVE
        ]
        needed = [one for one in met if one.caused is YES]
        settled = bool(needed) and INCONCLUSIVE not in statuses(tuple(needed))
        prompt = prompt_of(self.case)
        read = min((one.first_met for one in met if one.data_read(prompt)), default=sys.maxsize)
        open_ones = (one for one in met if one.status is INCONCLUSIVE)
        beside = [
            one
            for one in open_ones
            if (known and one.bare)
            or (one.side and (settled or (one.is_means and one.first_met > read)))
            or (one.aside and any(other.had for other in met))
        ]
        return tuple(one for one in met if one not in beside)

    @property
    def unnamed(self) -> bool:
        """Whether nobody but a model names an error."""
        nameless = {Barrier.UNSPECIFIED, *having(Trait.UNNAMED)}
        return all(one.hypothesis.barrier in nameless for one in self.settling)

    @property
    def met(self) -> tuple[Settled, ...]:
        """What of a model's hypotheses was measured to be there, or not to be."""
        return tuple(one for one in self.proposed if one.present is not UNKNOWN)


class Rule(NamedTuple, Generic[T]):
    """One row."""

    number: int
    says: str
    holds: Callable[[T], bool]
    status: Status
    speaks: Literal["own", "proposed"] = "own"
    """Whose hypotheses the verdict is about."""


def counted(finding: Finding) -> Answer:
    """Rule 1: an answer, unknown where a control failed and, if it would support a score of 1, where there is none."""
    supports = (finding.question is Question.PASSABLE) == (finding.answer is NO)
    return UNKNOWN if supports and not finding.controls else finding.valid_answer


OF_ONE: tuple[Rule[Settled], ...] = (
    Rule(
        6,
        "What no log shows and is not there is refuted.",
        lambda one: one.aside and one.present is NO,
        NOT_SUPPORTED,
    ),
    Rule(3, "What can be passed is refuted.", lambda one: one.passable is YES, NOT_SUPPORTED),
    Rule(4, "What did not stop the run is refuted.", lambda one: one.caused is NO, NOT_SUPPORTED),
    Rule(
        2,
        "What is there, cannot be passed and stopped the run is supported.",
        lambda one: (one.present, one.passable, one.caused) == (YES, NO, YES),
        SUPPORTED,
    ),
    Rule(5, "What was there then and is gone now is open.", lambda one: one.present is NO, INCONCLUSIVE),
    Rule(9, "Anything else is open.", lambda _: True, INCONCLUSIVE),
)
"""What becomes of one hypothesis."""

OF_ALL: tuple[Rule[Matter], ...] = (
    Rule(9, "Without a run there is nothing to explain, only a state to tell.", lambda of: of.alone, INCONCLUSIVE),
    Rule(7, "One that is supported decides.", lambda of: SUPPORTED in statuses(of.own), SUPPORTED),
    Rule(
        7, "All that are refuted decide together.", lambda of: statuses(of.settling) == {NOT_SUPPORTED}, NOT_SUPPORTED
    ),
    Rule(6, "No failure, nothing to explain.", lambda of: of.nothing and not failures(of.case), NOT_SUPPORTED),
    Rule(
        11,
        "Where these leave it open, or nothing was met, one of a model's that is supported decides.",
        lambda of: SUPPORTED in statuses(of.proposed),
        SUPPORTED,
        "proposed",
    ),
    Rule(
        6,
        "Complete logs that show no barrier show the agent's own failure.",
        lambda of: of.nothing and recorded_in_full(of.case),
        NOT_SUPPORTED,
    ),
    Rule(
        11,
        "Where nobody else names an error, a model's that were met decide together if each is there and can be passed.",
        lambda of: of.unnamed and {(one.present, one.passable) for one in of.met} == {(YES, YES)},
        NOT_SUPPORTED,
        "proposed",
    ),
    Rule(9, "Anything else is open.", lambda _: True, INCONCLUSIVE),
)
"""What follows of all hypotheses together."""


def first(rules: tuple[Rule[T], ...], of: T) -> Rule[T]:
    """The row that decides."""
    return next(rule for rule in rules if rule.holds(of))


def statuses(settled: tuple[Settled, ...]) -> set[Status]:
    """Those that occur."""
    return {one.status for one in settled}


def recorded_in_full(case: Case) -> bool:
    """Whether there are records of failed runs, and each of them is complete and was understood."""
    records = [run.transcript for run in failures(case) if run.transcript]
    return bool(records) and all(record.understood for record in records)


def failures(case: Case) -> list[Run]:
    """The runs that are not known to have passed."""
    return [run for run in case.runs if run.outcome is not Outcome.PASSED]
