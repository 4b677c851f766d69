"""What is asked of a site besides the page: its first page, an address that it cannot have, its wishes for robots."""

import asyncio
from dataclasses import dataclass, replace
from time import monotonic
from urllib.parse import urljoin, urlsplit

from cases.sentences import Sentences
from probes.barriers import Trait, having
from probes.web.browser_visit import CrashError, visit
from probes.web.control_response import Beside
from probes.web.gates import THIN, alike, brings_nothing, doubtful, scripted
from probes.web.judge import read
from probes.web.likeness import said
from probes.web.links import has_feed, leads_to, listed_beside, rules_in
from probes.web.plain import USER_AGENT, Plain, fetch
from probes.web.record import Record
from probes.web.records import Look
from probes.web.rules import classify
from probes.web.snapshot import PATIENCE, Manner, View
from probes.web.web import Web
from sandboxes.browser.urls import home_of, led_home, sibling_of
from sandboxes.egress import EgressProxy

say = Sentences(__name__)

SIBLING = "impassable-no-such-page-7f3a"
LISTED = 2
"""Others of a list that must show the same."""


async def ask_beside(web: Web, seen: Look, record: Record, *, with_sibling: bool) -> Look:
    """The look with its same-host controls, where the page itself leaves a doubt."""
    if seen.seen or seen.view is None or seen.handshake is None:
        return seen
    keys = await web.keys_for(seen.url, seen.handshake)
    async with web.proxy() as proxy:
        return await _Neighbourhood(web, proxy, record, keys).same_host(seen, seen.view, with_sibling=with_sibling)


async def ask_listed(web: Web, seen: Look, record: Record) -> Look:
    """The look with the page that lists it beside others which show the very same, where it says little."""
    view = seen.view
    if view is None or view.error or seen.seen or seen.handshake is None or said(view.text) >= THIN:
        return seen
    if view.shape.pictures:
        return seen
    keys = await web.keys_for(seen.url, seen.handshake)
    async with web.proxy() as proxy:
        return await _Neighbourhood(web, proxy, record, keys).listed(seen)


@dataclass
class _Neighbourhood:
    """Asks a page's neighbours: once in a while for the whole batch, never for another vantage."""

    web: Web
    proxy: EgressProxy
    record: Record
    keys: frozenset[str]

    async def same_host(self, seen: Look, view: View, *, with_sibling: bool) -> Look:
        url = seen.url
        doubt, deep = doubtful(seen), bool(urlsplit(url).path.strip("/"))
        asked = with_sibling or led_home(url, view.url) or read(seen).barrier in having(Trait.ABOUT_ADDRESS)
        beside = sibling_of(url, SIBLING)
        if (deep and asked) or doubt:
            seen = replace(seen, sibling=await self._control(seen, beside, "sibling"))
        if alike(seen, seen.sibling) and sibling_of(home_of(url), SIBLING) != beside:
            seen = replace(seen, astray=await self._control(seen, sibling_of(home_of(url), SIBLING), "made-up address"))
        if home_of(url) != url and (doubt or read(seen).kind != "ok"):
            seen = replace(seen, home=await self._control(seen, home_of(url), "home page"))
        if alike(seen, seen.sibling) and home_of(url) != url:
            seen = replace(seen, linked=await self._linked(url))
        return seen

    async def listed(self, seen: Look) -> Look:
        page = await self._linked(seen.url)
        if not page:
            return seen
        listing = await fetch(page, self.proxy, self.web.trust_for, self.web.caps)
        shown = seen.plain.body if seen.plain else ""
        if has_feed(listing.body) or has_feed(shown):
            return seen
        others = listed_beside(seen.url, listing)[:LISTED]
        answers = [await self._control(seen, other, "listed beside it") for other in others]
        same = (alike(seen, answer) and brings_nothing(seen, answer) for answer in answers)
        stands_in = len(answers) == LISTED and all(same)
        return replace(seen, stands_for=page) if stands_in else seen

    async def _linked(self, url: str) -> str:
        if url not in self.web.linked:
            began = monotonic()

            async def get(place: str) -> Plain:
                return await fetch(place, self.proxy, self.web.trust_for, self.web.caps)

            found = self.web.linked[url] = await leads_to(url, get)
            told = say("neighbours.linked", page=found) if found else say("neighbours.not_linked")
            self.record.note("where the site leads", f"{url}: {told}", began)
        return self.web.linked[url]

    async def _control(self, seen: Look, url: str, name: str) -> Beside:
        vantage = self.web.vantage(lab=self.web.is_mapped(url))
        kept = self.web.shelf.find(vantage, url)
        answer = kept or await ask(self.web, url, self.proxy, self.record, f"same-host control: {name}")
        if answer.view is None and scripted(seen, answer):
            answer = replace(answer, view=await self._shown(url, f"same-host control in the browser: {name}"))
        if answer is not kept:
            self.web.shelf.keep(vantage, url, answer)
        return answer

    async def _shown(self, url: str, name: str) -> View | None:
        """What the browser shows of a neighbour, without its source."""
        began = monotonic()
        manner = Manner((), PATIENCE, self.web.patient, pictures=False)
        try:
            async with self.web.pool.browser(self.keys) as started:
                view = await visit(started, url, self.proxy, manner)
        except CrashError as crash:
            self.record.note(name, f"{url}: crashed: {crash}", began)
            return None
        self.record.note(name, f"{url}: {view.error or f'status {view.status}'}; {len(view.text)} characters", began)
        return None if view.error else replace(view, html="", headers={}, cookies=())


async def ask(web: Web, url: str, proxy: EgressProxy, record: Record, name: str) -> Beside:
    """One plain answer, noted under `name`."""
    began = monotonic()
    plain = await fetch(url, proxy, web.trust_for, web.caps)
    answer = Beside(plain, await asyncio.to_thread(classify, plain.page(url)) if plain.status else ())
    record.note(name, f"{url}: {answer}", began)
    return answer


async def robots(web: Web, url: str, record: Record) -> None:
    """What the site asks of robots: noted, since one polite visit is no crawl."""
    place = urljoin(home_of(url), "/robots.txt")
    if place not in web.robots:
        async with web.proxy() as proxy:
            web.robots[place] = await fetch(place, proxy, web.trust_for, web.caps)
    answer = web.robots[place]
    rules = rules_in(answer)
    if rules is None:
        told = say("neighbours.no_rules", error=answer.error or say("neighbours.status", status=answer.status))
    else:
        told = "allows" if rules.can_fetch(USER_AGENT, url) else say("neighbours.asks_robots_stay")
        told = say("neighbours.address", told=told)
    record.note("robots", f"{place}: {told}")
