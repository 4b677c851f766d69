"""The ways around a barrier as an issue tells them: what was run, how it ended, and what was ruled out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evidence.issue.markdown import Ready, code, prose
from probes import Envelope, Finding, Route

_MOST = 12
"""Routes whose commands are told."""
_OUTSIDE = "route outside the envelope: "
_MEANINGLESS = "means nothing"
_ORIGINS = {
    "observed": "seen in the run's own record",
    "profile": "from the profile",
    "assumed": "assumed, as the records do not say",
}


@dataclass(frozen=True)
class Way:
    """One route."""

    head: Ready
    commands: str
    """One a line; empty where it has none, or where too many others have."""


def ways(findings: Sequence[Finding]) -> Iterator[Way]:
    """Every route that was or could have been tried."""
    routes = [route for finding in findings for route in finding.routes if route.result != "not_permitted"]
    for number, route in enumerate(routes):
        yield Way(_head(route), "\n".join(route.commands) if number < _MOST else "")


def ruled_out(findings: Sequence[Finding], envelope: Envelope) -> Iterator[Ready]:
    """What an agent here may not do, by reason; where a route means nothing, nothing is said of it."""
    reasons: dict[str, list[str]] = {}
    for finding in findings:
        for entry in finding.observations:
            if entry.name.startswith(_OUTSIDE) and not entry.value.startswith(_MEANINGLESS):
                reasons.setdefault(entry.value, []).append(entry.name.removeprefix(_OUTSIDE))
        for route in finding.routes:
            if route.result == "not_permitted":
                reasons.setdefault(route.note or "no agent may do that", []).append(route.id)
    for reason, names in reasons.items():
        named = ", ".join(code(name) for name in dict.fromkeys(names))
        yield Ready(f"Not permitted, so not tried: {named}. Why: {prose(_told(reason, envelope))}.")


def _told(reason: str, envelope: Envelope) -> str:
    """The reason with the origin of the envelope's value in words."""
    for origin, words in _ORIGINS.items():
        if reason.endswith(f" ({origin})"):
            of = f" {envelope.profile_told}" if origin == "profile" else ""
            return f"{reason.removesuffix(f' ({origin})')} ({words}{of})"
    return reason.rstrip(".")


def _head(route: Route) -> Ready:
    note = f": {prose(route.note)}" if route.note else ""
    return Ready(f"{code(route.id)} ({route.tier.value}), {route.result.replace('_', ' ')}{note}")
