"""`--review`: a person is asked, at a terminal or by the next command, and their word stands in the pack."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.verify.synthetic import Verify, one_sentence


@pytest.fixture
def asked(two_tasks: Path) -> list[str]:
    return ["sum-of-two", "--run", str(two_tasks), "--review", "--reviewer", "Ada Example"]


def pack_of(work: Path) -> Path:
    [pack] = [path for path in (work / "packs").glob("sum-of-two-*") if path.is_dir()]
    return pack


def test_without_a_terminal_the_sentence_says_how_to_answer_and_the_next_command_does(
    verify: Verify, asked: list[str], work: Path
) -> None:
    first = verify(*asked, "--json")
    assert first.returncode == 2
    assert "--answer accept|reject --because TEXT" in first.stderr
    assert "shows no barrier" in first.stderr
    assert not (work / "packs").exists() or not list((work / "packs").glob("sum-of-two-*"))

    second = verify(*asked, "--json", "--answer", "reject", "--because", "I see a barrier that nobody listed")
    assert second.returncode == 0, second.stderr
    verdict = json.loads(second.stdout)["verdict"]
    assert (verdict["status"], verdict["score"]) == ("inconclusive", 0)
    assert "Ada Example" in verdict["reason"]
    pack = pack_of(work)
    said = json.loads((pack / "basis.json").read_text())["review"]
    assert (said["decision"], said["reviewer"]) == ("reject", "Ada Example")
    assert said["at"]
    assert "Human sign-off: Ada Example" in (pack / "issue.md").read_text()


def test_an_answer_before_anybody_was_shown_the_verdict_or_to_no_question_is_not_taken(
    verify: Verify, asked: list[str]
) -> None:
    early = verify(*asked, "--answer", "accept")
    assert early.returncode == 2
    assert "waits for a review" in early.stderr
    unasked = verify(*asked, "--answer", "yes", "--because", "it is so")
    assert unasked.returncode == 2
    assert "the answer yes does not apply to sum-of-two: yes and no answer an open question" in one_sentence(unasked)
    assert verify(*asked, "--answer", "accept").returncode == 0


def test_an_answer_without_its_reason_or_that_is_none_is_one_sentence(verify: Verify, asked: list[str]) -> None:
    for words in (("--answer", "reject"), ("--answer", "perhaps")):
        done = verify(*asked, *words)
        assert done.returncode == 2
        assert "answer" in one_sentence(done)


@pytest.mark.exhaustive
def test_at_a_terminal_the_person_types_it_and_a_closed_one_is_asked_again(
    verify: Verify, asked: list[str], work: Path
) -> None:
    del verify
    command = [sys.executable, "-m", "verify", *asked]
    env = {**os.environ, "HOME": str(work), "XDG_CONFIG_HOME": str(work), "XDG_STATE_HOME": str(work)}

    def typed(line: bytes) -> subprocess.CompletedProcess[str]:
        ours, theirs = pty.openpty()
        try:
            os.write(ours, line)
            return subprocess.run(
                command, stdin=theirs, cwd=work, env=env, capture_output=True, text=True, timeout=120, check=False
            )
        finally:
            os.close(ours)
            os.close(theirs)

    closed = typed(b"\x04")
    assert closed.returncode == 2
    assert "asks again" in closed.stderr
    done = typed(b"perhaps\nreject\nno it is not\naccept\n")
    assert done.returncode == 0, done.stderr
    assert "no does not apply: yes and no answer an open question" in done.stderr
    assert "NOT SUPPORTED" in done.stdout
    said = json.loads((pack_of(work) / "basis.json").read_text())["review"]
    assert said["decision"] == "accept"
