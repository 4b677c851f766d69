"""What commands ended with whose record does not tell: the run is gone through again."""

from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from cases import CommandRun, Events
from probes import Settings
from probes.replay import ReplayProbe
from probes.replay.arms.retracing import prints_the_same, sure
from tests.probes.replay.made import context, shell


@pytest.mark.parametrize(
    ("recorded", "now", "same"),
    [
        ("warning: old\n3 tests, 0.12 s\n", "3 tests, 0.34 s\nwarning: old", True),
        ("\x1b[32m3\x1b[0m", "3", True),
        ("", "\n", True),
        ("built /tmp/a1/x", "built /tmp/b2/x", True),
        ("ok", "no such file", False),
        ("12 passed, 0 failed in 0.31s", "3 passed, 9 failed in 0.35s", False),
        ("a\na", "a", False),
        (None, "", False),
    ],
)
def test_a_command_prints_the_same_but_for_what_changes_from_run_to_run(
    recorded: str | None, now: str, same: bool
) -> None:
    ran = CommandRun(kind="shell", command="make", tool="bash", output=recorded, exit_code=None, blocks=(0,))
    assert prints_the_same(ran, now) is same


@pytest.mark.docker
async def test_exit_codes_are_measured_of_what_prints_the_same(
    tmp_path: Path, shops: Callable[[Settings], Awaitable[dict[str, object]]]
) -> None:
    ran = [
        untold("mkdir -p out && echo 1 > out/a", ""),
        untold("ls out", "a\n"),
        untold("test -e out/b", ""),
        untold("make -s nothing", "make: *** No rule to make target 'nothing'.  Stop.\n"),
        untold("echo $RANDOM$RANDOM > out/c; wc -l out/c nowhere", "2 out/c\n"),
        untold("python3 -c 'import sys; sys.exit(3)'", ""),
        untold("export RATES=/tmp/r.json", ""),
        untold("test -n 'x' -a -e out/d", ""),
    ]
    events, settings = Events(commands=tuple(ran)), Settings()
    async with AsyncExitStack() as stack:
        made = context(tmp_path / "store", "debian", events, stack, settings)
        made = replace(made, resources=await shops(settings))
        retraced = await ReplayProbe().retrace(made.case.runs[0], made)
    assert dict(retraced.codes) == {0: 0, 3: 2, 6: 0}
    assert retraced.untold == len(events.untold)


def untold(command: str, output: str) -> CommandRun:
    return shell(command, output).model_copy(update={"exit_code": None})


def test_a_failure_counts_only_where_it_is_known_how_the_command_ended_later() -> None:
    events = Events(
        commands=(untold("sh nightly.sh", ""), untold("sh build.sh", ""), untold("cd /w && sh nightly.sh", ""))
    )
    assert sure({0: 1, 1: 1}, events) == {1: 1}
    assert sure({0: 1, 1: 1, 2: 0}, events) == {0: 1, 1: 1, 2: 0}
