"""What a task's own solution, run with its own checks, does to a verdict."""

import pytest

from cases import Block, Case, Outcome, Run, Task, Transcript
from cases.model import Reference
from graph.classifier import classify
from graph.decide import decide
from graph.planner import Planner, key
from graph.verdict import JudgeInputs, Status
from probes import Answer, Barrier, Question
from tests.graph.small_probes import REAL
from tests.graph.synthetic import GOOD, finding, hypothesis

LOST = Transcript(blocks=(Block(index=0, role="assistant", kind="message", text="…"),), complete=False)
GIVEN = Task(reference=Reference(place="/tasks/t"))
FAILED = Run(run_id="r1", outcome=Outcome.FAILED, transcript=LOST, source="made")
CASE = Case(benchmark="terminal_bench", task_id="t", task=GIVEN, runs=(FAILED,))


def oracle(question: Question, answer: Answer):
    return finding(question, answer, (GOOD,), probe="oracle")


def asked(case: Case):
    hypotheses, _ = classify(case, {"r1": events()}, "auto")
    (one,) = [one for one in hypotheses if one.barrier is Barrier.REFERENCE_FAILS]
    return one.model_copy(update={"id": "h1"})


def events():
    from cases import Events

    return Events()


@pytest.mark.parametrize(
    ("unexplained", "status"), [("", Status.NOT_SUPPORTED), ("its harness ended it", Status.INCONCLUSIVE)]
)
def test_one_that_passes_settles_a_record_that_tells_nothing_unless_the_harness_ended_it(unexplained, status):
    found = [oracle(Question.PRESENT, Answer.NO), oracle(Question.PASSABLE, Answer.YES)]
    assert decide(CASE, [asked(CASE)], found, JudgeInputs(unexplained=unexplained)).status is status


@pytest.mark.parametrize(
    ("caused", "status"),
    [(Answer.YES, Status.SUPPORTED), (Answer.NO, Status.NOT_SUPPORTED), (Answer.UNKNOWN, Status.INCONCLUSIVE)],
)
def test_one_that_fails_supports_only_where_the_run_failed_for_the_same(caused, status):
    answers = {Question.PRESENT: Answer.YES, Question.PASSABLE: Answer.NO, Question.CAUSED: caused}
    found = [oracle(question, answer) for question, answer in answers.items()]
    verdict = decide(CASE, [asked(CASE)], found)
    assert verdict.status is status
    assert verdict.deficiency_exists
    other = finding(Question.PASSABLE, Answer.YES, (), probe="peers")
    assert decide(CASE, [asked(CASE)], [*found, other]).status is Status.NOT_SUPPORTED


def test_what_its_facts_name_is_the_line_of_the_rubric_and_it_keeps_its_own_name():
    present = oracle(Question.PRESENT, Answer.YES).model_copy(update={"barrier": Barrier.NETWORK})
    verdict = decide(CASE, [asked(CASE)], [present])
    assert verdict.deficiency_type == "Network restrictions"
    assert "reference solution" in verdict.reason


def test_it_is_asked_of_everything_about_the_machine_before_the_replay_and_only_where_it_is_at_hand():
    def steps(barrier: Barrier, *, reference: bool) -> list[str]:
        planner, done = Planner(REAL, thorough=True, reference=reference), list[str]()
        while found := planner.next_steps([hypothesis(barrier=barrier)], [], done):
            done += [key(step) for step in found]
        return [one.partition("/")[2] for one in done]

    assert steps(Barrier.MODULE, reference=True) == ["transcript", "peers", "oracle", "replay"]
    assert steps(Barrier.UNSPECIFIED, reference=True) == ["transcript", "peers", "oracle", "specification"]
    assert steps(Barrier.MODULE, reference=False) == ["transcript", "peers", "replay"]
    for barrier in (Barrier.HARNESS, Barrier.BOT_WALL, Barrier.STRICT_MATCH):
        assert "oracle" not in steps(barrier, reference=True), barrier


def test_without_a_reference_solution_nothing_is_proposed():
    bare = CASE.model_copy(update={"task": Task()})
    hypotheses, _ = classify(bare, {"r1": events()}, "auto")
    assert Barrier.REFERENCE_FAILS not in {one.barrier for one in hypotheses}
