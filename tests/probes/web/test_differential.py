"""Controls of a class: each is able to fail, and no ordinary odd site fails one."""

from dataclasses import replace

import pytest

from probes import Answer, Barrier
from probes.web.control_response import Beside
from probes.web.differential import controlled
from probes.web.judge import agree, present
from probes.web.plain import Plain
from probes.web.records import Look
from probes.web.rules import Match
from probes.web.snapshot import View
from sandboxes.browser.layers import Handshake, Names

URL, HOME, SIBLING = "https://site.test/a/page", "https://site.test/", "https://site.test/a/no-such"
PAGE = "<p>" + "An ordinary page about lamps and lakes. " * 12
OTHER = "<p>" + "Welcome to quite another place of words. " * 12
SOFT = "<title>404 not found</title><p>" + "There is nothing of that name here, sorry. " * 4
WALL = Match("v.rule", Barrier.BOT_WALL, "Vendor", decisive=True, markers=("element #wall",))


def beside(url: str, status: int | None, body: str = "", *matches: Match, error: str = "", chain=()) -> Beside:
    return Beside(Plain(url, status, body=body, error=error, chain=chain), matches)


def seen(status=404, plain=404, body="", *, home=None, sibling=None, text=PAGE, view=URL, **more) -> Look:
    return Look(
        URL,
        Names("127.0.0.1:1"),
        Handshake("ok"),
        Plain(URL, plain, body=body, **more.pop("plain_more", {})),
        View(view, status, text=text, html=body, title=more.pop("title", ""), error=more.pop("error", "")),
        home=home or beside(HOME, 200, OTHER),
        sibling=sibling or beside(SIBLING, 404),
        **more,
    )


def outcome(look: Look):
    return controlled(agree(URL, (look,) * 3, 3))


@pytest.mark.parametrize(
    ("look", "barrier"),
    [
        (seen(), Barrier.PAGE_GONE),
        (seen(plain=403), Barrier.PAGE_GONE),
        (seen(home=beside(HOME, 404)), Barrier.PAGE_GONE),
        (seen(home=beside(HOME, 403)), Barrier.PAGE_GONE),
        (seen(home=beside(HOME, 401), sibling=beside(SIBLING, 200, PAGE)), Barrier.PAGE_GONE),
        (seen(sibling=beside(SIBLING, 403)), Barrier.PAGE_GONE),
        (seen(200, 200, SOFT, sibling=beside(SIBLING, 200, SOFT), title="404 not found"), Barrier.PAGE_GONE),
        (seen(200, 301, view=HOME), Barrier.REDESIGNED),
        (seen(503, 503, PAGE), Barrier.SERVER_ERROR),
        (seen(503, 403), Barrier.SERVER_ERROR),
        (seen(403, 403), Barrier.REFUSED),
        (seen(403, 200, "<p>a few words</p>"), Barrier.REFUSED),
        (seen(451, 403), Barrier.GEO_BLOCK),
        (seen(200, 200, "<div id=app></div><script>draw()</script>", text=" "), Barrier.JAVASCRIPT),
        (seen(200, 200, "<div id=app></div>", text=" "), Barrier.PAGE_UNUSABLE),
        (seen(403, 200, PAGE, matches=(WALL,)), Barrier.BOT_WALL),
        (seen(None, None, error="timed out", plain_more={"error": "timed out"}), Barrier.TIMEOUT),
    ],
)
def test_an_odd_site_does_not_void_a_barrier(look, barrier):
    settled = outcome(look)
    assert settled.reading.barrier is barrier, settled.reading
    assert all(control.passed for control in settled.controls)
    assert bool(settled.controls) == (barrier is not Barrier.BOT_WALL)


@pytest.mark.parametrize(
    ("look", "name"),
    [
        (seen(home=beside(HOME, 503)), "same-host home page"),
        (seen(home=beside(HOME, 200, PAGE, WALL)), "same-host home page"),
        (seen(home=beside(HOME, None, error="timed out")), "same-host home page"),
        (seen(sibling=beside(SIBLING, 404, "", WALL)), "random sibling path"),
        (seen(sibling=beside(SIBLING, 429)), "random sibling path"),
        (seen(plain=200, body=PAGE), "plain against browser"),
        (seen(503, 200, PAGE), "plain against browser"),
        (seen(403, 200, PAGE), "plain against browser"),
        (seen(None, 200, PAGE, error="timed out"), "plain against browser"),
        (seen(200, 200, PAGE, text=" "), "scripts against none"),
    ],
)
def test_a_control_that_contradicts_a_barrier_makes_it_unknown(look, name):
    settled = outcome(look)
    assert settled.reading.kind == "unknown"
    assert "a control contradicts it" in settled.reading.detail
    assert [control.name.partition(" (")[0] for control in settled.controls if not control.passed] == [name]
    assert present(Barrier.UNSPECIFIED, (settled,), needed=False)[0] is Answer.UNKNOWN


def test_a_page_that_only_its_query_names_has_no_address_beside_it():
    url = "https://site.test/?p=12"
    numbered = Look(url, Names("127.0.0.1:1"), Handshake("ok"), Plain(url, 404), View(url, 404, text=PAGE))
    settled = controlled(agree(url, (replace(numbered, home=beside(HOME, 200, OTHER)),) * 3, 3))
    assert settled.reading.barrier is Barrier.PAGE_GONE
    assert len(settled.controls) == 2


def test_an_address_that_is_asked_of_nobody_else_is_not_believed():
    bare = Look(URL, Names("127.0.0.1:1"), Handshake("ok"), Plain(URL, 404), View(URL, 404, text=PAGE))
    assert outcome(bare).reading.kind == "unknown"
