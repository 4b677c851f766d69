"""Starting the program: quick help, the version, and which words are commands."""

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.verify.synthetic import Verify, one_sentence
from verify import state
from verify.failures import explained
from verify.help import GROUPS

HEAVY = {"langgraph", "langchain_openai", "langchain_core", "playwright", "docker", "httpx", "pydantic", "rich"}
OTHERS = {"lxml", "rapidfuzz", "regex", "yaml", "playwright", "docker", "openai", "pandas", "sklearn"}


def test_help_imports_nothing_heavy():
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "verify", "--help"], capture_output=True, text=True, check=True
    )
    imported = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()}
    assert "typer" in imported
    assert not HEAVY & imported


def test_an_audit_by_records_alone_imports_nothing_that_only_others_need(tmp_path: Path):
    (tmp_path / "runs.csv").write_text("benchmark,task_id,scaffold,correct,run_id\ns,one,a,0,r1\ns,one,b,1,r2\n")
    command = [sys.executable, "-X", "importtime", "-m", "verify", "one", "--outcomes", "runs.csv", "--offline"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "NOT SUPPORTED" in done.stdout
    imported = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()}
    assert "langgraph" in imported
    assert not OTHERS & imported


def test_help_names_every_command(verify: Verify):
    done = verify("--help")
    assert done.returncode == 0
    for command in ("audit", "cases", "profiles", "doctor", "demo"):
        assert re.search(rf"^\s+{command}\s", done.stdout, re.MULTILINE)


def test_version_is_one_line(verify: Verify):
    done = verify("--version")
    assert done.returncode == 0
    assert re.fullmatch(r"impassable \d+\.\d+\.\d+\S*( \(commit [0-9a-f]{7,}(\+changes)?\))?\n", done.stdout)


def test_no_word_is_greeted_with_three_examples_and_is_a_usage_error(verify: Verify):
    done = verify()
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(re.findall(r"^  verify ", done.stderr, re.MULTILINE)) == 3
    assert max(map(len, done.stderr.splitlines())) <= 40


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("audt", "--run", "."), "did you mean verify audit?"),
        (("chek", "--run", "."), "did you mean verify check?"),
        (("audit", "--profil", "hal"), "--profile); see verify audit --help"),
        (("sum", "--run", ".", "--benchmark", "synthetic_bnch"), "did you mean synthetic_bench?"),
        (("sum", "--run", ".", "--benchmark", "zzz"), "the inputs hold synthetic_bench"),
    ],
)
def test_a_slip_of_the_keyboard_is_told_what_was_meant(
    verify: Verify, two_tasks: Path, work: Path, words: tuple[str, ...], says: str
):
    for run in two_tasks.iterdir():
        run.rename(work / run.name)
    done = verify(*words)
    assert done.returncode == 2
    assert says in one_sentence(done)


def test_a_slip_of_the_keyboard_fetches_nothing(verify: Verify):
    done = verify("audt")
    told = "did you mean verify audit? (No tasks found; give files with --run, --claims or --outcomes)"
    assert (done.returncode, done.stderr) == (2, f"verify: There is no command or task audt; {told}\n")


@pytest.mark.parametrize(
    ("line", "offers"),
    [
        ("verify che", ["check"]),
        ("verify audit x --profile hal-u", ["hal-user"]),
        ("verify profiles swe", ["swe-bench"]),
        ("verify --run . sum-of-tw", ["sum-of-two"]),
        ("verify audit x --run . --benchmark s", ["synthetic_bench"]),
        ("verify x --run nowhere.json --benchmark s", []),
        ("verify check --k", ["--key"]),
    ],
)
def test_a_shell_is_offered_commands_profiles_tasks_and_benchmarks(
    verify: Verify, two_tasks: Path, work: Path, line: str, offers: list[str]
):
    for run in two_tasks.iterdir():
        run.rename(work / run.name)
    asked = {"_VERIFY_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(len(line.split()) - 1)}
    done = verify(env=asked)
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, offers, "")


def test_an_audits_options_stand_in_groups_and_fit_forty_columns(verify: Verify):
    wide = verify("audit", "--help").stdout
    assert [heading for heading in GROUPS if f"\n{heading}:\n" not in wide] == []
    assert "\nOptions:\n  -h, --help" in wide, "an option stands in no group of verify/help.py"
    narrow = verify("audit", "--help", env={"COLUMNS": "40"}).stdout + verify("--help", env={"COLUMNS": "40"}).stdout
    assert max(map(len, narrow.splitlines())) <= 40
    assert not re.search(r"[a-z]\.\.\.", narrow)


def test_an_interrupt_promises_to_go_on_only_where_something_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    kept, gone = tmp_path / "kept", tmp_path / "gone"
    kept.mkdir()
    monkeypatch.setattr(state, "begun", {gone})
    assert explained(KeyboardInterrupt()) == ("interrupted", 130)
    state.begun.add(kept)
    assert explained(KeyboardInterrupt()) == ("interrupted; the same command continues where it stopped", 130)


def test_a_word_that_is_no_command_is_a_task_id(verify: Verify, two_tasks: Path):
    short = verify("sum-of-two", "--run", two_tasks, "--dry-run", "--json")
    long = verify("audit", "sum-of-two", "--run", two_tasks, "--dry-run", "--json")
    assert short.returncode == 0, short.stderr
    assert json.loads(short.stdout)["plan"]["case"] == {"benchmark": "synthetic_bench", "task_id": "sum-of-two"}
    assert short.stdout == long.stdout


def test_options_may_come_before_the_task_id(verify: Verify, two_tasks: Path):
    done = verify("--json", "--dry-run", "--run", two_tasks, "sum-of-ten")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["plan"]["case"]["task_id"] == "sum-of-ten"


EARLY = "from impassable import program; import os, sys; os.write(1, b'.'); sys.argv[1:] = {words}; program.main()"


@pytest.mark.exhaustive
def test_an_interrupt_at_any_early_moment_ends_it_without_a_traceback(tmp_path: Path):
    command = [sys.executable, "-c", EARLY.format(words=["one", "--run", "none.json"])]
    begun = time.monotonic()
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode == 2
    between = (time.monotonic() - begun) / 20
    for moment in range(20):
        with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
            assert program.stdout
            assert program.stdout.read(1) == b"."
            time.sleep(moment * between)
            program.send_signal(signal.SIGINT)
            told = program.communicate(timeout=60)[1].decode()
        assert "Traceback" not in told, moment
        assert "internal error" not in told, moment
        assert program.returncode in (130, 2), moment


def test_nothing_is_imported_before_an_interrupt_ends_it_without_a_traceback():
    script = "import sys; before = set(sys.modules); import impassable; print(*set(sys.modules) - before)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["impassable"]


def test_an_interrupt_that_python_made_another_error_of_is_one():
    class Named:
        def __set_name__(self, *_: object) -> None:
            raise KeyboardInterrupt

    with pytest.raises((RuntimeError, KeyboardInterrupt)) as caught:
        type("Made", (), {"field": Named()})
    assert explained(caught.value)[1] == 130


def test_ctrl_c_while_pydantic_makes_a_model_is_an_interruption_too() -> None:
    import pydantic_core

    told = (
        'Error building "model" validator:\n  SchemaError: Error building "literal" validator:\n  KeyboardInterrupt: '
    )
    said, code = explained(pydantic_core.SchemaError(told))
    assert said.startswith("interrupted"), "that the same command goes on is told where an audit had begun"
    assert code == 130
    assert explained(pydantic_core.SchemaError("Error building KeyboardInterrupt: no such field"))[1] == 70
