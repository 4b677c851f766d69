"""What the agent did itself words a verdict, and never decides one."""

from itertools import product

import pytest

from graph.decide import decide
from graph.rubric import rubrics
from graph.verdict import JudgeInputs, Status
from probes import Answer, Exclusion
from tests.graph.synthetic import CASE, RUN, hypothesis, three

QUOTE = RUN.transcript.blocks[0].text[:5]
LOOP = Exclusion(
    pattern="looped",
    run_id="r1",
    lines={"assistantbench": "Search Strategy Issues", "environmental_barrier": "Agent runs out of time"},
    sentence="`make` was done 3 times with the same result.",
    remedy="Change the approach.",
    decisive=True,
    citations=({"run_id": "r1", "block": 0, "start": 0, "end": 5, "quote": QUOTE},),
)
OTHERS = LOOP.model_copy(update={"run_id": "r2", "sentence": "Of another run."})
BASIS = JudgeInputs(exclusions=(LOOP, OTHERS))


@pytest.mark.parametrize("answers", list(product(Answer, repeat=3)))
def test_no_exclusion_changes_status_score_or_decisive_findings(answers):
    without, told = (decide(CASE, [hypothesis()], three(*answers), basis) for basis in (JudgeInputs(), BASIS))
    names = (
        "status",
        "score",
        "deficiency_exists",
        "deficiency_caused_failure",
        "deficiency_type",
        "decisive",
        "locus",
    )
    assert [getattr(without, name) for name in names] == [getattr(told, name) for name in names]
    assert LOOP.sentence.rstrip(".") in told.causation_reasoning + told.against
    assert OTHERS.sentence not in told.causation_reasoning + told.against


def test_without_a_barrier_the_verdict_says_what_the_agent_did_instead():
    verdict = decide(CASE, [], [], JudgeInputs(exclusions=(LOOP,)))
    assert verdict.status is Status.NOT_SUPPORTED
    assert "[looped, r1, block 0: Agent runs out of time]" in verdict.causation_reasoning
    assert "A capable agent could have done this: Change the approach." in verdict.causation_reasoning
    assert verdict.capable_agent == "# Change the approach."
    assert QUOTE in verdict.evidence


def test_the_line_is_that_of_the_verdicts_own_rubric():
    for name in rubrics():
        verdict = decide(CASE, [], [], JudgeInputs(rubric=name, exclusions=(LOOP,)))
        assert LOOP.lines[name] in verdict.causation_reasoning


def test_against_a_supported_verdict_stands_what_the_agent_did():
    verdict = decide(CASE, [hypothesis()], three(Answer.YES, Answer.NO, Answer.YES), BASIS)
    assert verdict.status is Status.SUPPORTED
    assert LOOP.sentence.rstrip(".") in verdict.against
    assert not verdict.capable_agent


@pytest.mark.parametrize(("number", "rest"), [(4, None), (5, "And 1 more.")])
def test_a_rest_is_counted_only_where_there_is_one(number: int, rest: str | None):
    told = decide(CASE, [], [], JudgeInputs(exclusions=(LOOP,) * number)).causation_reasoning
    assert ("more." in told) == (rest is not None)
    assert (rest or "") in told


def test_a_verdict_tells_a_few_and_counts_the_rest():
    many = tuple(LOOP.model_copy(update={"sentence": f"Number {number}."}) for number in range(6))
    told = decide(CASE, [], [], JudgeInputs(exclusions=many)).causation_reasoning
    assert "Number 3." in told
    assert "And 2 more." in told
