"""The pages of an open site: by its links, its forms' choices and its search, with what it embeds and leads to."""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urldefrag, urljoin

from cases import patterns as re
from cases.hosts import is_neutral
from probes.browser.elsewhere import words_of
from probes.browser.openings import choices_in, embedded_in, search_address, untried
from probes.web.documents import text_of
from probes.web.ladder import Ways, ladder
from probes.web.links import after_a_pause, crawl, links_in, readable, rules_in
from probes.web.plain import USER_AGENT, Plain
from sandboxes.browser.urls import home_of, host_of

Get = Callable[[str], Awaitable[Plain]]

SITES, SITE_PAGES, RESULTS, SEARCHES, EMBEDDED, ASKED = 3, 20, 4, 2, 8, 6
"""Other sites that are read, pages of each, results of a search, searches, embedded pages, and first pages of hosts
that are asked whether they speak of the site.
"""
_NAME = re.compile(r"[^\W\d_]{5,}")


@dataclass(frozen=True)
class SitePages:
    """What was read of a site."""

    pages: Mapping[str, Plain]
    untried: tuple[str, ...]
    """Those on which a visitor could open more."""
    whole: bool
    """Whether these are all."""


async def pages_of_site(home: str, shut: Sequence[str], ways: Ways) -> SitePages:
    """A site from its first page on, and those that belong to it."""
    pages, whole = await crawl(home, ways.get, ladder().caps.pages, choices_in)
    others = _of_its_name(pages, home) | await _that_speak_of_it(pages, home, ways.get)
    whole = whole and len(others) <= SITES
    for first, links in list(others.items())[:SITES]:
        more, all_of_it = await crawl(first, ways.get, SITE_PAGES, choices_in)
        new = [link for link in links if link not in more][:RESULTS]
        pages |= more | {link: await after_a_pause(link, ways.get) for link in new}
        whole = whole and all_of_it
    frames = dict.fromkeys(place for page in list(pages.values()) for place in embedded_in(page))
    unread = [place for place in frames if place.startswith("http") and place not in pages]
    pages |= {place: await after_a_pause(place, ways.get) for place in unread[:EMBEDDED]}
    meant = [url for url in ways.gold if home_of(url) == home]
    for url in dict.fromkeys((*meant, *shut)[:SEARCHES] if home in pages else ()):
        results, all_of_it = await _by_its_search(pages[home], url, pages, ways.get)
        pages, whole = pages | results, whole and all_of_it
    return SitePages(pages, tuple(untried(pages)), whole and len(unread) <= EMBEDDED)


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
    """Other hosts that bear a word of the site's name."""
    words = set(_NAME.findall(host_of(home)))
    return {first: links for first, links in _linked_hosts(pages, home).items() if words & set(_NAME.findall(first))}


async def _that_speak_of_it(pages: Mapping[str, Plain], home: str, get: Get) -> dict[str, list[str]]:
    """Hosts to which the site's first page links and whose own says part of its name: where a site has moved to."""
    linked = _linked_hosts({home: pages[home]}, home) if home in pages else {}
    found = {}
    for first in list(linked)[:ASKED]:
        text = (await text_of(await after_a_pause(first, get))).casefold()
        if any(word in host_of(home) for word in _NAME.findall(text)):
            found[first] = linked[first]
    return found


async def _by_its_search(first: Plain, url: str, known: Mapping[str, Plain], get: Get) -> tuple[dict[str, Plain], bool]:
    """What the site's own search gives for the words of a shut address, and whether that is all of it."""
    words = words_of(url)
    asked = search_address(first, words) if words else ""
    if not asked:
        return {}, True
    rules = rules_in(await get(urljoin(first.url, "/robots.txt")))
    if rules and not rules.can_fetch(USER_AGENT, asked):
        return {}, False
    found = {asked: await after_a_pause(asked, get)}
    links = links_in(found[asked].body, found[asked].url) if found[asked].status == 200 else []
    plain = dict.fromkeys(urldefrag(link).url for link in links if host_of(link) == host_of(url) and readable(link))
    new = [link for link in plain if link not in known and (not rules or rules.can_fetch(USER_AGENT, link))]
    for link in new[:RESULTS]:
        found[link] = await after_a_pause(link, get)
    return found, len(new) <= RESULTS
