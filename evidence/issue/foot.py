"""The end of an issue: digests, what a language model did, and who has looked at it."""

import hashlib

from cases.sentences import Sentences
from evidence.issue.markdown import Ready, prose
from evidence.text import dumps
from graph.verdict import Audit, Review
from probes import Hypothesis

say = Sentences(__name__)


def digests(audit: Audit) -> list[tuple[str, str]]:
    """SHA-256 of the records that the verdict is computed from, as they lie in the pack."""
    parts = {"findings.json": audit.findings, "verdict.json": audit.verdict}
    return [(f"SHA-256 of {name}", hashlib.sha256(dumps(part).encode()).hexdigest()) for name, part in parts.items()]


def disclosure(audit: Audit, leading: Hypothesis | None) -> str:
    """What a language model had to do with it."""
    helped = audit.verdict.assistance
    if helped or any(entry.proposer == "model" for entry in audit.hypotheses):
        named = say("use_of_ai.named", model=helped.model) if helped else say("use_of_ai.unnamed")
        return say("use_of_ai.helped", model=named)
    if leading and leading.proposer == "claim":
        return say("use_of_ai.claim")
    return say("use_of_ai.none")


def sign_off(review: Review | None) -> Ready:
    """Whether a person has looked at it."""
    if review is None:
        return Ready(say("issue.unsigned"))
    told = say("issue.signed", who=prose(review.reviewer), day=review.at.date().isoformat(), said=review.decision)
    reason = f": {prose(review.reason)}" if review.reason else ""
    return Ready(f"{told}{reason}.")
