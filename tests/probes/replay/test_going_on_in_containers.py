"""What a run did after its failing command is done again: as a way past it, and to see what needed what was missing."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from cases import Citation, CommandRun
from graph.aggregate import settle
from probes import Answer, Barrier, Finding, Ground, Hypothesis, Question, Route, Settings, Tier
from tests.probes.replay.made import Replay, hypothesis, shell

pytestmark = [pytest.mark.docker, pytest.mark.network, pytest.mark.slow, pytest.mark.timeout(600)]

PRESENT, PASSABLE, CAUSED = Question.PRESENT, Question.PASSABLE, Question.CAUSED
HEADER = "fatal error: vendorsim.h: No such file or directory\ncompilation terminated."
FILES = "printf '#include <vendorsim.h>\\nint main(void){return 0;}\\n' > check.c"


def at(block: int, command: CommandRun) -> CommandRun:
    return command.model_copy(update={"blocks": (block,)})


def recorded_way(asked: Hypothesis, block: int) -> Finding:
    """What the record's reader says of a step that worked later."""
    return Finding(
        id=f"{asked.id}/transcript/PASSABLE",
        hypothesis=asked.id,
        probe="transcript",
        ground=Ground.RECORD,
        question=PASSABLE,
        answer=Answer.YES,
        tier=Tier.T2,
        summary="The same command succeeded later.",
        routes=(Route(id="passed-in-the-run", tier=Tier.T2, result="passed"),),
        citations=(Citation(run_id="r1", block=block, start=0, end=1, quote="x"),),
        started=datetime.now(UTC),
        seconds=0,
    )


async def test_what_worked_later_in_the_run_is_the_first_route_and_works_again(replay: Replay) -> None:
    asked = hypothesis(Barrier.COMMAND_FAILS, event=0, commands=("sh build.sh",))
    found = await replay(
        asked,
        at(1, shell("sh build.sh", "sh: 0: cannot open build.sh: No such file", 2)),
        at(2, shell("echo 'echo built' > build.sh")),
        at(3, shell("sh build.sh", "built")),
        profile="offline",
        known=(recorded_way(asked, 3),),
    )
    assert found[PASSABLE].valid_answer is Answer.YES
    first = found[PASSABLE].routes[0]
    assert (first.id, first.result) == ("as-in-the-run", "passed")
    assert first.commands == ("echo 'echo built' > build.sh", "sh build.sh")


@pytest.mark.exhaustive
async def test_a_success_that_does_not_come_again_outweighs_no_machine(replay: Replay) -> None:
    asked = hypothesis(Barrier.HEADER, event=1, headers=("vendorsim.h",), commands=("gcc check.c -o check",))
    told = recorded_way(asked, 3)
    found = await replay(
        asked,
        at(1, shell(FILES)),
        at(2, shell("gcc check.c -o check", f"check.c:1:10: {HEADER}", 1)),
        at(3, shell("gcc check.c -o check", "", 0)),
        profile="offline",
        prompt="Build check against vendorsim.h.",
        known=(told,),
    )
    ways = {route.id: route.result for route in found[PASSABLE].routes}
    assert ways["as-in-the-run"] == "failed", ways
    assert found[PASSABLE].valid_answer is Answer.NO, (found[PASSABLE].summary, found[PASSABLE].controls)
    assert settle(asked, [told, *found.values()]).passable is Answer.NO


@pytest.mark.exhaustive
async def test_a_way_that_cannot_be_walked_whole_says_nothing_against_the_record(replay: Replay) -> None:
    asked = hypothesis(Barrier.HEADER, event=1, headers=("vendorsim.h",), commands=("gcc check.c -o check",))
    told = recorded_way(asked, 4)
    found = await replay(
        asked,
        at(1, shell(FILES)),
        at(2, shell("gcc check.c -o check", f"check.c:1:10: {HEADER}", 1)),
        at(3, CommandRun(kind="python", command="fetch()", tool="py", output="", exit_code=0, blocks=(3,))),
        at(4, shell("gcc check.c -o check", "", 0)),
        profile="offline",
        known=(told,),
    )
    assert found[PASSABLE].valid_answer is Answer.UNKNOWN
    assert settle(asked, [told, *found.values()]).passable is Answer.YES


GOAL = "python3 report.py"
REPORT = "printf 'import subprocess, sys\\nsys.exit(subprocess.call([\"./check\"]))\\n' > report.py"


@pytest.mark.exhaustive
async def test_a_goal_that_works_once_the_barrier_is_gone_needed_it(replay: Replay) -> None:
    found = await replay(
        hypothesis(Barrier.HEADER, event=2, headers=("vendorsim.h",), commands=("gcc check.c -o check",)),
        at(1, shell(FILES)),
        at(2, shell(REPORT)),
        at(3, shell("gcc check.c -o check", f"check.c:1:10: {HEADER}", 1)),
        at(4, shell(GOAL, "FileNotFoundError: [Errno 2] No such file or directory: './check'", 1)),
        profile="offline",
        prompt=f"Run `{GOAL}`, whose check is built against vendorsim.h, and give its exit code.",
    )
    assert found[PASSABLE].valid_answer is Answer.NO, (found[PASSABLE].summary, found[PASSABLE].controls)
    assert found[CAUSED].valid_answer is Answer.YES
    assert GOAL in found[CAUSED].summary


