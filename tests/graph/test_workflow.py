"""The workflow as a whole: fan-out, crashes, kills, and the graph that is drawn."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cases import Block, Case, Outcome, Run, Task, Transcript
from graph import AuditOptions, audit
from graph.context import Progress
from graph.verdict import Status
from graph.workflow import compiled
from probes import Answer, ArtifactStore, Settings
from tests.graph.small_probes import REAL, Records, Replay

ROOT = Path(__file__).parents[2]


def five_missing_modules(count: int = 5) -> Case:
    """A synthetic failed run that met `count` missing modules and nothing else."""
    texts = [f"Observation:\nModuleNotFoundError: No module named 'm{number}'" for number in range(count)]
    blocks = tuple(Block(index=index, role="tool", kind="result", text=text) for index, text in enumerate(texts))
    run = Run(run_id="r1", outcome=Outcome.FAILED, transcript=Transcript(blocks=blocks), source="synthetic")
    return Case(benchmark="corebench_hard", task_id="t", task=Task(), runs=(run,))


async def run(tmp_path, probes, case=None, **settings):
    options = AuditOptions(settings=Settings(**settings))
    return await audit(case or five_missing_modules(), options, ArtifactStore(tmp_path), probes=probes)


async def test_the_drawn_graph_shows_every_part():
    drawn = compiled().get_graph()
    ways = {(edge.source, edge.target) for edge in drawn.edges}
    assert set(REAL) <= set(drawn.nodes)
    assert {("classifier", "planner"), ("planner", "browser"), ("browser", "judge"), ("judge", "planner")} <= ways
    assert {("planner", name) for name in ("proposer", "suggester", "reader", "narrator", "sceptic")} <= ways
    assert {("suggester", "replay"), ("suggester", "judge"), ("sceptic", "judge"), ("planner", "review")} <= ways
    assert not any(source in REAL and target != "judge" for source, target in ways)


async def test_a_refuted_leader_hands_over_to_the_next_hypotheses(tmp_path):
    probes = (Records("transcript"), Records("peers"), Replay(tmp_path / "journal"))
    result = await run(tmp_path, probes)
    assert (tmp_path / "journal").read_text().count("end") == 5
    assert result.verdict.status is Status.INCONCLUSIVE


async def test_support_ends_the_audit_before_the_rest_is_tried(tmp_path):
    probes = (Records("transcript", Answer.YES), Records("peers"), Replay(tmp_path / "journal"))
    result = await run(tmp_path, probes)
    assert result.verdict.status is Status.SUPPORTED
    assert (tmp_path / "journal").read_text().count("end") == 4
    thorough = await run(tmp_path, (*probes[:2], Replay(tmp_path / "more")), thorough=True)
    assert thorough.verdict.status is Status.SUPPORTED
    assert (tmp_path / "more").read_text().count("end") == 5


async def test_a_crash_is_an_unknown_finding_and_its_siblings_finish(tmp_path):
    probes = (Records("transcript", Answer.YES), Records("peers"), Replay(tmp_path / "journal", {"m1": "crash"}))
    result = await run(tmp_path, probes, case=five_missing_modules(2), thorough=True)
    crashed = [finding for finding in result.findings if "internal error" in finding.summary]
    assert len(crashed) == 1
    assert crashed[0].valid_answer is Answer.UNKNOWN
    assert (tmp_path / "journal").read_text().split("\n").count("start m1") == 1
    assert "end m0" in (tmp_path / "journal").read_text()
    assert any("internal error" in limit for limit in result.verdict.limits)


async def test_a_transient_failure_is_tried_once_more(tmp_path):
    probes = (Records("transcript", Answer.YES), Records("peers"), Replay(tmp_path / "journal", {"m0": "once"}))
    result = await run(tmp_path, probes, case=five_missing_modules(1))
    assert (tmp_path / "journal").read_text() == "start m0\nstart m0\nend m0\n"
    assert result.verdict.status is Status.SUPPORTED


async def test_a_probe_that_takes_too_long_counts_as_unable_to_run(tmp_path):
    replay = Replay(tmp_path / "journal", {"m0": "slow"})
    replay.seconds = 0.05
    result = await run(tmp_path, (Records("transcript", Answer.YES), Records("peers"), replay), five_missing_modules(1))
    assert result.verdict.status is Status.INCONCLUSIVE
    assert any("ran out of time" in limit for limit in result.verdict.limits)


async def test_no_failure_means_nothing_to_explain(tmp_path):
    case = five_missing_modules()
    passed = case.model_copy(update={"runs": (case.runs[0].model_copy(update={"outcome": Outcome.PASSED}),)})
    result = await run(tmp_path, (Records("transcript"), Records("peers"), Replay(tmp_path / "j")), passed)
    assert result.verdict.status is Status.NOT_SUPPORTED
    assert "Every run passed" in result.verdict.reason


async def test_waiting_for_a_slot_is_not_a_probes_own_time(tmp_path):
    slow = Replay(tmp_path / "journal", {f"m{number}": "half a second" for number in range(4)})
    slow.slot, slow.seconds = "browser", 0.9
    told: list[Progress] = []
    probes = (Records("transcript"), Records("peers"), slow)
    store = ArtifactStore(tmp_path / "store")
    result = await audit(five_missing_modules(4), AuditOptions(), store, probes=probes, progress=told.append)
    assert (tmp_path / "journal").read_text().count("end") == 4
    assert not any("ran out of time" in limit for limit in result.verdict.limits)
    took = [step.seconds for step in told if step.probe == "replay" and step.state == "finished"]
    assert len(took) == 4
    assert max(took) < 0.9


async def test_progress_is_told_step_by_step_while_it_happens(tmp_path):
    journal = tmp_path / "journal"
    probes = (Records("transcript", Answer.YES), Records("peers"), Replay(journal, {"m1": "crash"}))
    told: list[tuple[str, str, str]] = []

    def tell(step: Progress) -> None:
        done = journal.read_text().count("end") if journal.exists() else 0
        told.append((step.probe, step.state, step.text if step.state != "started" else f"{done} done"))

    store = ArtifactStore(tmp_path / "store")
    options = AuditOptions(settings=Settings(thorough=True))
    await audit(five_missing_modules(2), options, store, probes=probes, progress=tell)
    assert told[0] == ("transcript", "started", "0 done")
    assert told.count(("transcript", "finished", "CAUSED=yes")) == 2
    assert ("peers", "finished", "nothing to say") in told
    assert ("", "note", "the command is tried") in told
    assert ("replay", "failed", "internal error (ZeroDivisionError: a bug)") in told
    assert told[-1][0] == "replay"


def child(folder: Path, slow: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.graph.killed_child", str(folder), slow]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def journal(folder: Path) -> list[str]:
    path = folder / "journal"
    return path.read_text().split("\n")[:-1] if path.exists() else []


@pytest.mark.slow
def test_after_kill_9_in_mid_fan_out_only_the_unfinished_probes_run_again(tmp_path):
    killed = child(tmp_path, "m1,m2")
    try:
        deadline = time.monotonic() + 60
        while sum(line.startswith("end") for line in journal(tmp_path)) < 2 and time.monotonic() < deadline:
            time.sleep(0.1)
        time.sleep(0.5)
    finally:
        os.kill(killed.pid, signal.SIGKILL)
        killed.communicate()
    before = journal(tmp_path)
    finished = {line.removeprefix("end ") for line in before if line.startswith("end")}
    assert len(finished) == 2, before
    again = child(tmp_path, "")
    out, err = again.communicate(timeout=120)
    assert again.returncode == 0, err
    assert out.startswith("supported")
    restarted = {line.removeprefix("start ") for line in journal(tmp_path)[len(before) :] if line.startswith("start")}
    assert restarted.isdisjoint(finished)
    assert {"m1", "m2"} <= restarted
