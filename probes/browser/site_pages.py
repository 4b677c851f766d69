"""The pages of an open site: by its links, its forms' choices and its search, with what it embeds and leads to."""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from itertools import zip_longest
from urllib.parse import urldefrag, urljoin, urlsplit
from urllib.robotparser import RobotFileParser

from cases import patterns as re
from cases.answers.presence import names_in
from cases.hosts import is_neutral, own_machine
from cases.sites import of_one_site
from probes.browser.elsewhere import words_of
from probes.browser.openings import (
    choices_in,
    embedded_in,
    leads_beyond,
    pages_with_controls,
    pages_with_queries,
    search_address,
)
from probes.web.documents import document_of
from probes.web.ladder import Ways, ladder
from probes.web.links import after_a_pause, crawl, links_in, name_of, readable, rules_in
from probes.web.plain import USER_AGENT, Plain
from sandboxes.browser.urls import home_of, host_of

Get = Callable[[str], Awaitable[Plain]]

SITES, SITE_PAGES, RESULTS, SEARCHES, BESIDES, ASKED, AWAY = 3, 20, 4, 3, 8, 6, 8
"""Other sites that are read, pages of each, results of a search, searches, pages and files on other hosts, first pages
of hosts that are asked whether they speak of the site, and single pages of others to which it leads.
"""
_NAME = re.compile(r"[^\W\d_]{5,}")
_FILE = re.compile(r"(?i)\.(?:pdf|csv|tsv|xlsx?|docx?|pptx?|od[spt]|json|xml|txt|zip)$")


@dataclass(frozen=True)
class SitePages:
    """What was read of a site."""

    pages: Mapping[str, Plain]
    controls: tuple[str, ...]
    """Addresses of those on which a visitor could open more by pressing something."""
    queries: tuple[str, ...]
    """Addresses of those that ask for words or choices, of which only a visitor knows what to answer."""
    away: Mapping[str, Plain]
    """Single pages of other sites to which it leads."""
    whole: bool
    """Whether no address to which they lead was left out, for its number, for the site's wish or for want of a way."""


@dataclass
class _Reader:
    """Gets single pages of hosts, as far as they want robots."""

    get: Get
    rules: dict[str, RobotFileParser | None] = field(default_factory=dict)

    async def page(self, url: str) -> Plain | None:
        """None where the host asks robots to stay away, or is none that anybody else could visit."""
        home = home_of(url)
        if own_machine(host_of(url)):
            return None
        if home not in self.rules:
            self.rules[home] = rules_in(await self.get(urljoin(home, "/robots.txt")))
        rules = self.rules[home]
        return None if rules and not rules.can_fetch(USER_AGENT, url) else await after_a_pause(url, self.get)


async def pages_of_site(home: str, shut: Sequence[str], ways: Ways, known: Sequence[str] = ()) -> SitePages:
    """A site from its first page and those that are known on, and what belongs to it."""

    def further(page: Plain) -> list[str]:
        return [*choices_in(page), *embedded_in(page)]

    reader = _Reader(ways.get)
    pages, whole = await crawl(home, ways.get, ladder().caps.pages, further, known)
    others = _of_its_name(pages, home) | await _that_speak_of_it(pages, home, reader)
    whole = whole and len(others) <= SITES
    for first, links in list(others.items())[:SITES]:
        more, all_of_it = await crawl(first, ways.get, SITE_PAGES, further)
        new = [link for link in links if link not in more][:RESULTS]
        pages |= more | {link: await after_a_pause(link, ways.get) for link in new}
        whole = whole and all_of_it
    besides, all_of_it = await _besides(pages, reader)
    whole = whole and all_of_it
    meant = [url for url in ways.gold if home_of(url) == home]
    called = [text for page in pages.values() if page.is_html for url in meant if (text := name_of(url, page))]
    asked = [*map(words_of, (*meant, *shut)), *called[:1], " ".join(sorted(names_in(ways.task)))]
    for words in list(dict.fromkeys(filter(None, asked)))[:SEARCHES]:
        results, all_of_it = await _by_its_search(home, words, pages, ways.get)
        pages, whole = pages | results, whole and all_of_it
    for name in sorted(names_in(ways.task), key=len, reverse=True)[:SEARCHES]:
        results, _ = await _by_its_search(home, name, pages, ways.get)
        pages |= {url: page for url, page in results.items() if url not in pages}
    away = await _led_away(pages, home, reader)
    pages |= besides
    return SitePages(pages, tuple(pages_with_controls(pages)), tuple(pages_with_queries(pages)), away, whole)


