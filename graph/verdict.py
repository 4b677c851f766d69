"""The verdict: the rubric's seven fields, and what makes them checkable."""

from datetime import datetime
from enum import StrEnum
from typing import Any, Literal

from cases import Case, Citation, Model, Understanding
from probes import Answer, Envelope, Exclusion, Finding, Hypothesis


class Status(StrEnum):
    """What the evidence allows to be said; the score alone cannot."""

    SUPPORTED = "supported"
    NOT_SUPPORTED = "not_supported"
    INCONCLUSIVE = "inconclusive"


class Locus(StrEnum):
    """Where the fault lies."""

    IMAGE_BUILD = "image build"
    HARNESS = "harness"
    AGENT_RUN = "agent run"
    EXTERNAL_SITE = "external site"
    GRADER = "grader"
    TASK_TEXT = "task text"


class Assistance(Model):
    """What a language model was asked in one audit; the status rests on none of it."""

    model: str
    calls: int = 0
    """Questions that went out, whether they were answered or not, each once however often it had to be repeated."""
    cached: int = 0
    """Replies that were remembered from an earlier audit."""
    tokens_read: int = 0
    tokens_written: int = 0
    cost: float | None = None
    """US dollars of the calls; None when no price is known."""
    proposed: int = 0
    """Hypotheses that came of it."""
    rejected: int = 0
    """Proposals dropped because their quotation stands nowhere, or because rules have read that text."""
    unread: tuple[str, ...] = ()
    """Which parts of the records it was not shown."""
    misread: int = 0
    """Readings of the task, or choices in them, that were dropped, most of them for words that stand nowhere in it."""
    failures: tuple[str, ...] = ()
    """Why a question had no usable answer; rules spoke instead."""


class Sentence(Model):
    """A model's sentence with what it rests on."""

    text: str
    sources: tuple[str, ...]
    """Ids of findings, or places of quotations such as `r1, block 3`."""


class Wording(Model):
    """A model's words, checked before they came here."""

    existence: tuple[Sentence, ...] = ()
    causation: tuple[Sentence, ...] = ()
    dissent: tuple[Sentence, ...] = ()
    """What a second reader says against the verdict."""


Aspect = Literal["time", "place", "currency", "measure", "source", "entity", "other"]


class Choice(Model):
    """What a reader takes a phrase of the task to mean where its wording leaves that open."""

    aspect: Aspect
    choice: str
    quote: str
    """The task's own words, letter by letter."""


class Reading(Model):
    """How a model understood the task's text in one of several independent readings."""

    text: str
    quote: str
    """The task's own words, letter by letter."""
    choices: tuple[Choice, ...] = ()


class Verdict(Model):
    """A pure function of case, hypotheses and findings."""

    score: Literal[0, 1]
    deficiency_exists: bool
    deficiency_caused_failure: bool
    deficiency_type: str
    """The rubric's category name, or `none`."""
    existence_reasoning: str
    causation_reasoning: str
    evidence: str
    status: Status
    reason: str
    """The decisive reason in one sentence."""
    rubric: str
    leading: str | None
    """The id of the hypothesis that the verdict speaks about."""
    decisive: tuple[str, ...]
    """Ids of the findings that settle it."""
    locus: Locus | None
    barrier_then: bool | None
    """Whether the records show the barrier; None without a record."""
    barrier_now: bool | None
    """Whether it was measured in this audit; None when that is unknown."""
    against: str
    """The strongest case against this verdict."""
    would_change: str
    """What would change it."""
    open_question: str = ""
    """What a person could settle, yes meaning that the benchmark is at fault; empty when nothing waits for one."""
    capable_agent: str
    """What a capable agent could have done: commands or URLs, and sentences behind `#`; empty when nothing is known."""
    citations: tuple[Citation, ...]
    limits: tuple[str, ...]
    understanding: tuple[Understanding, ...] = ()
    """How far the records of the failed runs were understood."""
    lab: bool
    """True when evidence came from mapped hosts or a lab authority."""
    assistance: Assistance | None = None
    """None when no model was asked."""

    @property
    def by_person(self) -> bool:
        """Whether a person's answer settled it, and no finding."""
        return self.status is not Status.INCONCLUSIVE and self.leading is not None and not self.decisive

    def rubric_fields(self) -> dict[str, Any]:
        """The seven fields that the rubrics ask for, and nothing else."""
        names = (
            "score",
            "deficiency_exists",
            "deficiency_caused_failure",
            "deficiency_type",
            "existence_reasoning",
            "causation_reasoning",
            "evidence",
        )
        return {name: getattr(self, name) for name in names}


Decision = Literal["accept", "reject", "yes", "no"]


class Review(Model):
    """What a person said of a verdict before it became final."""

    decision: Decision
    """To accept or reject what is decided, or to answer its open question."""
    reason: str = ""
    reviewer: str
    at: datetime
    """UTC."""


class EarlierAnswer(Model):
    """What a finding said in an earlier audit."""

    finding: str
    answer: Answer
    at: datetime
    """UTC."""


class Earlier(Model):
    """The pack that an audit repeats, and what it answered; it decides nothing."""

    pack: str
    """Its digest, as in its name."""
    status: Status
    score: Literal[0, 1]
    answers: tuple[EarlierAnswer, ...]


class JudgeInputs(Model):
    """What the judge is told besides case, hypotheses and findings."""

    rubric: str = "environmental_barrier"
    """The rubric's name where no hypothesis says one."""
    notes: tuple[str, ...] = ()
    """Limits that classifier and envelope know before any probe runs."""
    unexplained: str = ""
    """The failure with which a run ended and that no rule knows: then that nothing was proposed proves nothing."""
    exclusions: tuple[Exclusion, ...] = ()
    """What the failed runs' logs show of agent errors; it words a verdict and never decides one."""
    review: Review | None = None
    """None where nobody has looked at it."""
    earlier: Earlier | None = None
    """None where the audit repeats no other."""
    assistance: Assistance | None = None
    wording: Wording | None = None
    readings: tuple[Reading, ...] = ()
    """A model's readings of the task; they add to an open question and never decide one."""


class Audit(Model):
    """Everything one audit leaves behind, besides the artifacts in its store.

    `decide(case, hypotheses, findings, basis)` gives `verdict` again.
    """

    case: Case
    envelope: Envelope
    hypotheses: tuple[Hypothesis, ...]
    """In the order of their rank."""
    findings: tuple[Finding, ...]
    basis: JudgeInputs = JudgeInputs()
    verdict: Verdict
