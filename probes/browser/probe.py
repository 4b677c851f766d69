"""The browser probe: is the web page really out of reach, and is there a permitted way around?"""

import asyncio
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import partial
from time import monotonic

from cases import Outcome as RunOutcome
from cases.answers.text_match import needed_texts
from cases.hosts import host_of, page_key
from cases.sentences import Sentences
from cases.sites import names_site, sites_of
from probes.barriers import Trait, having
from probes.browser import BrowserProbe
from probes.browser.differences import Difference, compare
from probes.browser.expected import Expected
from probes.browser.guessed import beside_an_open_site, single_page, site_answers
from probes.browser.open_site import KIND as REST_OF_SITE
from probes.browser.own_site import OwnSite, own_site
from probes.browser.results import shown_in
from probes.browser.routes import try_routes
from probes.browser.stopped import stopped, unchanged
from probes.browser.vantage import Second, compared
from probes.contract import FindingMaker, ProbeContext
from probes.model import Answer, Barrier, Control, Finding, Hypothesis, Observation, Place, Question, Route
from probes.web.base import VisitingProbe
from probes.web.conditions import conditions_of
from probes.web.controls import offline_control, positive_control, second_web, shared_web
from probes.web.differential import controlled
from probes.web.judge import agree, one_wall, present, read
from probes.web.ladder import Ways
from probes.web.likeness import same
from probes.web.logged import keep_logged
from probes.web.observe import get, look
from probes.web.plain import Plain
from probes.web.politeness import TARGETS_AT_ONCE, pause_before, targets_of
from probes.web.record import Record
from probes.web.records import Look, Outcome, Reading
from probes.web.web import Web
from probes.web.words import route_told, sentence
from sandboxes.browser.layers import Names
from sandboxes.browser.urls import UrlRefusedError, home_of, normalise_url

say = Sentences(__name__)

VISITS, SITES, SPELLINGS = 3, 2, 4
"""Visits to a page that does not open, sites that the task names, and spellings of their addresses."""
_LIMITS = (
    say("probe.seen_machine_network"),
    say("probe.one_audit_shows"),
)


