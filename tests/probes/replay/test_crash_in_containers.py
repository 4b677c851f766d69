"""Jobs that are killed for want of memory, in containers that have little of it."""

from pathlib import Path

import pytest

from probes import Answer, Barrier, Question, Settings
from sandboxes import ContainerPool, Engine, Spec
from sandboxes.images import ensure_image
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

SOLVER = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char *wanted = VARIABLE;
    size_t block = wanted ? (size_t)atoi(wanted) : 300;
    memset(malloc(block << 20), 1, block << 20);
    puts("solved");
}
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


@pytest.mark.exhaustive
async def test_a_task_that_needs_more_memory_than_there_is_is_impassable(
    replay: Replay, small: str, tmp_path: Path
) -> None:
    settings = task(tmp_path, "print(len(b'x' * (300 << 20)))\n")
    found = await replay(ASKED, shell("python3 main.py", "Killed", 137), profile=small, settings=settings)
    assert found[PRESENT].valid_answer is Answer.YES, found[PRESENT]
    assert found[PASSABLE].valid_answer is Answer.NO, found[PASSABLE]
    assert {route.result for route in found[PASSABLE].routes} == {"failed", "not_applicable"}


def compiled(tmp_path: Path, variable: str) -> Settings:
    """A workspace with a program without its source, that touches 300 MB or what a variable says."""
    engine = Engine.connect()
    with (
        ContainerPool(engine) as containers,
        containers.start(Spec(image=ensure_image(engine, "impassable/base"))) as session,
    ):
        session.put("/tmp/solver.c", SOLVER.replace("VARIABLE", variable).encode())
        made = session.run("gcc -O0 -s -static -o /tmp/solver /tmp/solver.c", seconds=60)
        assert made.ok, made.output
        program = session.get("/tmp/solver", limit=5_000_000)
    engine.close()
    settings = task(tmp_path, "")
    (tmp_path / "task" / "solver").write_bytes(program)
    (tmp_path / "task" / "solver").chmod(0o755)
    (tmp_path / "task" / "README.md").write_text("SOLVER_BLOCK=100 ./solver works in blocks of 100 MB.\n")
    return settings


@pytest.mark.exhaustive
async def test_a_program_without_its_source_that_reads_nothing_besides_is_impassable(
    replay: Replay, small: str, tmp_path: Path
) -> None:
    settings = compiled(tmp_path, '(getenv("HOME"), NULL)')
    found = await replay(ASKED, shell("./solver", "Killed", 137), profile=small, settings=settings)
    assert found[PASSABLE].valid_answer is Answer.NO, found[PASSABLE]


@pytest.mark.exhaustive
async def test_a_variable_in_the_texts_of_a_program_that_the_readme_tells_of_is_tried(
    replay: Replay, small: str, tmp_path: Path
) -> None:
    settings = compiled(tmp_path, 'getenv("SOLVER_BLOCK")')
    found = await replay(ASKED, shell("./solver", "Killed", 137), profile=small, settings=settings)
    assert found[PASSABLE].valid_answer is Answer.YES, found[PASSABLE]
    assert any("SOLVER_BLOCK=100" in command for route in found[PASSABLE].routes for command in route.commands)


@pytest.mark.exhaustive
async def test_fewer_workers_pass_where_many_are_killed(replay: Replay, small: str, tmp_path: Path) -> None:
    settings = task(tmp_path, WORK)
    failed = shell("python3 main.py --workers 4", "BrokenProcessPool\nKilled", 1)
    found = await replay(ASKED, failed, profile=small, settings=settings)
    assert found[PRESENT].valid_answer is Answer.YES, found[PRESENT]
    assert found[PASSABLE].valid_answer is Answer.YES, found[PASSABLE]
    route = next(route for route in found[PASSABLE].routes if route.result == "passed")
    assert route.commands == ("python3 main.py --workers 1",)


@pytest.mark.exhaustive
async def test_code_that_eats_any_memory_and_a_kill_by_hand_stay_unknown(replay: Replay, small: str) -> None:
    settings = Settings(offline=True)
    hog = "python3 -c 'kept = []\nwhile True: kept.append(b\"x\" * 10**7)'"
    found = await replay(ASKED, shell(hog, "Killed", 137), profile=small, settings=settings)
    assert found[PRESENT].answer is Answer.YES
    assert found[PRESENT].valid_answer is Answer.UNKNOWN
    assert found[PASSABLE].valid_answer is Answer.UNKNOWN
    found = await replay(ASKED, shell("kill -9 $$", "Killed", 137), profile=small, settings=settings)
    assert found[PRESENT].answer is Answer.UNKNOWN
    assert "not for lack of memory" in found[PRESENT].summary
