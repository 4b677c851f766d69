"""A denied path that a command reads or runs, told from one that it writes."""

from dataclasses import replace
from pathlib import Path

import pytest

from probes.model import Barrier
from probes.replay.handlers.path import PathDetails
from probes.replay.handlers.using import Copy, Use, open_still, through, writes
from probes.replay.routes.ladder import ladder_for
from probes.replay.target.model import ReplayTarget
from tests.probes.replay.made import shell
from tests.probes.replay.test_replay_data_and_words import subject

TRACE = 'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\n    {code}\nPermissionError: …'


@pytest.mark.parametrize(
    ("command", "output", "expected"),
    [
        ("python3 -c \"print(len(open('/d/x.csv').readlines()))\"", "", False),
        ("cat /d/x.csv 2>/dev/null", "cat: /d/x.csv: Permission denied", False),
        ("ls /d/x.csv", "ls: cannot open directory '/d/x.csv': Permission denied", False),
        ("/d/x.csv", "bash: line 1: /d/x.csv: Permission denied", False),
        ("echo 5 > /d/x.csv", "bash: line 1: /d/x.csv: Permission denied", True),
        ("python3 -c \"open('/d/x.csv', 'w')\"", "", True),
        ("cp a.csv /d/x.csv", "cp: cannot create regular file '/d/x.csv': Permission denied", True),
        ("touch /d/x.csv", "touch: cannot touch '/d/x.csv': Permission denied", True),
        ("python3 a.py", TRACE.format(code="frame = pd.read_csv(path)"), False),
        ("python3 a.py", TRACE.format(code="frame.to_csv(path)"), None),
        ("cat /d/x.csv > y.csv", "cat: /d/x.csv: Permission denied", None),
        ("python3 -c \"Path('/d/x.csv').write_text('5')\"", "", True),
        ("cp /d/x.csv .", "cp: cannot open '/d/x.csv' for reading: Permission denied", None),
    ],
)
def test_whether_a_command_writes_to_a_path_is_said_only_where_it_is_plain(
    command: str, output: str, *, expected: bool | None
) -> None:
    assert writes("/d/x.csv", command, output) is expected


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("/task/run.sh --fast", "sh -e /task/run.sh --fast"),
        ("cd /task && time /task/run.sh; ls", "cd /task && time sh -e /task/run.sh; ls"),
        ("cat /task/run.sh", None),
        ("/task/run.sh.bak", None),
    ],
)
def test_a_script_that_can_be_read_is_run_by_its_interpreter(command: str, expected: str | None) -> None:
    assert through("/task/run.sh", command, "sh -e") == expected


def test_an_interpreter_that_is_no_plain_word_is_not_put_in_a_command() -> None:
    assert through("/task/run.sh", "/task/run.sh", "sh; rm -rf /") is None


def test_what_is_read_is_never_replaced_by_something_of_the_agent_s_own(tmp_path: Path) -> None:
    command = "cat /d/x.csv"
    found, made = subject(
        tmp_path, Barrier.PERMISSION, shell(command, "cat: /d/x.csv: Permission denied", 1), paths=("/d/x.csv",)
    )
    assert isinstance(found, ReplayTarget)
    ready = [
        {ready.plan.id for ready in ladder_for(asked, made.envelope, command, offline=False).ready}
        for asked in (found, replace(found, details=PathDetails(use=Use())))
    ]
    own = {
        *("relative-path", "relative-directory", "home", "put-right-in-its-sources", "own-folder-in-its-sources"),
        *("tmpdir", "python-user-base"),
    }
    assert ready[0] - ready[1] == own


@pytest.mark.parametrize(
    ("use", "named", "told"),
    [
        (None, False, None),
        (Use(), True, None),
        (Use(), False, "does not name the path"),
        (Use(other="/w/x.csv"), True, "whether it would do"),
        (Use(copy=Copy("/w/x.csv", "cat /w/x.csv")), True, "whether it would do"),
        (Use(held="/w/a.zip"), True, "/w/a.zip contains"),
        (Use(command_run="sh /d/x.csv"), True, "what else would run it"),
        (Use(plain=False), True, "could not tell whether the command reads"),
    ],
)
def test_what_may_stand_in_for_a_closed_file_leaves_it_open(use: Use | None, *, named: bool, told: str | None) -> None:
    why = open_still("/d/x.csv", use, named=named)
    assert (why is None) if told is None else told in str(why)
