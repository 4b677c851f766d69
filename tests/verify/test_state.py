"""Two audits of one task, signals, damaged state, a bad case among good ones: a sentence each, and nothing is lost."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.probes.oracle.made import terminal_bench
from tests.verify.synthetic import Verify, environment, upload

NO_ENGINE = {"DOCKER_HOST": "unix:///nowhere/docker.sock"}
"""So that an audit takes a second or two."""


def failed_run(task: str, levels: int = 1) -> dict:
    """A run whose one command failed, with arguments nested so deep."""
    arguments = json.dumps({"command": "make report", "more": json.loads("[" * levels + "]" * levels)})
    function = {"name": "execute_bash", "arguments": arguments}
    messages = [
        {"role": "user", "content": "Run make report."},
        {"role": "assistant", "content": "", "tool_calls": [{"id": "c", "type": "function", "function": function}]},
        {"role": "tool", "tool_call_id": "c", "content": "Exit Code: 2\nmake: *** No rule to make target 'report'."},
        {"role": "assistant", "content": "I could not make the report."},
    ]
    return upload(task, messages)


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """Three failed runs, one of which nests its arguments 900 levels deep."""
    folder = tmp_path / "runs"
    folder.mkdir()
    for task, levels in (("first", 1), ("nested", 900), ("third", 1)):
        (folder / f"{task}_UPLOAD.json").write_text(json.dumps(failed_run(task, levels)), encoding="utf-8")
    return folder


@pytest.fixture
def begun(tmp_path: Path, work: Path, runs: Path, verify: Verify) -> Callable[..., subprocess.Popen[str]]:
    """Start the program on a task, and wait until it holds the task's state."""

    def start(*before: str) -> subprocess.Popen[str]:
        command = [*before, sys.executable, "-m", "verify", "first", "--run", str(runs), "--rubric-json"]
        env = environment(tmp_path / "home") | NO_ENGINE
        pipe = subprocess.PIPE
        process = subprocess.Popen(command, cwd=work, env=env, stdout=pipe, stderr=pipe, text=True)
        until = time.monotonic() + 60
        while not list(work.glob(".verify/*/held-by")):
            assert time.monotonic() < until
            assert process.poll() is None
            time.sleep(0.01)
        return process

    return start


@pytest.mark.exhaustive
def test_a_second_audit_of_a_task_waits_and_says_for_whom(begun: Callable[..., subprocess.Popen[str]]) -> None:
    first = begun()
    first.send_signal(signal.SIGSTOP)
    second = begun()
    assert second.stderr
    assert f"first is already being audited by process {first.pid} on " in second.stderr.readline()
    first.send_signal(signal.SIGCONT)
    told = [process.communicate(timeout=120) for process in (first, second)]
    assert [process.returncode for process in (first, second)] == [0, 0], told
    assert told[0][0] == told[1][0] != ""


@pytest.mark.parametrize("asked", [signal.SIGINT, signal.SIGHUP], ids=lambda one: one.name)
def test_every_request_to_end_is_one_sentence_and_130(
    asked: signal.Signals, begun: Callable[..., subprocess.Popen[str]]
) -> None:
    process = begun()
    process.send_signal(asked)
    time.sleep(0.05)
    process.send_signal(asked)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, ""), err
    assert "Traceback" not in err
    assert "Exception" not in err


@pytest.mark.exhaustive
def test_what_nohup_starts_goes_on_when_its_terminal_closes(begun: Callable[..., subprocess.Popen[str]]) -> None:
    process = begun("nohup")
    process.send_signal(signal.SIGHUP)
    process.communicate(timeout=120)
    assert process.returncode == 0


def test_damaged_state_is_set_aside_with_a_sentence_and_the_audit_begins_anew(
    verify: Verify, work: Path, runs: Path
) -> None:
    asked = ("first", "--run", runs, "--review", "--reviewer", "Ada")
    assert "waits for a review" in verify(*asked, env=NO_ENGINE).stderr
    [kept] = work.glob(".verify/*/checkpoints.sqlite")
    kept.write_bytes(os.urandom(5000))
    again = verify(*asked, env=NO_ENGINE)
    assert "Traceback" not in again.stderr
    assert "the state of an earlier audit cannot be read (file is not a database); we moved it to " in again.stderr
    assert "waits for a review" in again.stderr
    [aside] = work.glob(".verify/*.damaged.sqlite")
    assert aside.stat().st_size == 5000
    answered = verify(*asked, "--answer", "accept", env=NO_ENGINE)
    assert answered.returncode == 0, answered.stderr
    assert not list(work.glob(".verify/first-*/"))


@pytest.mark.parametrize("name", ["held-by", "checkpoints.sqlite"])
@pytest.mark.parametrize("what", ["link", "pipe", "directory"])
def test_what_stands_in_the_place_of_state_is_named_and_not_followed(
    name: str, what: str, verify: Verify, work: Path, runs: Path
) -> None:
    asked = ("first", "--run", runs, "--review", "--reviewer", "Ada")
    verify(*asked, env=NO_ENGINE)
    [path] = work.glob(f".verify/*/{name}")
    path.unlink()
    precious = work / "precious"
    precious.write_text("mine")
    made: dict[str, Callable[[], None]] = {
        "link": lambda: path.symlink_to(precious),
        "pipe": lambda: os.mkfifo(path),
        "directory": path.mkdir,
    }
    made[what]()
    done = verify(*asked, env=NO_ENGINE)
    assert done.returncode == 2, done.stderr
    assert f"{name} was not written by this program; remove it" in done.stderr
    assert precious.read_text() == "mine"


def test_a_bad_case_is_told_and_the_others_of_the_batch_are_audited(verify: Verify, runs: Path, tmp_path: Path) -> None:
    for task in ("nested", "third"):
        terminal_bench(tmp_path / "tasks" / task, "impassable/base")
    done = verify(
        "first", "nested", "third", "--run", runs, "--oracle", tmp_path / "tasks", "--json", "-q", env=NO_ENGINE
    )
    assert "Traceback" not in done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert {line["case"]["task_id"] for line in lines if "case" in line} == {"nested", "third"}, done.stderr
    [told] = [line["error"] for line in lines if "error" in line]
    assert told["message"].startswith("first: --oracle ")
    assert done.returncode == told["exit_code"] == 2


def test_a_rerun_reads_no_place_that_a_pack_names(verify: Verify, runs: Path, work: Path, tmp_path: Path) -> None:
    task = terminal_bench(tmp_path / "tasks" / "first", "impassable/base")
    done = verify("first", "--run", runs, "--oracle", task, "--json", "-q", env=NO_ENGINE)
    pack = work / json.loads(done.stdout)["pack"]
    assert json.loads((pack / "case.json").read_bytes())["task"]["reference"]["place"] == str(task)
    for given, place in (((), None), (("--oracle", task), str(task))):
        again = verify("rerun", pack, *given, "--json", "-q", env=NO_ENGINE)
        assert again.returncode == 0, again.stderr
        assert ("name it with --oracle" in again.stderr) is (place is None)
        made = work / json.loads(again.stdout)["pack"]
        reference = json.loads((made / "case.json").read_bytes())["task"]["reference"]
        assert (reference and reference["place"]) == place
