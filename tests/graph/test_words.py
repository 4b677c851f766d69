"""A barrier's title makes a hypothesis and a doubt, in the words CONTRIBUTING asks for."""

import re

import pytest

from graph.words import past, statement, whether
from probes import Barrier, Hypothesis, Targets
from probes.barriers import entry
from tests.cases.test_sentences import STIFF

BARRIERS = sorted(Barrier)


def hypothesis(barrier: Barrier) -> Hypothesis:
    field = entry(barrier).about
    return Hypothesis(
        id="h1",
        rubric="environmental_barrier",
        category="c",
        barrier=barrier,
        statement="",
        targets=Targets(**({field: ("humanize",)} if field else {})),
        citations=(),
        proposer="rules",
    )


@pytest.mark.parametrize("barrier", BARRIERS)
def test_every_barrier_makes_a_hypothesis_and_a_doubt(barrier: Barrier) -> None:
    told, doubt = statement(hypothesis(barrier)), whether(hypothesis(barrier))
    assert told.startswith("Hypothesis: ")
    assert told.endswith(" and no agent could have worked around it.")
    assert not STIFF.search(told), told
    assert not re.search(r"did not did|cannot\b", told), told
    assert doubt
    assert "{" not in doubt


def test_a_title_goes_into_the_past_and_a_name_in_it_does_not() -> None:
    assert past("the command `is it` fails and is not there") == "the command `is it` failed and was not there"
    assert whether(hypothesis(Barrier.R_PACKAGE)) == "`humanize` was installable"
