"""Ways around a blocked page: tried where that is permitted, named where it is not."""

from collections.abc import AsyncIterator

from cases.answers.text_match import telling, visible
from cases.hosts import is_neutral
from cases.sentences import Sentences
from probes.barriers import Trait, having
from probes.browser.archive import archived_copies
from probes.browser.elsewhere import moved_page, other_engines
from probes.browser.open_site import rest_of_site
from probes.browser.results import by_what_was_shown
from probes.model import Barrier, Route, Tier
from probes.web.judge import EMPTY_TEXT, one_wall
from probes.web.ladder import Ways, ladder, route
from probes.web.likeness import own, said
from probes.web.links import links_in, readable
from probes.web.plain import Plain
from probes.web.pressing import UNUSABLE
from probes.web.records import Look, Outcome
from probes.web.rules import classify, visible_text
from sandboxes.browser.urls import home_of, host_of

say = Sentences(__name__)

POINTED = 12
"""Links of what stands in the place of pages."""


async def try_routes(blocked: tuple[Outcome, ...], ways: Ways, claimed: Barrier) -> tuple[Route, ...]:
    """The ladder for pages that could not be read, up to the first route that works unless `thorough`."""
    tried: list[Route] = []
    async for one in _tried(blocked, ways, claimed):
        tried.append(one)
        if one.result == "passed" and not ways.thorough:
            break
    return (*tried, *_not_permitted(blocked))


async def _tried(blocked: tuple[Outcome, ...], ways: Ways, claimed: Barrier) -> AsyncIterator[Route]:
    """Every permitted route, the cheapest first."""
    async for one in _at_the_page(blocked, ways, claimed):
        yield one
    async for one in _addresses(blocked, ways):
        yield one
    for outcome in blocked:
        async for one in other_engines(outcome.url, ways):
            yield one
    for outcome in blocked:
        if having(Trait.MOVED) & {outcome.reading.barrier, claimed}:
            async for one in moved_page(outcome.url, ways):
                yield one
    async for one in archived_copies(_of_all(blocked, ways), ways):
        yield one


async def _at_the_page(blocked: tuple[Outcome, ...], ways: Ways, claimed: Barrier) -> AsyncIterator[Route]:
    """What may be done at the very addresses."""
    for outcome in blocked:
        yield _by_plain_http(outcome, ways)
    for outcome in blocked:
        if outcome.reading.barrier in UNUSABLE:
            yield await _pressed(outcome, ways)
    for url in _entered(blocked, claimed):
        yield _judged("by-the-first-page", url, await ways.enter(url, home_of(url)), ways)


async def _pressed(blocked: Outcome, ways: Ways) -> Route:
    """The page once what stands there was scrolled and pressed, as far as that only asks for reading."""
    url = blocked.url
    views = [look.view for look in (await ways.press(url)).looks if look.view]
    for done, text in (each for view in views for each in view.pressed.shown):
        if ways.says(text, url) == "shown" or (not ways.task.gold and visible(ways.needed, text, url)):
            note = say("open_site.after_pressing", note=say("elsewhere.needed_text_visible"), done=done)
            return route("pressed", url, "passed", note)
    if not all(view.pressed.whole and view.pressed.still for view in views):
        return route("pressed", url, "not_tried", say("routes.pressed_in_part"))
    return route("pressed", url, "failed", say("routes.pressed_in_vain"))


def _entered(blocked: tuple[Outcome, ...], claimed: Barrier) -> list[str]:
    """Pages that may open for a session which began at the site's first page."""
    meant = [one.url for one in blocked if one.reading.barrier in having(Trait.ENTERED) or claimed is Barrier.SESSION]
    return [url for url in meant if home_of(url) != url]


def _of_all(blocked: tuple[Outcome, ...], ways: Ways) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*(outcome.url for outcome in blocked), *ways.gold)))


