"""A site gives one page at every address: whether that may be what was asked for, told in a way that nobody foresaw."""

from urllib.parse import quote

import pytest

from cases import Task
from probes import Answer, Barrier, Question
from tests.probes.browser.test_elsewhere import served
from tests.probes.browser.test_routes import probe
from tests.probes.conftest import audit, hypothesis, in_lab

pytestmark = [pytest.mark.browser]
SITE = "www.harran-ferries.test"
URL = f"http://{SITE}/info"
BOARD = b"<svg xmlns='http://www.w3.org/2000/svg' width='400' height='120'><text y='60'>14.60</text></svg>"
DRAWN = f"data:image/svg+xml,{quote(BOARD)}"
BARE = "<p>Out of order. The hosting of this account was stopped by its provider.</p>"


async def found(lab, tmp_path, page: str, gold: str, asked: str = "", pages=None):
    task = Task(prompt=f"{asked or 'How much is an adult return'}, according to {SITE}?", gold=gold, gold_urls=(URL,))
    with served(pages or {}, every=page) as address:
        web = in_lab(lab, resolve={SITE: address})
        async with audit(tmp_path, web, task=task) as context:
            told = await probe()(hypothesis(URL, barrier=Barrier.PAGE_UNUSABLE), context)
    return {finding.question: finding for finding in told}


@pytest.mark.parametrize(
    ("asked", "gold", "says"),
    [
        ("When does the last ferry leave in the evening", "19:45", "The last ferry leaves at a quarter to eight."),
        pytest.param(
            "When was the ferry of Harran founded",
            "1 May 1994",
            "We began on May Day 1994.",
            marks=pytest.mark.exhaustive,
        ),
        pytest.param(
            "What is the name of the skipper of the ferry",
            "Matthew James Eldridge",
            "Ask for Capt. M. J. Eldridge.",
            marks=pytest.mark.exhaustive,
        ),
        pytest.param(
            "How many passengers can the ferry seat",
            "1440",
            "The ferry has 3 decks, and on each 12 rows of 40 seats. " + "Dogs travel free, and so do children. " * 10,
            marks=pytest.mark.exhaustive,
        ),
    ],
)
async def test_that_speaks_of_the_task_it_is_no_barrier_whatever_form_the_answer_has(lab, tmp_path, asked, gold, says):
    present = (await found(lab, tmp_path, f"<p>{says}</p>", gold, asked))[Question.PRESENT]
    assert present.valid_answer is Answer.UNKNOWN, present.summary


@pytest.mark.parametrize(
    ("style", "answer"),
    [
        pytest.param("", Answer.YES, marks=pytest.mark.exhaustive),
        (f'p::after {{content: url("{DRAWN}")}}', Answer.UNKNOWN),
        pytest.param("p::before {content: url(/board.svg)}", Answer.UNKNOWN, marks=pytest.mark.exhaustive),
        pytest.param("body {background: url(/board.svg)}", Answer.UNKNOWN, marks=pytest.mark.exhaustive),
        pytest.param("p {border-image: url(/board.svg) 30}", Answer.UNKNOWN, marks=pytest.mark.exhaustive),
    ],
    ids=["no picture", "in a style sheet", "before a line", "behind everything", "around a line"],
)
async def test_that_speaks_of_something_else_is_one_unless_a_picture_may_show_it(lab, tmp_path, style, answer):
    pages = {"/board.svg": BOARD}
    present = (await found(lab, tmp_path, f"<style>{style}</style>{BARE}", "£14.60", pages=pages))[Question.PRESENT]
    assert present.valid_answer is answer, present.summary


TURNED = "fetch('/fares.txt').then(got => got.text()).then(text => document.body.append(text))"
LATE = f"setTimeout(() => {TURNED}, %d)"


@pytest.mark.parametrize(
    ("script", "result"),
    [
        (f"addEventListener('keydown', event => event.key == 'ArrowRight' && {TURNED})", "passed"),
        pytest.param(f"addEventListener('wheel', () => {TURNED})", "passed", marks=pytest.mark.exhaustive),
        pytest.param("addEventListener('keydown', console.log)", "not_tried", marks=pytest.mark.exhaustive),
        pytest.param("addEventListener('dragend', console.log)", "not_tried", marks=pytest.mark.exhaustive),
        pytest.param(LATE % 4_000, "passed", marks=pytest.mark.exhaustive),
        pytest.param(LATE % 90_000, "not_tried", marks=pytest.mark.exhaustive),
        pytest.param("setInterval(console.debug, 50)", "not_tried", marks=pytest.mark.exhaustive),
        pytest.param("setTimeout(console.debug, 50)", "failed", marks=pytest.mark.exhaustive),
    ],
    ids=["a key", "the wheel", "some key", "dragging", "time", "more time", "any time", "nothing"],
)
@pytest.mark.parametrize("page", [pytest.param(BARE, marks=pytest.mark.exhaustive), "<p>Wait</p>"], ids=["few", "none"])
async def test_keys_the_wheel_and_time_bring_what_a_press_does_not(lab, tmp_path, page, script, result):
    pages = {"/fares.txt": "Adult return £14.60"}
    told = await found(lab, tmp_path, f"{page}<script>{script}</script>", "£14.60", pages=pages)
    results = [one.result for one in told[Question.PASSABLE].routes if one.id.startswith("pressed")]
    assert results == [result], told[Question.PASSABLE].summary
