"""What one shut page keeps, looked for on other pages of its open site, and of sites that belong to it.

Pages are read as a plain client gets them; those that scripts draw, or that refuse such a client, are visited.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urldefrag, urljoin

from cases import patterns as re
from cases.answers.derivation import derivable
from cases.answers.forms import in_another_form, in_answer
from cases.answers.text_match import telling, visible
from cases.hosts import page_key
from cases.sentences import Sentences
from probes.browser.elsewhere import lost
from probes.browser.openings import has_more_than_text, pages_with_pictures
from probes.browser.site_pages import SitePages, pages_of_site
from probes.model import Route
from probes.web.documents import Document, document_of
from probes.web.gates import THIN
from probes.web.ladder import Ways, ladder, route
from probes.web.likeness import letters, own, said
from probes.web.links import links_in, parsed, readable
from probes.web.plain import Plain
from probes.web.snapshot import View
from sandboxes.browser.urls import home_of, host_of

say = Sentences(__name__)

KIND = "elsewhere-on-the-site"
SAMPLE = 3
"""Pages that stand for others with the same scripts, or that refuse a plain client alike."""
FOLDERS = 2
"""Other folders than a shut page's that may be down."""
ENTRANCES = 2
"""Pages with cookies of their own by way of which a shut one is visited."""
_DRAWN = 60
"""What a page says, in letters of an alphabet, by scripts or without them, that counts as something."""
_NUMBER = re.compile(r"\d[\d.,]*")
_REFUSED = frozenset({401, 403, 406})
"""Statuses with which a site may turn away a plain client alone."""


async def rest_of_site(home: str, shut: Sequence[str], ways: Ways, known: Sequence[str] = ()) -> Route:
    """Whether another page of a site that opens shows what is needed, where that is known; `known` are pages of it to
    which its first page need not lead.
    """
    wanted = telling(ways.needed, home)
    if not wanted and not ways.task.gold:
        return route(KIND, home, "not_tried", say("open_site.opens_nothing_but"))
    site = await pages_of_site(home, shut, ways, known)
    read = {url: await document_of(page) for url, page in site.pages.items() if page.status == 200}
    texts = {url: document.text for url, document in read.items()}
    away = {url: (await document_of(page)).text for url, page in site.away.items()}
    if found := _judged(texts.items(), wanted, ways) or _judged(away.items(), wanted, ways):
        return found
    visits = _Visits(site.pages, texts, wanted, ways)
    shut_pages = {page_key(url) for url in shut}
    if found := await _in_a_session(site, shut, ways) or await visits.made(shut_pages, site.controls):
        return found
    unread = len(visits.unread) + _unread(site, read, await _down(shut, site, ways), shut)
    if unread or not site.whole or not texts:
        return route(KIND, home, "not_tried", say("open_site.not_all_read", read=len(texts), unread=unread))
    for url in (*site.queries, *site.controls, *visits.half_pressed):
        return route(KIND, url, "not_tried", say("open_site.has_more_to_open", read=len(texts)))
    return _in_source(site, ways) or _in_vain(home, [*texts.values(), *visits.pressed], ways, short=not wanted)


async def _in_a_session(site: SitePages, shut: Sequence[str], ways: Ways) -> Route | None:
    """The route to a shut page by way of another that gives its visitors a cookie; None where none of them opens it."""
    openers = dict[tuple[str, ...], str]()
    for opener, page in site.pages.items():
        openers.setdefault(page.cookies, opener)
    given = [one for cookies, one in openers.items() if cookies and one != home_of(one) and one not in shut]
    for entrance, url in [(entrance, url) for url in shut[:1] for entrance in given[:ENTRANCES]]:
        outcome = await ways.enter(url, entrance)
        note = say("open_site.after_another_page", entrance=entrance)
        views = [look.view for look in outcome.looks if look.view]
        if any(look.seen for look in outcome.looks) or any(ways.says(one.said, url) == "shown" for one in views):
            return route(KIND, url, "passed", note)
        if outcome.reading.kind == "ok":
            return route(KIND, url, "not_tried", note)
    return None


def _in_source(site: SitePages, ways: Ways) -> Route | None:
    """The route to a page that may hold it where no text shows it: in a script, an attribute, a title."""
    sources = ((url, page.body) for url, page in site.pages.items() if page.is_html)
    found = next((url for url, source in sources if ways.says(source, url) != "absent"), None)
    return route(KIND, found, "not_tried", say("open_site.may_show")) if found else None


