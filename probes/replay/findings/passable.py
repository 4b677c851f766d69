"""Whether there is a way around it."""

from cases.sentences import Sentences
from probes.barriers import Trait, having
from probes.contract import FindingMaker
from probes.envelope import interprets_only
from probes.model import Answer, Envelope, Finding, Question, Tier
from probes.replay.findings.present import OF_PRESENT
from probes.replay.findings.support import doubt, known, lifted, limits, proxy, shown, unlike
from probes.replay.resources.outcome import Outcome, Tried
from probes.replay.routes.judging import short
from probes.replay.target.model import ReplayTarget

say = Sentences(__name__)

NEVER_COUNTED = frozenset({"not_permitted", "not_applicable"})
"""Results of routes."""


def passable(subject: ReplayTarget, outcome: Outcome, envelope: Envelope, make: FindingMaker) -> Finding:
    answer, summary = _passable_answer(subject, outcome, envelope)
    controls = [*outcome.controls]
    if answer is Answer.NO:
        controls.append(lifted(outcome, strict=not subject.handler.gone_suffices))
        if outcome.network_control:
            controls.append(outcome.network_control)
        controls += proxy(outcome)
        controls.append(known(envelope, subject.handler.routes_rest_on, outcome))
    passed = outcome.passed
    later = (say("passable.once_past", later=passed.later),) if passed and passed.later else ()
    found = make(
        Question.PASSABLE,
        answer,
        summary,
        tier=passed.plan.tier if passed else None,
        observations=tuple(o for o in outcome.observations if o.name not in OF_PRESENT),
        controls=tuple(controls),
        routes=tuple(tried.route for tried in outcome.tried),
        artifacts=tuple(outcome.artifacts),
        limits=(*limits(outcome, envelope), *later, *subject.handler.remarks(subject, outcome)),
    )
    return found.model_copy(update={"reaches": passed.reached}) if passed else found


def _passable_answer(subject: ReplayTarget, outcome: Outcome, envelope: Envelope) -> tuple[Answer, str]:
    passed = outcome.passed
    if passed:
        commands = passed.route.commands
        typed = commands[: len(passed.plan.commands)] or commands  # what follows them only checks that they worked
        how = shown(" && ".join(map(short, typed)).replace("& && ", "& ")) if typed else passed.plan.id
        if place := unlike(subject, outcome, *passed.route.commands):
            return Answer.UNKNOWN, say("passable.works_here_but", how=how, unlike=place)
        if passed.later and not (outcome.decisive and outcome.decisive.same):
            return Answer.UNKNOWN, say("passable.works_here_but_without", how=how)
        return Answer.YES, say("passable.works_here", how=how, outcome=_user(outcome))
    counted = [tried for tried in outcome.tried if tried.route.result not in NEVER_COUNTED]
    open_still = _open_still(subject, outcome, counted, shell=envelope.shell.value or interprets_only(envelope))
    if open_still:
        return Answer.UNKNOWN, say("passable.nothing_tried_worked", open_still=open_still)
    if not counted:
        reasons = "; ".join(f"{tried.plan.id}: {tried.route.note}" for tried in outcome.tried if not tried.general)
        return Answer.NO, say("passable.no_known_way", reasons=reasons, expected=subject.expected)
    names = ", ".join(tried.plan.id for tried in counted)
    ways = (
        say("passable.only_permitted_way")
        if len(counted) == 1
        else say("passable.all_permitted_ways", counted=len(counted))
    )
    return Answer.NO, say("passable.around_failed", ways=ways, names=names, expected=subject.expected)


def _open_still(subject: ReplayTarget, outcome: Outcome, counted: list[Tried], *, shell: bool) -> str | None:
    """Why it proves nothing that none of the counted routes worked, if so; ends a sentence."""
    if outcome.lacking:
        return outcome.lacking
    if outcome.decisive and not outcome.decisive.same:
        return say("passable.error_run_not")
    if open_route := _open_route(subject, outcome, counted):
        return open_route
    ordinary = any(tried.plan.tier is not Tier.T3 and not tried.general for tried in outcome.tried)
    if not ordinary or not (counted or shell or subject.handler.knows_tools):
        return say("passable.no_known_way_around")
    forgotten = say("passable.what_earlier_steps")
    found = doubt(subject, outcome) or _besides(outcome) or (forgotten if outcome.forgotten else None)
    means = subject.freedom and subject.barrier in having(Trait.MEANS)
    free = say("passable.left_open", words=subject.freedom) if means else None
    return found or outcome.archived or outcome.unread or subject.handler.unsettled(subject, outcome) or free


def _open_route(subject: ReplayTarget, outcome: Outcome, counted: list[Tried]) -> str | None:
    untried = next((tried for tried in counted if tried.route.result == "not_tried"), None)
    if untried:
        return say("passable.route_open", id=untried.plan.id, note=_plain(untried.route.note))
    if stronger := next((tried for tried in outcome.tried if tried.stronger), None):
        return say("passable.route_open", id=stronger.plan.id, note=stronger.route.note)
    past = (tried for tried in counted if tried.past and not tried.general)
    if subject.handler.shows_past and (beyond := next(past, None)):
        return say("passable.route_got_past", id=beyond.plan.id)
    return None


def _besides(outcome: Outcome) -> str | None:
    """What the command runs that fails whatever is missing, unless it was seen to work without it; ends a sentence."""
    if not outcome.beside or (outcome.lifted and outcome.lifted.worked):
        return None
    return say("passable.fails_besides", script=outcome.beside[0])


def _plain(note: str) -> str:
    return note if note.startswith("could not") else say("passable.could_not_tried", note=note)


def _user(outcome: Outcome) -> str:
    container = outcome.profile.get("container", {})
    return "root" if container.get("user") == "root" else say("passable.unprivileged_user")
