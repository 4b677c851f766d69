"""What a person's review makes of a verdict: pure, and never more than the probes leave open."""

from collections.abc import Sequence
from typing import Any

from cases.sentences import Sentences
from graph.render import locus_of
from graph.rules import Settled
from graph.verdict import Audit, Locus, Review, Status, Verdict
from probes import Answer
from probes.barriers import Trait, entry, having

say = Sentences(__name__)


class ReviewNeeded(Exception):  # noqa: N818 - a state, no failure
    """A verdict waits for a person; the same audit goes on from here once there is an answer."""

    def __init__(self, audit: Audit) -> None:
        """Keep what is found and decided so far."""
        super().__init__("the verdict waits for a review")
        self.audit = audit


def decisions(verdict: Verdict) -> tuple[str, ...]:
    """What a person may say of it."""
    return ("accept", "reject", "yes", "no") if verdict.open_question else ("accept", "reject")


def reviewed(verdict: Verdict, settled: Sequence[Settled], review: Review | None) -> Verdict:
    """The verdict after a review; it may lower a score, and raise one only for what no probe could answer."""
    if review is None or review.decision == "accept":
        return verdict
    if review.decision == "reject":
        return _rejected(verdict, review)
    leading = next((item for item in settled if item.hypothesis.id == verdict.leading), None)
    hindrance = _hindrance(verdict, leading, review)
    if hindrance or leading is None:
        return _with(verdict, limits=(say("limit.review_ignored", said=_said(review), why=hindrance),))
    return _answered(verdict, leading, review)


def _hindrance(verdict: Verdict, leading: Settled | None, review: Review) -> str:
    """Why an answer cannot settle it; ends a sentence."""
    if verdict.status is not Status.INCONCLUSIVE:
        return say("review.settled")
    if leading is None or leading.hypothesis.barrier not in having(Trait.ABOUT_WORDING) or not verdict.open_question:
        return say("review.no_question")
    if any(not control.passed for finding in leading.findings for control in finding.controls):
        return say("review.control")
    if (leading.present, leading.passable, leading.caused) != (Answer.UNKNOWN, Answer.UNKNOWN, leading.caused):
        return say("review.partly")
    if leading.caused is Answer.NO:
        return say("review.otherwise")
    return "" if review.reason.strip() else say("review.no_reason")


def _rejected(verdict: Verdict, review: Review) -> Verdict:
    told = say("review.rejected", said=_said(review), reason=verdict.reason)
    return _with(
        verdict,
        score=0,
        deficiency_caused_failure=False,
        status=Status.INCONCLUSIVE,
        reason=told,
        against=told,
        would_change=say("review.rejected_change"),
        limits=(told,),
    )


def _answered(verdict: Verdict, leading: Settled, review: Review) -> Verdict:
    yes = review.decision == "yes"
    kind = entry(leading.hypothesis.barrier)
    said = _said(review)
    told = f"{said} to: {verdict.open_question}"
    title = f"{kind.title[:1].upper()}{kind.title[1:]}"
    taken = say("review.yes", title=title) if yes else say("review.no")
    doubt = say("review.doubt") if yes else ""
    return _with(
        verdict,
        score=int(yes),
        deficiency_exists=yes,
        deficiency_caused_failure=yes,
        deficiency_type=leading.hypothesis.category if yes else "none",
        existence_reasoning=f"{told} {verdict.existence_reasoning}",
        causation_reasoning=f"{told} {verdict.causation_reasoning}",
        status=Status.SUPPORTED if yes else Status.NOT_SUPPORTED,
        reason=say("review.reason", taken=taken, said=said),
        decisive=(),
        locus=locus_of(leading.hypothesis) if yes else Locus.AGENT_RUN,
        against=say("review.against", doubt=doubt or verdict.against),
        would_change=say("review.change"),
        open_question="",
        limits=(say("limit.human"),),
    )


def _said(review: Review) -> str:
    reason = f" ({' '.join(review.reason.split())})" if review.reason.strip() else ""
    words = {"reject": "said no", "yes": "answered yes", "no": "answered no"}[review.decision]
    return f"{review.reviewer} {words}{reason} on {review.at.date().isoformat()}"


def _with(verdict: Verdict, *, limits: tuple[str, ...], **changes: Any) -> Verdict:  # noqa: ANN401 - its fields
    return verdict.model_copy(update={**changes, "limits": (*verdict.limits, *limits)})
