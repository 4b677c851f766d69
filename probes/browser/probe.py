"""The browser probe: is the web page really out of reach, and is there a permitted way around?"""

import asyncio
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from time import monotonic

from probes.browser.controls import defaults, offline_control, positive_control
from probes.browser.judge import Look, Outcome, Reading, agree, present, read
from probes.browser.layers import Names
from probes.browser.look import VISITS_PER_AUDIT, Web, look, open_web
from probes.browser.record import Record
from probes.browser.routes import try_routes
from probes.browser.urls import UrlRefusedError, host_of, normalise_url
from probes.contract import FindingMaker, ProbeContext
from probes.model import Answer, Barrier, Control, Finding, Hypothesis, Observation, Question, Route
from sandboxes.egress import DnsResolver, Resolver

VISITS = 3
BACKOFF = (0.7, 1.5)
"""Seconds before the second and the third visit."""
PATIENCE = (8.0, 4.0)
"""Seconds that the first visit, and a further one, waits for a page to show its text or for a challenge to clear."""
LONGEST_RETRY_AFTER = 15.0
TARGETS = 5
PER_HOST = 3
"""Addresses of one host: further ones would only add load."""
AT_ONCE = 2
BUDGET = 420.0
"""Seconds after which no further visit is begun."""
_SIBLING_FOR = frozenset(
    {Barrier.PAGE_GONE, Barrier.SITE_CHANGED, Barrier.REDESIGNED, Barrier.PRODUCT_GONE, Barrier.COMPANY_CHANGED}
)
_LIMITS = (
    "Seen from this machine's network only; other networks may be let in or kept out.",
    "One audit says what holds now; it cannot say that it is permanent.",
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


class BrowserProbe:
    """Visits what a web hypothesis names and answers PRESENT, and PASSABLE where something stands in the way."""

    name = "browser"
    slot: str | None = "browser"
    seconds = 600.0

    def __init__(
        self,
        *,
        resolvers: tuple[Resolver, ...] | None = None,
        backoff: tuple[float, ...] = BACKOFF,
        patience: tuple[float, float] = PATIENCE,
        visits_per_audit: int = VISITS_PER_AUDIT,
    ) -> None:
        """`resolvers` replace the system's and the independent ones, which are asked side by side."""
        self._visits = visits_per_audit
        self._resolvers = resolvers
        self._backoff = backoff
        self._patience = patience

    async def __call__(self, hypothesis: Hypothesis, context: ProbeContext) -> list[Finding]:
        """Findings for PRESENT and, unless the pages open, PASSABLE.

        Raises:
            ProbeUnavailableError: Chromium is missing or does not start, or a setting cannot be used.
        """
        web_settings = context.settings.web
        make = FindingMaker(self.name, hypothesis, lab=web_settings.lab)
        targets, refused = _targets(hypothesis, context)
        if context.settings.offline:
            return _unknown(make, "nothing was sent: offline was asked for", refused)
        if not targets:
            return _unknown(make, None, refused)
        web = await context.shared("browser.web", lambda: open_web(web_settings, self._all_resolvers(), self._visits))
        needed = hypothesis.targets.needed_text
        job = _Job(context, hypothesis, web, make, needed, monotonic() + BUDGET, Record(context.store))
        return await self._examine(job, targets, refused)

    def _all_resolvers(self) -> tuple[Resolver, ...]:
        if self._resolvers is not None:
            return self._resolvers
        others = tuple(DnsResolver(entry.addresses, name=entry.name, seconds=2.5) for entry in defaults().resolver)
        return (DnsResolver(), *others)

    async def _examine(self, job: _Job, targets: tuple[str, ...], refused: tuple[Observation, ...]) -> list[Finding]:
        worlds = {url: job.web.is_mapped(url) for url in targets}
        controls = {lab: await _control(job, lab=lab) for lab in sorted(set(worlds.values()))}
        gate = asyncio.Semaphore(AT_ONCE)

        async def one(url: str) -> tuple[Outcome, Record]:
            record = Record(job.context.store)
            if not controls[worlds[url]].passed:
                lost = Reading("unknown", "not visited, since no control page opened")
                return Outcome(url, lost, 0), record
            async with gate:
                return await self._outcome(job, url, record), record

        done = await asyncio.gather(*(one(url) for url in targets))
        outcomes = tuple(outcome for outcome, _ in done)
        for _, record in done:
            job.record.observations += record.observations
            job.record.artifacts += record.artifacts
        for item in outcomes:
            job.record.note("reading", f"{item.url}: {item.reading.kind}: {item.reading.detail}")
        job.record.observations[:0] = refused
        return await self._conclude(job, outcomes, controls, worlds)

    async def _outcome(self, job: _Job, url: str, record: Record) -> Outcome:
        """One visit to a page that opens, three to any other."""
        looks: list[Look] = []
        for number in range(1, VISITS + 1):
            if number > 1 and not await self._wait(job, looks[-1], number):
                break
            job.say(f"visit {number} of {url}")
            seen = await look(
                job.web,
                url,
                job.needed,
                record,
                number=number,
                patience=self._patience[number > 1],
                with_sibling=job.hypothesis.barrier in _SIBLING_FOR,
            )
            looks.append(seen)
            if seen.refused or (number == 1 and read(seen).kind == "ok"):
                break
        return agree(url, tuple(looks), VISITS)

    async def _wait(self, job: _Job, last: Look, number: int) -> bool:
        """Back off before a further visit; False when there is no time for it."""
        asked = _retry_after(last)
        pause = max(self._backoff[min(number - 2, len(self._backoff) - 1)], asked)
        if asked > LONGEST_RETRY_AFTER or monotonic() + pause > job.deadline:
            return False
        await asyncio.sleep(pause)
        return True

    async def _conclude(
        self, job: _Job, outcomes: tuple[Outcome, ...], controls: dict[bool, Control], worlds: dict[str, bool]
    ) -> list[Finding]:
        answer, summary = present(job.hypothesis.barrier, outcomes, needed=bool(job.needed))
        blocked = tuple(item for item in outcomes if item.reading.kind != "ok")
        # Another world's dead control says nothing against a barrier that was met in a living one.
        met = {worlds[item.url] for item in blocked if item.reading.kind == "barrier"}
        used = tuple(controls[lab] for lab in sorted(met if answer is Answer.YES else controls))
        findings = []
        routes: tuple[Route, ...] = ()
        reachable = tuple(item for item in blocked if controls[worlds[item.url]].passed)
        if answer is not Answer.NO and reachable:
            routes = await self._routes(job, reachable)
        observations, artifacts = tuple(job.record.observations), tuple(job.record.artifacts)
        findings.append(
            job.make(
                Question.PRESENT,
                answer,
                summary,
                observations=observations,
                controls=used,
                citations=job.hypothesis.citations,
                artifacts=artifacts,
                limits=_LIMITS,
            )
        )
        if answer is not Answer.NO:
            findings.append(_passable(job, routes, used, tried=bool(reachable)))
        return findings

    async def _routes(self, job: _Job, blocked: tuple[Outcome, ...]) -> tuple[Route, ...]:
        gold: list[str] = []
        for text in job.context.case.task.gold_urls:
            try:
                gold.append(normalise_url(text))
            except UrlRefusedError as error:
                job.record.note("address refused", f"{text[:200]}: {error}")

        async def try_one(url: str) -> Look:
            if monotonic() > job.deadline:
                return Look(url, Names(None), refused="not visited: the time for this probe was used up")
            if not (await _control(job, lab=job.web.is_mapped(url))).passed:
                return Look(url, Names(None), refused="not visited, since no control page opened")
            job.say(f"trying {url}")
            return await look(job.web, url, job.needed, job.record, patience=self._patience[0])

        return await try_routes(blocked, tuple(gold), job.needed, try_one, thorough=job.context.settings.thorough)


async def _control(job: _Job, *, lab: bool) -> Control:
    """The positive control of one world, tried once in an audit and told in every finding."""
    web, context = job.web, job.context
    async with web.controls_lock:
        if lab not in web.controls:
            job.say("visiting a control page")
            web.controls[lab] = await positive_control(web, context.settings.web.controls, context.store, lab=lab)
    control, observations = web.controls[lab]
    fresh = [observation for observation in observations if observation not in job.record.observations]
    job.record.observations += fresh
    return control


def _targets(hypothesis: Hypothesis, context: ProbeContext) -> tuple[tuple[str, ...], tuple[Observation, ...]]:
    """What is visited, in order, and what is not, with the reason."""
    named = hypothesis.targets.urls
    listed = [*named, *hypothesis.targets.hosts] or list(context.case.task.gold_urls)
    urls: dict[str, None] = {}
    refused: list[Observation] = []
    hosts: Counter[str] = Counter()
    for place, text in enumerate(listed):
        try:
            url = normalise_url(text)
        except UrlRefusedError as error:
            refused.append(Observation(name="address refused", value=f"{text[:200]}: {error}"))
            continue
        if place >= len(named) and hypothesis.targets.hosts and host_of(url) in hosts:
            continue  # a page of this host is visited anyway
        if url not in urls and hosts[host_of(url)] >= PER_HOST:
            refused.append(Observation(name="not visited", value=f"{url}: {PER_HOST} of a host are enough"))
            continue
        hosts[host_of(url)] += url not in urls
        urls[url] = None
    kept = tuple(urls)
    refused += [Observation(name="not visited", value=f"{url}: {TARGETS} are enough") for url in kept[TARGETS:]]
    return kept[:TARGETS], tuple(refused)


def _unknown(make: FindingMaker, offline: str | None, refused: tuple[Observation, ...]) -> list[Finding]:
    """Findings of a call that sent nothing."""
    if offline is None:
        told = "; ".join(item.value for item in refused) or "the hypothesis names none"
        return [make(Question.PRESENT, Answer.UNKNOWN, f"there is no address to visit: {told}", observations=refused)]
    controls = (offline_control(offline),)
    return [
        make(question, Answer.UNKNOWN, offline, observations=refused, controls=controls)
        for question in (Question.PRESENT, Question.PASSABLE)
    ]


def _passable(job: _Job, routes: tuple[Route, ...], used: tuple[Control, ...], *, tried: bool) -> Finding:
    """Whether a permitted route works; that none does is never said while some are untried."""
    works = [route for route in routes if route.result == "passed"]
    if works:
        told = "; ".join(f"{route.id}: {route.note}" for route in works)
        world = job.web.is_mapped(works[0].commands[0])
        limits = ("The needed text was not seen on that page.",) if all("not seen" in r.note for r in works) else ()
        return job.make(
            Question.PASSABLE,
            Answer.YES,
            f"a permitted route works: {told}",
            tier=works[0].tier,
            routes=routes,
            controls=(job.web.controls[world][0],),
            limits=limits,
        )
    failed = sum(route.result == "failed" for route in routes)
    open_ = ", ".join(route.id for route in routes if route.result == "not_tried")
    told = f"{failed} permitted routes were tried and failed; not tried: {open_ or 'none'}"
    summary = told if tried else "no route was tried, since no control page opened"
    return job.make(Question.PASSABLE, Answer.UNKNOWN, summary, routes=routes, controls=used)


def _retry_after(last: Look) -> float:
    """Seconds the server asked to wait, 0 when it did not."""
    headers = last.view.headers if last.view else last.plain.headers if last.plain else {}
    text = headers.get("retry-after", "")
    if text.isdigit():
        return float(text)
    try:
        return max(0.0, (parsedate_to_datetime(text) - datetime.now(UTC)).total_seconds()) if text else 0.0
    except (ValueError, TypeError):
        return 0.0
