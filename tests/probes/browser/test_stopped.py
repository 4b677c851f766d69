"""What a recorded page was, beside what stands there now."""

from dataclasses import replace

import pytest

from cases import Block, Case, Events, PageVisit, Run, Task, Transcript
from cases.sites import with_sites
from probes import Answer, Barrier
from probes.browser.stopped import alike, stopped
from probes.web.records import Look, Outcome, Reading
from probes.web.snapshot import View
from sandboxes.browser.layers import Names
from tests.probes.conftest import hypothesis

URL = "https://www.lamps.test/price-list"
NOW = View(URL, status=403, text="Access to this page has been denied.")
OUTCOME = Outcome(URL, Reading("barrier", "", Barrier.REFUSED), 3, (Look(URL, Names(None), view=NOW),))
LAMPS = "The Aurora lamp costs 12 euros and has a green shade. "
SCRIPT = "<script>window.x = 'a long script that nobody sees';</script>" * 9


def caused(
    recorded: str, site: str = "www.lamps.test", url: str = URL, before: tuple[Block, ...] = (), *, led: bool = False
) -> Answer:
    asked = f"According to {site}, what is the price?"
    block = Block(index=len(before), role="tool", kind="result", text=recorded)
    run = Run(run_id="r", transcript=Transcript(blocks=(*before, block)), source="synthetic")
    case = Case(benchmark="synthetic", task_id="t", task=with_sites(Task(prompt=asked)), runs=(run,))
    events = Events(visits=(PageVisit(url=url, title=None, error=None, text=recorded, blocks=(block.index,)),))
    asked_about = hypothesis(url, barrier="page_unusable")
    return stopped(asked_about, case, run, events, (replace(OUTCOME, url=url),), led=led)[0]


@pytest.mark.parametrize(
    "recorded",
    [
        "",
        "Nein.",
        "Sorry, you have been blocked. You have no permission to access this page. "
        + "Ray ID: 1a2b3c4d. " * 10
        + "Access denied.",
        f"<!doctype html><html><head>{SCRIPT}</head><body><p>Please wait.</p></body></html>",
        f"<html><title>X</title><body><p>Bitte bestätigen Sie, dass Sie ein Mensch sind.</p>{SCRIPT}</body></html>",
    ],
)
def test_a_notice_is_no_page_that_the_run_got(recorded: str) -> None:
    assert caused(recorded) is Answer.YES


@pytest.mark.parametrize("recorded", [LAMPS * 6, f"<html><body><p>{LAMPS * 6}</p>{SCRIPT}</body></html>"])
def test_a_page_with_content_is(recorded: str) -> None:
    assert caused(recorded) is Answer.NO


def test_a_long_page_that_speaks_of_refusals_is_one_too() -> None:
    assert caused(LAMPS * 40 + "Access denied? Ask the shop.") is Answer.NO


def test_another_host_of_the_task_s_site_is_needed_unless_the_agent_thought_of_it_and_no_page_leads_there() -> None:
    other = "https://prices.lamps.com/list"
    call = Block(index=1, role="assistant", kind="call", text=f"goto {other}")
    page = Block(index=0, role="tool", kind="result", text=f"Lamps. Our prices: {other}")
    assert caused("", "lamps.com", other, (page, call)) is Answer.YES
    assert caused("", "lamps.com", other, (call.model_copy(update={"index": 0}),)) is Answer.UNKNOWN
    assert caused("", "lamps.com", other, (call.model_copy(update={"index": 0}),), led=True) is Answer.YES
    assert caused("", "prices.lamps.com", other, (call.model_copy(update={"index": 0}),)) is Answer.YES
    assert caused("", "lamps.com", "https://www.lamps.com/list", ()) is Answer.YES


HOME = "https://www.lamps.test/"
WELCOME = "Welcome to the house of lamps, where every lamp is made by hand since 1911. " * 5


def caused_beside_home(
    barrier: Barrier, *, gold: str | None, told: str, home: str = WELCOME, shut_at: str = URL, stands: str = ""
) -> Answer:
    """A run that was shown the first page and refused the price list, which it had read of there."""
    asked = f"According to {told}, what does the Aurora lamp cost?"
    texts = (f"{home} See {shut_at}", "Please sign in.")
    blocks = tuple(Block(index=at, role="tool", kind="result", text=text) for at, text in enumerate(texts))
    run = Run(run_id="r", transcript=Transcript(blocks=blocks), source="synthetic")
    task = with_sites(Task(prompt=asked, gold=gold))
    case = Case(benchmark="synthetic", task_id="t", task=task, runs=(run,))
    visits = tuple(
        PageVisit(url=url, title=title, error=None, text=text, blocks=(at,))
        for at, (url, title, text) in enumerate(
            (
                (HOME, "Made by hand – House of Lamps", texts[0]),
                (shut_at, "Sign in – House of Lamps" if shut_at == URL else "Check", texts[1]),
            )
        )
    )
    where = stands or shut_at
    looks = (Look(where, Names(None), view=replace(NOW, url=where)),)
    shut = replace(OUTCOME, url=where, looks=looks, reading=Reading("barrier", "", barrier))
    asked_about = hypothesis(where, barrier="page_unusable")
    return stopped(asked_about, case, run, Events(visits=visits), (shut,))[0]


