"""The same content at another address: another search engine, or where the site itself says that a page has gone."""

from collections.abc import AsyncIterator
from urllib.parse import parse_qs, quote_plus, unquote, urljoin, urlsplit

from rapidfuzz import fuzz

from cases import patterns as re
from cases.answers.text_match import telling
from cases.sentences import Sentences
from probes.browser.openings import search_address
from probes.model import Route, Tier
from probes.web.ladder import Engine, Ways, ladder, route
from probes.web.links import links_in
from probes.web.plain import Plain
from probes.web.records import Outcome
from sandboxes.browser.urls import UrlRefusedError, home_of, host_of, normalise_url

say = Sentences(__name__)

ALIKE = 85
"""How much a listed address's last part resembles the lost page's, of 100."""
SITEMAPS = 3
_LINKS = 3
"""Other hosts that a page of results links to at least."""


def engine_of(url: str) -> Engine | None:
    """The search engine that an address belongs to."""
    return next((engine for engine in ladder().engine if re.search(engine.host, host_of(url))), None)


async def other_engines(url: str, ways: Ways) -> AsyncIterator[Route]:
    """The same query with other engines, when the wall is a search engine's (T1)."""
    own = engine_of(url)
    if own is None:
        return
    query = " ".join(parse_qs(urlsplit(url).query).get(own.query, []))
    others = [engine for engine in ladder().engine if engine.name != own.name][: ladder().caps.engines]
    for engine in others:
        there = normalise_url(engine.search.format(query=quote_plus(query)))
        yield _results(there, await ways.examine(there), ways)


def _results(url: str, outcome: Outcome, ways: Ways) -> Route:
    kind, reading = "other-search-engine", outcome.reading
    if any(look.seen for look in outcome.looks):
        return route(kind, url, "passed", say("elsewhere.needed_text_visible"), Tier.T1)
    view = outcome.looks[0].view if outcome.looks else None
    if reading.kind == "ok" and view and _leads(view.html, view.url) >= _LINKS:
        return route(kind, url, "passed", say("elsewhere.gives_results_needed"), Tier.T1)
    if reading.kind == "ok":
        return route(kind, url, "failed", say("elsewhere.opens_but_gives"), Tier.T1)
    return route(kind, url, "failed" if reading.kind == "barrier" else "not_tried", reading.detail, Tier.T1)


def _leads(html: str, base: str) -> int:
    """How many other hosts a page links to."""
    hosts = {urlsplit(link).hostname for link in links_in(html, base)}
    return len(hosts - {None, urlsplit(base).hostname})


async def moved_page(url: str, ways: Ways) -> AsyncIterator[Route]:
    """What the site's map and the site's own search know of a page that is no longer where it was."""
    words = words_of(url)
    if not words:
        return  # a first page does not move within its site
    for kind, source in (("sitemap", _mapped), ("site-search", _searched)):
        places, problem = await source(url, words, ways)
        if problem or not places:
            yield route(
                kind, home_of(url), "not_tried" if problem else "failed", problem or say("elsewhere.lists_no_such")
            )
            continue
        for place in places:
            yield _found(kind, place, await ways.examine(place), ways)


def _found(kind: str, url: str, outcome: Outcome, ways: Ways) -> Route:
    reading = outcome.reading
    if any(look.seen for look in outcome.looks):
        return route(kind, url, "passed", say("elsewhere.needed_text_visible"))
    views = [look.view.text for look in outcome.looks if look.view]
    known = telling(ways.needed, url) or ways.absence_tells
    if reading.kind == "ok" and known and all(ways.says(text, url) == "absent" for text in views):
        return route(kind, url, "failed", say("elsewhere.opens_but_needed"))
    if reading.kind == "ok":
        return route(kind, url, "not_tried", say("elsewhere.opens_but_what"))
    return route(kind, url, "failed" if reading.kind == "barrier" else "not_tried", reading.detail)


def words_of(url: str) -> str:
    """The last part of an address's path as words."""
    last = unquote(urlsplit(url).path.rstrip("/").rpartition("/")[2])
    return " ".join(re.findall(r"\w+", re.sub(r"\.\w{1,5}$", "", last).replace("_", " "))).lower()


async def _mapped(url: str, words: str, ways: Ways) -> tuple[list[str], str]:
    """Addresses in the site's map that look like the lost page's, or why the map could not be read."""
    robots = await ways.get(urljoin(home_of(url), "/robots.txt"))
    named = re.findall(r"(?im)^\s*sitemap:\s*(\S+)", robots.body) if robots.status == 200 else []
    queue = [urljoin(url, one) for one in named] or [urljoin(home_of(url), "/sitemap.xml")]
    places: list[str] = []
    for number in range(SITEMAPS):
        if number >= len(queue):
            break
        answer = await ways.get(queue[number])
        if problem := lost(answer):
            return [], f"{queue[number]}: {problem}"
        locations = re.findall(r"<loc>\s*([^<\s]+)\s*</loc>", answer.body) if answer.status == 200 else []
        (queue if "<sitemapindex" in answer.body else places).extend(locations)
    return _alike(places, url, words), ""


def lost(answer: Plain) -> str:
    """Why an answer says nothing; a site that refuses or has no such page has answered."""
    if answer.error:
        return answer.error
    return f"status {answer.status}" if (answer.status or 0) >= 500 or answer.status == 429 else ""


def _alike(places: list[str], url: str, words: str) -> list[str]:
    scored: dict[str, float] = {}
    for place in places:
        try:
            normal = normalise_url(place, from_prose=False)
        except UrlRefusedError:
            continue
        score = fuzz.token_sort_ratio(words_of(normal), words)
        if score >= ALIKE and normal != url and host_of(normal) == host_of(url):
            scored[normal] = score
    return sorted(scored, key=lambda place: (-scored[place], place))[: ladder().caps.moved]


async def _searched(url: str, words: str, ways: Ways) -> tuple[list[str], str]:
    """What the site's own search gives for the lost page's words: its results, and the page of results itself."""
    home = await ways.get(home_of(url))
    if problem := lost(home):
        return [], f"{home_of(url)}: {problem}"
    asked = search_address(home, words)
    if not asked:
        return [], ""
    results = await ways.get(asked)
    if problem := lost(results):
        return [], f"{asked}: {problem}"
    found = _alike(links_in(results.body, results.url), url, words)
    return (found or ([asked] if results.status == 200 else [])), ""
