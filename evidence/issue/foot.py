"""The end of an issue: digests, what a language model did, and who has looked at it."""

import hashlib

from evidence.issue.markdown import Ready, prose
from evidence.said import say
from evidence.text import dumps
from graph.verdict import Audit, Review
from probes import Hypothesis


def digests(audit: Audit) -> list[tuple[str, str]]:
    """SHA-256 of the records that the verdict is computed from, as they lie in the pack."""
    parts = {"findings.json": audit.findings, "verdict.json": audit.verdict}
    return [(f"SHA-256 of {name}", hashlib.sha256(dumps(part).encode()).hexdigest()) for name, part in parts.items()]


def disclosure(audit: Audit, leading: Hypothesis | None) -> str:
    """What a language model had to do with it."""
    helped = audit.verdict.assistance
    if helped or any(entry.proposer == "model" for entry in audit.hypotheses):
        named = f"the language model {helped.model}" if helped else "a language model"
        return (
            f"Use of AI: {named} suggested what to look for and worded reasons. It decided nothing: the verdict "
            "follows from fixed rules, and this text from a template."
        )
    if leading and leading.proposer == "claim":
        return (
            "Use of AI: an earlier verdict, which a language model may have written, raised this. No model took "
            "part in checking it: the verdict follows from fixed rules, and this text from a template."
        )
    return "Use of AI: no model took part; the verdict follows from fixed rules, and this text from a template."


def sign_off(review: Review | None) -> Ready:
    """Whether a person has looked at it."""
    if review is None:
        return Ready(say("issue.unsigned"))
    said = f": {prose(review.reason)}" if review.reason else ""
    day = review.at.date().isoformat()
    return Ready(f"Human sign-off: {prose(review.reviewer)}, {day}, said “{review.decision}”{said}.")