async def _led_away(pages: Mapping[str, Plain], home: str, reader: _Reader) -> dict[str, Plain]:
    """Pages of other hosts to which those of the site lead, one of each host before a second one."""
    linked = _linked_hosts(pages, home).values()
    ordered = [link for row in zip_longest(*linked) for link in row if link and link not in pages]
    found = {url: await reader.page(url) for url in ordered[:AWAY]}
    return {url: page for url, page in found.items() if page and page.status == HTTPStatus.OK}


async def _besides(pages: Mapping[str, Plain], reader: _Reader) -> tuple[dict[str, Plain], bool]:
    """What pages embed, and the files to which they link, on other hosts; and whether that is all of it."""
    wanted = dict[str, None]()
    for page in pages.values():
        shown = page.is_html and page.status == 200
        files = [link for link in (links_in(page.body, page.url) if shown else ()) if _FILE.search(urlsplit(link).path)]
        wanted |= dict.fromkeys(link for link in (*embedded_in(page), *files) if link not in pages and readable(link))
    found = {url: await reader.page(url) for url in list(wanted)[:BESIDES]}
    read = {url: page for url, page in found.items() if page}
    beyond = any(leads_beyond(page, {**pages, **read}) for page in read.values())
    return read, len(read) == len(wanted) and not beyond


def _linked_hosts(pages: Mapping[str, Plain], home: str) -> dict[str, list[str]]:
    """First pages of the other hosts to which pages link, with the links."""
    found = defaultdict[str, list[str]](list)
    for page in pages.values():
        for link in links_in(page.body, page.url) if page.is_html and page.status == 200 else ():
            host = host_of(link) if link.startswith("http") else ""
            if host and host != host_of(home) and readable(link) and not is_neutral(host):
                found[home_of(link)] += [link] if link not in found[home_of(link)] else []
    return found


def _of_its_name(pages: Mapping[str, Plain], home: str) -> dict[str, list[str]]:
    """Other hosts that bear a word of the site's name, or are of its domain."""
    words, own = set(_NAME.findall(host_of(home))), host_of(home)
    linked = _linked_hosts(pages, home).items()
    return {
        first: links for first, links in linked if words & set(_NAME.findall(first)) or of_one_site(host_of(first), own)
    }


async def _that_speak_of_it(pages: Mapping[str, Plain], home: str, reader: _Reader) -> dict[str, list[str]]:
    """Hosts to which the site's first page links and whose own says part of its name: where a site has moved to."""
    linked = _linked_hosts({home: pages[home]}, home) if home in pages else {}
    found = {}
    for first in list(linked)[:ASKED]:
        page = await reader.page(first)
        text = (await document_of(page)).text.casefold() if page else ""
        if any(word in host_of(home) for word in _NAME.findall(text)):
            found[first] = linked[first]
    return found


async def _by_its_search(home: str, words: str, known: Mapping[str, Plain], get: Get) -> tuple[dict[str, Plain], bool]:
    """What the site's own search gives for some words, and whether that is all of it."""
    pages = [known[home], *(page for url, page in known.items() if url != home)] if home in known else []
    asked = next(filter(None, (search_address(page, words) for page in pages)), "")
    if not asked:
        return {}, True
    rules = rules_in(await get(urljoin(home, "/robots.txt")))
    if rules and not rules.can_fetch(USER_AGENT, asked):
        return {}, False
    found = {asked: await after_a_pause(asked, get)}
    links = links_in(found[asked].body, found[asked].url) if found[asked].status == 200 else []
    plain = dict.fromkeys(urldefrag(link).url for link in links if host_of(link) == host_of(home) and readable(link))
    new = [link for link in plain if link not in known and (not rules or rules.can_fetch(USER_AGENT, link))]
    for link in new[:RESULTS]:
        found[link] = await after_a_pause(link, get)
    return found, len(new) <= RESULTS
