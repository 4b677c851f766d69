"""What one shut page keeps, looked for on other pages of its open site, and of sites of its name that it links to.

Pages are read as a plain client gets them, the site's own search is asked, and pages that scripts draw are visited.
"""

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence

from cases import patterns as re
from cases.answers.presence import follows
from cases.answers.text_match import telling, visible
from cases.hosts import page_key
from cases.sentences import Sentences
from probes.browser.elsewhere import lost
from probes.browser.openings import has_more_than_text
from probes.browser.site_pages import SitePages, pages_of_site
from probes.model import Route
from probes.web.documents import text_of
from probes.web.ladder import Ways, ladder, route
from probes.web.likeness import own, said
from probes.web.links import parsed
from probes.web.plain import Plain

say = Sentences(__name__)

Get = Callable[[str], Awaitable[Plain]]

KIND = "elsewhere-on-the-site"
SITES, SITE_PAGES, RESULTS, SEARCHES, SAMPLE = 2, 20, 4, 2, 3
"""Other sites that are read, pages of each, results of a search, searches, and pages that stand for their scripts."""
_DRAWN = 60
"""What a page says, in letters of an alphabet, by scripts or without them, that counts as something."""
_NAME = re.compile(r"[^\W\d_]{5,}")


async def rest_of_site(home: str, shut: Sequence[str], ways: Ways) -> Route:
    """Whether another page of a site that opens shows what is needed, where that is known."""
    wanted = telling(ways.needed, home)
    if not wanted and not ways.task.gold:
        return route(KIND, home, "not_tried", say("open_site.opens_nothing_but"))
    site = await pages_of_site(home, shut, ways)
    pages = site.pages
    texts = {url: await text_of(page) for url, page in pages.items() if page.status == 200}
    if found := _judged(texts.items(), wanted, ways):
        return found
    found, undrawn = await _drawn(pages, texts, wanted, ways)
    if found:
        return found
    own_pages = set(map(page_key, shut))
    unread = [url for url, page in pages.items() if lost(page) and page_key(url) not in own_pages]
    unread += [url for url, text in texts.items() if said(text) < _DRAWN and has_more_than_text(pages[url])] + undrawn
    return _in_vain(home, site, list(texts.values()), len(unread), ways)


def _in_vain(home: str, site: SitePages, texts: Sequence[str], unread: int, ways: Ways) -> Route:
    """The route where nothing that was read shows what is needed."""
    if unread or not site.whole:
        return route(KIND, home, "not_tried", say("open_site.not_all_read", read=len(texts), unread=unread))
    if site.untried:
        return route(KIND, site.untried[0], "not_tried", say("open_site.has_more_to_open", read=len(texts)))
    if follows(texts, ways.task):
        return route(KIND, home, "not_tried", say("open_site.may_follow"))
    return route(KIND, home, "failed", say("open_site.nowhere_on_site", read=len(texts)))


async def _drawn(
    pages: Mapping[str, Plain], texts: Mapping[str, str], wanted: tuple[str, ...], ways: Ways
) -> tuple[Route | None, list[str]]:
    """The route to a page whose scripts draw what is needed, and the pages whose scripts were left untried.

    Pages with scripts of their own are visited; of those with none but the whole site's a few, and the rest only where
    these show more than a plain client is sent.
    """
    scripts = {url: _scripts(pages[url]) for url in texts}
    count = Counter(script for each in scripts.values() for script in each)
    common = {script for script, times in count.items() if times * 2 > len(scripts)}
    special = [url for url, each in scripts.items() if each - common]
    alike = [url for url, each in scripts.items() if each and url not in special]
    alike.sort(key=lambda url: said(texts[url]))
    queue, seen, asked = [*special, *alike[:SAMPLE]], dict[str, str](), list[str]()
    while queue and len(asked) < ladder().caps.drawn:
        asked.append(url := queue.pop(0))
        views = [look.view.text for look in (await ways.examine(url)).looks if look.view]
        seen |= dict.fromkeys((url,) if views else (), "\n".join(views))
        if found := _judged([(url, seen.get(url, ""))], wanted, ways):
            return found, []
        if not queue and len(asked) == len(special) + len(alike[:SAMPLE]) and _draws(alike[:SAMPLE], texts, seen):
            queue = alike[SAMPLE:]
    return None, queue + [url for url in asked if url not in seen]


def _draws(sample: Sequence[str], texts: Mapping[str, str], seen: Mapping[str, str]) -> bool:
    """Whether scripts show on one of these pages what neither its source nor the others show."""
    others = {url: [texts[url], *(seen[one] for one in sample if one != url and one in seen)] for url in sample}
    return any(url in seen and said(own(seen[url], others[url])) >= _DRAWN for url in sample)


def _scripts(page: Plain) -> frozenset[str]:
    """The scripts that run on a page, by their address or their text."""
    tree = parsed(page.body) if page.is_html else None
    found = [] if tree is None else tree.iter("script")
    return frozenset(
        str(one.get("src") or one.text or "") for one in found if "json" not in str(one.get("type", "")).lower()
    )


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
