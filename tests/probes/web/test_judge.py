"""From looks to outcomes to answers: pure functions over synthetic looks."""

from dataclasses import replace

import pytest

from probes import Answer, Barrier
from probes.web.control_response import Beside
from probes.web.judge import Look, agree, present, read
from probes.web.plain import Plain
from probes.web.rules import Match
from probes.web.snapshot import View
from sandboxes.browser.layers import Handshake, Names
from sandboxes.browser.shape import Shape
from sandboxes.egress import Resolution

URL = "https://site.test/page"
HERE = Names("127.0.0.1:1")
LONG = "An ordinary page with enough words on it to be read by somebody."
WALL = Match("v.rule", Barrier.BOT_WALL, "Vendor", decisive=True, markers=("element #wall",))
HINT = Match("v.hint", Barrier.BOT_WALL, "Vendor", decisive=False, markers=("text x",))


def names(*states: str) -> Names:
    return Names(None, tuple(Resolution(f"r{i}", s, ("8.8.8.8",) if s == "ok" else ()) for i, s in enumerate(states)))


def page(status: int | None = 200, text: str = LONG, *, error: str = "", html: str = "", **more) -> Look:
    view = View(URL, status, text=text, error=error, html=html, shape=more.pop("shape", Shape()))
    return Look(URL, HERE, Handshake("ok"), Plain(URL, status), view, **more)


@pytest.mark.parametrize(
    ("states", "kind"),
    [
        (("nxdomain", "nxdomain"), "barrier"),
        (("nxdomain", "nodata", "failed"), "barrier"),
        (("nxdomain",), "unknown"),
        (("nxdomain", "failed"), "unknown"),
        (("failed", "failed"), "unknown"),
        (("nxdomain", "ok"), "ok"),
    ],
)
def test_only_resolvers_that_agree_say_that_a_name_is_gone(states, kind):
    look = Look(URL, names(*states), view=View(URL, 200, text=LONG))
    assert read(look).kind == kind
    assert kind != "barrier" or read(look).barrier is Barrier.SITE_GONE


@pytest.mark.parametrize(
    ("look", "barrier"),
    [
        (Look(URL, HERE, Handshake("refused")), Barrier.REFUSED),
        (Look(URL, HERE, Handshake("timeout")), Barrier.TIMEOUT),
        (Look(URL, HERE, Handshake("tls_failed", "certificate has expired")), Barrier.REFUSED),
        (page(403), Barrier.REFUSED),
        (page(418), Barrier.REFUSED),
        (page(401), Barrier.LOGIN),
        (page(404), Barrier.PAGE_GONE),
        (page(410), Barrier.PAGE_GONE),
        (page(451), Barrier.GEO_BLOCK),
        (page(500), Barrier.SERVER_ERROR),
        (page(530), Barrier.SERVER_ERROR),
        (page(200, matches=(WALL,)), Barrier.BOT_WALL),
        (page(403, matches=(WALL,)), Barrier.BOT_WALL),
        (page(200, text="  ", html="<div id=app></div><script>draw()</script>"), Barrier.JAVASCRIPT),
        (page(200, text="  ", html="<div id=app></div>"), Barrier.PAGE_UNUSABLE),
        (page(None, text="", error="ERR_CONNECTION_RESET"), Barrier.REFUSED),
        (page(None, text="", error="ERR_CERT_DATE_INVALID"), Barrier.REFUSED),
        (page(None, text="", error="timed out"), Barrier.TIMEOUT),
        (page(None, text="", error="ERR_TOO_MANY_REDIRECTS"), Barrier.SERVER_ERROR),
    ],
)
def test_every_barrier_is_read_from_its_layer(look, barrier):
    assert (read(look).kind, read(look).barrier) == ("barrier", barrier)


@pytest.mark.parametrize(
    "look",
    [
        page(200, matches=(HINT,)),
        page(204),
        page(text="", shape=Shape(pictures=1)),
        page(None, text="", error="ERR_SOMETHING_NEW"),
        Look(URL, HERE, Handshake("ok"), crashed="twice"),
        Look(URL, HERE, Handshake("ok"), refused="denied"),
        Look(URL, HERE, Handshake("ok"), view=View(URL, 403, denied=True)),
    ],
)
def test_what_does_not_decide_is_unknown(look):
    assert read(look).kind == "unknown"


def test_the_needed_text_speaks_before_any_marker_and_status():
    assert read(page(403, matches=(WALL,), seen=("1250",))).kind == "ok"


