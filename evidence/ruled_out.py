"""Routes that were not tried because the agent was not allowed to take them."""

from collections.abc import Iterable

from probes import Envelope, Finding

_ORIGINS = {
    "observed": "as the log shows",
    "profile": "from the profile",
    "assumed": "assumed; the log does not say",
}


def ruled_out(findings: Iterable[Finding], envelope: Envelope) -> dict[str, list[str]]:
    """Names of routes by the reason, part of a sentence."""
    reasons: dict[str, list[str]] = {}
    for finding in findings:
        for route in finding.routes:
            if route.result == "not_permitted":
                reason = _told(route.note, envelope) or "no agent is allowed to"
                reasons.setdefault(reason, []).append(route.id)
    return {reason: list(dict.fromkeys(names)) for reason, names in reasons.items()}


def _told(reason: str, envelope: Envelope) -> str:
    """The reason with the origin of the envelope's value in words."""
    for origin, words in _ORIGINS.items():
        if reason.endswith(f" ({origin})"):
            of = f" {envelope.profile_told}" if origin == "profile" else ""
            return f"{reason.removesuffix(f' ({origin})')} ({words}{of})"
    return reason.rstrip(".")
