"""From what was seen to what it means: pure functions, no clock and no network."""

from dataclasses import replace

from cases.sentences import Sentences
from cases.sites import of_one_site
from probes.barriers import Trait, entry, having
from probes.model import Answer, Barrier
from probes.web.gates import by_structure
from probes.web.likeness import echoes, same
from probes.web.records import Look, Outcome, Reading
from probes.web.rules import count
from probes.web.snapshot import View
from sandboxes.browser.urls import home_of, host_of, led_home

say = Sentences(__name__)

EMPTY_TEXT = 20
"""Visible characters below which a page shows nothing."""

_STATUS: dict[int, Barrier] = {
    401: Barrier.LOGIN,
    404: Barrier.PAGE_GONE,
    407: Barrier.REFUSED,
    410: Barrier.PAGE_GONE,
    451: Barrier.GEO_BLOCK,
}

# What Chromium's and the proxy's words mean, first hit wins.
_FAILURES: tuple[tuple[tuple[str, ...], Barrier, str], ...] = (
    (("timed out", "TIMED_OUT", "in time", "too long"), Barrier.TIMEOUT, say("judge.page_not_answer")),
    (("INVALID_AUTH",), Barrier.LOGIN, "status 401"),
    (("CONNECTION_", "EMPTY_RESPONSE", "CERT_", "SSL_", "HTTP2_", "refused", "reset"), Barrier.REFUSED, ""),
)

_SCRIPTS = "script[src], script:not([type]), script[type*=javascript], script[type=module]"
_UNNAMED = frozenset({Barrier.UNSPECIFIED, Barrier.NETWORK, Barrier.PAGE_UNUSABLE})
"""What claims no wall in particular."""


def read(look: Look) -> Reading:
    """The meaning of one visit; the content oracle speaks first, then the layers from below."""
    for step in _STEPS:
        if reading := step(look):
            return reading
    return Reading("ok", say("judge.page_opens"))


def _content(look: Look) -> Reading | None:
    if look.seen:
        return Reading("ok", say("judge.needed_text_visible"))
    return None


def _moved_on(look: Look) -> Reading | None:
    """A page that opens only to send its readers to a place that is not there."""
    view, names = look.view, look.onward
    if not view or not view.onward or names is None:
        return None
    there = host_of(view.onward)
    if names.gone:
        told = say("judge.page_leads_name", there=there)
        return Reading("barrier", told, Barrier.PAGE_UNUSABLE)
    if not names.found:
        return Reading("unknown", say("judge.page_leads_not", there=there))
    if view.denied:
        return None
    return Reading("barrier", say("judge.page_leads_not_open", there=there, error=view.error), Barrier.PAGE_UNUSABLE)


def _guard(look: Look) -> Reading | None:
    if look.refused:
        return Reading("unknown", look.refused)
    if look.crashed:
        return Reading("unknown", look.crashed)
    if look.view and look.view.denied:
        return Reading("unknown", look.view.error or say("judge.our_own_guard"))
    return None


def _below_http(look: Look) -> Reading | None:
    if not look.names.found:
        if look.names.gone:
            return Reading("barrier", say("judge.resolvers_agree_name"), Barrier.SITE_GONE)
        return Reading("unknown", say("judge.name_not_resolved"))
    shake = look.handshake
    if shake is None or shake.state == "ok":
        return None
    kinds = {
        "refused": (Barrier.REFUSED, say("judge.server_refuses_connections")),
        "timeout": (Barrier.TIMEOUT, say("judge.server_not_accept")),
        "unreachable": (Barrier.REFUSED, say("judge.server_cannot_reached", detail=shake.detail)),
        "tls_failed": (Barrier.REFUSED, say("judge.tls_fails", detail=shake.detail)),
    }
    barrier, detail = kinds[shake.state]
    return Reading("barrier", detail, barrier)


def _walls(look: Look) -> Reading | None:
    for match in look.matches:
        if match.decisive:
            detail = f"{match.vendor}, rule {match.rule}: {', '.join(match.markers)}"
            return Reading("barrier", detail, match.barrier, match.markers)
    return None