def test_visits_that_disagree_are_unknown_and_few_visits_too():
    wall, refused, open_ = page(matches=(WALL,)), page(403), page()
    assert agree(URL, (wall, wall, wall), 3).reading.barrier is Barrier.BOT_WALL
    assert agree(URL, (wall, wall, open_), 3).reading.kind == "unknown"
    assert agree(URL, (wall, refused, wall), 3).reading.kind == "unknown"
    assert agree(URL, (wall, wall), 3).reading.kind == "unknown"
    assert agree(URL, (open_,), 3).reading.kind == "ok"


def outcome(look: Look, url: str = URL):
    return agree(url, (look,) * 3, 3)


@pytest.mark.parametrize(
    ("claimed", "look", "answer"),
    [
        (Barrier.BOT_WALL, page(matches=(WALL,)), Answer.YES),
        (Barrier.REFUSED, page(403, matches=(WALL,)), Answer.YES),
        (Barrier.BOT_WALL, page(503), Answer.YES),
        (Barrier.PAGE_GONE, page(404), Answer.YES),
        (Barrier.BOT_WALL, page(404), Answer.UNKNOWN),
        (Barrier.BOT_WALL, page(), Answer.NO),
        (Barrier.SITE_CHANGED, page(), Answer.UNKNOWN),
        (Barrier.SITE_CHANGED, page(seen=("x",)), Answer.NO),
        (Barrier.BOT_WALL, page(matches=(HINT,)), Answer.UNKNOWN),
    ],
)
def test_what_one_page_says_of_a_claim(claimed, look, answer):
    assert present(claimed, (outcome(look),), needed=False)[0] is answer


def test_dead_pages_never_prove_that_what_they_were_about_exists_nowhere():
    dead, gone, open_ = outcome(page(404)), outcome(Look(URL, names("nxdomain", "nxdomain"))), outcome(page())
    for outcomes, told in (((dead, gone), "every page that we know of"), ((dead, open_), "not every page")):
        answer, sentence = present(Barrier.ENTITY_GONE, outcomes, needed=False)
        assert answer is Answer.UNKNOWN
        assert sentence.startswith(told)
    assert present(Barrier.ENTITY_GONE, (open_,), needed=False)[0] is Answer.UNKNOWN
    assert present(Barrier.ENTITY_GONE, (outcome(page(seen=("x",))),), needed=True)[0] is Answer.NO


def test_another_barrier_than_the_one_claimed_is_named():
    answer, told = present(Barrier.REFUSED, (outcome(page(matches=(WALL,))),), needed=False)
    assert answer is Answer.YES
    assert told.startswith("not the barrier we looked for")
    assert "Vendor, rule v.rule" in told


def test_one_wall_among_open_pages_is_a_barrier_and_one_doubt_among_them_a_doubt():
    wall, doubt, open_ = outcome(page(matches=(WALL,))), outcome(page(matches=(HINT,))), outcome(page())
    assert present(Barrier.BOT_WALL, (open_, wall), needed=False)[0] is Answer.YES
    assert present(Barrier.BOT_WALL, (open_, doubt), needed=False)[0] is Answer.UNKNOWN
    assert present(Barrier.BOT_WALL, (), needed=False)[0] is Answer.UNKNOWN


HOME = "https://site.test/"


def led_to(url: str, status: int | None = None, *chain: str) -> Look:
    """The page gave way to an address; a made-up one beside it was answered with `status`, if it was asked at all."""
    sibling = Beside(Plain(HOME, status, chain=chain)) if status else None
    return Look(URL, HERE, Handshake("ok"), Plain(URL, 200), View(url, 200, text=LONG), sibling=sibling)


@pytest.mark.parametrize(
    ("look", "kind", "barrier"),
    [
        (led_to(HOME), "unknown", None),
        (led_to(HOME, 404), "barrier", Barrier.REDESIGNED),
        (led_to(HOME, 410), "barrier", Barrier.REDESIGNED),
        (led_to(HOME, 200, f"302 {URL}"), "barrier", Barrier.PAGE_GONE),
        (led_to(HOME, 200), "unknown", None),
        (led_to(HOME, 403, f"302 {URL}"), "unknown", None),
        (led_to(HOME, 500), "unknown", None),
        (led_to(URL, 404), "ok", None),
        (led_to("https://site.test/other"), "ok", None),
    ],
)
def test_only_a_made_up_address_beside_a_page_that_led_home_tells_how_that_is_meant(look, kind, barrier):
    assert (read(look).kind, read(look).barrier) == (kind, barrier)


def test_a_made_up_address_that_was_led_elsewhere_tells_nothing_of_a_page_that_led_home():
    beside = Beside(Plain("https://site.test/search", 200, chain=(f"302 {URL}",)))
    assert read(replace(led_to(HOME), sibling=beside)).kind == "unknown"