@pytest.mark.exhaustive
async def test_a_second_try_of_the_command_itself_is_no_later_failure_of_its_own(replay: Replay) -> None:
    """What it makes is there by then: tried twice, it fails though nothing stands in its way any more."""
    failed = shell("mkdir /opt/kept", "mkdir: cannot create directory '/opt/kept': Permission denied", 1)
    found = await replay(
        hypothesis(Barrier.PERMISSION, event=0, paths=("/opt/kept",), commands=(failed.command,)),
        at(1, failed),
        at(2, failed),
        profile="offline",
        prompt="Create the directory with `mkdir /opt/kept`; the grader looks for exactly that directory.",
    )
    assert found[PASSABLE].valid_answer is Answer.NO, found[PASSABLE].summary
    assert found[CAUSED].valid_answer is Answer.YES, found[CAUSED].summary


@pytest.mark.exhaustive
async def test_a_goal_that_fails_for_the_agents_own_bug_was_not_stopped_by_it(replay: Replay) -> None:
    found = await replay(
        hypothesis(Barrier.HEADER, event=2, headers=("vendorsim.h",), commands=("gcc check.c -o check",)),
        at(1, shell(FILES)),
        at(2, shell("echo 'raise SystemExit(undefined_name)' > report.py")),
        at(3, shell("gcc check.c -o check", f"check.c:1:10: {HEADER}", 1)),
        at(4, shell(GOAL, "NameError: name 'undefined_name' is not defined", 1)),
        profile="offline",
        prompt=f"Run `{GOAL}` and give its exit code.",
    )
    assert found[CAUSED].valid_answer is Answer.NO


async def test_a_goal_within_a_line_whose_end_does_not_tell_how_it_ended_is_run_by_itself(replay: Replay) -> None:
    """The line works once the header is there, and the check within it fails all the same."""
    line = "sh check.sh 2>&1 | tail -1; gcc check.c -o check"
    found = await replay(
        hypothesis(Barrier.HEADER, event=2, headers=("vendorsim.h",), commands=(line,)),
        at(1, shell(FILES)),
        at(2, shell("printf 'echo off by 3 per cent\\nexit 1\\n' > check.sh")),
        at(3, shell(line, f"off by 3 per cent\ncheck.c:1:10: {HEADER}", 1)),
        profile="offline",
        prompt="Make `sh check.sh` end well.",
    )
    assert CAUSED not in found or found[CAUSED].valid_answer is not Answer.YES, found[CAUSED]


@pytest.mark.exhaustive
async def test_a_goal_that_works_with_the_barrier_in_place_needed_nothing(replay: Replay) -> None:
    found = await replay(
        hypothesis(Barrier.HEADER, event=2, headers=("vendorsim.h",), commands=("gcc check.c -o check",)),
        at(1, shell(FILES)),
        at(2, shell("echo 'print(4)' > report.py")),
        at(3, shell("gcc check.c -o check", f"check.c:1:10: {HEADER}", 1)),
        at(4, shell(GOAL, "Killed", 137)),
        profile="offline",
        prompt=f"Run `{GOAL}` and give its exit code.",
    )
    assert CAUSED not in found


OWN = "frobnicate --selftest"
MISSED = "bash: line 1: frobnicate: command not found"
ASKED = "Run `sh build.sh` and report what it prints."
BUILT = "printf 'echo built\\n' > build.sh"


def own_wish(event: int) -> Hypothesis:
    """About a program that only the run itself wanted."""
    return hypothesis(Barrier.COMMAND, event=event, programs=("frobnicate",), commands=(OWN,))


@pytest.mark.exhaustive
async def test_what_only_the_run_wanted_stopped_nothing_where_the_tasks_command_works_beside_it(replay: Replay) -> None:
    found = await replay(
        own_wish(1),
        at(1, shell(BUILT)),
        at(2, shell(OWN, MISSED, 127)),
        at(3, shell("sh build.sh", "built", 0)),
        profile="offline",
        prompt=ASKED,
    )
    assert found[PRESENT].valid_answer is Answer.YES
    assert found[CAUSED].valid_answer is Answer.NO
    assert "sh build.sh" in found[CAUSED].summary
    assert PASSABLE not in found


