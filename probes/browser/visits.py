"""The visits of one call: how often, how patiently and until when an address is visited, and from where else."""

from dataclasses import dataclass, replace
from http import HTTPStatus
from time import monotonic

from cases import Outcome as RunOutcome
from cases.fetched import pages_of
from cases.hosts import host_of, page_key
from cases.sentences import Sentences
from cases.sites import is_sibling, names_site, of_one_site, sites_of
from probes.barriers import Trait, having
from probes.browser.differences import Difference, compare
from probes.browser.expected import Expected
from probes.browser.stopped import alike
from probes.browser.vantage import Second, compared
from probes.contract import FindingMaker, ProbeContext
from probes.model import Control, Hypothesis
from probes.web.conditions import conditions_of
from probes.web.controls import positive_control, second_web
from probes.web.differential import controlled
from probes.web.judge import agree, read
from probes.web.links import links_in
from probes.web.logged import keep_logged
from probes.web.neighbours import ask_listed
from probes.web.observe import get, look
from probes.web.plain import Plain
from probes.web.politeness import out_of_service, pause_before
from probes.web.record import Record
from probes.web.records import Look, Outcome, Reading
from probes.web.web import Web
from sandboxes.browser.layers import Names
from sandboxes.browser.urls import home_of

say = Sentences(__name__)

VISITS, SITES, SPELLINGS, LEADING = 3, 2, 4, 6
"""Visits to a page that does not open, sites that the task names, spellings of their addresses, and pages that are
asked whether they lead to a shut host.
"""