async def _addresses(blocked: tuple[Outcome, ...], ways: Ways) -> AsyncIterator[Route]:
    """The task's own pages, other spellings of the blocked ones, and the rest of their sites where these open."""
    seen, caps = {outcome.url for outcome in blocked}, ladder().caps
    listed = [("gold-url", url) for url in ways.gold]
    listed += [("variant", url) for outcome in blocked for url in ways.spellings(outcome.url)]
    left, lacking = {"gold-url": caps.gold, "variant": caps.variants}, dict[str, Route]()
    for kind, url in listed:
        if url in seen:
            continue
        seen.add(url)
        left[kind] -= 1
        if left[kind] < 0:
            yield route(kind, url, "not_tried", say("routes.more_addresses_kind"))
        else:
            outcome, *_ = one_wall((await ways.examine(url), *blocked))
            tried = _judged(kind, url, outcome, ways)
            if kind == "gold-url" and tried.result == "not_tried" and ways.lacks(outcome):
                lacking[url] = tried
            else:
                yield tried
    shut = [outcome.url for outcome in blocked if ways.beside(outcome)]
    known, away = _pointed_to(blocked)
    known += ways.shown_anywhere()
    for home in dict.fromkeys(map(home_of, (*shut, *lacking))):
        own_pages = [url for url in shut if home_of(url) == home]
        others = [url for url in known if home_of(url) == home and url not in own_pages]
        rest = await rest_of_site(home, own_pages, ways, [*others, *(url for url in lacking if home_of(url) == home)])
        yield rest
        for url in [url for url in lacking if home_of(url) == home and rest.result == "failed"]:
            lacking[url] = route("gold-url", url, "failed", say("routes.opens_but_needed"))
    for one in lacking.values():
        yield one
    if shown := await by_what_was_shown(lambda: tuple(dict.fromkeys((*ways.shown(), *away))), ways):
        yield shown


def _pointed_to(blocked: tuple[Outcome, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """To where what stands in the place of pages leads: on their own sites, and away from them."""
    views = [look.view for item in blocked for look in item.looks[:1] if look.view]
    links = dict.fromkeys(link for view in views for link in links_in(view.html, view.url) if readable(link))
    homes = {home_of(item.url) for item in blocked}
    own_links = tuple(link for link in links if home_of(link) in homes)[:POINTED]
    away = (link for link in links if link.startswith("http") and home_of(link) not in homes)
    return own_links, tuple(link for link in away if not is_neutral(host_of(link)))[:POINTED]


def _judged(kind: str, url: str, outcome: Outcome, ways: Ways) -> Route:
    reading = outcome.reading
    shown = any(look.seen for look in outcome.looks)
    if reading.kind == "ok":
        views = [look.view.said for look in outcome.looks if look.view]
        may = any(ways.says(text, url) != "absent" for text in views)
        if not shown and kind == "gold-url" and ways.task.gold and views and not may:
            return route(kind, url, "not_tried", say("routes.gold_opens_without"))
        if not shown and kind != "gold-url" and telling(ways.needed, url):
            if may:
                return route(kind, url, "not_tried", say("open_site.may_show"))
            return route(kind, url, "failed", say("routes.opens_but_needed"))
        otherwise = "routes.shown_otherwise" if may and ways.task.gold else "routes.needed_text_not"
        note = reading.detail if shown else say(otherwise, detail=reading.detail)
        return route(kind, url, "passed", note)
    return route(kind, url, "failed" if reading.kind == "barrier" else "not_tried", reading.detail)


def _by_plain_http(outcome: Outcome, ways: Ways) -> Route:
    kind, url = "plain-http", outcome.url
    if any(look.seen_plain for look in outcome.looks):
        return route(kind, url, "passed", say("routes.plain_http_client"))
    if not outcome.looks:
        return route(kind, url, "not_tried", outcome.reading.detail)
    for look in outcome.looks:
        plain = look.plain
        if plain is None:  # the layers below HTTP failed, so nothing could be asked
            if outcome.reading.kind != "barrier":
                return route(kind, url, "not_tried", outcome.reading.detail)
            continue
        if plain.denied or plain.data:
            return route(kind, url, "not_tried", plain.error or say("routes.file_to_plain_client"))
        walled = plain.error or (plain.status or 0) >= 400 or any(m.decisive for m in classify(plain.page(url)))
        walled = walled or (outcome.reading.kind == "barrier" and _no_more(look, plain))
        absent = ways.absence_tells and ways.says(visible_text(plain.body), url) == "absent"
        if not walled and not absent and not telling(ways.needed, url):
            return route(kind, url, "not_tried", say("routes.plain_http_answered"))
    return route(kind, url, "failed", say("routes.plain_http_client_not"))


def _no_more(look: Look, plain: Plain) -> bool:
    """Whether a plain client is shown nothing that the browser was not shown."""
    return look.view is not None and said(own(visible_text(plain.body), [look.view.text])) < EMPTY_TEXT


def _not_permitted(blocked: tuple[Outcome, ...]) -> tuple[Route, ...]:
    if not {outcome.reading.barrier for outcome in blocked} & having(Trait.EVADABLE):
        return ()
    return tuple(Route(id=one.id, tier=Tier.T3, result="not_permitted", note=one.note) for one in ladder().forbidden)
