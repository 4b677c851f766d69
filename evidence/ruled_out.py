"""Routes that were not tried because the agent was not allowed to take them."""

from collections.abc import Iterable

from cases.sentences import Sentences
from probes import Envelope, Finding

say = Sentences(__name__)


def ruled_out(findings: Iterable[Finding], envelope: Envelope) -> dict[str, list[str]]:
    """Names of routes by the reason, part of a sentence."""
    reasons: dict[str, list[str]] = {}
    for finding in findings:
        for route in finding.routes:
            if route.result == "not_permitted":
                reason = _told(route.note, envelope) or say("ruled_out.nobody")
                reasons.setdefault(reason, []).append(route.id)
    return {reason: list(dict.fromkeys(names)) for reason, names in reasons.items()}


def _told(reason: str, envelope: Envelope) -> str:
    """The reason with the origin of the envelope's value in words."""
    for origin in ("observed", "profile", "assumed"):
        if reason.endswith(f" ({origin})"):
            words = say(f"ruled_out.{origin}", profile=envelope.profile)
            return f"{reason.removesuffix(f' ({origin})')} ({words})"
    return reason.rstrip(".")
