"""A small tmpfs that is full, and a disk of unknown size."""

from pathlib import Path

import pytest

from cases import CommandRun
from probes import Answer, Barrier, Question, Settings
from probes.model import LIFTED
from tests.probes.replay.made import Replay, hypothesis, shell

pytestmark = [pytest.mark.docker, pytest.mark.slow, pytest.mark.timeout(900)]

PRESENT, PASSABLE = Question.PRESENT, Question.PASSABLE
ASKED = hypothesis(Barrier.DISK_FULL)
FULL = "OSError: [Errno 28] No space left on device"
OFFLINE = Settings(offline=True)


@pytest.fixture
def cramped(tmp_path: Path) -> str:
    profile = tmp_path / "cramped.toml"
    profile.write_text('name = "cramped"\nextends = "offline"\n[envelope]\ntmpfs = ["/tmp:size=8m,mode=1777"]\n')
    return str(profile)


@pytest.mark.exhaustive
async def test_a_full_tmp_is_passed_by_tmpdir_or_another_place(replay: Replay, cramped: str) -> None:
    code = "import tempfile; f = tempfile.TemporaryFile(); f.write(b'x' * (20 << 20)); f.flush(); print('done')"
    found = await replay(ASKED, shell(f'python3 -c "{code}"', FULL, 1), profile=cramped, settings=OFFLINE)
    assert found[PRESENT].valid_answer is Answer.YES, found[PRESENT]
    assert found[PASSABLE].valid_answer is Answer.YES, found[PASSABLE]
    assert next(route for route in found[PASSABLE].routes if route.result == "passed").id == "tmpdir"
    named = shell("head -c 20000000 /dev/zero > /tmp/out.bin", FULL, 1)
    found = await replay(ASKED, named, profile=cramped, settings=OFFLINE)
    route = next(route for route in found[PASSABLE].routes if route.result == "passed")
    assert route.commands == ("head -c 20000000 /dev/zero > /home/agent/out.bin",)


@pytest.mark.exhaustive
async def test_a_script_s_own_folder_is_put_where_there_is_room(replay: Replay, cramped: str, tmp_path: Path) -> None:
    (tmp_path / "task").mkdir()
    run = tmp_path / "task" / "run.sh"
    run.write_text('#!/bin/sh\nhead -c 20000000 /dev/zero > "${SCRATCH:-/tmp}/x" && echo done\n')
    run.chmod(0o755)
    settings = Settings(offline=True, workspace=tmp_path / "task")
    found = await replay(ASKED, shell("./run.sh", FULL, 1), profile=cramped, settings=settings)
    passed = next(route for route in found[PASSABLE].routes if route.result == "passed")
    assert (passed.id, passed.commands[0]) == ("documented-setting", "export SCRATCH=$HOME"), found[PASSABLE]


@pytest.mark.exhaustive
async def test_a_line_that_hides_how_it_ends_is_passed_by_nothing_that_leaves_its_commands_failing(
    replay: Replay, tmp_path: Path
) -> None:
    """And a tmpfs that the image has no directory for stays open to everybody in every container."""
    profile = tmp_path / "small.toml"
    profile.write_text('name = "small"\nextends = "offline"\n[envelope]\ntmpfs = ["/home/agent/out:size=8m"]\n')
    said = f"head: error writing 'standard output': No space left on device\n{FULL}"
    line = "head -c 20000000 /dev/zero > out/x.bin; test -s out/x.bin && ls out; rm -f out/x.bin"
    asked = hypothesis(Barrier.DISK_FULL, event=1, commands=(line,))
    prompt = "Write 20000000 zero bytes to /home/agent/out/x.bin; the grader opens exactly that file."
    made, settings = shell("echo 1 > note"), Settings(offline=True)
    found = await replay(asked, made, shell(line, said, 0), profile=str(profile), settings=settings, prompt=prompt)
    assert found[PRESENT].valid_answer is Answer.YES, found[PRESENT]
    assert "passed" not in {route.result for route in found[PASSABLE].routes}, found[PASSABLE]


async def test_a_disk_of_unknown_size_is_never_said_to_be_full(replay: Replay) -> None:
    failed = shell("head -c 1000 /dev/zero > out.bin", FULL, 1)
    found = await replay(ASKED, failed, profile="offline", settings=OFFLINE)
    assert found[PRESENT].answer is Answer.UNKNOWN
    assert "not know" in found[PRESENT].summary


MAKE = "python3 make.py out/table.bin"
CHECKS = {
    "the check looks at one place only": ("f=out/table.bin", "another-place-home", "failed"),
    "the check finds it anywhere": (
        "f=$(find . $HOME -name table.bin -size +1M | head -1)",
        "another-place-home",
        "passed",
    ),
}


