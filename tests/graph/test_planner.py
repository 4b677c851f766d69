"""Records before reality, the cheapest decisive probe first."""

from graph.planner import Planner, key
from probes import Answer, Barrier, Question
from probes.barriers import entries
from tests.graph.small_probes import REAL
from tests.graph.synthetic import finding, hypothesis, of, three


def drain(hypotheses, findings, **options):
    asked: list[str] = []
    rounds = []
    planner = Planner(REAL, **options)
    while steps := planner.next_steps(hypotheses, findings, asked):
        rounds.append(steps)
        asked += [key(step) for step in steps]
    return rounds


def test_records_are_read_before_anything_is_touched():
    rounds = drain([hypothesis(1), hypothesis(2)], [])
    assert {step.probe for step in rounds[0]} == {"transcript", "peers"}
    assert [(step.hypothesis, step.probe) for step in rounds[1]] == [("h1", "replay"), ("h2", "replay")]
    assert len(rounds) == 2


def test_a_peer_that_passed_settles_the_matter_unless_thorough():
    passed = [finding(Question.PASSABLE, Answer.YES, probe="peers")]
    assert len(drain([hypothesis()], passed)) == 1
    assert len(drain([hypothesis()], passed, thorough=True)) == 2


def test_no_live_probe_after_a_supported_hypothesis():
    findings = [
        finding(Question.PRESENT, Answer.YES),
        finding(Question.PASSABLE, Answer.NO),
        finding(Question.CAUSED, Answer.YES, probe="transcript"),
    ]
    assert len(drain([hypothesis(1), hypothesis(2)], findings)) == 1


def test_after_a_supported_hypothesis_only_what_could_bring_the_same_thing_is_asked():
    findings = three(Answer.YES, Answer.NO, Answer.YES)
    module, pip = of(1, Barrier.MODULE, modules=("tabulate",)), of(2, Barrier.PIP, packages=("tabulate",))
    rounds = drain([module, pip, of(3, Barrier.PIP, packages=("yaml",))], findings)
    assert [[(step.hypothesis, step.probe) for step in steps] for steps in rounds[1:]] == [[("h2", "replay")]]


def test_barriers_of_the_tasks_text_end_with_what_can_be_read():
    rounds = drain([hypothesis(barrier=Barrier.AMBIGUOUS)], [])
    assert [[step.probe for step in steps] for steps in rounds] == [["transcript", "peers"], ["specification"]]


def test_never_more_than_four_hypotheses_at_once():
    rounds = drain([hypothesis(number) for number in range(9)], [])
    assert [len(steps) for steps in rounds] == [18, 4, 4, 1]


def test_every_probe_that_a_barrier_names_is_known():
    assert {probe for one in entries().values() for probe in (*one.probes, *one.passable)} <= set(REAL)
