"""Many audits in one command: which they are, what is kept of each, and that none is lost or done twice."""

import csv
import json
import os
import pty
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.verify.synthetic import QUIET_RUN, Verify, environment, one_sentence, upload
from verify.batch.ledger import Ledger

TASKS = tuple(f"task-{number}" for number in range(8))
PASSED = TASKS[4:]
"""By somebody else; nobody passed the others."""
FIVE = ("--sample", "5")
DRAWN = ("task-0", "task-1", "task-3", "task-6", "task-7")
"""What that draws."""


@pytest.fixture
def inputs(tmp_path: Path) -> tuple[object, ...]:
    """Two agents' outcomes and two sources' claims."""
    outcomes = tmp_path / "outcomes.csv"
    rows = [f"bench,{task},ours,gpt,2026-01-02,0,ours_{task}" for task in TASKS]
    rows += [f"bench,{task},theirs,o9,2026-01-02,{int(task in PASSED)},theirs_{task}" for task in TASKS]
    outcomes.write_text("\n".join(["benchmark,task_id,scaffold,model,date,correct,run_id", *rows]) + "\n")
    for name, scores in (("first", "11001100"), ("second", "10001110")):
        rows = [f"{task},bench,{score},0,it failed,ours" for task, score in zip(TASKS, scores, strict=True)]
        path = tmp_path / f"{name}.csv"
        path.write_text("\n".join(["task_id,criteria,grade,correct,explanation,model_run", *rows]) + "\n")
    return (
        "--claims",
        tmp_path / "first.csv",
        "--claims",
        tmp_path / "second.csv",
        "--outcomes",
        outcomes,
        "--offline",
    )


@pytest.fixture
def outcomes(inputs: tuple[object, ...]) -> tuple[object, ...]:
    """The same without the claims."""
    return inputs[4:]


def ledger(out: Path, name: str = "ledger.jsonl") -> list[dict[str, Any]]:
    """The audits that are finished."""
    lines = map(json.loads, (out / name).read_text().splitlines())
    return [line for line in lines if line["line"] == "audit"]