@dataclass
class Visits:
    """What one call visits with, and the record of it."""

    context: ProbeContext
    hypothesis: Hypothesis
    web: Web
    make: FindingMaker
    needed: tuple[str, ...]
    backoff: tuple[float, ...]
    """Seconds before the second and the third visit."""
    patience: tuple[float, float]
    """Seconds that the first visit, and a further one, waits for a page."""
    deadline: float
    """By the monotonic clock."""
    record: Record

    def say(self, text: str) -> None:
        self.context.say(text)

    @property
    def expected(self) -> Expected:
        """What the pages are to show."""
        return Expected(self.context.case.task, self.needed)

    @property
    def answered(self) -> bool:
        """Whether the run may have given an answer; false where its record says that there was none."""
        return not any(run.run_id == self.hypothesis.run_id and run.answer == "" for run in self.context.case.runs)

    async def control(self, *, lab: bool) -> Control:
        """The positive control of one world, shared within audit and batch, and told in every finding."""
        web, context = self.web, self.context
        control, observations = await positive_control(web, context.settings.web.controls, context.store, lab=lab)
        fresh = [observation for observation in observations if observation not in self.record.observations]
        self.record.observations += fresh
        return control

    async def outcome(self, url: str, record: Record, entrance: str = "", *, pressing: bool = False) -> Outcome:
        """One visit to a page that opens, three to any other."""
        if not (await self.control(lab=self.web.is_mapped(url))).passed:
            return Outcome(url, Reading("unknown", say("visits.not_visited_since")), 0)
        looks, wanted = list[Look](), VISITS
        for number in range(1, VISITS + 1):
            if monotonic() > self.deadline:
                looks.append(Look(url, Names(None), refused=say("visits.not_visited_time")))
                break
            if number > 1 and not await pause_before(number, looks[-1], self.backoff, self.deadline):
                wanted = len(looks) if out_of_service(looks[-1]) and self._as_then(url, looks[-1]) else VISITS
                break
            self.say(say("visits.visit", number=number, url=url))
            seen = await look(
                self.web,
                url,
                self.needed,
                record,
                number=number,
                patience=self.patience[number > 1],
                with_sibling=self.hypothesis.barrier in having(Trait.BESIDE),
                entrance=entrance,
                pressing=pressing,
            )
            named = page_key(url) in map(page_key, self.context.case.task.gold_urls)
            seen = await ask_listed(self.web, seen, record) if named else seen
            seen = replace(
                seen,
                named=named,
                about_it=self.expected.is_about_it(seen),
                strange=self.expected.is_strange(seen),
                lacking=self.expected.is_lacking(seen),
                withheld=self.expected.is_withheld(seen),
                asked_for=self.expected.is_asked_for(seen),
            )
            looks.append(seen)
            if seen.refused or pressing or (number == 1 and read(seen).kind == "ok"):
                break
        return controlled(agree(url, tuple(looks), wanted))

    def _as_then(self, url: str, seen: Look) -> bool:
        """Whether the run was shown there what stands there now: that is as good as another visit."""
        own = self.context.events.get(self.hypothesis.run_id or "")
        then = pages_of(self.context.case.task, own) if own else ()
        texts = [one.page for one in then if page_key(one.url) == page_key(url)]
        return seen.view is not None and any(alike(text, seen.view.text) for text in texts)

    async def as_typed(self, url: str, record: Record) -> Outcome:
        """An address as a browser opens it: a site's first page without TLS too, where its name alone was given."""
        outcome = await self.outcome(url, record)
        shakes = [look.handshake for look in outcome.looks]
        if home_of(url) != url or not shakes or any(shake is None or shake.state == "ok" for shake in shakes):
            return outcome
        plain = url.replace("https://", "http://", 1)
        other = await self.outcome(plain, record) if plain != url else outcome
        return other if other.reading.kind == "ok" else outcome

    async def fetched(self, url: str) -> Plain:
        """What a plain HTTP client gets there; `denied` says that it was not asked."""
        if monotonic() > self.deadline:
            return Plain(url, error=say("visits.time_probe_used"), denied=True)
        if not (await self.control(lab=self.web.is_mapped(url))).passed:
            return Plain(url, error=say("visits.no_control_page"), denied=True)
        return await get(self.web, url, self.record, "route")

    async def keep_logged(self, url: str) -> None:
        """What a failed run's own browser showed there, where its files keep a picture of it."""
        for run in self.context.case.runs:
            if run.outcome is not RunOutcome.PASSED and await keep_logged(self.web, run, url, self.record):
                break

    async def second(self, outcomes: tuple[Outcome, ...]) -> Second | None:
        """The same visits from the user's second vantage."""
        web = await second_web(self.context, self.web)
        if web is None or web.via is None:
            return None
        self.say(say("visits.same", shown=web.via.shown))
        there = replace(self, web=web, record=Record(self.context.store))
        seen = [await there.outcome(item.url, there.record) for item in outcomes]
        second = compared(outcomes, seen, web.via.shown, there.record)
        self.record.observations += second.observations
        self.record.artifacts += second.artifacts
        return second

    async def difference(self, outcomes: tuple[Outcome, ...]) -> Difference | None:
        """Whether a page that opens for us stays closed under the run's own conditions."""
        opened = [item for item in outcomes if item.reading.kind == "ok"]
        if len(opened) != len(outcomes):
            return None
        conditions = conditions_of(self.hypothesis, self.context.case)
        return await compare(self.hypothesis.barrier, opened, conditions, self.needed, self.web, self.record, VISITS)

    async def led_to(self, outcomes: tuple[Outcome, ...]) -> bool:
        """Whether a page that another host of the same site showed the run leads to a host that is shut."""
        shut = {host_of(item.url) for item in outcomes if item.reading.kind == "barrier"}
        own = self.context.events.get(self.hypothesis.run_id or "")
        shown = [one.url for one in (own.visits if own else ()) if one.shows and host_of(one.url) not in shut]
        beside = [url for url in dict.fromkeys(shown) if any(of_one_site(host_of(url), host) for host in shut)]
        for url in beside[:LEADING] if any(map(is_sibling, shut)) else ():
            page = await self.fetched(url)
            links = links_in(page.body, page.url) if page.status == HTTPStatus.OK and page.is_html else []
            if shut.intersection(map(host_of, links)):
                return True
        return False

    async def named_and_open(self, outcomes: tuple[Outcome, ...]) -> str:
        """The site that the task names and that opens, where it names none of those that were visited; else empty."""
        task = self.context.case.task
        if any(names_site(task, host_of(item.url)) for item in outcomes):
            return ""
        for site in sites_of(task)[:SITES]:
            first = self.web.spelled(f"https://{site}/")
            for url in (first, *self.web.spellings(first))[:SPELLINGS]:
                if (await self.outcome(url, self.record)).reading.kind == "ok":
                    return site
        return ""
