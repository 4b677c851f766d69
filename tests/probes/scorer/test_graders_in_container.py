"""The graders themselves, in a container: three of one benchmark disagree about the same answers."""

import pytest

from probes import Answer, Barrier
from probes.scorer import evidence
from probes.scorer.evidence import GradedAnswers
from probes.scorer.grader import Grader, graders_of
from probes.scorer.grading import Marks, Pair, mark
from probes.scorer.judged import caused, judged_runs
from sandboxes import ImageUnavailable
from tests.probes.scorer.cases_of_answers import LIST, answered, case_of

pytestmark = [pytest.mark.docker, pytest.mark.network, pytest.mark.slow]

TABLE: dict[Pair, tuple[str, str, str]] = {
    ("1,010,000", "1010000"): ("0", "0", "1"),
    ("[20]", "20"): ("0", "TypeError", "0"),
    ("It takes 20 km", "20"): ("0", "0", "1"),
    ("40", "20"): ("0", "0.307", "0.699"),
    (LIST, LIST): ("1", "0.375", "1"),
    ('["b","a"]', "a\nb"): ("0", "1", "1"),
}
"""Answer and expected answer; marks of exact match, the official scorer and inspect_evals."""
GAIA: dict[Pair, str] = {
    ("1,010,000", "1010000"): "1",
    ("$ 20", "20"): "1",
    ("20 km", "20"): "0",
    ("B, a", "b,A"): "1",
    ("a, b", "b, a"): "0",
    ("sea gull.", "Seagull"): "1",
    ("Saint Petersburg", "St. Petersburg"): "0",
}
"""Answer and expected answer; the mark of GAIA's scorer."""
HOSTILE: tuple[Pair, ...] = (("[" * 100_000, "20"), ("\ud83d\x00", "20"), ("1e999", "20"))
GOLDS = ("1010000", "20", "Paris", "a\nb", LIST)
ADDED = Grader(
    name="added, in words",
    benchmarks=("assistantbench",),
    code="import os\nprint('noise')\n"
    "def grade(answer, gold):\n    return 1 if os.getuid() and answer == 'yes' else 0 / 0\n",
    source="synthetic",
)


@pytest.mark.exhaustive
def test_the_graders_give_the_marks_that_were_met_in_the_field():
    pairs = dict.fromkeys(
        (*TABLE, *HOSTILE, ("yes", "no"), *(pair for gold in GOLDS for pair in evidence.pairs(gold, ())))
    )
    marks = mark((*graders_of("assistantbench"), ADDED), tuple(pairs), lambda _: None)
    for pair, expected in TABLE.items():
        names = ("exact match", "official", "inspect_evals")
        for name, wanted in zip(names, expected, strict=True):
            found = marks.by[name][pair]
            assert wanted in found.error if wanted.isalpha() else str(found) == wanted, (name, pair, str(found))
    assert not any(by[pair].full for by in marks.by.values() for pair in HOSTILE)
    _added_graders_run_too(marks)
    _every_grader_knows_right_from_wrong(marks)
    _two_graders_of_one_benchmark_disagree(marks)
    assert marks.image["id"]
    with pytest.raises(ImageUnavailable, match="`--offline` forbids fetching them"):
        mark(
            (ADDED.model_copy(update={"packages": ("never-fetched==1.0",)}),),
            (("a", "b"),),
            lambda _: None,
            offline=True,
        )


def _added_graders_run_too(marks: Marks) -> None:
    """As an ordinary user; what it prints does no harm, and what it raises is told."""
    by = marks.by[ADDED.name]
    assert by["yes", "no"].full
    assert "ZeroDivisionError" in by["40", "20"].error


def _every_grader_knows_right_from_wrong(marks: Marks) -> None:
    """So that any of them can say that an answer was right."""
    for gold in GOLDS:
        controls = evidence.sane(
            GradedAnswers(gold, (), graders_of("assistantbench"), marks), graders_of("assistantbench")
        )
        assert [control for control in controls if not control.passed] == [], gold


def _two_graders_of_one_benchmark_disagree(marks: Marks) -> None:
    """Ours is not the only word that an answer was right."""
    for answer, gold, expected in (("1,010,000", "1010000", "inspect_evals"), ('["b","a"]', "a\nb", "official")):
        (judged,) = judged_runs(case_of(answered(answer), gold=gold))
        cause = caused(judged, Barrier.STRICT_MATCH, marks, gold, "assistantbench")
        assert (cause.answer, cause.by and cause.by.name) == (Answer.YES, expected)


def test_gaias_scorer_gives_the_marks_that_its_own_text_promises():
    golds = ("1010000", "Paris", "a, b")
    pairs = dict.fromkeys((*GAIA, *HOSTILE, *(pair for gold in golds for pair in evidence.pairs(gold, ()))))
    marks = mark(graders_of("gaia"), tuple(pairs), lambda _: None)
    (found,) = marks.by.values()
    assert {pair: str(found[pair]) for pair in GAIA} == GAIA
    assert not any(found[pair].full for pair in HOSTILE)
    for gold in golds:
        controls = evidence.sane(GradedAnswers(gold, (), graders_of("gaia"), marks), graders_of("gaia"))
        assert [control for control in controls if not control.passed] == [], gold
