"""Of a line that failed: the part that did, and the task's own command alone where nothing else plays a part."""

import re
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from cases import Events
from cases.shell import parse
from probes import Barrier, Settings
from probes.barriers import ladder_of
from probes.replay.deriving import subject_of
from probes.replay.handlers.base import sparing
from probes.replay.handlers.failing_part import to_its_failure, to_what_names
from probes.replay.target.model import ReplayTarget
from tests.probes.replay.made import context, hypothesis, shell

MAKE = "make: *** [Makefile:2: all] Error 1"


@pytest.mark.parametrize(
    ("line", "output", "found"),
    [
        ("make; ls out", f"{MAKE}\nls: cannot access 'out': No such file or directory", "make"),
        ("make && ./run; echo done", f"{MAKE}\ndone", "make && ./run"),
        ("(cd x; make); true", MAKE, "(cd x; make)"),
        ("if make; then ls; fi; echo x", f"{MAKE}\nx", "if make; then ls; fi"),
        ("for d in a b; do make -C $d; done; ls", MAKE, "for d in a b; do make -C $d; done"),
        ("./job; echo done", "./job: fatal\ndone", "./job"),
        ("make", MAKE, "make"),
        ("make <<E; ls\nx\nE", MAKE, "make <<E; ls\nx\nE"),
    ],
)
def test_a_line_is_tried_up_to_what_failed_and_stays_one_that_a_shell_can_read(
    line: str, output: str, found: str
) -> None:
    assert to_its_failure(shell(line, output, 2)) == found
    assert parse(found).body is not None


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("mkdir /srv/x; install -d -g staff /srv/x", "mkdir /srv/x"),
        ("cd /tmp && mkdir /srv/x; chown me: /srv/x; ls /srv/x", "cd /tmp && mkdir /srv/x"),
        ("make; ls", "make; ls"),
    ],
)
def test_a_line_is_tried_up_to_where_it_was_refused(line: str, found: str) -> None:
    said = "mkdir: cannot create directory '/srv/x': Permission denied\ninstall: invalid group 'staff'"
    assert to_what_names(shell(line, said, 1), "/srv/x") == found


@pytest.mark.parametrize(
    ("line", "tried"),
    [
        ("ls; ./job --all; echo done", "./job --all"),
        ("cd sub && ./job --all 2>&1 | tail -3", "cd sub && ./job --all"),
        ("./prepare; ./job --all", "./prepare; ./job --all"),
        ("LEVEL=3 ./job --all", "LEVEL=3 ./job --all"),
        ("./job --all < in.txt", "./job --all < in.txt"),
        ("echo 5 | ./job --all", "set -o pipefail; echo 5 | ./job --all"),
    ],
)
async def test_the_task_s_own_command_is_tried_alone_unless_the_line_gives_it_something(
    line: str, tried: str, tmp_path: Path
) -> None:
    failed = shell(line, "./job: fatal: no", 3 if "|" not in line else 0)
    async with AsyncExitStack() as stack:
        made = context(tmp_path, "offline", Events(commands=(failed,)), stack, Settings(), "Run `./job --all`.")
        subject = subject_of(hypothesis(Barrier.COMMAND_FAILS, event=0, commands=(line,)), made)
    assert isinstance(subject, ReplayTarget)
    assert subject.attempts[0].command == tried


@pytest.mark.parametrize(
    ("line", "tried"),
    [
        ("pip install joblet 2>&1 | tail -1; joblet --all", "joblet --all"),
        ("apt-get install -y joblet; cd sub; joblet --all", "cd sub && joblet --all"),
        ("./prepare; joblet --all", "./prepare; joblet --all"),
        ("joblet --help", "joblet --help"),
    ],
)
async def test_a_missing_program_is_asked_for_what_the_task_wants_of_it_without_what_did_not_bring_it(
    line: str, tried: str, tmp_path: Path
) -> None:
    failed = shell(line, "bash: line 1: joblet: command not found", 127)
    async with AsyncExitStack() as stack:
        made = context(tmp_path, "offline", Events(commands=(failed,)), stack, Settings(), "Run `joblet --all`.")
        subject = subject_of(hypothesis(Barrier.COMMAND, event=0, programs=("joblet",)), made)
    assert isinstance(subject, ReplayTarget)
    assert subject.attempts[0].command == tried


@pytest.mark.parametrize(
    ("line", "ways"),
    [
        ("./mount-it.sh", {"own-user-namespace"}),
        ("chown root out", set()),
        ("tar -cf out.tar --owner=root tree", {"own-user-namespace", "pretended-root"}),
    ],
)
def test_what_is_only_pretended_is_no_way_to_do_it(line: str, ways: set[str]) -> None:
    routes = ladder_of(Barrier.COMMAND_FAILS).route
    pretending = {route.id: route for route in routes if route.id in ("own-user-namespace", "pretended-root")}
    assert {name for name, route in pretending.items() if re.search(route.only_if or "", line)} == ways


@pytest.mark.parametrize(
    ("line", "spared"),
    [
        ("tar tf a.tar | head", "tar tf a.tar | head || test $? = 141"),
        ("make; ls | grep -q main", "make; ls | grep -q main || test $? = 141"),
        ("make | tail -3", "make | tail -3"),
        ("yes | head &", "yes | head &"),
        ("make", "make"),
    ],
)
def test_what_feeds_a_program_that_stops_reading_has_not_failed(line: str, spared: str) -> None:
    assert sparing(line) == spared
