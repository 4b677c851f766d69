"""Ways around a blocked page: tried where that is permitted, named where it is not."""

import re
from collections.abc import Awaitable, Callable

from probes.browser.judge import Look, Outcome, read
from probes.browser.oracle import telling
from probes.browser.urls import host_of, variants
from probes.model import Barrier, Route, Tier

Looker = Callable[[str], Awaitable[Look]]

_SEARCH = re.compile(r"(^|\.)(google|bing|duckduckgo|yahoo|yandex|baidu|startpage)\.[a-z.]{2,6}$")
_EVADABLE = frozenset({Barrier.BOT_WALL, Barrier.REFUSED, Barrier.GEO_BLOCK})
_FORBIDDEN = (
    ("stealth-browser", "a disguised browser changes what is measured and breaks the site's rules"),
    ("captcha-solver", "solving a challenge is never ours to do"),
    ("residential-proxy", "a borrowed address breaks the site's rules"),
)
VARIANTS = 4
GOLD = 4


async def try_routes(
    blocked: tuple[Outcome, ...], gold: tuple[str, ...], needed: tuple[str, ...], look: Looker, *, thorough: bool
) -> tuple[Route, ...]:
    """The ladder for blocked pages, up to the first route that works unless `thorough`."""
    routes = [route for outcome in blocked if (route := _by_plain_http(outcome))]
    for kind, url in _addresses(blocked, gold):
        if any(route.result == "passed" for route in routes) and not thorough:
            break
        routes.append(_judged(kind, url, await look(url), needed))
    return (*routes, *_untried(blocked))


def _addresses(blocked: tuple[Outcome, ...], gold: tuple[str, ...]) -> list[tuple[str, str]]:
    seen = {outcome.url for outcome in blocked}
    listed = [("gold-url", url) for url in gold[:GOLD]]
    listed += [("variant", url) for outcome in blocked for url in variants(outcome.url)][:VARIANTS]
    fresh: dict[str, str] = {}
    for kind, url in listed:
        if url not in seen:
            fresh.setdefault(url, kind)
    return [(kind, url) for url, kind in fresh.items()]


def _judged(kind: str, url: str, look: Look, needed: tuple[str, ...]) -> Route:
    reading = read(look)
    result, note = reading.kind, reading.detail
    # A task's own page counts when it opens; another spelling of a blocked page must also show what is needed.
    if kind == "variant" and result == "ok" and not look.seen and telling(needed, url):
        return _route(kind, url, "failed", "it opens, but the needed text was not seen")
    if result == "ok":
        return _route(kind, url, "passed", note if look.seen else f"{note}; the needed text was not seen")
    return _route(kind, url, "failed" if result == "barrier" else "not_tried", note)


def _by_plain_http(outcome: Outcome) -> Route | None:
    if not any(look.seen_plain for look in outcome.looks):
        return None
    return _route("plain-http", outcome.url, "passed", "a plain HTTP client gets the needed text")


def _route(kind: str, url: str, result: str, note: str) -> Route:
    return Route.model_validate(
        {"id": f"{kind}: {url}", "tier": Tier.T2, "commands": (url,), "result": result, "note": note}
    )


def _untried(blocked: tuple[Outcome, ...]) -> tuple[Route, ...]:
    """Routes that this version does not try, and those that nobody may."""
    later = "comes with a later version of this probe"
    listed = [Route(id="archived-copy", tier=Tier.T2, result="not_tried", note=later)]
    if any(_SEARCH.search(host_of(outcome.url)) for outcome in blocked):
        listed.append(Route(id="other-search-engine", tier=Tier.T1, result="not_tried", note=later))
    barriers = {outcome.reading.barrier for outcome in blocked}
    if barriers & {Barrier.PAGE_GONE, Barrier.SITE_CHANGED}:
        listed.append(Route(id="site-search", tier=Tier.T2, result="not_tried", note=later))
    if barriers & _EVADABLE:
        listed += [Route(id=name, tier=Tier.T3, result="not_permitted", note=note) for name, note in _FORBIDDEN]
    return tuple(listed)
