"""What a task's own text takes for right beside the expected answer, and what only looks so."""

import pytest

from cases import Case
from cases.answers.allowed import allowance
from probes import Answer, Barrier
from probes.scorer import evidence
from probes.scorer.evidence import GradedAnswers
from probes.scorer.grader import graders_of
from probes.scorer.judged import caused, judged_runs
from tests.probes.scorer.cases_of_answers import answered, case_of, marked

FIVE = "How far is it? Answers within 5% of the right value are accepted."
TWO_PLACES = "What is the ratio, rounded to two decimal places?"
GYMS = "Harbour Loft\nStone Hall\nOak Gym"


@pytest.mark.parametrize(
    ("answer", "gold", "task"),
    [
        ("20.3", "20", FIVE),
        ("19.05", "20", FIVE),
        ("20.3 km", "20", "How many kilometers? Results within 0.5 of it are allowed."),
        ("1,021,000", "1010000", "How many people? A margin of error of 5 percent is acceptable."),
        ("0.12", "0.1234", TWO_PLACES),
        ("0.13", "0.125", TWO_PLACES),
        ("0.12", "0.125", TWO_PLACES),
        ("45.00", "45", "Give the price to two decimal places."),
        ("1012000", "1012345", "How many people? Round your answer to the nearest thousand."),
        ("13", "12.7", "How many kilometers is it, rounded to the nearest kilometer?"),
    ],
)
def test_a_number_within_what_the_text_states_is_right_by_its_words(answer: str, gold: str, task: str):
    found = allowance(answer, gold, task)
    assert found is not None
    assert found.kind == "tolerance"
    assert found.words in " ".join(task.split())


@pytest.mark.parametrize(
    ("answer", "gold", "task"),
    [
        ("21.5", "20", FIVE),
        ("20", "20", FIVE),
        ("20.3", "20", "How far is it?"),
        ("20.3", "20", "Which value within 5% of the average is the largest?"),
        ("20.3", "20", "Answers within 5% of the value are not accepted."),
        ("20.3", "20", "Answers within 5% are accepted. Answers within 1% are accepted with a bonus."),
        ("20.3 mi", "20 km", FIVE),
        ("twenty", "20.5", FIVE),
        ("0.1234", "0.12", TWO_PLACES),
        ("0.13", "0.1234", TWO_PLACES),
        ("0.12", "0.12", TWO_PLACES),
        ("45", "45.00", "Give the price to two decimal places."),
        ("0.12", "0.1234", "What is the ratio? Do not round to two decimal places."),
        ("1012350", "1012345", "Round your answer to the nearest ten thousand."),
        ("Paris", "Lyon", TWO_PLACES),
    ],
)
def test_another_number_is_not(answer: str, gold: str, task: str):
    assert allowance(answer, gold, task) is None


@pytest.mark.parametrize(
    ("answer", "task", "kind"),
    [
        ("Oak Gym, Harbour Loft", "Name two of the gyms near the park.", "part"),
        ("oak gym", "Which gyms are near the park? One is enough.", "part"),
        ('["Stone Hall"]', "Please give any one of the gyms near the park.", "part"),
        ("Oak Gym", "Which gyms are near the park? Partial credit is given.", "promise"),
        ("Oak Gym\nStone Hall", "Which gyms? Points are awarded for each correct name.", "promise"),
    ],
)
def test_some_of_the_items_are_right_where_the_text_asks_for_some(answer: str, task: str, kind: str):
    found = allowance(answer, GYMS, task)
    assert found is not None
    assert found.kind == kind


@pytest.mark.parametrize(
    ("answer", "task"),
    [
        ("Oak Gym, Harbour Loft", "Which gyms are near the park?"),
        ("Oak Gym", "Name two of the gyms near the park."),
        ("Oak Gym, Park Gym", "Name two of the gyms near the park."),
        ("Oak Gym, oak gym", "Name two of the gyms near the park."),
        (GYMS, "Name two of the gyms near the park."),
        ("Oak Gym, Harbour Loft", "Which gyms have at least two of these: pool, sauna, bar?"),
        ("Oak Gym, Harbour Loft", "Name two of the gyms, but not Oak Gym."),
        ("Oak Gym, Park Gym", "Which gyms? Partial credit is given."),
        ("Oak Gym", "Which gyms? There is no partial credit."),
    ],
)
def test_a_part_with_anything_else_or_unasked_is_not(answer: str, task: str):
    assert allowance(answer, GYMS, task) is None


def bench_of(case: Case, full: set[str]) -> GradedAnswers:
    judged = judged_runs(case)
    marks = marked(evidence.pairs(case.task.gold or "", judged), {"exact match": full})
    return GradedAnswers(case.task.gold or "", judged, graders_of("assistantbench"), marks)


@pytest.mark.parametrize(
    ("answer", "gold", "task", "barrier", "expected"),
    [
        ("20.3", "20", FIVE, Barrier.TOLERANCE, (Answer.YES, Answer.NO)),
        ("Oak Gym, Stone Hall", GYMS, "Name two of them.", Barrier.PARTIAL_CREDIT, (Answer.YES, Answer.NO)),
        ("Oak Gym", GYMS, "Which? Partial credit is given.", Barrier.PARTIAL_CREDIT, (Answer.UNKNOWN, Answer.UNKNOWN)),
    ],
)
def test_what_the_text_allows_and_the_grader_refuses_was_right(answer, gold, task, barrier, expected):
    containers = bench_of(case_of(answered(answer, told="Find it."), gold=gold, prompt=task), {gold})
    (judged,) = containers.judged
    assert judged.barrier is barrier
    assert not judged.wrong
    found = caused(judged, barrier, containers.marks, gold, "assistantbench").answer
    assert (found, evidence.passable(containers, judged)[0]) == expected
    assert caused(judged, Barrier.STRICT_MATCH, containers.marks, gold, "assistantbench").answer is Answer.UNKNOWN


def test_a_grader_that_takes_others_that_the_text_allows_leaves_it_open():
    containers = bench_of(case_of(answered("20.9", told="Find it."), gold="20", prompt=FIVE), {"20", "20.1"})
    assert evidence.passable(containers, containers.judged[0])[0] is Answer.UNKNOWN


def test_a_grader_that_takes_what_the_text_does_not_allow_fails_its_control():
    containers = bench_of(case_of(answered("20.3", told="Find it."), gold="20", prompt=FIVE), {"20", "24"})
    (judged,) = containers.judged
    controls = evidence.sane(containers, (judged.grader,), judged)
    assert [control.passed for control in controls] == [True, False]
    assert "four tolerances above" in controls[1].observed