@dataclass
class _Job:
    """What one call works with."""

    context: ProbeContext
    hypothesis: Hypothesis
    web: Web
    make: FindingMaker
    needed: tuple[str, ...]
    deadline: float
    record: Record

    def say(self, text: str) -> None:
        self.context.say(text)

    @property
    def expected(self) -> Expected:
        """What the pages are to show."""
        return Expected(self.context.case.task, self.needed)


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
            return _unknown(make, say("probe.offline_you_asked"), refused)
        if not targets:
            return _unknown(make, None, refused)
        web = await shared_web(context, self._resolvers)
        targets = tuple(dict.fromkeys(map(web.spelled, targets)))
        needed = needed_texts(hypothesis.targets.needed_text, context.case.task)
        job = _Job(context, hypothesis, web, make, needed, monotonic() + caps.audit_seconds, Record(context.store))
        return await self._examine(job, targets, refused)

    async def _examine(self, job: _Job, targets: tuple[str, ...], refused: tuple[Observation, ...]) -> list[Finding]:
        worlds = {url: job.web.is_mapped(url) for url in targets}
        controls = {lab: await _control(job, lab=lab) for lab in sorted(set(worlds.values()))}
        gate = asyncio.Semaphore(TARGETS_AT_ONCE)

        async def one(url: str) -> tuple[Outcome, Record]:
            record = Record(job.context.store)
            async with gate:
                return await self._as_typed(job, url, record), record

        done = await asyncio.gather(*(one(url) for url in targets))
        outcomes = one_wall(tuple(outcome for outcome, _ in done))
        for _, record in done:
            job.record.observations += record.observations
            job.record.artifacts += record.artifacts
        for item in outcomes:
            await self._logged(job, item.url)
            job.record.note("reading", f"{item.url}: {item.reading.kind}: {item.reading.detail}")
        job.record.observations[:0] = refused
        difference = await self._difference(job, outcomes)
        return await self._conclude(job, outcomes, controls, difference, await self._second(job, outcomes))

    async def _logged(self, job: _Job, url: str) -> None:
        """What a failed run's own browser showed there, where its files keep a picture of it."""
        for run in job.context.case.runs:
            if run.outcome is not RunOutcome.PASSED and await keep_logged(job.web, run, url, job.record):
                break

    async def _second(self, job: _Job, outcomes: tuple[Outcome, ...]) -> Second | None:
        """The same visits from the user's second vantage."""
        web = await second_web(job.context, job.web)
        if web is None or web.via is None:
            return None
        job.say(say("probe.same", shown=web.via.shown))
        there = replace(job, web=web, record=Record(job.context.store))
        seen = [await self._outcome(there, item.url, there.record) for item in outcomes]
        second = compared(outcomes, seen, web.via.shown, there.record)
        job.record.observations += second.observations
        job.record.artifacts += second.artifacts
        return second

    async def _outcome(self, job: _Job, url: str, record: Record, entrance: str = "") -> Outcome:
        """One visit to a page that opens, three to any other."""
        if not (await _control(job, lab=job.web.is_mapped(url))).passed:
            return Outcome(url, Reading("unknown", say("probe.not_visited_since")), 0)
        looks: list[Look] = []
        for number in range(1, VISITS + 1):
            if monotonic() > job.deadline:
                looks.append(Look(url, Names(None), refused=say("probe.not_visited_time")))
                break
            if number > 1 and not await pause_before(number, looks[-1], self._backoff, job.deadline):
                break
            job.say(say("probe.visit", number=number, url=url))
            seen = await look(
                job.web,
                url,
                job.needed,
                record,
                number=number,
                patience=self._patience[number > 1],
                with_sibling=job.hypothesis.barrier in having(Trait.BESIDE),
                entrance=entrance,
            )
            named = page_key(url) in map(page_key, job.context.case.task.gold_urls)
            strange, withheld = job.expected.is_strange(seen), job.expected.is_withheld(seen)
            seen = replace(seen, named=named, strange=strange, withheld=withheld)
            looks.append(seen)
            if seen.refused or (number == 1 and read(seen).kind == "ok"):
                break
        return controlled(agree(url, tuple(looks), VISITS))

    async def _as_typed(self, job: _Job, url: str, record: Record) -> Outcome:
        """An address as a browser opens it: a site's first page without TLS too, where its name alone was given."""
        outcome = await self._outcome(job, url, record)
        shakes = [look.handshake for look in outcome.looks]
        if home_of(url) != url or not shakes or any(shake is None or shake.state == "ok" for shake in shakes):
            return outcome
        plain = url.replace("https://", "http://", 1)
        other = await self._outcome(job, plain, record) if plain != url else outcome
        return other if other.reading.kind == "ok" else outcome

    async def _difference(self, job: _Job, outcomes: tuple[Outcome, ...]) -> Difference | None:
        """Whether a page that opens for us stays closed under the run's own conditions."""
        opened = [item for item in outcomes if item.reading.kind == "ok"]
        if len(opened) != len(outcomes):
            return None
        conditions = conditions_of(job.hypothesis, job.context.case)
        return await compare(job.hypothesis.barrier, opened, conditions, job.needed, job.web, job.record, VISITS)

    async def _conclude(
        self,
        job: _Job,
        outcomes: tuple[Outcome, ...],
        controls: dict[bool, Control],
        difference: Difference | None,
        second: Second | None,
    ) -> list[Finding]:
        ways = self._ways(job, outcomes)
        answer, summary = _present(job, outcomes, difference, second)
        site = await own_site(job.expected, outcomes, ways, job.context.events) if answer is Answer.NO else None
        if site:
            answer, summary = site.answer, site.summary
        worlds = {item.url: job.web.is_mapped(item.url) for item in outcomes}
        blocked = tuple(item for item in outcomes if item.reading.kind != "ok")
        # Another world's dead control says nothing against a barrier that was met in a living one.
        met = {worlds[item.url] for item in blocked if item.reading.kind == "barrier"} or set(controls)
        used = tuple(controls[lab] for lab in sorted(met if answer is Answer.YES else controls))
        reachable = tuple(item for item in blocked if controls[worlds[item.url]].passed)
        routes: tuple[Route, ...] = ()
        if answer is not Answer.NO and reachable:
            routes = await try_routes(reachable, ways, job.hypothesis.barrier)
        if difference:
            routes = difference.routes
        routes += second.routes if second else ()
        rest = used + _differential(outcomes, answer) + (second.controls if second else ())
        locus: Place | None = "harness" if difference and answer is Answer.YES else None
        found = _found(job, answer, summary, rest, limits=_limits(second), locus=locus)
        if site and site.answer is Answer.YES:
            return _replaced(job, found, site, used + tuple(ways.controls))
        differs = bool(second and second.differs)
        if answer is Answer.NO or (answer is Answer.UNKNOWN and not blocked and (differs or not difference)):
            return [found]
        sure = bool(blocked) and reachable == blocked
        passable = _passable(job, outcomes, routes, used + tuple(ways.controls), sure=sure, tried=bool(reachable))
        if answer is not Answer.YES:
            return [found, passable]
        shut = passable.answer is Answer.NO or _gold_shut(ways.gold, outcomes, routes)
        closed = Answer.YES if shut else Answer.NO if passable.answer is Answer.YES else Answer.UNKNOWN
        caused = _caused(job, outcomes, used, closed=closed, other=await self._named_and_open(job, outcomes))
        return [found.model_copy(update={"barrier": _met(outcomes)}), passable, caused]

    async def _named_and_open(self, job: _Job, outcomes: tuple[Outcome, ...]) -> str:
        """The site that the task names and that opens, where it names none of those that were visited; else empty."""
        task = job.context.case.task
        if any(names_site(task, host_of(item.url)) for item in outcomes):
            return ""
        for site in sites_of(task)[:SITES]:
            first = job.web.spelled(f"https://{site}/")
            for url in (first, *job.web.spellings(first))[:SPELLINGS]:
                if (await self._outcome(job, url, job.record)).reading.kind == "ok":
                    return site
        return ""

    def _ways(self, job: _Job, outcomes: tuple[Outcome, ...]) -> Ways:
        async def examine(url: str) -> Outcome:
            return await self._outcome(job, url, job.record)

        async def enter(url: str) -> Outcome:
            return await self._outcome(job, url, job.record, home_of(url))

        async def fetched(url: str) -> Plain:
            if monotonic() > job.deadline:
                return Plain(url, error=say("probe.time_probe_used"), denied=True)
            if not (await _control(job, lab=job.web.is_mapped(url))).passed:
                return Plain(url, error=say("probe.no_control_page"), denied=True)
            return await get(job.web, url, job.record, "route")

        case, events = job.context.case, job.context.events

        def beside(outcome: Outcome) -> bool:
            known = (
                (job.expected.tells(outcome.url) or ways.absence_tells)
                and single_page(outcome)
                and site_answers(outcome)
            )
            return known or beside_an_open_site(outcome, case, events)

        dates = [case.task.created, *(run.date for run in case.runs if run.run_id == job.hypothesis.run_id)]
        date, spellings = next(filter(None, dates), None), job.web.spellings
        gold = _gold(job)
        ways = Ways(
            examine=examine,
            enter=enter,
            get=fetched,
            spellings=spellings,
            needed=job.needed,
            task=case.task,
            shown=partial(shown_in, case, events, {host_of(url) for url in job.hypothesis.targets.urls}),
            gold=gold,
            gold_shut=_gold_shut(gold, outcomes, ()),
            date=date,
            beside=beside,
            mapped=job.web.is_mapped,
            thorough=job.context.settings.thorough,
        )
        return ways


