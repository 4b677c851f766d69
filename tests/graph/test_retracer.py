"""Where a record leaves out how commands ended, their run is gone through again before anything is proposed."""

from pathlib import Path

import pytest

from cases import Block, Case, Outcome, Run, Task, Transcript
from graph import AuditOptions, audit, plan
from graph.context import Progress
from probes import ArtifactStore, ProbeContext, ProbeUnavailableError, Retraced
from tests.graph.small_probes import Records, Replay

ASKED = {"cmd": "make quiet"}
CALLED = [
    Block(index=at, role="assistant", kind="call", text="make quiet", tool="bash", arguments=ASKED) for at in (0, 2)
]
SHOWN = [Block(index=at, role="tool", kind="result", text="", tool="bash") for at in (1, 3)]
BLOCKS = tuple(sorted((*CALLED, *SHOWN), key=lambda block: block.index))
SILENT = Run(run_id="r1", outcome=Outcome.FAILED, transcript=Transcript(blocks=BLOCKS), source="synthetic")


class Retracer(Replay):
    """A live probe that has gone through the run again."""

    async def retrace(self, run: Run, context: ProbeContext) -> Retraced:
        if "unavailable" in self.behaviour:
            raise ProbeUnavailableError("no engine")
        if "crash" in self.behaviour:
            raise IndexError("a bug")
        context.say("going through it")
        self.journal.with_name("retraced").write_text(run.run_id)
        return Retraced(run_id=run.run_id, codes=((0, 2), (1, 2)), untold=len(context.events[run.run_id].untold))


def case(*others: Run) -> Case:
    task = Task(prompt="Run `make quiet` and report what it prints.")
    return Case(benchmark="terminal_tasks", task_id="t", task=task, runs=(SILENT, *others))


async def audited(tmp_path: Path, probe: Replay, of: Case, told: list[Progress] | None = None):
    probes = (Records("transcript"), Records("peers"), probe)
    progress = (told if told is not None else []).append
    return await audit(of, AuditOptions(), ArtifactStore(tmp_path / "store"), probes=probes, progress=progress)


async def test_what_was_measured_is_what_the_classifier_reads_and_the_verdict_says_so(tmp_path):
    told: list[Progress] = []
    result = await audited(tmp_path, Retracer(tmp_path / "journal"), case(), told)
    assert {one.barrier.value for one in result.hypotheses} == {"command_fails"}
    assert all(one.proposer == "structure" and one.event == 1 for one in result.hypotheses)
    assert any("leaves out how 2 of its commands ended" in limit for limit in result.verdict.limits)
    assert "going through it" in [step.text for step in told]


@pytest.mark.parametrize("other", [Outcome.PASSED, Outcome.FAILED])
async def test_where_another_run_passed_none_is_gone_through_again(tmp_path, other):
    again = Run(run_id="r2", outcome=other, source="synthetic")
    await audited(tmp_path, Retracer(tmp_path / "journal"), case(again))
    assert (tmp_path / "retraced").exists() is (other is Outcome.FAILED)


@pytest.mark.parametrize(("failure", "reason"), [("unavailable", "no engine"), ("crash", "IndexError: a bug")])
async def test_where_it_cannot_be_done_the_record_speaks_alone(tmp_path, failure, reason):
    told: list[Progress] = []
    result = await audited(tmp_path, Retracer(tmp_path / "journal", {failure: ""}), case(), told)
    assert any("could not be measured" in step.text and reason in step.text for step in told)
    assert not any("leaves out" in limit for limit in result.verdict.limits)


async def test_a_plan_names_the_runs_that_would_be_gone_through_again(tmp_path):
    assert (await plan(case(), AuditOptions(), ArtifactStore(tmp_path))).retraced == ("r1",)
    passed = Run(run_id="r2", outcome=Outcome.PASSED, source="synthetic")
    assert (await plan(case(passed), AuditOptions(), ArtifactStore(tmp_path))).retraced == ()
