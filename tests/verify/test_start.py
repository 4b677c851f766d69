"""Starting the program: quick help, the version, and which words are commands."""

import json
import re
import subprocess
import sys
from pathlib import Path

from tests.verify.synthetic import Verify

HEAVY = {"langgraph", "langchain_openai", "langchain_core", "playwright", "docker", "httpx", "pydantic", "rich"}


def test_help_imports_nothing_heavy():
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "verify", "--help"], capture_output=True, text=True, check=True
    )
    imported = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()}
    assert "typer" in imported
    assert not HEAVY & imported


def test_help_names_every_command(verify: Verify):
    done = verify("--help")
    assert done.returncode == 0
    for command in ("audit", "cases", "profiles", "doctor", "demo"):
        assert re.search(rf"^\s+{command}\s", done.stdout, re.MULTILINE)


def test_version_is_one_line(verify: Verify):
    done = verify("--version")
    assert done.returncode == 0
    assert re.fullmatch(r"impassable \d+\.\d+\.\d+\S*( \(commit [0-9a-f]{7,}(\+changes)?\))?\n", done.stdout)


def test_no_word_shows_the_help_and_is_a_usage_error(verify: Verify):
    done = verify()
    assert done.returncode == 2
    assert "Usage: verify" in done.stderr + done.stdout


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