def _status(look: Look) -> Reading | None:
    status = look.view.status if look.view else None
    if status is None or status < 400:
        return None
    barrier = _STATUS.get(status, Barrier.SERVER_ERROR if status >= 500 else Barrier.REFUSED)
    return Reading("barrier", f"status {status}", barrier)


def _browser(look: Look) -> Reading | None:
    view = look.view
    if view is None:
        return Reading("unknown", say("judge.no_browser_visit"))
    if not view.error:
        return None
    plain = look.plain
    if ("ABORTED" in view.error or "Download" in view.error) and plain and plain.status == 200 and not plain.is_html:
        return Reading("ok", say("judge.file_served", get=plain.headers.get("content-type", "")[:60]))
    if "TOO_MANY_REDIRECTS" in view.error:
        told = say("judge.redirects_without_end") + (say("judge.cookies_set_way") if view.cookies else "")
        return Reading("barrier", told, Barrier.SESSION if view.cookies else Barrier.SERVER_ERROR)
    for words, barrier, detail in _FAILURES:
        if any(word in view.error for word in words):
            return Reading("barrier", detail or say("judge.connection_fails", error=view.error), barrier)
    return Reading("unknown", say("judge.browser_not_open", error=view.error))


def _led_home(look: Look) -> Reading | None:
    """A page that gives way to the site's first page; only a made-up address beside it tells how it is meant."""
    if not look.view or not led_home(look.url, look.view.url):
        return None
    beside = look.sibling.plain if look.sibling else None
    if beside and beside.status in {404, 410}:
        told = say("judge.site_leads_address")
        return Reading("barrier", told, Barrier.REDESIGNED)
    if beside and beside.status == 200 and beside.chain and led_home(look.url, beside.url):
        return Reading("barrier", say("judge.soft_made_up"), Barrier.PAGE_GONE)
    return Reading("unknown", say("judge.leads_site_first"))


def _paid(look: Look) -> Reading | None:
    return Reading("barrier", say("judge.page_says_not_free"), Barrier.LOGIN) if look.withheld else None


def _text(look: Look) -> Reading | None:
    view = look.view
    weak = [match for match in look.matches if not match.decisive]
    if weak:
        signs = ", ".join(f"{match.rule} ({'; '.join(match.markers)})" for match in weak)
        return Reading("unknown", say("judge.signs_not_decide", signs=signs))
    if view and view.status == 204:
        return Reading("unknown", say("judge.answer_without_content"))
    if view and len(view.text.strip()) < EMPTY_TEXT:
        return _empty(view)
    return None


def _empty(view: View) -> Reading | None:
    """A page without text: a form or pictures may be all there is to it, scripts may have failed, or it is blank."""
    if view.shape.fields:
        return None
    if count(view.html, _SCRIPTS):
        return Reading("barrier", say("judge.page_shows_no"), Barrier.JAVASCRIPT)
    if view.shape.pictures:
        return Reading("unknown", say("judge.page_shows_pictures"))
    return Reading("barrier", say("judge.page_blank_no"), Barrier.PAGE_UNUSABLE)


_STEPS = (_content, _moved_on, _guard, _below_http, _walls, _status, _browser, _led_home, _paid, by_structure, _text)


def agree(url: str, looks: tuple[Look, ...], wanted: int) -> Outcome:
    """One outcome from several visits: anything but the same barrier each time, `wanted` times, is unknown."""
    readings = [read(look) for look in looks]
    first = readings[0]
    if all(reading.kind == "ok" for reading in readings):
        return Outcome(url, first, len(looks), looks)
    kinds = {(reading.kind, reading.barrier) for reading in readings}
    if len(kinds) > 1:
        told = "; ".join(dict.fromkeys(f"{reading.kind}: {reading.detail}" for reading in readings))
        return Outcome(url, Reading("unknown", say("judge.visits_disagree", told=told)), len(looks), looks)
    if first.kind == "barrier" and len(readings) < wanted:
        return Outcome(
            url,
            Reading("unknown", say("judge.seen_times", readings=len(readings), wanted=wanted, detail=first.detail)),
            len(looks),
            looks,
        )
    return Outcome(url, first, len(looks), looks)