@pytest.mark.exhaustive
@pytest.mark.parametrize("named", CHECKS)
async def test_whether_another_place_will_do_is_told_by_what_else_the_task_asks_for(
    named: str, replay: Replay, tmp_path: Path
) -> None:
    where, route, result = CHECKS[named]
    task = tmp_path / "task"
    (task / "out").mkdir(parents=True)
    (task / "make.py").write_text("import sys\nopen(sys.argv[1], 'wb').write(b'x' * (20 << 20))\n")
    (task / "check.sh").write_text(f'{where}\n[ "$(stat -c %s "$f")" = 20971520 ] && echo ok\n')
    profile = tmp_path / "cramped.toml"
    profile.write_text(
        'name = "cramped"\nextends = "offline"\n[envelope]\ntmpfs = ["/home/agent/out:size=8m,mode=1777"]\n'
    )
    prompt = f"Make the table with `{MAKE}`; out/table.bin is what the loader maps. Then `sh check.sh` has to say ok."
    found = await replay(
        hypothesis(Barrier.DISK_FULL, event=0),
        at(1, shell(MAKE, FULL, 1)),
        at(2, shell("sh check.sh", "", 1)),
        profile=str(profile),
        settings=Settings(offline=True, workspace=task),
        prompt=prompt,
    )
    assert found[PRESENT].valid_answer is Answer.YES, found[PRESENT]
    assert {one.id: one.result for one in found[PASSABLE].routes}[route] == result
    assert found[PASSABLE].valid_answer is (Answer.NO if result == "failed" else Answer.YES), found[PASSABLE]


def at(block: int, command: CommandRun) -> CommandRun:
    return command.model_copy(update={"blocks": (block,)})


@pytest.mark.parametrize(
    ("line", "place"),
    [("python3 make.py; rm -f out/t.bin", "/home/agent/out/t.bin"), ("python3 make.py", "out/t.bin")],
    ids=["in full", "from the working directory"],
)
@pytest.mark.exhaustive
async def test_the_place_where_the_task_s_own_program_writes_by_itself_and_that_the_prompt_names_is_demanded(
    replay: Replay, tmp_path: Path, line: str, place: str
) -> None:
    task = tmp_path / "task"
    task.mkdir()
    (task / "make.py").write_text("open('out/t.bin', 'wb').write(b'x' * (20 << 20))\n")
    profile = tmp_path / "cramped.toml"
    profile.write_text(
        'name = "cramped"\nextends = "offline"\n[envelope]\ntmpfs = ["/home/agent/out:size=8m,mode=1777"]\n'
    )
    settings = Settings(offline=True, workspace=task)
    prompt = f"make.py makes a table; the loader maps {place}."
    asked = hypothesis(Barrier.DISK_FULL, commands=(line,))
    found = await replay(asked, shell(line, FULL, 1), profile=str(profile), settings=settings, prompt=prompt)
    assert found[PRESENT].valid_answer is Answer.YES, found[PRESENT]
    assert found[PASSABLE].valid_answer is Answer.NO, found[PASSABLE]


@pytest.mark.exhaustive
async def test_a_place_that_only_the_mount_had_made_is_there_without_its_limit(replay: Replay, tmp_path: Path) -> None:
    task = tmp_path / "task"
    task.mkdir()
    (task / "export.py").write_text("open('/export/full.bin', 'wb').write(b'x' * (20 << 20))\nprint('exported')\n")
    profile = tmp_path / "cramped.toml"
    profile.write_text('name = "cramped"\nextends = "offline"\n[envelope]\ntmpfs = ["/export:size=8m,mode=1777"]\n')
    settings = Settings(offline=True, workspace=task)
    found = await replay(ASKED, shell("python3 export.py", FULL, 1), profile=str(profile), settings=settings)
    assert found[PRESENT].valid_answer is Answer.YES, found[PRESENT]
    [lifted] = [one for one in (*found[PRESENT].controls, *found[PASSABLE].controls) if one.name == LIFTED][:1]
    assert lifted.passed, lifted


GRID = """from multiprocessing import shared_memory
grid = shared_memory.SharedMemory("grid", create=True, size=80 << 20)
grid.buf[::4096] = bytes(20480)
"""


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        ("Run `python3 publish.py`, which leaves the shared-memory segment `grid` behind.", Answer.NO),
        pytest.param("Run `python3 publish.py`.", Answer.UNKNOWN, marks=pytest.mark.exhaustive),
    ],
    ids=["asked for", "of the program's own choice"],
)
async def test_shared_memory_without_room_lies_nowhere_else(
    replay: Replay, tmp_path: Path, prompt: str, answer: Answer
) -> None:
    (tmp_path / "publish.py").write_text(GRID)
    asked = hypothesis(Barrier.COMMAND_FAILS, commands=("python3 publish.py",))
    said = "bash: line 1:    31 Bus error               python3 publish.py"
    settings = Settings(offline=True, workspace=tmp_path)
    found = await replay(
        asked, shell("python3 publish.py", said, 135), profile="offline", settings=settings, prompt=prompt
    )
    assert found[PRESENT].barrier is Barrier.DISK_FULL, found[PRESENT]
    assert found[PASSABLE].valid_answer is answer, found[PASSABLE]
    assert answer is Answer.UNKNOWN or all(control.passed for control in found[PASSABLE].controls)
