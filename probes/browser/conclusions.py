"""What follows for each question from what the visits and the ways came to."""

from collections.abc import Collection

from cases.hosts import host_of
from cases.sentences import Sentences
from probes.browser.differences import Difference
from probes.browser.open_site import KIND as REST_OF_SITE
from probes.browser.stopped import stopped, unchanged
from probes.browser.vantage import Second
from probes.browser.visits import Visits
from probes.contract import FindingMaker
from probes.model import Answer, Barrier, Control, Finding, Observation, Place, Question, Route
from probes.web.controls import offline_control
from probes.web.judge import present
from probes.web.ladder import Ways
from probes.web.likeness import same
from probes.web.records import Outcome
from probes.web.words import route_told, sentence
from sandboxes.browser.urls import home_of

say = Sentences(__name__)

SHOWN = 80
"""Characters that are quoted of what lies over a page."""
_LIMITS = (
    say("conclusions.seen_machine_network"),
    say("conclusions.one_audit_shows"),
)


def present_of(
    visits: Visits, outcomes: tuple[Outcome, ...], difference: Difference | None, second: Second | None
) -> tuple[Answer, str]:
    """PRESENT and why, as far as the run's own conditions and a second place of the web say the same."""
    if second and second.differs:
        return Answer.UNKNOWN, say("conclusions.depends_network", differs=second.differs)
    if difference:
        return difference.answer, difference.summary
    answer, summary = present(visits.hypothesis.barrier, outcomes, needed=bool(visits.needed))
    told = unchanged(visits.hypothesis, visits.context, outcomes) if answer is Answer.NO else ""
    return (Answer.UNKNOWN, told) if told else (answer, summary)


async def lying_over(outcomes: tuple[Outcome, ...], ways: Ways) -> str:
    """The clause that says what lies over an open page whatever is pressed on it; empty where nothing does, or where
    what is needed can be read all the same.
    """
    for item in outcomes:
        views = [look.view for look in item.looks if look.view]
        seen = item.reading.kind != "ok" or any(look.seen for look in item.looks)
        if seen or not views or not views[-1].covered:
            continue
        pressed = [look for look in (await ways.press(item.url)).looks if look.view]
        if pressed and all(look.view and look.view.pressed.covered and not look.seen for look in pressed):
            return say("conclusions.lies_over", url=item.url, said=" ".join(views[-1].covered.split())[:SHOWN])
    return ""


def found(
    visits: Visits,
    answer: Answer,
    summary: str,
    outcomes: tuple[Outcome, ...],
    used: tuple[Control, ...],
    difference: Difference | None,
    second: Second | None,
) -> Finding:
    """The finding for PRESENT, with all that was seen."""
    locus: Place | None = "harness" if difference and answer is Answer.YES else None
    return visits.make(
        Question.PRESENT,
        answer,
        sentence(summary),
        observations=tuple(visits.record.observations),
        controls=used + _differential(outcomes, answer) + (second.controls if second else ()),
        citations=visits.hypothesis.citations,
        artifacts=tuple(visits.record.artifacts),
        limits=_limits(second),
        locus=locus,
    )


def _limits(second: Second | None) -> tuple[str, ...]:
    if second is None:
        return _LIMITS
    seen = say("conclusions.seen_machine_network_only", shown=second.shown)
    return (seen, *_LIMITS[1:], *second.limits)


def _differential(outcomes: tuple[Outcome, ...], answer: Answer) -> tuple[Control, ...]:
    """The controls of the addresses that the answer rests on; a failed one has made its address unknown already."""
    resting = [item for item in outcomes if answer is Answer.UNKNOWN or item.reading.kind == "barrier"]
    return tuple(control for item in resting for control in item.controls) if answer is not Answer.NO else ()