def _gold(job: _Job) -> tuple[str, ...]:
    """The addresses that the benchmark names, normalised, each once."""
    gold: dict[str, None] = {}
    for text in job.context.case.task.gold_urls:
        try:
            gold[normalise_url(text)] = None
        except UrlRefusedError as error:
            job.record.note("address refused", f"{text[:200]}: {error}")
    return tuple(gold)


def _present(
    job: _Job, outcomes: tuple[Outcome, ...], difference: Difference | None, second: Second | None
) -> tuple[Answer, str]:
    """PRESENT and why, as far as the run's own conditions and a second place of the web say the same."""
    if second and second.differs:
        return Answer.UNKNOWN, say("probe.depends_network", differs=second.differs)
    if difference:
        return difference.answer, difference.summary
    answer, summary = present(job.hypothesis.barrier, outcomes, needed=bool(job.needed))
    told = unchanged(job.hypothesis, job.context, outcomes) if answer is Answer.NO else ""
    return (Answer.UNKNOWN, told) if told else (answer, summary)


def _found(
    job: _Job,
    answer: Answer,
    summary: str,
    controls: tuple[Control, ...],
    *,
    limits: tuple[str, ...],
    locus: Place | None,
) -> Finding:
    """The finding for PRESENT, with all that was seen."""
    return job.make(
        Question.PRESENT,
        answer,
        sentence(summary),
        observations=tuple(job.record.observations),
        controls=controls,
        citations=job.hypothesis.citations,
        artifacts=tuple(job.record.artifacts),
        limits=limits,
        locus=locus,
    )


def _limits(second: Second | None) -> tuple[str, ...]:
    if second is None:
        return _LIMITS
    seen = say("probe.seen_machine_network_only", shown=second.shown)
    return (seen, *_LIMITS[1:], *second.limits)


