"""The run's files are in the container before its failing command is repeated."""

from pathlib import Path

import pytest

from cases import FileWrite
from probes import Answer, Barrier, Question, Settings
from tests.probes.replay.made import Replay, hypothesis, shell

pytestmark = [pytest.mark.docker, pytest.mark.slow, pytest.mark.timeout(900)]

NO_MODULE = "ModuleNotFoundError: No module named 'surely_missing'"


def write(path: str, content: str, after: int, old: str | None = None) -> FileWrite:
    how = "replace" if old else "whole"
    return FileWrite(path=path, how=how, content=content, old=old, tool="edit_file", after=after, blocks=())


@pytest.mark.exhaustive
async def test_written_printed_and_given_files_are_all_there(replay: Replay, tmp_path: Path) -> None:
    given = tmp_path / "task"
    (given / "data").mkdir(parents=True)
    (given / "data" / "names.txt").write_text("surely_missing\n")
    commands = (
        shell("mkdir -p code"),
        shell("cat code/helper.py", "Stdout:\nBEGIN = 'import '\n\nStderr:\n"),
        shell("cp code/run.py code/main.py"),
        shell("python3 code/main.py", NO_MODULE, 1),
    )
    program = "import helper\nexec(helper.BEGIN + open('WHERE').read())\n"
    writes = (write("code/run.py", program, 1), write("code/run.py", "data/names.txt", 2, old="WHERE"))
    asked = hypothesis(Barrier.MODULE, event=3, modules=("surely_missing",))
    settings = Settings(offline=True, workspace=given)
    present = (await replay(asked, *commands, writes=writes, profile="offline", settings=settings))[Question.PRESENT]
    assert present.answer is Answer.YES
    assert "`python3 code/main.py` fails" in present.summary
    told = " ".join(present.limits)
    assert "code/run.py" in told
    assert "reconstructed from what the run's commands printed: code/helper.py" in told
    assert "given with --workspace (1)" in told
    assert "went differently in the run" not in told


@pytest.mark.exhaustive
async def test_a_repository_that_came_from_nowhere_leaves_it_unknown(replay: Replay) -> None:
    failed = shell("cd repo && python3 main.py", NO_MODULE, 1)
    asked = hypothesis(Barrier.MODULE, modules=("surely_missing",))
    found = await replay(asked, failed, profile="offline", settings=Settings(offline=True))
    present = found[Question.PRESENT]
    assert present.answer is Answer.UNKNOWN
    assert "/home/agent/repo" in present.summary
    assert "--workspace" in present.summary
