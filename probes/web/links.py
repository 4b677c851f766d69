"""Where a page leads, and whether a site itself leads to one of its addresses."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from urllib.parse import urldefrag, urljoin
from urllib.robotparser import RobotFileParser

import lxml.etree  # type: ignore[import-untyped]
import lxml.html  # type: ignore[import-untyped]

from cases import patterns as re
from cases.hosts import page_key
from probes.web.plain import USER_AGENT, Plain
from sandboxes.browser.urls import UrlRefusedError, action_like, home_of, host_of, normalise_url

_FEED = re.compile(r"(?i)\b(?:rss|atom|feed)\b")
PAUSE_SECONDS = 0.3
"""Between two pages of one site: a polite client asks for one after the other."""
QUEUED = 4
"""How many times as many addresses are kept as pages may be read."""
MOST = 8
"""Pages of a site that are asked where they lead, its first page among them."""


def links_in(html: str, base: str) -> list[str]:
    """The addresses of its links, areas and meta refreshes, in full."""
    tree = parsed(html)
    if tree is None:
        return []
    found = [str(link) for link in tree.xpath("//a/@href | //area/@href")]
    refreshes = tree.xpath("//meta[translate(@http-equiv, 'REFSH', 'refsh') = 'refresh']/@content")
    found += [place.strip(" '\"") for text in refreshes if (place := re.sub(r"(?i)^[^;]*;?\s*url\s*=", "", str(text)))]
    bases = [str(one) for one in tree.xpath("//base/@href")][:1]
    return [link for one in found if (link := joined(joined(base, *bases), one))]


def joined(base: str, *links: str) -> str:
    """The address to which a link leads from a page; empty where it is none."""
    try:
        return urljoin(base, links[0].strip()) if links else base
    except ValueError:
        return ""


def parsed(html: str) -> lxml.html.HtmlElement | None:
    """A page's source as a tree; None for what is none."""
    if not html.strip():
        return None
    try:
        parser = lxml.html.HTMLParser(encoding="utf-8")
        return lxml.html.document_fromstring(html.encode("utf-8", "replace"), parser=parser)
    except (lxml.etree.LxmlError, ValueError):
        return None


async def leads_to(url: str, get: Callable[[str], Awaitable[Plain]]) -> str:
    """The page of the site that links to an address, from its first page on; empty where none of the first few does.

    Pages whose addresses are nearest to the one that is looked for are asked first.
    """
    wanted, queue, seen = page_key(url), [home_of(url)], set[str]()
    while queue and len(seen) < MOST:
        queue.sort(key=lambda one: -_shared(one, url))
        page = queue.pop(0)
        seen.add(page_key(page))
        answer = await after_a_pause(page, get)
        if answer.status != 200 or not answer.is_html or page_key(answer.url) == wanted:
            continue
        for link in links_in(answer.body, answer.url):
            if page_key(link) == wanted:
                return page
            if (
                host_of(link) == host_of(url)
                and page_key(link) not in {*seen, *map(page_key, queue)}
                and readable(link)
            ):
                queue.append(link)
    return ""


def listed_beside(url: str, listing: Plain) -> list[str]:
    """Addresses in the same folder to which a page leads under names of their own, as it does to this one."""
    folder = _folder_of(url)
    named = {key: one for key, one in _named_links(listing).items() if _folder_of(one[0]) == folder}
    own = named.pop(page_key(url), None)
    if own is None:
        return []
    others = {text: place for place, text in named.values() if text != own[1] and readable(place)}
    return list(others.values())


def name_of(url: str, page: Plain) -> str:
    """Under what name a page leads to an address; empty where it does not."""
    return _named_links(page).get(page_key(url), ("", ""))[1]


def has_feed(html: str) -> bool:
    """Whether a page's head leads to a feed, in which its site's texts may stand."""
    tree = parsed(html)
    kinds = tree.xpath("//link[contains(@rel, 'alternate')]/@type") if tree is not None else ()
    return any(_FEED.search(str(kind)) for kind in kinds)


def _folder_of(url: str) -> str:
    return page_key(url.partition("?")[0]).rpartition("/")[0]


def _named_links(page: Plain) -> dict[str, tuple[str, str]]:
    """The first link to each page that has a name, with that."""
    tree, named = parsed(page.body), dict[str, tuple[str, str]]()
    for link in tree.xpath("//a[@href]") if tree is not None else ():
        place, text = joined(page.url, str(link.get("href"))), " ".join(str(link.text_content()).split())
        if text:
            named.setdefault(page_key(place), (place, text))
    return named


def brings_in(html: str, base: str) -> frozenset[str]:
    """The addresses of all that it links to, shows or runs, and what stands in its scripts, styles and attributes."""
    tree = parsed(html)
    if tree is None:
        return frozenset()
    places = tree.xpath("//@href | //@src | //@srcset | //@data | //@poster | //@action | //@formaction")
    others = tree.xpath("//script/text() | //style/text() | //body//@*[not(name() = 'href' or name() = 'action')]")
    return frozenset((*(joined(base, str(place)) for place in places), *map(str, others)))


def rules_in(answer: Plain) -> RobotFileParser | None:
    """What a site's `robots.txt` asks; None where it has none."""
    if answer.status != 200 or (answer.is_html and "<html" in answer.body.lower()):
        return None
    rules = RobotFileParser()
    rules.parse(answer.body.splitlines())
    return rules


async def crawl(
    home: str,
    get: Callable[[str], Awaitable[Plain]],
    most: int,
    further: Callable[[Plain], list[str]] = lambda _: [],
    also: Sequence[str] = (),
) -> tuple[dict[str, Plain], bool]:
    """Pages of a site as a plain client gets them, by address, from its first page and `also` others on; and whether
    these are all.

    `further` gives addresses to which a page leads besides its links. What the site asks robots to leave alone is left
    alone, and these are then not all.
    """
    rules, whole = rules_in(await get(urljoin(home, "/robots.txt"))), True
    queue = [home, *{page_key(url): url for url in also if page_key(url) != page_key(home)}.values()]
    known, found = set(map(page_key, queue)), dict[str, Plain]()
    while queue and len(found) < most:
        page = queue.pop(0)
        if rules and not rules.can_fetch(USER_AGENT, page):
            whole = False
            continue
        found[page] = answer = await after_a_pause(page, get)
        shown = answer.status == 200 and answer.is_html
        for link in dict.fromkeys((*links_in(answer.body, answer.url), *further(answer))) if shown else ():
            if host_of(link) != host_of(home) or page_key(link) in known or not readable(link):
                continue
            known.add(page_key(link))
            if len(queue) == QUEUED * most:
                whole = False
                break
            queue.append(urldefrag(link).url)
    return found, whole and not queue


async def after_a_pause(page: str, get: Callable[[str], Awaitable[Plain]]) -> Plain:
    """One page of a site of which others are asked for as well."""
    await asyncio.sleep(PAUSE_SECONDS)
    return await get(page)


def readable(link: str) -> bool:
    """Whether an address is one that a visitor only reads."""
    try:
        return not action_like(normalise_url(link, from_prose=False))
    except UrlRefusedError:
        return False


def _shared(one: str, other: str) -> int:
    """How many parts of two addresses are the same from the left."""
    pairs = zip(page_key(one).split("/"), page_key(other).split("/"), strict=False)
    return next((place for place, (left, right) in enumerate(pairs) if left != right), 99)