def one_wall(outcomes: tuple[Outcome, ...]) -> tuple[Outcome, ...]:
    """The same with addresses that seem to open, or leave it open, but show what stands as a wall at another one of the
    site.
    """
    walls = [item for item in outcomes if item.reading.kind == "barrier"]

    def judged(item: Outcome) -> Outcome:
        if item.reading.kind == "barrier" or home_of(item.url) == item.url:
            return item
        told = (wall for wall in walls if of_one_site(host_of(wall.url), host_of(item.url)) and _alike(item, wall))
        return next((replace(item, reading=wall.reading) for wall in told), item)

    return tuple(judged(item) for item in outcomes)


def _alike(one: Outcome, other: Outcome) -> bool:
    ours, theirs = ([look.view for look in item.looks if look.view] for item in (one, other))
    gone = echoes(one.url, other.url)
    return bool(ours and theirs) and all(same(view.text, theirs[0].text, gone) for view in ours)


def present(barrier: Barrier, outcomes: tuple[Outcome, ...], *, needed: bool) -> tuple[Answer, str]:
    """Whether the barrier is really there now, and the sentence that says so."""
    found = [item for item in outcomes if item.reading.kind == "barrier" and _speaks(barrier, item.reading.barrier)]
    if found and barrier is Barrier.ENTITY_GONE:
        gone = [item for item in found if item.reading.barrier in {Barrier.SITE_GONE, Barrier.PAGE_GONE}]
        every = say("judge.every_page_known") if len(gone) == len(outcomes) else say("judge.not_every_page")
        return Answer.UNKNOWN, say("judge.not_say_whether", every=every, found=_told(found))
    if found:
        exact = [item for item in found if item.reading.barrier is barrier] or found
        told = _told(exact)
        same = exact[0].reading.barrier is barrier or barrier in _UNNAMED
        return Answer.YES, told if same else say("judge.another_barrier_one", told=told)
    unclear = [item for item in outcomes if item.reading.kind != "ok"]
    if unclear or not outcomes:
        told = "; ".join(f"{item.url}: {item.reading.detail}" for item in unclear)
        return Answer.UNKNOWN, told or say("judge.there_no_address")
    shown = [item for item in outcomes if any(look.seen for look in item.looks)]
    pages = ", ".join(item.url for item in outcomes)
    if shown:
        return Answer.NO, say("judge.opens_shows_needed", url=", ".join(item.url for item in shown))
    if barrier in having(Trait.ABOUT_CONTENT):
        return (
            Answer.UNKNOWN,
            say(
                "judge.opens_but",
                pages=pages,
                how=say("judge.needed_text_not") if needed else say("judge.what_needed_not"),
            ),
        )
    return Answer.NO, say("judge.opens_without_barrier", pages=pages) + (
        say("judge.though_needed_text") if needed else ""
    )


def _speaks(claimed: Barrier, met: Barrier | None) -> bool:
    return met not in having(Trait.ABOUT_ADDRESS) or claimed in having(Trait.ABOUT_PAGES)


def _told(outcomes: list[Outcome]) -> str:
    """One clause for all addresses that met the same."""
    groups: dict[str, list[str]] = {}
    for item in outcomes:
        name = (entry(item.reading.barrier).on_page if item.reading.barrier else "") or "a barrier"
        groups.setdefault(f"{name} on all {item.visits} visits ({item.reading.detail})", []).append(item.url)
    clauses = []
    for clause, urls in groups.items():
        more = say("judge.more_addresses", number=len(urls) - 1) if len(urls) > 1 else ""
        clauses.append(f"{urls[0]}{more}: {clause}")
    return "; ".join(clauses)
