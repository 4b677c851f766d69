"""Readings compared by rule: over all answers, they add to an open question and decide nothing."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.decide import decide
from graph.readings import agreeing, contradictions
from graph.verdict import Assistance, Choice, JudgeInputs, Reading, Status
from probes import Barrier, Question
from probes.barriers import Trait, having
from tests.graph.synthetic import ANSWERS, BAD, CASE, GOOD, finding, hypothesis

TASK = "What does the cheapest current membership of the gym near Springfield cost?"
PLACES = ("Springfield, Illinois", "Springfield, Missouri", "the nearest one", "2031", "2032-01-01", "USD")
WORDING = having(Trait.ABOUT_WORDING)
choices = st.builds(
    Choice,
    aspect=st.sampled_from(["place", "time", "other"]),
    choice=st.sampled_from(PLACES),
    quote=st.sampled_from(["Springfield", "near Springfield", "current", "cheapest current membership", "elsewhere"]),
)
readings = st.lists(
    st.builds(Reading, text=st.just("It asks."), quote=st.just(TASK), choices=st.lists(choices, max_size=3).map(tuple)),
    max_size=3,
).map(tuple)


@given(
    readings,
    st.sampled_from([*sorted(WORDING), Barrier.UNSPECIFIED, Barrier.WRONG_GOLD, Barrier.HEADER]),
    st.lists(
        st.builds(
            finding,
            st.sampled_from(list(Question)),
            st.sampled_from(ANSWERS),
            st.sampled_from([(), (GOOD,), (GOOD, BAD)]),
            st.sampled_from(["specification", "transcript", "replay"]),
        ),
        max_size=5,
    ),
)
def test_no_reading_decides_and_only_open_questions_grow(read, barrier, found):
    asked = hypothesis(barrier=barrier)
    case = CASE.model_copy(update={"task": CASE.task.model_copy(update={"prompt": TASK})})
    spent = Assistance(model="m")
    alone = decide(case, [asked], found, JudgeInputs(assistance=spent))
    told = decide(case, [asked], found, JudgeInputs(assistance=spent, readings=read))
    spoken = {"limits", "open_question"}
    assert told.model_dump(exclude=spoken) == alone.model_dump(exclude=spoken)
    assert told.open_question.startswith(alone.open_question)
    if told != alone:
        assert (alone.status, barrier in WORDING | {Barrier.UNSPECIFIED}) == (
            Status.INCONCLUSIVE,
            True,
        )
        assert alone.open_question
        assert told.limits[:-1] == alone.limits


@given(readings)
def test_the_count_of_those_that_agree_does_not_depend_on_their_order(read):
    assert len({agreeing(order, TASK) for order in permutations(read)}) == 1


def choice(value, quote="Springfield", aspect="place"):
    one = Choice(aspect=aspect, choice=value, quote=quote)
    return Reading(text="It asks.", quote=quote, choices=(one,))


@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [
        (choice("Springfield, Illinois"), choice("Springfield, Missouri"), True),
        (choice("2031-02-03", "current", "time"), choice("3 February 2031", "current", "time"), False),
        (choice("as of 2023", "current", "time"), choice("as of 2024", "current", "time"), True),
        (choice("USD"), choice("usd "), False),
        (choice("New York"), choice("New York City"), False),
        (choice("Ohio"), choice("Illinois", aspect="other"), False),
        (choice("Ohio", "near Springfield"), choice("Illinois", "Springfield"), True),
        (choice("Ohio", "cheapest"), choice("Illinois", "Springfield"), False),
        (choice("€", "cost", "currency"), choice("$", "cost", "currency"), True),
    ],
)
def test_choices_contradict_by_the_same_words_about_the_same_thing_only(one, other, differ):
    for pair in ((one, other), (other, one)):
        assert bool(list(contradictions(*pair, TASK))) is differ
