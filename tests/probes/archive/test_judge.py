"""Then and now judged without a browser: the same pages of the lab, and what must not be taken for evidence."""

import datetime as dt
from dataclasses import replace
from urllib.parse import urlsplit

import pytest

from cases.answers.places import found, restated
from cases.answers.presence import presence
from probes import Answer
from probes.archive.copies import captures_of
from probes.archive.judge import Facts, caused, contradiction, present, successor, time_asked, times
from probes.archive.live import Live
from probes.archive.passing import known_ways
from probes.web.plain import Plain
from probes.web.rules import visible_text
from tests.lab.web.archive import archive_answer
from tests.lab.web.scenarios import render
from tests.probes.archive.tasks import TASKS, case_of, hypothesis_of

RUN = dt.date(2024, 6, 1)


async def from_the_archive(url: str) -> Plain:
    """What the lab's archive answers, without a wire."""
    parts = urlsplit(url)
    target = f"{parts.path}?{parts.query}" if parts.query else parts.path
    answer = archive_answer(parts.hostname or "", target)
    assert answer
    body = render(answer, "", "").decode()
    return Plain(url, answer.status, {name.lower(): text for name, text in answer.headers.items()}, body=body)


async def facts_of(page, **other) -> Facts:
    case = case_of(page, **other)
    text = visible_text(render(page.now, "", "").decode())
    state = "gone" if page.now.status == 404 else presence((text,), case.task, page.url)
    found_ = await captures_of(page.url, RUN, from_the_archive)
    copies = tuple(
        replace(copy, shows=presence((copy.text,), case.task, page.url) if copy.readable else "absent")
        for copy in found_.copies
    )
    return Facts(
        barrier=hypothesis_of(page).barrier,
        task=case.task,
        lives=(Live(page.url, state, "as the lab has it", (text,) * 3, page.now.status),),
        captures=(replace(found_, copies=copies),),
        left_out=(),
        runs=case.runs,
        dated=True,
    )


def status_of(facts: Facts) -> tuple[str, str]:
    answer, words = present(facts)
    way = known_ways(facts)
    cause, why = caused(facts, contradiction(facts) or successor(facts))
    told = f"{words}; {way.words}; {why}"
    if Answer.YES is way.answer or (Answer.NO is cause and answer is not Answer.NO):
        return "not_supported", told
    supported = (answer, way.answer, cause) == (Answer.YES, Answer.NO, Answer.YES)
    return "supported" if supported else "inconclusive", told


@pytest.mark.parametrize("name", [name for name in TASKS if name != "wall-now"])
async def test_each_page_of_the_archive_gets_the_status_that_is_true_of_it(name):
    page = TASKS[name]
    status, told = status_of(await facts_of(page))
    assert status == page.truth, told
    assert page.says.casefold() in told.casefold(), told


async def test_only_an_answer_that_the_page_gives_today_blames_the_expected_one():
    page = TASKS["outdated"]
    for answer, cause in (
        ("$1,340", Answer.YES),
        ("1340", Answer.UNKNOWN),
        ("It costs $1,340.", Answer.YES),
        ("$1,340 or $1,400", Answer.UNKNOWN),
        ("$1,250", Answer.NO),
        ("$99", Answer.NO),
        ("I could not find it.", Answer.UNKNOWN),
        (None, Answer.UNKNOWN),
    ):
        facts = await facts_of(page, answer=answer)
        assert caused(facts, successor(facts))[0] is cause, answer


async def test_a_page_of_the_task_that_was_not_looked_at_leaves_it_open():
    facts = replace(await facts_of(TASKS["outdated"]), left_out=("https://other.test/: 5 are enough",))
    assert present(facts) == (Answer.UNKNOWN, "https://other.test/: 5 are enough")
    assert known_ways(facts).answer is Answer.UNKNOWN


async def test_without_any_date_no_copy_is_of_the_tasks_time():
    facts = replace(await facts_of(TASKS["outdated"]), captures=(), dated=False)
    assert present(facts)[0] is Answer.UNKNOWN
    assert "has a date" in present(facts)[1]


async def test_visits_that_show_different_values_leave_no_successor():
    facts = await facts_of(TASKS["outdated"])
    live = facts.lives[0]
    texts = (*live.texts[:2], live.texts[2].replace("1,340", "1,360"))
    assert successor(facts) is not None
    assert successor(replace(facts, lives=(replace(live, texts=texts),))) is None


PRICE = "The Aurora standard lamp costs {} including the shade."


@pytest.mark.parametrize(
    ("then", "now", "gold", "said"),
    [
        (PRICE.format("$1,250"), PRICE.format("$1,340"), "1250", "$1,340"),
        (PRICE.format("$1,250"), PRICE.format("€1,340"), "1250", None),
        (PRICE.format("$1,250"), f"{PRICE.format('$1,340')} {PRICE.format('$1,400')}", "1250", None),
        (f"{PRICE.format('$1,250')} {PRICE.format('$1,340')}", PRICE.format("$1,340"), "1250", None),
        ("Price: $1,250 per lamp", "Price: $1,340 per lamp", "$1,250", None),
        ("The show opens on 5 March 2024 at noon", "The show opens on 2025-03-07 at noon", "2024-03-05", "2025-03-07"),
    ],
)
def test_only_the_very_same_words_tell_what_has_taken_a_values_place(then, now, gold, said):
    place = restated(then, now, gold, (), "how much, in dollars")
    assert (place.text if place else None) == said


@pytest.mark.parametrize(
    ("page", "value", "seen"),
    [
        ("It costs $1,250.00 today.", "$1,250", True),
        ("It costs 1 250 dollars today.", "$1,250", True),
        ("It is 25 km away", "twenty-five km", True),
        ("Opened 5th of March 2024.", "2024-03-05", True),
        ("by Márta Kivinen, editor", "Marta Kivinen", True),
        ("It costs $11,250.00 today.", "$1,250", False),
        ("Order A1250 of 2024-12-50", "1250", False),
        ("version 1.250.3", "1.250", False),
        ("It costs €1,250", "$1,250", False),
        ("Marta and Kivinen", "Marta Kivinen", False),
    ],
)
def test_a_value_is_found_however_a_page_writes_it(page, value, seen):
    assert bool(found(page, value, "how much, in dollars")[0]) is seen


def test_a_task_asks_for_today_unless_its_words_say_otherwise():
    assert time_asked("How much does the lamp cost?") == "today"
    assert time_asked("What is the latest price?") == "today"
    assert time_asked("How much did it cost in 2023?") == "past"
    assert time_asked("Which company founded in 2015 is currently the largest?") == "unclear"
    assert time_asked("Who was the first chair?") == "unclear"
    assert time_asked(None) == "unclear"
    assert all(phrase.source for kind in times() for phrase in kind[1])