def test_another_page_of_the_site_does_not_stand_for_the_one_that_is_shut() -> None:
    told, gold = "www.lamps.test", "12.75 euros"
    assert caused_beside_home(Barrier.LOGIN, gold=gold, told=told) is Answer.YES
    assert caused_beside_home(Barrier.LOGIN, gold=None, told=told) is Answer.UNKNOWN
    assert caused_beside_home(Barrier.LOGIN, gold=gold, told=told, home=f"{WELCOME} 12.75 euros.") is Answer.NO
    assert caused_beside_home(Barrier.BOT_WALL, gold=gold, told=told) is Answer.NO, "it guards every page of a site"


def test_a_shut_page_that_the_run_never_asked_for_did_not_stop_it() -> None:
    never = "https://www.lamps.test/another-list"
    found = caused_beside_home(Barrier.LOGIN, gold="12.75 euros", told="www.lamps.test", stands=never)
    assert found is Answer.UNKNOWN


def test_a_sign_in_that_the_run_met_on_another_page_of_the_site_is_the_same_one() -> None:
    never, gate = "https://www.lamps.test/another-list", "Members sign in here with their name and password. " * 6
    visits = (
        PageVisit(url=HOME, title="House of Lamps", error=None, text=WELCOME, blocks=(0,)),
        PageVisit(url="https://www.lamps.test/sign-in", title="Sign in", error=None, text=gate, blocks=(1,)),
    )
    blocks = tuple(Block(index=at, role="tool", kind="result", text=one.text) for at, one in enumerate(visits))
    run = Run(run_id="r", transcript=Transcript(blocks=blocks), source="synthetic")
    task = with_sites(Task(prompt="According to www.lamps.test, what does the Aurora cost?", gold="12.75 euros"))
    case = Case(benchmark="synthetic", task_id="t", task=task, runs=(run,))
    for barrier, answer in ((Barrier.LOGIN, Answer.YES), (Barrier.PAGE_GONE, Answer.UNKNOWN)):
        looks = (Look(never, Names(None), view=View(never, status=200, text=gate)),)
        shut = Outcome(never, Reading("barrier", "", barrier), 3, looks)
        asked_about = hypothesis(never, barrier="page_unusable")
        assert stopped(asked_about, case, run, Events(visits=visits), (shut,))[0] is answer


def test_a_task_names_a_site_by_what_its_pages_call_themselves() -> None:
    assert caused_beside_home(Barrier.LOGIN, gold="12.75 euros", told="the House of Lamps") is Answer.YES
    assert caused_beside_home(Barrier.LOGIN, gold="12.75 euros", told="the Hall of Lamps") is Answer.UNKNOWN
    assert caused_beside_home(Barrier.LOGIN, gold="12.75 euros", told="a house of lamps") is Answer.UNKNOWN


def test_a_site_that_the_run_chose_is_not_needed_where_the_one_that_the_task_names_was_open() -> None:
    elsewhere = "https://www.ratings.test/aurora"
    assert caused_beside_home(Barrier.BOT_WALL, gold=None, told="the House of Lamps", shut_at=elsewhere) is Answer.NO
    assert caused_beside_home(Barrier.BOT_WALL, gold=None, told="somebody", shut_at=elsewhere) is Answer.UNKNOWN
    both = "the House of Lamps and www.ratings.test"
    assert caused_beside_home(Barrier.BOT_WALL, gold=None, told=both, shut_at=elsewhere) is Answer.YES


def test_an_outline_of_a_page_is_compared_by_the_page_s_words() -> None:
    wall = "Members only. You must be a member of the club to read this topic. Sign in"
    frame = [("link", word) for word in ("Skip", "Home", "Rules", "Team", "Contact", "Help", "Privacy", "Imprint")]
    said = [("heading", "Members only."), ("paragraph", "You must be a member of the club to read this topic.")]
    outline = "".join(
        f'  - {role} "{words}" [ref=e{place}] [cursor=pointer]:\n    - /url: /somewhere/{place}\n'
        for place, (role, words) in enumerate((*frame, *said, ("button", "Sign in")))
    )
    assert alike(outline, wall)
    assert not alike(outline + "Much more than that stands on a page of content. " * 20, wall)


def test_a_part_of_the_page_that_stands_there_now_is_no_other_page() -> None:
    menu = (
        "Portada Local Comarca Cultura Deportes Opinión Suscríbete Buscar Quiénes somos Aviso legal Privacidad Cookies "
        "Contacto Tienda Esquelas Loterías Farmacias Agenda Horóscopo Tiempo"
    )
    wall = f"El último molino. La familia guarda la llave. Exclusivo para suscriptores: inicia sesión. {menu}"
    below = "\n".join(f"[{number}] link '{word}'" for number, word in enumerate(menu.split() * 2))
    assert alike(below, f"{wall} Avisos, horarios y otras muchas palabras del pie que entonces no se veían")
    prices = "\n".join(f"[{number}] StaticText '{number / 7:.2f} {number * 3}'" for number in range(2, 14))
    assert not alike(f"{below}\n{prices}", wall), "numbers are of its own, too"