def _in_vain(home: str, texts: Sequence[str], ways: Ways, *, short: bool) -> Route:
    """The route where nothing on all the pages shows what is needed; `short` where that would tell nothing anyway."""
    one_notice = len({letters(text) for text in texts}) == 1
    if short and not one_notice and not ways.absence_tells:
        return route(KIND, home, "not_tried", say("open_site.too_short_to_miss"))
    if derivable(texts, ways.task) or in_another_form(texts, ways.task):
        return route(KIND, home, "not_tried", say("open_site.may_follow"))
    return route(KIND, home, "failed", say("open_site.nowhere_on_site", read=len(texts)))


def may_show(one: Route) -> bool:
    """Whether a route of these leads to a page that may show what is needed."""
    return one.result == "not_tried" and one.note == say("open_site.may_show")


async def _down(shut: Sequence[str], site: SitePages, ways: Ways) -> set[tuple[str, int | None]]:
    """The folders of shut pages, and a few others where no page opens, with the statuses with which their server fails,
    where a few of those beside them fail a browser as well, as often as it takes to be sure.
    """
    pages = [(url, site.pages.get(url) or await ways.get(url)) for url in shut]
    down = {(urljoin(url, "."), page.status) for url, page in pages if lost(page)}
    opening = {urljoin(url, ".") for url, page in site.pages.items() if not lost(page)}
    found = dict.fromkeys((urljoin(url, "."), page.status) for url, page in site.pages.items() if lost(page))
    alike = [one for one in found if one not in down and one[0] not in opening and one[1] in {code for _, code in down}]
    down |= set(alike[:FOLDERS])
    own_pages = set(map(page_key, shut))
    for place in list(down):
        beside = [url for url, page in site.pages.items() if lost(page) and (urljoin(url, "."), page.status) == place]
        for url in [url for url in beside if page_key(url) not in own_pages][:SAMPLE]:
            if (await ways.examine(url)).reading.kind != "barrier":
                down.discard(place)
                break
    return down


def _unread(
    site: SitePages, read: Mapping[str, Document], down: set[tuple[str, int | None]], shut: Sequence[str]
) -> int:
    """How many pages say nothing that we could read, or only part of it; not what is down as a shut page beside it."""
    own_pages = set(map(page_key, shut))
    failed = (url for url, page in site.pages.items() if lost(page) and page_key(url) not in own_pages)
    silent = [url for url in failed if (urljoin(url, "."), site.pages[url].status) not in down]
    pictured = pages_with_pictures(site.pages)
    for url, document in read.items():
        framing = [other.text for one, other in read.items() if one == home_of(url) != url]
        thin = said(document.text) < _DRAWN and has_more_than_text(site.pages[url])
        if not document.whole or thin or (url in pictured and said(own(document.text, framing)) < THIN):
            silent.append(url)
    return len(set(silent))


