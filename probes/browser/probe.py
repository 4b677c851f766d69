"""The browser probe: is the web page really out of reach, and is there a permitted way around?"""

import asyncio
from time import monotonic

from cases.answers.text_match import needed_texts
from cases.sentences import Sentences
from probes.browser import BrowserProbe
from probes.browser.conclusions import (
    caused,
    found,
    lying_over,
    met,
    passable,
    present_of,
    unknown,
)
from probes.browser.differences import Difference
from probes.browser.own_site import own_site
from probes.browser.passages import passages
from probes.browser.routes import try_routes
from probes.browser.vantage import Second
from probes.browser.visits import Visits
from probes.browser.ways import gold_shut, ways_of
from probes.contract import FindingMaker, ProbeContext
from probes.model import Answer, Control, Finding, Hypothesis, Observation, Route
from probes.web.base import VisitingProbe
from probes.web.controls import shared_web
from probes.web.judge import one_wall
from probes.web.politeness import TARGETS_AT_ONCE, targets_of
from probes.web.record import Record
from probes.web.records import Outcome

say = Sentences(__name__)


class Working(VisitingProbe, BrowserProbe):
    """What does the work."""

    async def __call__(self, hypothesis: Hypothesis, context: ProbeContext) -> list[Finding]:
        """Findings for PRESENT and, unless the pages open, PASSABLE.

        Raises:
            ProbeUnavailableError: Chromium is missing or does not start, or a setting cannot be used.
        """
        make = FindingMaker(self, hypothesis, lab=context.settings.web.lab)
        caps = context.settings.web.caps
        targets, refused = targets_of(hypothesis, context.case, caps)
        if context.settings.offline:
            return unknown(make, say("probe.offline_you_asked"), refused)
        if not targets:
            return unknown(make, None, refused)
        web = await shared_web(context, self._resolvers)
        visits = Visits(
            context=context,
            hypothesis=hypothesis,
            web=web,
            make=make,
            needed=needed_texts(hypothesis.targets.needed_text, context.case.task),
            backoff=self._backoff,
            patience=self._patience,
            deadline=monotonic() + caps.audit_seconds,
            record=Record(context.store),
        )
        return await _examine(visits, tuple(dict.fromkeys(map(web.spelled, targets))), refused)


async def _examine(visits: Visits, targets: tuple[str, ...], refused: tuple[Observation, ...]) -> list[Finding]:
    worlds = {url: visits.web.is_mapped(url) for url in targets}
    controls = {lab: await visits.control(lab=lab) for lab in sorted(set(worlds.values()))}
    gate = asyncio.Semaphore(TARGETS_AT_ONCE)

    async def one(url: str) -> tuple[Outcome, Record]:
        record = Record(visits.context.store)
        async with gate:
            return await visits.as_typed(url, record), record

    done = await asyncio.gather(*(one(url) for url in targets))
    outcomes = one_wall(tuple(outcome for outcome, _ in done))
    for _, record in done:
        visits.record.observations += record.observations
        visits.record.artifacts += record.artifacts
    for item in outcomes:
        await visits.keep_logged(item.url)
        visits.record.note("reading", f"{item.url}: {item.reading.kind}: {item.reading.detail}")
    visits.record.observations[:0] = refused
    difference = await visits.difference(outcomes)
    return await _conclude(visits, outcomes, controls, difference, await visits.second(outcomes))


async def _conclude(
    visits: Visits,
    outcomes: tuple[Outcome, ...],
    controls: dict[bool, Control],
    difference: Difference | None,
    second: Second | None,
) -> list[Finding]:
    ways = ways_of(visits, outcomes)
    answer, summary = present_of(visits, outcomes, difference, second)
    if answer is Answer.NO and (site := await own_site(visits.expected, outcomes, ways, answered=visits.answered)):
        answer, summary = site
    if answer is Answer.NO and (told := await lying_over(outcomes, ways)):
        answer, summary = Answer.UNKNOWN, told
    worlds = {item.url: visits.web.is_mapped(item.url) for item in outcomes}
    blocked = tuple(item for item in outcomes if item.reading.kind != "ok")
    # Another world's dead control says nothing against a barrier that was met in a living one.
    walled = {worlds[item.url] for item in blocked if item.reading.kind == "barrier"} or set(controls)
    used = tuple(controls[lab] for lab in sorted(walled if answer is Answer.YES else controls))
    reachable = tuple(item for item in blocked if controls[worlds[item.url]].passed)
    routes: tuple[Route, ...] = ()
    if answer is not Answer.NO and reachable:
        routes = await try_routes(reachable, ways, visits.hypothesis.barrier)
    if difference:
        routes = difference.routes
    routes += second.routes if second else ()
    present = found(visits, answer, summary, outcomes, used, difference, second)
    differs = bool(second and second.differs)
    if answer is Answer.NO:
        return [present, *await passages(visits, outcomes, used)]
    if answer is Answer.UNKNOWN and not blocked and (differs or not difference):
        return [present]
    sure = bool(blocked) and reachable == blocked
    around = passable(visits, outcomes, routes, used + tuple(ways.controls), sure=sure, tried=bool(reachable))
    if answer is not Answer.YES:
        return [present, around]
    shut = around.answer is Answer.NO or gold_shut(ways.gold, outcomes, routes)
    closed = Answer.YES if shut else Answer.NO if around.answer is Answer.YES else Answer.UNKNOWN
    other, led = await visits.named_and_open(outcomes), await visits.led_to(outcomes)
    stopped = caused(visits, outcomes, used, closed=closed, other=other, led=led)
    return [present.model_copy(update={"barrier": met(outcomes)}), around, stopped]
