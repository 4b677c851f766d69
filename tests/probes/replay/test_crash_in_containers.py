"""Jobs that are killed for want of memory, in containers that have little of it."""

from pathlib import Path

import pytest

from probes import Answer, Barrier, Question, Settings
from tests.probes.replay.made import Replay, hypothesis, shell

pytestmark = [pytest.mark.docker, pytest.mark.slow, pytest.mark.timeout(900)]

PRESENT, PASSABLE = Question.PRESENT, Question.PASSABLE
ASKED = hypothesis(Barrier.CRASH)
WORK = """
import concurrent.futures, sys, time
def fill(number):
    held = b"x" * (70 << 20)
    time.sleep(2)
    return len(held)
if __name__ == "__main__":
    with concurrent.futures.ProcessPoolExecutor(int(sys.argv[2])) as pool:
        print(sum(pool.map(fill, range(4))))
"""


@pytest.fixture
def small(tmp_path: Path) -> str:
    profile = tmp_path / "small.toml"
    profile.write_text('name = "small"\nextends = "offline"\n[envelope]\nmemory_mb = 160\n')
    return str(profile)


def task(tmp_path: Path, text: str) -> Settings:
    (tmp_path / "task").mkdir()
    (tmp_path / "task" / "main.py").write_text(text)
    return Settings(offline=True, workspace=tmp_path / "task")


async def test_a_task_that_needs_more_memory_than_there_is_is_impassable(
    replay: Replay, small: str, tmp_path: Path
) -> None:
    settings = task(tmp_path, "print(len(b'x' * (300 << 20)))\n")
    found = await replay(ASKED, shell("python3 main.py", "Killed", 137), profile=small, settings=settings)
    assert found[PRESENT].valid_answer is Answer.YES, found[PRESENT]
    assert found[PASSABLE].valid_answer is Answer.NO, found[PASSABLE]
    assert [route.result for route in found[PASSABLE].routes] == ["failed"]


async def test_fewer_workers_pass_where_many_are_killed(replay: Replay, small: str, tmp_path: Path) -> None:
    settings = task(tmp_path, WORK)
    failed = shell("python3 main.py --workers 4", "BrokenProcessPool\nKilled", 1)
    found = await replay(ASKED, failed, profile=small, settings=settings)
    assert found[PRESENT].valid_answer is Answer.YES, found[PRESENT]
    assert found[PASSABLE].valid_answer is Answer.YES, found[PASSABLE]
    route = next(route for route in found[PASSABLE].routes if route.result == "passed")
    assert route.commands == ("python3 main.py --workers 1",)


async def test_code_that_eats_any_memory_and_a_kill_by_hand_stay_unknown(replay: Replay, small: str) -> None:
    settings = Settings(offline=True)
    hog = "python3 -c 'kept = []\nwhile True: kept.append(b\"x\" * 10**7)'"
    found = await replay(ASKED, shell(hog, "Killed", 137), profile=small, settings=settings)
    assert found[PRESENT].answer is Answer.YES
    assert found[PRESENT].valid_answer is Answer.UNKNOWN
    assert found[PASSABLE].valid_answer is Answer.UNKNOWN
    found = await replay(ASKED, shell("kill -9 $$", "Killed", 137), profile=small, settings=settings)
    assert found[PRESENT].answer is Answer.UNKNOWN
    assert "not for want of memory" in found[PRESENT].summary