@pytest.mark.exhaustive
async def test_where_the_run_stopped_at_it_or_the_tasks_command_fails_here_it_stays_open(replay: Replay) -> None:
    stopped = await replay(
        own_wish(2),
        at(1, shell(BUILT)),
        at(2, shell("sh build.sh", "built", 0)),
        at(3, shell(OWN, MISSED, 127)),
        profile="offline",
        prompt=ASKED,
    )
    fails_here = await replay(
        own_wish(0),
        at(1, shell(OWN, MISSED, 127)),
        at(2, shell("sh build.sh", "built", 0)),
        profile="offline",
        prompt=ASKED,
    )
    for found in (stopped, fails_here):
        assert found[PRESENT].valid_answer is Answer.YES
        assert CAUSED not in found


@pytest.mark.exhaustive
@pytest.mark.parametrize(("again", "caused"), [("URLError: <urlopen error", Answer.YES), ("written\n", None)])
async def test_a_task_s_command_behind_a_pipe_never_ended_where_it_said_its_last_line_whenever_it_was_run_again(
    replay: Replay, again: str, caused: Answer | None
) -> None:
    calls = "import urllib.request\nurllib.request.urlopen('https://data.invalid/x.json')\nprint('written')\n"
    said = "urllib.error.URLError: <urlopen error [Errno -3] Temporary failure in name resolution>"
    listing = "\n".join((".", "..", "bin", "dev", "etc", "home", "lib", "tmp"))
    before = at(1, shell(f'cat > fetch.py <<"E"\n{calls}E'))
    first = at(2, shell("python3 fetch.py 2>&1 | tail -1", said))
    second = at(
        3, shell("python3 fetch.py 2>&1 | tail -1; ls -a /", f"{said if 'Error' in again else again}\n{listing}")
    )
    asked = hypothesis(Barrier.NETWORK, event=1, hosts=("data.invalid",), commands=(first.command,))
    found = await replay(asked, before, first, second, profile="offline", prompt="Run `python3 fetch.py`.")
    assert found[PRESENT].valid_answer is Answer.YES, found[PRESENT]
    assert (found[CAUSED].valid_answer if CAUSED in found else None) is caused, found


PREFIXED = """PREFIX ?= /usr/local
tool: tool.c
	gcc -DDATA='"$(PREFIX)/share/tool"' -o tool tool.c
install: tool
	mkdir -p $(PREFIX)/share/tool && cp words $(PREFIX)/share/tool
"""
TOOL = '#include <stdio.h>\nint main(int n, char **v) { return n != 2 || !fopen(DATA "/words", "r"); }\n'


@pytest.mark.exhaustive
async def test_a_prefix_put_right_reaches_what_was_built_with_it_whatever_options_the_run_thought_of(
    replay: Replay, tmp_path: Path
) -> None:
    (tmp_path / "Makefile").write_text(PREFIXED)
    (tmp_path / "tool.c").write_text(TOOL)
    (tmp_path / "words").write_text("one two\n")
    refused = "mkdir: cannot create directory '/usr/local/share/tool': Permission denied\nmake: *** [install] Error 1"
    found = await replay(
        hypothesis(Barrier.PERMISSION, event=1, paths=("/usr/local/share/tool",), commands=("make install",)),
        at(1, shell("make tool")),
        at(2, shell("make install", refused, 2)),
        at(3, shell("./tool check", "", 1)),
        at(4, shell("./tool --data=. check", "", 1)),
        profile="offline",
        settings=Settings(offline=True, workspace=tmp_path),
        prompt="Build and install the tool, then run `./tool check`.",
    )
    assert found[PASSABLE].valid_answer is Answer.YES, found[PASSABLE]
    assert found[PASSABLE].reaches == ("./tool check",)


PIPELINE = (
    "try:\n    import moorfrob\n    open('picks.csv', 'w').write('7')\nexcept ImportError:\n    pass\nprint('done')\n"
)


@pytest.mark.parametrize("asks", [True, False])
async def test_a_command_of_the_task_s_that_ends_well_and_makes_nothing_is_measured_by_its_product(
    replay: Replay, tmp_path: Path, *, asks: bool
) -> None:
    task = tmp_path / "task"
    task.mkdir()
    (task / "pipeline.py").write_text(PIPELINE)
    product = "picks.csv" if asks else "log.txt"
    found = await replay(
        hypothesis(Barrier.MODULE, event=2, modules=("moorfrob",)),
        at(1, shell("python3 pipeline.py", "done")),
        at(2, shell("cat picks.csv", "cat: picks.csv: No such file or directory", 1)),
        at(3, shell("python3 -c 'import moorfrob'", "ModuleNotFoundError: No module named 'moorfrob'", 1)),
        profile="offline",
        settings=Settings(offline=True, workspace=task),
        prompt=f"Run `python3 pipeline.py`; it writes {product}, which is compared.",
    )
    assert found[PRESENT].valid_answer is Answer.YES, found[PRESENT]
    caused = found.get(CAUSED)
    assert (caused is not None and caused.valid_answer is Answer.YES) is asks, caused
