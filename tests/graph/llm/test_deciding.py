"""A model's hypotheses never decide by themselves: over all answers, whatever they say."""

import random
from itertools import product

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cases import Outcome
from graph.decide import decide
from graph.verdict import Assistance, JudgeInputs, Status
from probes import Answer, Barrier, Question
from tests.graph.synthetic import ANSWERS, BAD, CASE, GOOD, RUN, finding, hypothesis, three

YES, NO, UNKNOWN = Answer.YES, Answer.NO, Answer.UNKNOWN
CALM = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
SPOKEN = {"limits", "assistance"}
"""All else in a verdict decides, or says why."""


def proposed(number, barrier=Barrier.COMMAND):
    return hypothesis(number, barrier).model_copy(update={"proposer": "model"})


def unspecified(number=1):
    return hypothesis(number, Barrier.UNSPECIFIED).model_copy(update={"proposer": "claim"})


def deciding(verdict):
    return verdict.model_dump_json(exclude=SPOKEN)


controls = st.lists(st.sampled_from([GOOD, BAD]), max_size=2).map(tuple)


def findings_about(*numbers):
    probes = st.sampled_from(["transcript", "peers", "browser", "replay"])
    one = st.builds(
        finding, st.sampled_from(list(Question)), st.sampled_from(ANSWERS), controls, probes, st.sampled_from(numbers)
    )
    return st.lists(one, max_size=10).map(lambda found: list({item.id: item for item in found}.values()))


own_hypotheses = st.sampled_from([[], [hypothesis(1)], [unspecified(1)], [hypothesis(1), unspecified(2)]])
cases = st.sampled_from(
    [
        CASE,
        CASE.model_copy(
            update={
                "runs": (RUN.model_copy(update={"transcript": RUN.transcript.model_copy(update={"complete": False})}),)
            }
        ),
    ]
)


@CALM
@given(cases, own_hypotheses, findings_about(1, 2), findings_about(8, 9))
def test_where_rules_settle_it_no_model_changes_a_byte(case, own, findings, of_the_model):
    alone = decide(case, own, findings)
    helped = decide(case, [*own, proposed(8), proposed(9)], [*findings, *of_the_model])
    if alone.status is not Status.INCONCLUSIVE and (own or helped.status is not Status.SUPPORTED):
        assert deciding(helped) == deciding(alone)


@pytest.mark.parametrize("answers", list(product(ANSWERS, repeat=3)))
def test_where_rules_find_nothing_only_a_barrier_that_is_measured_in_full_changes_a_byte(answers):
    alone = decide(CASE, [], [])
    found = three(*answers, number=8)
    helped = decide(CASE, [proposed(8)], found)
    assert alone.status is Status.NOT_SUPPORTED
    assert (helped.status is Status.SUPPORTED) == (answers == (YES, NO, YES))
    assert (deciding(helped) == deciding(alone)) == (answers != (YES, NO, YES))
    without_controls = [item.model_copy(update={"controls": ()}) for item in found]
    assert deciding(decide(CASE, [proposed(8)], without_controls)) == deciding(alone)


def test_where_every_run_passed_there_is_nothing_that_a_model_could_have_found():
    passed = CASE.model_copy(update={"runs": (RUN.model_copy(update={"outcome": Outcome.PASSED}),)})
    assert deciding(decide(passed, [proposed(8)], three(YES, NO, YES, number=8))) == deciding(decide(passed, [], []))


@CALM
@given(cases, own_hypotheses, findings_about(1, 2), findings_about(8, 9))
def test_what_no_probe_has_measured_changes_nothing_ever(case, own, findings, of_the_model):
    unmeasured = [item for item in of_the_model if item.question is not Question.PRESENT]
    alone = decide(case, own, findings)
    assert deciding(decide(case, [*own, proposed(8), proposed(9)], [*findings, *unmeasured])) == deciding(alone)
    assert deciding(decide(case, [*own, proposed(8), proposed(9)], findings)) == deciding(alone)


@CALM
@given(cases, own_hypotheses, findings_about(1, 2), findings_about(8, 9))
def test_a_model_brings_support_only_by_three_answers_with_controls(case, own, findings, of_the_model):
    alone = decide(case, own, findings)
    helped = decide(case, [*own, proposed(8), proposed(9)], [*findings, *of_the_model])
    if helped.score != alone.score:
        assert helped.leading in ("h8", "h9")
        decisive = [item for item in of_the_model if item.id in helped.decisive and item.hypothesis == helped.leading]
        assert {item.question for item in decisive} == set(Question)
        assert all(item.controls and all(control.passed for control in item.controls) for item in decisive)


@CALM
@given(own_hypotheses, findings_about(1, 2), findings_about(8, 9), st.randoms())
def test_the_order_of_a_models_hypotheses_and_findings_does_not_change_the_status(
    own, findings, more, shuffler: random.Random
):
    extra = [proposed(8), proposed(9)]
    first = decide(CASE, [*own, *extra], [*findings, *more])
    shuffled = [*findings, *more]
    shuffler.shuffle(shuffled)
    assert decide(CASE, [*own, *extra], shuffled) == first
    assert decide(CASE, [*own, *extra[::-1]], shuffled).status is first.status


@pytest.mark.parametrize("answers", list(product(ANSWERS, repeat=3)))
def test_where_nobody_names_an_error_a_measured_hypothesis_settles_it(answers):
    verdict = decide(CASE, [unspecified(), proposed(8)], three(*answers, number=8))
    present, passable, caused = answers
    expected = Status.INCONCLUSIVE
    if answers == (YES, NO, YES):
        expected = Status.SUPPORTED
    elif (present, passable) == (YES, YES):
        expected = Status.NOT_SUPPORTED
    assert verdict.status is expected
    assert caused in ANSWERS


def test_a_refuted_proposal_does_not_settle_what_rules_have_left_open():
    verdict = decide(CASE, [hypothesis(1), proposed(8)], three(YES, YES, YES, number=8))
    assert verdict.status is Status.INCONCLUSIVE
    assert verdict.leading == "h1"


def test_of_two_proposals_one_that_stays_open_keeps_it_open():
    found = [*three(YES, YES, YES, number=8), finding(Question.PRESENT, YES, number=9)]
    assert decide(CASE, [unspecified(), proposed(8), proposed(9)], found).status is Status.INCONCLUSIVE


def test_failures_of_the_model_and_idle_proposals_stand_in_the_limits():
    basis = JudgeInputs(
        assistance=Assistance(model="m", failures=("The model was of no help.",), unread=("r1: blocks 2-4",))
    )
    verdict = decide(CASE, [unspecified(), proposed(8)], [], basis)
    assert "The model was of no help." in verdict.limits
    assert any("r1: blocks 2-4" in limit for limit in verdict.limits)
    assert any("[h8]; this decides nothing here" in limit for limit in verdict.limits)
    assert verdict.assistance == basis.assistance
