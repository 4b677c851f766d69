"""What one shut page keeps, looked for on other pages of its open site, and of sites of its name that it links to.

Pages are read as a plain client gets them, the site's own search is asked, and pages that scripts draw are visited.
"""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence

from cases import patterns as re
from cases.answers.text_match import telling, visible
from cases.sentences import Sentences
from probes.browser.elsewhere import search_address, words_of
from probes.model import Route
from probes.web.ladder import Ways, ladder, route
from probes.web.likeness import said
from probes.web.links import crawl, links_in
from probes.web.plain import Plain
from probes.web.rules import visible_text
from sandboxes.browser.urls import home_of, host_of

say = Sentences(__name__)

KIND = "elsewhere-on-the-site"
SITES, SITE_PAGES, RESULTS = 2, 15, 4
"""Other sites that are read, pages of each, and results of the site's search."""
_DRAWN = 60
"""What a page's source must say, in letters of an alphabet, to be read without its scripts."""
_SCRIPT = re.compile(r"(?i)<script\b(?![^>]*\btype=[\"']?application/)")
_NAME = re.compile(r"[^\W\d_]{5,}")


async def elsewhere(home: str, shut: Sequence[str], ways: Ways) -> Route:
    """Whether another page of a site that opens shows what is needed, where that is known."""
    wanted = telling(ways.needed, home)
    if not wanted:
        return route(KIND, home, "not_tried", say("open_site.opens_nothing_but"))
    pages, whole = await crawl(home, ways.get, ladder().caps.pages)
    for other in _of_its_name(pages, home)[:SITES]:
        more, all_of_it = await crawl(other, ways.get, SITE_PAGES)
        pages, whole = pages | more, whole and all_of_it
    async for url, answer in _by_its_search(pages.get(home), shut, pages, ways):
        pages[url] = answer
    texts = {url: visible_text(page.body) for url, page in pages.items() if page.status == 200 and page.is_html}
    if found := _judged(texts.items(), wanted, ways):
        return found
    drawn = [url for url in texts if _SCRIPT.search(pages[url].body)]
    for url in drawn[: ladder().caps.drawn]:
        outcome = await ways.examine(url)
        views = [(url, look.view.text) for look in outcome.looks if look.view]
        if found := _judged(views, wanted, ways):
            return found
    unread = [url for url, page in pages.items() if page.denied or (page.status == 200 and not page.is_html)]
    unread += [url for url, text in texts.items() if said(text) < _DRAWN and url not in drawn]
    unread += drawn[ladder().caps.drawn :]
    if unread or not whole:
        return route(KIND, home, "not_tried", say("open_site.not_all_read", read=len(texts), unread=len(unread)))
    return route(KIND, home, "failed", say("open_site.nowhere_on_site", read=len(texts)))


def _judged(texts: Iterable[tuple[str, str]], wanted: tuple[str, ...], ways: Ways) -> Route | None:
    """The route where one of the texts shows what is needed, or may; None where none does."""
    maybe = ""
    for url, text in texts:
        if visible(wanted, text, url):
            return route(KIND, url, "passed", say("elsewhere.needed_text_visible"))
        state = ways.says(text, url)
        if state == "shown":
            return route(KIND, url, "passed", say("open_site.shows_in_other_words"))
        maybe = maybe or (url if state == "maybe" else "")
    return route(KIND, maybe, "not_tried", say("open_site.may_show")) if maybe else None


def _of_its_name(pages: Mapping[str, Plain], home: str) -> list[str]:
    """First pages of other hosts that the site links to and that bear a word of its name."""
    own, found = set(_NAME.findall(host_of(home))), dict[str, None]()
    for page in pages.values():
        for link in links_in(page.body, page.url) if page.is_html and page.status == 200 else ():
            host = host_of(link) if link.startswith("http") else ""
            if host and host != host_of(home) and own & set(_NAME.findall(host)):
                found[home_of(link)] = None
    return list(found)


async def _by_its_search(
    first: Plain | None, shut: Sequence[str], pages: Mapping[str, Plain], ways: Ways
) -> AsyncIterator[tuple[str, Plain]]:
    """Pages that the site's own search gives for the words of the shut addresses, and that no link led to."""
    for url in shut if first else ():
        words = words_of(url)
        asked = search_address(first, words) if first and words else ""
        answer = await ways.get(asked) if asked else None
        links = links_in(answer.body, answer.url) if answer and answer.status == 200 else []
        new = [link for link in dict.fromkeys(links) if host_of(link) == host_of(url) and link not in pages]
        for link in new[:RESULTS]:
            yield link, await ways.get(link)
