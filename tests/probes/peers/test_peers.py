"""Somebody passed it: the strongest cheap evidence there is."""

from cases import Case, Outcome, Run, Task
from probes import Answer, Barrier
from probes.peers import PeersProbe
from tests.probes.recording import Record, context_of


def peer(number: int, outcome: Outcome, scaffold: str = "CORE-Agent") -> Run:
    return Run(run_id=f"p{number}", outcome=outcome, environment={"scaffold": scaffold}, source="o.csv:2")


async def ask(tmp_path, *outcomes: Outcome | Run):
    record = Record()
    record.ran("make", "x.h", 2)
    failed = record.case().runs[0]
    runs = (failed, *(one if isinstance(one, Run) else peer(number, one) for number, one in enumerate(outcomes)))
    case = Case(benchmark="b", task_id="t", task=Task(), runs=runs)
    return await PeersProbe()(record.hypothesis(Barrier.HEADER), context_of(record, case, tmp_path))


async def test_one_other_run_that_passed_makes_the_task_passable_and_says_who(tmp_path):
    (finding,) = await ask(tmp_path, Outcome.PASSED, Outcome.FAILED, Outcome.UNKNOWN)
    assert finding.valid_answer is Answer.YES
    assert finding.summary == "1 of 2 other runs of this task passed (CORE-Agent 1)."
    assert finding.routes[0].note == "Run p0 (CORE-Agent) passed this same task."


async def test_spellings_of_one_agents_name_are_one_agent(tmp_path):
    names = ("CORE-Agent", "Core Agent", "CORE-Agent", "Coreagent", "Other 2", "other-2", "Other 2")
    (finding,) = await ask(tmp_path, *(peer(at, Outcome.PASSED, name) for at, name in enumerate(names)))
    assert finding.summary == "7 of 7 other runs of this task passed (CORE-Agent 4, Other 2 3)."


async def test_failures_of_others_are_no_evidence(tmp_path):
    assert await ask(tmp_path, Outcome.FAILED, Outcome.FAILED) == []