@dataclass
class _Visits:
    """Pages of a site in the browser, as many as may say there what they do not say to a plain client.

    Those with scripts of their own are visited; of those with none but the whole site's, and of those that refuse a
    plain client, a few, and the rest only where these show more.
    """

    pages: Mapping[str, Plain]
    texts: Mapping[str, str]
    wanted: tuple[str, ...]
    ways: Ways
    seen: dict[str, str] = field(default_factory=dict)
    views: dict[str, View] = field(default_factory=dict)
    opened: set[str] = field(default_factory=set)
    unread: list[str] = field(default_factory=list)
    """Addresses that were left out."""
    leads: dict[str, str] = field(default_factory=dict)
    """Those to which visited pages alone lead."""
    asked: int = 0

    async def made(self, shut: set[str], controls: Sequence[str]) -> Route | None:
        """The route to a page that shows what is needed, or may; None where none of those that were visited does.

        Each is scrolled and its controls are pressed.
        """
        scripts = {url: _scripts(self.pages[url]) for url in self.texts}
        count = Counter(script for each in scripts.values() for script in each)
        common = {script for script, times in count.items() if times * 2 > len(scripts)}
        special = [url for url, each in scripts.items() if each - common]
        alike = [url for url, each in scripts.items() if each and url not in special]
        alike.sort(key=lambda url: said(self.texts[url]))
        refused = [url for url, page in self.pages.items() if page.status in _REFUSED and page_key(url) not in shut]
        found = await self._all(special) or await self._all(alike[:SAMPLE]) or await self._all(refused[:SAMPLE])
        if not found and self._draws(alike[:SAMPLE]):
            found = await self._all(alike[SAMPLE:])
        if not found and self.opened.intersection(refused):
            found = await self._all(refused[SAMPLE:])
        found = found or await self._all([url for url in controls if url not in self.views])
        while not found and (leads := [url for url in self.leads.values() if url not in self.views]):
            if self.asked == ladder().caps.drawn:
                self.unread += leads
                break
            found = await self._all(leads)
        return found

    @property
    def pressed(self) -> Iterator[str]:
        """All that was seen after something was done on a page."""
        return (text for view in self.views.values() for _, text in view.pressed.shown)

    @property
    def half_pressed(self) -> list[str]:
        """Pages that show next to nothing, or more once scrolled and pressed, which was not done to the end."""

        def may_show(view: View) -> bool:
            more = view.pressed.shown and not view.pressed.whole
            return bool(more) or (said(view.text) < _DRAWN and not (view.pressed.whole and view.pressed.still))

        return [url for url, view in self.views.items() if may_show(view)]

    async def _all(self, urls: Sequence[str]) -> Route | None:
        for place, url in enumerate(urls):
            if self.asked == ladder().caps.drawn:
                self.unread += urls[place:]
                return None
            self.asked += 1
            outcome = await self.ways.press(url)
            views = [look.view for look in outcome.looks if look.view]
            if views:
                self.views[url] = views[-1]
            self.seen[url] = "\n".join(view.said for view in views)
            if outcome.reading.kind == "ok":
                self.opened.add(url)
            if not views:
                self.unread.append(url)
            if found := _judged([(url, self.seen[url])], self.wanted, self.ways) or self._by_pressing(url):
                return found
            known = {page_key(one) for one in (*self.pages, *self.unread, *self.views)}
            links = [link for view in views for link in (*links_in(view.html, view.url), *view.pressed.links)]
            new = (urldefrag(link).url for link in links if host_of(link) == host_of(url) and readable(link))
            self.leads |= {page_key(link): link for link in new if page_key(link) not in known}
        return None

    def _by_pressing(self, url: str) -> Route | None:
        """The route where the page shows it, or may, once something was done there."""
        for done, text in self.views[url].pressed.shown if url in self.views else ():
            if found := _judged([(url, text)], self.wanted, self.ways):
                note = say("open_site.after_pressing", note=found.note, done=done)
                return found if found.result != "passed" else found.model_copy(update={"note": note})
        return None

    def _draws(self, sample: Sequence[str]) -> bool:
        """Whether scripts show on one of these pages what neither its source nor the others show."""
        for url in sample:
            others = [self.texts[url], *(self.seen.get(one, "") for one in sample if one != url)]
            numbers = set(_NUMBER.findall(self.seen.get(url, ""))).difference(*map(_NUMBER.findall, others))
            if numbers or said(own(self.seen.get(url, ""), others)) >= _DRAWN:
                return True
        return False


def _scripts(page: Plain) -> frozenset[str]:
    """The scripts that run on a page, by their address or their text."""
    tree = parsed(page.body) if page.is_html else None
    found = [] if tree is None else tree.iter("script")
    return frozenset(
        str(one.get("src") or one.text or "") for one in found if "json" not in str(one.get("type", "")).lower()
    )


def _judged(texts: Iterable[tuple[str, str]], wanted: tuple[str, ...], ways: Ways) -> Route | None:
    """The route where one of the texts shows what is needed, among words of the task, or may; None where none does."""
    maybe, found = "", list(texts)
    others = [text for _, text in found]
    for url, text in found:
        state = ways.says(text, url)
        if visible(wanted, text, url):
            gold = not ways.task.gold or page_key(url) in map(page_key, ways.gold)
            if gold or any(in_answer(value, text, ways.task, others) for value in wanted):
                return route(KIND, url, "passed", say("elsewhere.needed_text_visible"))
            state = "maybe"
        if state == "shown":
            return route(KIND, url, "passed", say("open_site.shows_in_other_words"))
        maybe = maybe or (url if state == "maybe" else "")
    return route(KIND, maybe, "not_tried", say("open_site.may_show")) if maybe else None