def passable(
    visits: Visits,
    outcomes: tuple[Outcome, ...],
    routes: tuple[Route, ...],
    used: tuple[Control, ...],
    *,
    sure: bool,
    tried: bool,
) -> Finding:
    """Whether a permitted route works; that none does is said only when each was tried and failed."""
    blocked = tuple(item for item in outcomes if item.reading.kind != "ok")
    read_whole = {one.commands[0] for one in routes if one.id.startswith(REST_OF_SITE) and one.result == "failed"}
    sure = sure and all(_shut(item, blocked, read_whole) or visits.expected.lacks(item) for item in outcomes)
    works = [route for route in routes if route.result == "passed"]
    if works:
        world = visits.web.is_mapped(works[0].commands[0])
        limits = (say("conclusions.needed_text_not"),) if all("not seen" in r.note for r in works) else ()
        control = next((one for one in used if one.name.endswith("(lab)") == world), used[0])
        return visits.make(
            Question.PASSABLE,
            Answer.YES,
            sentence(say("conclusions.permitted_way_works", told="; ".join(f"{one.id}: {one.note}" for one in works))),
            tier=works[0].tier,
            routes=routes,
            controls=(control,),
            limits=limits,
        )
    closed = sure and not any(route.result == "not_tried" for route in routes)
    answer = Answer.NO if closed and any(route.result == "failed" for route in routes) else Answer.UNKNOWN
    summary = route_told(routes) if tried or routes else say("conclusions.nothing_tried_since")
    controls = used if answer is Answer.NO else used[:1]
    return visits.make(Question.PASSABLE, answer, sentence(summary), routes=routes, controls=controls)


def caused(
    visits: Visits, outcomes: tuple[Outcome, ...], used: tuple[Control, ...], *, closed: Answer, other: str, led: bool
) -> Finding:
    """Whether what is shut now stopped the run, by its record; `other` is the site that the task names instead, and
    `led` whether another host of its site leads there.
    """
    case, wanted = visits.context.case, visits.hypothesis.run_id
    run = next((run for run in case.runs if run.run_id == wanted and run.transcript), None)
    own = visits.context.events.get(wanted or "")
    answer, reason = stopped(visits.hypothesis, case, run, own, outcomes, closed=closed, led=led)
    if answer is Answer.UNKNOWN and other:
        answer, reason = Answer.NO, say("conclusions.task_names_another", host=host_of(outcomes[0].url), other=other)
    return visits.make(Question.CAUSED, answer, sentence(reason), controls=used, citations=visits.hypothesis.citations)


def unknown(make: FindingMaker, offline: str | None, refused: tuple[Observation, ...]) -> list[Finding]:
    """Findings of a call that sent nothing."""
    if offline is None:
        told = "; ".join(item.value for item in refused) or say("conclusions.hypothesis_names_none")
        summary = sentence(say("conclusions.there_no_address", told=told))
        return [make(Question.PRESENT, Answer.UNKNOWN, summary, observations=refused)]
    controls = (offline_control(offline),)
    return [
        make(question, Answer.UNKNOWN, sentence(offline), observations=refused, controls=controls)
        for question in (Question.PRESENT, Question.PASSABLE)
    ]


def _shut(item: Outcome, blocked: tuple[Outcome, ...], read_whole: Collection[str]) -> bool:
    """Whether an address has a barrier, shows what stands at one that has, or is where such a one has led.

    An open one counts where it is but the first page of their site, or where all of its site was read in vain.
    """
    homes = {home_of(one.url) for one in blocked}
    views = [(one, look.view.url) for one in blocked for look in one.looks if look.view and _barred(one)]
    led = {_page(url) for one, url in views if one != item and _page(url) != _page(one.url)}
    walls = [look.view.text for one in blocked if _barred(one) for look in one.looks if look.view]
    texts = [look.view.text for look in item.looks if look.view]
    if _barred(item) or _page(item.url) in led or any(same(text, wall) for text in texts for wall in walls):
        return True
    return item.reading.kind == "ok" and (item.url in homes or home_of(item.url) in read_whole)


def _barred(item: Outcome) -> bool:
    return item.reading.kind == "barrier"


def _page(url: str) -> str:
    return url.partition("?")[0]


def met(outcomes: tuple[Outcome, ...]) -> Barrier | None:
    """What stands there, by its own name; None where the addresses differ."""
    met = {item.reading.barrier for item in outcomes if item.reading.kind == "barrier"}
    return met.pop() if len(met) == 1 else None
