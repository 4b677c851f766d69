"""A system call that a container's policy refuses: known by what a command does where that call alone is granted."""

from pathlib import Path

import pytest

from probes import Answer, Barrier, Finding, Question, Settings
from tests.probes.replay.made import Replay, hypothesis, shell

pytestmark = [pytest.mark.docker, pytest.mark.network, pytest.mark.slow, pytest.mark.timeout(300)]

PRESENT, PASSABLE, CAUSED = Question.PRESENT, Question.PASSABLE, Question.CAUSED
CALLS = """import ctypes, platform, sys
libc = ctypes.CDLL(None, use_errno=True)
made = ctypes.create_string_buffer(128)
opened = libc.syscall({'x86_64': 298, 'aarch64': 241}[platform.machine()], made, 0, -1, -1, 0)
"""
COUNTS = f"{CALLS}if opened < 0:\n    sys.exit('the counters stay shut')\nprint('counted')\n"
GOES_ON = f"{CALLS}if len(sys.argv) < 3:\n    sys.exit('two runs are needed')\nprint('compared')\n"


async def counted(replay: Replay, task: Path, source: str, said: str, prompt: str) -> dict[Question, Finding]:
    (task / "counters.py").write_text(source)
    asked = hypothesis(Barrier.COMMAND_FAILS, event=0)
    command = shell("python3 counters.py", said, 1)
    return await replay(asked, command, profile="offline", settings=Settings(workspace=task), prompt=prompt)


async def test_a_call_that_the_policy_refuses_to_the_task_s_own_program_is_impassable(
    replay: Replay, tmp_path: Path
) -> None:
    found = await counted(replay, tmp_path, COUNTS, "the counters stay shut", "Run `python3 counters.py`.")
    assert found[PRESENT].barrier is Barrier.SYSTEM_CALL, found[PRESENT]
    assert found[PRESENT].about == "perf_event_open"
    assert found[PRESENT].valid_answer is Answer.YES, found[PRESENT]
    assert found[PASSABLE].valid_answer is Answer.NO, found[PASSABLE]


@pytest.mark.exhaustive
async def test_where_the_task_names_no_program_another_may_do_without_the_call(replay: Replay, tmp_path: Path) -> None:
    found = await counted(replay, tmp_path, COUNTS, "the counters stay shut", "How often does it miss the cache?")
    assert found[PASSABLE].valid_answer is Answer.UNKNOWN, found[PASSABLE]


@pytest.mark.exhaustive
async def test_a_refused_call_without_which_a_program_goes_on_names_nothing(replay: Replay, tmp_path: Path) -> None:
    found = await counted(replay, tmp_path, GOES_ON, "two runs are needed", "Run `python3 counters.py`.")
    assert found[PRESENT].barrier is None, found[PRESENT]
