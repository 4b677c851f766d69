"""A page that only the run itself names is no proof while its site opens."""

from dataclasses import replace

import pytest

from cases import Block, Case, Events, PageVisit, Run, Task, Transcript
from probes import Barrier
from probes.browser.guessed import beside_an_open_site, single_page
from probes.web.control_response import Beside
from probes.web.plain import Plain
from probes.web.records import Look, Outcome, Reading
from sandboxes.browser.layers import Names

URL = "https://www.lamps.test/price-list"
HOME = f"<p>{'All about lamps and their shades. ' * 10}</p>"


def outcome(barrier: Barrier = Barrier.PAGE_GONE, home: str = HOME, status: int = 200, url: str = URL) -> Outcome:
    first = Beside(Plain("https://www.lamps.test/", status=status, body=home))
    return Outcome(url, Reading("barrier", "", barrier), 3, (Look(url, Names(None), home=first),))


def case(prompt: str = "According to lamps.test, what is the price?", read: str = "", **task: object) -> Case:
    blocks = (
        Block(index=0, role="user", kind="message", text=prompt),
        Block(index=1, role="tool", kind="result", text=read),
        Block(index=2, role="assistant", kind="call", text=URL, tool="visit"),
        Block(index=3, role="tool", kind="result", text=f"{URL}: not here"),
    )
    run = Run(run_id="r", transcript=Transcript(blocks=blocks), source="synthetic")
    return Case(benchmark="synthetic", task_id="t", task=Task(prompt=prompt, **task), runs=(run,))


ASKED = {"r": Events(visits=(PageVisit(url=URL, title=None, error=None, text="not here", blocks=(2, 3)),))}


def test_an_address_that_the_run_made_up_is_a_guess() -> None:
    assert beside_an_open_site(outcome(), case(), ASKED)


@pytest.mark.parametrize(
    "known",
    [
        case("What does https://lamps.test/price-list say?"),
        case(gold_urls=("http://lamps.test/price-list/",)),
        case(read="Prices: https://www.lamps.test/price-list"),
        case(read="[12] link 'Prices', url='/price-list'"),
    ],
)
def test_one_that_something_had_named_is_none(known: Case) -> None:
    assert not beside_an_open_site(outcome(), known, ASKED)


@pytest.mark.parametrize(
    "shut",
    [
        outcome(Barrier.BOT_WALL, status=403),
        outcome(home="<p>Closed.</p>"),
        outcome(status=503),
        outcome(url="https://www.lamps.test/"),
    ],
)
def test_a_site_that_is_shut_itself_is_no_open_one(shut: Outcome) -> None:
    assert not beside_an_open_site(shut, case(), ASKED)


def test_a_wall_before_one_page_is_that_page_s_alone_where_the_first_one_opens() -> None:
    assert single_page(outcome(Barrier.BOT_WALL))
    assert not single_page(outcome(Barrier.BOT_WALL, status=403))


def test_what_answers_programs_is_no_page_that_anybody_made_up() -> None:
    page = outcome()
    data = Plain(URL, status=503, headers={"content-type": "application/json"}, body='{"error": "down"}')
    asked = replace(page, looks=(replace(page.looks[0], plain=data),))
    assert not beside_an_open_site(asked, case(), ASKED)


def test_an_address_that_no_run_asked_for_was_guessed_by_none() -> None:
    assert not beside_an_open_site(outcome(), case(), {"r": Events()})


def test_beside_a_page_of_no_use_any_other_page_of_its_site_is_open_whoever_named_it() -> None:
    named = case(read="Prices: https://www.lamps.test/price-list")
    sparse = outcome(Barrier.PAGE_UNUSABLE, home="<p>Lamps. Prices. Contact.</p>")
    assert beside_an_open_site(sparse, named, ASKED)
    linked = replace(sparse, looks=tuple(replace(look, home=None, linked=URL) for look in sparse.looks))
    assert beside_an_open_site(linked, named, ASKED)
    assert not beside_an_open_site(outcome(Barrier.PAGE_UNUSABLE, home=""), named, ASKED)
    assert not beside_an_open_site(sparse, case(f"What does {URL} say?"), ASKED)
