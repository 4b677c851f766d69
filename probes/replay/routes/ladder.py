"""From routes as data to commands for one subject in one envelope."""

from dataclasses import dataclass, replace

from cases import patterns as re
from cases.sentences import Sentences
from probes.barriers import Lift, RoutePlan, ladder_of
from probes.model import Envelope
from probes.replay.target.details import RouteValues
from probes.replay.target.model import ReplayTarget, user_of

say = Sentences(__name__)


@dataclass(frozen=True)
class ReadyRoute:
    """A route with everything filled in."""

    plan: RoutePlan
    commands: tuple[str, ...]
    exports: tuple[str, ...]
    goal: tuple[str, ...]
    given: str | None = None
    """What must succeed before it, for the route to mean anything."""
    retry: str | None = None
    """What takes the failing command's place once the barrier is passed; None for the command itself."""

    @property
    def shown(self) -> tuple[str, ...]:
        """What a person would type."""
        return (*self.commands, *self.exports, *self.goal, *((self.retry,) if self.retry else ()))


@dataclass(frozen=True)
class Ladder:
    """All routes for one subject in one envelope."""

    ready: tuple[ReadyRoute, ...]
    """To be tried, in order."""
    stronger: tuple[tuple[ReadyRoute, str], ...]
    """Of a shell that the agent did not have: where even they fail nothing is left, and where one works that tells
    nothing of what the agent could have done.
    """
    missing: tuple[tuple[RoutePlan, str], ...]
    """The envelope would allow them, but they could not be tried, and why; what they start from may be asked for."""
    not_permitted: tuple[tuple[RoutePlan, str], ...]
    """They bypass a policy, or the envelope does not have what they need: never executed, never counted."""
    meaningless: tuple[tuple[RoutePlan, str], ...]
    """No ways around this one."""


def ladder_for(subject: ReplayTarget, envelope: Envelope, command: str, *, offline: bool) -> Ladder:
    """Sort the routes of the subject's barrier; `command` is the failing one."""
    ladder = ladder_of(subject.barrier)
    ready: list[ReadyRoute] = []
    stronger: list[tuple[ReadyRoute, str]] = []
    missing: list[tuple[RoutePlan, str]] = []
    not_permitted: list[tuple[RoutePlan, str]] = []
    meaningless: list[tuple[RoutePlan, str]] = []
    values, root = subject.values(command), user_of(envelope) == "root"
    for plan in subject.suggested or ladder.route:
        goal = plan.goal or ladder.goal
        if reason := _meaningless(plan, command, values):
            meaningless.append((plan, reason))
        elif reason := _forbidden(subject, plan, envelope, values):
            not_permitted.append((plan, reason))
        elif reason := _hindered(plan, envelope, values, offline=offline) or _unknown(
            subject, values, *_texts(plan, goal)
        ):
            missing.append((plan.model_copy(update={"given": _filled(plan.given, values)}), reason))
        elif reason := _beyond(plan, envelope):
            stronger.append((_ready(plan, goal, values, root=root), reason))
        else:
            ready.append(_ready(plan, goal, values, root=root))
    return Ladder(tuple(ready), tuple(stronger), tuple(missing), tuple(not_permitted), tuple(meaningless))


def _texts(plan: RoutePlan, goal: tuple[str, ...]) -> tuple[str, ...]:
    return (*plan.commands, *goal, *plan.env.values(), plan.retry or "", plan.given or "")


def _filled(text: str | None, values: RouteValues) -> str | None:
    return values.fill(text) if text and values.lacking(text) is None else None


def _ready(plan: RoutePlan, goal: tuple[str, ...], values: RouteValues, *, root: bool) -> ReadyRoute:
    """The route with what is known; root needs no sudo."""
    commands, checks = (
        tuple(values.fill(text.removeprefix("sudo ") if root else text) for text in texts)
        for texts in (plan.commands, goal)
    )
    given = _filled(plan.given, values)
    return ReadyRoute(
        plan=plan.model_copy(update={"given": given}),
        commands=commands,
        exports=tuple(f'export {name}="{values.fill(value)}"' for name, value in plan.env.items()),
        goal=tuple(text for text in checks if text != "true"),
        given=given,
        retry=_filled(plan.retry, values),
    )


def lifts_for(subject: ReplayTarget) -> list[tuple[Lift, tuple[str, ...]]]:
    """Ways to remove the barrier whose values are known, filled in; one a package where several may bring it."""
    ways = [way for way in ladder_of(subject.barrier).lift if not way.kinds or subject.expected.kind in way.kinds]
    each = [replace(subject, packages=(name,)) for name in subject.packages] or [subject]
    command, found = subject.attempts[0].command, dict[tuple[Lift, tuple[str, ...]], None]()
    for way in ways:
        for values in (one.values(command) for one in each):
            if values.lacking(*way.commands, way.retry or "") is None:
                filled = way.model_copy(update={"retry": values.fill(way.retry)}) if way.retry else way
                found[filled, tuple(values.fill(text) for text in way.commands)] = None
    return list(found)


def goal_of(subject: ReplayTarget, command: str) -> tuple[str, ...]:
    """What shows that the barrier is gone; the failing command itself for some barriers."""
    values = subject.values(command)
    goal = ladder_of(subject.barrier).goal
    if values.lacking(*goal):
        return (command,)
    return tuple(text for text in map(values.fill, goal) if text != "true")


def _unknown(subject: ReplayTarget, values: RouteValues, *texts: str) -> str | None:
    name = values.lacking(*texts)
    return subject.handler.unknown.get(name, f"no {name} is known") if name else None


def _meaningless(plan: RoutePlan, command: str, values: RouteValues) -> str | None:
    if plan.only_if and not re.search(plan.only_if, command):
        return say("ladder.means_nothing_command")
    if not all(map(values.has, plan.when)) or any(map(values.has, plan.unless)):
        return say("ladder.means_nothing_one")
    return None


def _forbidden(subject: ReplayTarget, plan: RoutePlan, envelope: Envelope, values: RouteValues) -> str | None:
    if plan.tier == "T3":
        return say("ladder.policy_bypass_never")
    if subject.handler.knows_tools and (reason := _beyond(plan, envelope)):
        return reason
    if {"network", "open"} & _needs(plan, values) and envelope.network.value == "none":
        return say("ladder.needs_network_agent", origin=envelope.network.origin)
    if "sudo" in plan.needs and not envelope.sudo.value and user_of(envelope) != "root":
        return say("ladder.needs_sudo_agent", origin=envelope.sudo.origin)
    return None


def _beyond(plan: RoutePlan, envelope: Envelope) -> str | None:
    return of_a_shell(envelope) if "shell" in plan.needs and not envelope.shell.value else None


def of_a_shell(envelope: Envelope) -> str:
    """Why an agent without a shell could not take a way."""
    return say("ladder.needs_shell_agent", origin=envelope.shell.origin)


def _needs(plan: RoutePlan, values: RouteValues) -> set[str]:
    spared = {"network", "open"} if plan.local and values.has(plan.local) else set()
    return {need for need in plan.needs if need not in spared}


def _hindered(plan: RoutePlan, envelope: Envelope, values: RouteValues, *, offline: bool) -> str | None:
    needs = _needs(plan, values)
    if {"network", "open"} & needs and offline:
        return say("ladder.could_not_tried")
    if "open" in needs and envelope.network.value != "open":
        return say("ladder.could_not_tried_needs")
    return None