def _differential(outcomes: tuple[Outcome, ...], answer: Answer) -> tuple[Control, ...]:
    """The controls of the addresses that the answer rests on; a failed one has made its address unknown already."""
    resting = [item for item in outcomes if answer is Answer.UNKNOWN or item.reading.kind == "barrier"]
    return tuple(control for item in resting for control in item.controls) if answer is not Answer.NO else ()


async def _control(job: _Job, *, lab: bool) -> Control:
    """The positive control of one world, shared within audit and batch, and told in every finding."""
    web, context = job.web, job.context
    control, observations = await positive_control(web, context.settings.web.controls, context.store, lab=lab)
    fresh = [observation for observation in observations if observation not in job.record.observations]
    job.record.observations += fresh
    return control


def _replaced(job: _Job, found: Finding, site: OwnSite, used: tuple[Control, ...]) -> list[Finding]:
    """The findings where the benchmark's own page says something else than what is expected."""
    told = sentence(route_told(site.routes))
    passable = job.make(Question.PASSABLE, Answer.NO, told, routes=site.routes, controls=used)
    shown = sentence(say("probe.shown_as_now"))
    caused = job.make(Question.CAUSED, Answer.YES, shown, controls=used, citations=job.hypothesis.citations)
    return [found.model_copy(update={"barrier": Barrier.REPLACED}), passable, caused]


def _gold_shut(gold: tuple[str, ...], outcomes: tuple[Outcome, ...], routes: tuple[Route, ...]) -> bool:
    """Whether the pages that the benchmark names are shut, each of them."""
    shut = {page_key(item.url) for item in outcomes if _barred(item)}
    shut |= {page_key(one.commands[0]) for one in routes if one.id.startswith("gold-url") and one.result == "failed"}
    return bool(gold) and {page_key(url) for url in gold} <= shut


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


def _met(outcomes: tuple[Outcome, ...]) -> Barrier | None:
    """What stands there, by its own name; None where the addresses differ."""
    met = {item.reading.barrier for item in outcomes if item.reading.kind == "barrier"}
    return met.pop() if len(met) == 1 else None


def _caused(
    job: _Job, outcomes: tuple[Outcome, ...], used: tuple[Control, ...], *, closed: Answer, other: str
) -> Finding:
    """Whether what is shut now stopped the run, by its record; `other` is the site that the task names instead."""
    case, wanted = job.context.case, job.hypothesis.run_id
    run = next((run for run in case.runs if run.run_id == wanted and run.transcript), None)
    own = job.context.events.get(wanted or "")
    answer, reason = stopped(job.hypothesis, case, run, own, outcomes, closed=closed)
    if answer is Answer.UNKNOWN and other:
        answer, reason = Answer.NO, say("probe.task_names_another", host=host_of(outcomes[0].url), other=other)
    return job.make(Question.CAUSED, answer, sentence(reason), controls=used, citations=job.hypothesis.citations)


def _unknown(make: FindingMaker, offline: str | None, refused: tuple[Observation, ...]) -> list[Finding]:
    """Findings of a call that sent nothing."""
    if offline is None:
        told = "; ".join(item.value for item in refused) or say("probe.hypothesis_names_none")
        summary = sentence(say("probe.there_no_address", told=told))
        return [make(Question.PRESENT, Answer.UNKNOWN, summary, observations=refused)]
    controls = (offline_control(offline),)
    return [
        make(question, Answer.UNKNOWN, sentence(offline), observations=refused, controls=controls)
        for question in (Question.PRESENT, Question.PASSABLE)
    ]


def _passable(
    job: _Job,
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
    sure = sure and all(_shut(item, blocked, read_whole) or job.expected.lacks(item) for item in outcomes)
    works = [route for route in routes if route.result == "passed"]
    if works:
        world = job.web.is_mapped(works[0].commands[0])
        limits = (say("probe.needed_text_not"),) if all("not seen" in r.note for r in works) else ()
        control = next((one for one in used if one.name.endswith("(lab)") == world), used[0])
        return job.make(
            Question.PASSABLE,
            Answer.YES,
            sentence(say("probe.permitted_way_works", told="; ".join(f"{one.id}: {one.note}" for one in works))),
            tier=works[0].tier,
            routes=routes,
            controls=(control,),
            limits=limits,
        )
    closed = sure and not any(route.result == "not_tried" for route in routes)
    answer = Answer.NO if closed and any(route.result == "failed" for route in routes) else Answer.UNKNOWN
    summary = route_told(routes) if tried or routes else say("probe.nothing_tried_since")
    controls = used if answer is Answer.NO else used[:1]
    return job.make(Question.PASSABLE, answer, sentence(summary), routes=routes, controls=controls)