def table(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def drawn(verify: Verify, *arguments: object, **how: Any) -> tuple[str, ...]:
    """The tasks that a command would audit."""
    done = verify("audit", *arguments, "--dry-run", "--json", **how)
    assert done.returncode == 0, done.stderr
    return tuple(json.loads(line)["plan"]["case"]["task_id"] for line in done.stdout.splitlines())


@pytest.mark.parametrize(
    ("options", "chosen"),
    [
        (["--all-failed"], TASKS),
        (["--disputed"], ("task-1", "task-4", "task-5", "task-6")),
        (["--all-failed", "--agent", "THEIRS"], TASKS[:4]),
        (["--agent", "o?", "--claimed", "1"], ("task-0", "task-1")),
        (["--disputed", "task-1", "task-2"], ("task-1",)),
    ],
)
def test_a_selection_names_the_tasks(
    verify: Verify, inputs: tuple[object, ...], options: list[str], chosen: tuple[str, ...]
):
    assert drawn(verify, *options, *inputs) == chosen


def test_a_sample_is_drawn_by_its_seed_and_ids_come_from_stdin(
    verify: Verify, inputs: tuple[object, ...], tmp_path: Path
):
    first, other = (drawn(verify, "--sample", 3, "--seed", seed, *inputs) for seed in (0, 1))
    assert len(first) == len(other) == 3
    assert first != other
    assert drawn(verify, "--sample", 3, *inputs) == first
    ids = tmp_path / "ids"
    ids.write_text("# of interest\nbench/task-3\n\ntask-1\n")
    assert drawn(verify, "-", *inputs, stdin=str(ids)) == ("task-3", "task-1")
    assert "None of the 8 tasks" in verify("audit", "--agent", "nobody", *inputs).stderr


@pytest.mark.exhaustive
def test_the_results_say_what_became_of_every_task_and_every_claim(
    verify: Verify, inputs: tuple[object, ...], work: Path
):
    done = verify("audit", "--disputed", *inputs, "--exit-code")
    assert done.returncode == 12, done.stderr
    packs = work / "packs"
    results = {row["task_id"]: row for row in table(packs / "results.csv")}
    assert {task: row["status"] for task, row in results.items()} == {
        task: "not_supported" if task in PASSED else "inconclusive" for task in ("task-1", *PASSED[:3])
    }
    lines = (packs / "results.jsonl").read_text().splitlines()
    assert [json.loads(line)["task_id"] for line in lines] == list(results)
    assert verify("check", *(packs / row["pack"] for row in results.values())).returncode == 0
    claims = table(packs / "claims.csv")
    assert len(claims) == 16
    refuted = {(row["task_id"], row["source"]): row["refuted_by"] for row in claims if row["refuted_by"]}
    assert refuted == {(task, "first"): "peers" for task in PASSED[:2]} | {
        (task, "second"): "peers" for task in PASSED[:3]
    }
    from sklearn.metrics import cohen_kappa_score

    expected = cohen_kappa_score([int(one) for one in "11001100"], [int(one) for one in "10001110"])
    [between] = [row for row in table(packs / "agreement.csv") if (row["first"], row["second"]) == ("first", "second")]
    assert (int(between["ratings"]), float(between["kappa"])) == (8, pytest.approx(expected, abs=1e-4))
    for told in ("peers only: 3", "a transcript, for 1 task: --run PATH", "5 claims of impassable refuted: 5 by peers"):
        assert told in done.stdout
    assert "κ 0.50" in done.stdout
    assert (packs / "index.html").read_text().count('<tr class="') == 4
    assert (packs / "results.parquet").read_bytes()[:4] == b"PAR1"


@pytest.mark.slow
def test_killed_at_any_moment_the_same_command_loses_nothing_and_does_nothing_twice(
    verify: Verify, outcomes: tuple[object, ...], work: Path
):
    moments, kills = random.Random(18), 0
    for lines in range(6):
        moment = (work / "packs" / "ledger.jsonl", lines, moments.uniform(0, 0.05))
        done = verify("audit", *FIVE, *outcomes, kill=moment)
        if done.returncode != -signal.SIGKILL:
            break
        kills += 1
    assert kills >= 2
    done = verify("audit", *FIVE, *outcomes)
    assert done.returncode == 0, done.stderr
    audits = ledger(work / "packs")
    assert Counter(line["task_id"] for line in audits) == Counter(DRAWN)
    on_disk = {path.name for path in (work / "packs").iterdir() if path.is_dir() and not path.name.startswith(".")}
    assert on_disk == {line["pack"] for line in audits}
    assert {line["status"] for line in audits if line["task_id"] in PASSED} == {"not_supported"}
    assert [row["task_id"] for row in table(work / "packs" / "results.csv")] == [line["task_id"] for line in audits]
    left = {path.name for path in (work / ".verify").iterdir()}
    assert not {name for name in left if not name.endswith(".finished")}, (
        "what a kill left of one that was done may stay"
    )


@pytest.mark.exhaustive
@pytest.mark.slow
def test_a_request_to_end_finishes_what_is_running_and_the_same_command_goes_on(
    verify: Verify, outcomes: tuple[object, ...], work: Path, tmp_path: Path
):
    command = [sys.executable, "-m", "verify", "audit", *FIVE, "--at-once", "1", *map(str, outcomes)]
    env = environment(tmp_path / "home")
    with subprocess.Popen(command, cwd=work, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as running:
        assert running.stderr
        while not (work / "packs" / "ledger.jsonl").exists() or not ledger(work / "packs"):
            assert running.poll() is None
            time.sleep(0.01)
        running.send_signal(signal.SIGTERM)
        said = running.stderr.read().decode()
    assert running.returncode == 130
    assert "ending after the audits that are running" in said
    finished = ledger(work / "packs")
    assert 0 < len(finished) < len(DRAWN)
    done = verify("audit", *FIVE, *outcomes, "--json")
    assert len(done.stdout.splitlines()) == len(DRAWN)
    assert ledger(work / "packs")[: len(finished)] == finished
    assert Counter(line["task_id"] for line in ledger(work / "packs")) == Counter(DRAWN)


@pytest.mark.exhaustive
def test_on_a_terminal_every_answer_has_a_line_of_its_own(outcomes: tuple[object, ...], work: Path, tmp_path: Path):
    work.mkdir()
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "verify", "audit", *FIVE, *map(str, outcomes)]
    env = environment(tmp_path / "home") | {"TERM": "xterm", "COLUMNS": "300"}
    with subprocess.Popen(command, cwd=work, env=env, stdin=theirs, stdout=theirs, stderr=theirs) as running:
        os.close(theirs)
        shown = _until_closed(ours)
    assert running.returncode == 0, shown
    answers = [line for line in shown.split("\n") if "packs/task-" in line]
    assert len(answers) == len(DRAWN)
    for line in answers:
        last = line.rpartition("\x1b[2K")[2]  # what stands there once the line was last wiped
        assert " of 5;" not in last, repr(line)


def _until_closed(terminal: int) -> str:
    told = b""
    while True:
        try:
            part = os.read(terminal, 1 << 16)
        except OSError:  # how a terminal says that nobody is at its other end
            part = b""
        if not part:
            os.close(terminal)
            return told.decode()
        told += part


def test_two_commands_do_not_write_one_ledger(verify: Verify, outcomes: tuple[object, ...], work: Path):
    (work / "packs").mkdir()
    with Ledger(work / "packs" / "ledger.jsonl"):
        done = verify("audit", "--all-failed", *outcomes)
    assert done.returncode == 3
    assert "another audit" in one_sentence(done)


@pytest.mark.slow
def test_shares_are_of_different_tasks_and_merge_to_the_whole(verify: Verify, outcomes: tuple[object, ...], work: Path):
    for share in (1, 2):
        done = verify("audit", *FIVE, "--shard", f"{share}/2", *outcomes, "--out", f"node-{share}")
        assert done.returncode == 0, done.stderr
    for _ in range(2):
        done = verify("merge", "node-1", "node-2", "--out", "all")
        assert done.returncode == 0, done.stderr
        assert Counter(line["task_id"] for line in ledger(work / "all")) == Counter(DRAWN)
    assert all((work / "all" / row["pack"] / "verdict.json").is_file() for row in table(work / "all" / "results.csv"))
    assert "such as 1/8" in verify("audit", *FIVE, "--shard", "0/2", *outcomes).stderr


@pytest.mark.exhaustive
@pytest.mark.slow
def test_a_line_that_cannot_be_read_is_named_and_only_its_audit_done_again(
    verify: Verify, outcomes: tuple[object, ...], work: Path
):
    assert verify("audit", "--sample", "3", *outcomes).returncode == 0
    path = work / "packs" / "ledger.jsonl"
    lines = path.read_text().splitlines()
    number = next(number for number, line in enumerate(lines) if '"audit"' in line)
    path.write_text("\n".join([*lines[:number], lines[number][:50], *lines[number + 1 :]]))
    done = verify("audit", "--sample", "3", *outcomes)
    assert done.returncode == 0
    assert f"ledger.jsonl, line {number + 1}: not a line of a ledger" in done.stderr
    assert len(ledger_lines(path)) == 3


def ledger_lines(path: Path) -> list[dict[str, Any]]:
    """The audits in a ledger of which a line is damaged."""
    found = []
    for line in path.read_text().splitlines():
        try:
            found.append(json.loads(line))
        except ValueError:
            continue
    return [line for line in found if line["line"] == "audit"]


def test_one_damaged_record_fails_alone_and_the_code_tells_it(verify: Verify, work: Path):
    runs = work / "runs"
    runs.mkdir()
    for task in ("whole", "damaged"):
        (runs / f"{task}_UPLOAD.json").write_text(json.dumps(upload(task, QUIET_RUN)), encoding="utf-8")
    oracle = work / "solution.sh"
    oracle.write_text("true\n")
    done = verify("audit", "--all-failed", "--run", runs, "--oracle", oracle, "--offline")
    assert done.returncode == 2
    assert "2 could not be audited" in done.stdout
    assert done.stderr.count("nothing says how it is checked") == 2
