"""No line of shell, however it is made, holds up what reads its words."""

import time
from collections.abc import Callable

import pytest

from cases import CommandRun
from cases.touches import attempts_of
from cases.touches.installing import builds_a_directory, requirements
from cases.touches.promises import made_by_run
from probes.replay.arms.documented.asking import own_program
from probes.replay.arms.documented.options import choices
from probes.replay.arms.documented.settings import names_read, shown_in
from probes.replay.handlers.base import without_report, without_wait
from probes.replay.handlers.offers import asked, frugal
from probes.replay.handlers.settings import own_settings
from probes.replay.target.conda_words import conda_call, over_conda_forge
from probes.replay.target.needs import needs, paths_of, scripts_of
from probes.replay.target.script import takes_away


def _run(line: str) -> CommandRun:
    return CommandRun(kind="shell", command=line, tool="t", output="x", exit_code=0, blocks=())


READERS: tuple[Callable[[str], object], ...] = (
    conda_call,
    over_conda_forge,
    requirements,
    builds_a_directory,
    asked,
    frugal,
    lambda line: own_settings("add_argument('--x')", line),
    lambda line: list(needs(line, "/w")),
    paths_of,
    scripts_of,
    takes_away,
    lambda line: made_by_run("x.csv", "", [_run(line)], []),
    lambda line: attempts_of(_run(line)),
    without_report,
    without_wait,
    own_program,
    names_read,
    lambda line: list(choices([line])),
    lambda line: shown_in((line,), "./job"),
)


@pytest.mark.parametrize(
    "line",
    [
        "conda install a" + "=1" * 40_000 + "!",
        "conda install a" + "=" * 40_000 + " ",
        "conda install " + "a=1 " * 20_000,
        "apt " * 20_000 + "x",
        "pip " * 20_000 + "'",
        "pip install " + "a" * 80_000,
        "python " + "a/" * 40_000,
        "x" * 90_000,
        "pip install x\n" * 6_000,
        "cd a; " * 600 + "make",
    ],
)
def test_a_long_line_is_read_at_once(line: str) -> None:
    started = time.process_time()
    for read in READERS:
        read(line)
    assert time.process_time() - started < 10
