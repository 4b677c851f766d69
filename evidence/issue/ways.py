"""The ways around a barrier as an issue tells them: what was run, how it ended, and what was ruled out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cases.sentences import Sentences
from evidence.issue.markdown import Ready, code, prose
from evidence.ruled_out import ruled_out
from probes import Envelope, Finding, Route

say = Sentences(__name__)

_MOST = 12
"""Routes whose commands are told."""


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


def barred(findings: Sequence[Finding], envelope: Envelope) -> Iterator[Ready]:
    """What the agent was not allowed to do, a line for each reason."""
    for reason, names in ruled_out(findings, envelope).items():
        named = ", ".join(code(name) for name in names)
        yield Ready(say("ruled_out.told", names=named, reason=prose(reason)))


def _head(route: Route) -> Ready:
    note = f": {prose(route.note)}" if route.note else ""
    return Ready(f"{code(route.id)} ({route.tier.value}), {say(f'result.{route.result}')}{note}")
