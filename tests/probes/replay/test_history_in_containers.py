"""A history that lacks a part, where the task asks for the name of a commit, or names one."""

import os
import subprocess
from pathlib import Path

import pytest

from probes import Answer, Barrier, Question, Settings
from tests.probes.replay.made import Replay, hypothesis, shell

pytestmark = [pytest.mark.docker, pytest.mark.slow, pytest.mark.timeout(300)]

costly = pytest.mark.exhaustive
ASKED = "Find the commit that broke parse() and write its full hash to culprit.txt."
PICKED = "Backport 5d41402abc4b2a76b9719d911017c592ae1f30c2 to main with `git cherry-pick -x`."
TOLD = "Since 5d41402abc4b2a76b9719d911017c592ae1f30c2 parse() is wrong: mend it."
NAMED = "0f3c9a7 parse: seconds only"
MAKES = """
git init -q -b main full && cd full
for n in 1 2 3; do echo $n > a; git add a; git commit -qm "a is $n"; done
cd ..
git clone -q --depth 1 "file://$PWD/full" w && cd w && git remote set-url origin https://git.lab.invalid/w.git
printf '%s' "$NOTE" > NOTES && cd .. && tar cf task/w.tar w
"""


def cloned(folder: Path, note: str) -> Settings:
    """A task with an archive of a clone that has one commit of three."""
    (folder / "task").mkdir()
    who = {f"GIT_{role}_{what}": "a@b" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    subprocess.run(["sh", "-ec", MAKES], cwd=folder, env=os.environ | who | {"NOTE": note}, check=True)
    return Settings(offline=True, workspace=folder / "task")


@pytest.mark.parametrize(
    ("prompt", "note", "command", "caused", "passable"),
    [
        (ASKED, "", "git fetch --unshallow", Answer.YES, Answer.NO),
        pytest.param(ASKED, NAMED, "git fetch --unshallow", Answer.YES, Answer.UNKNOWN, marks=costly),
        pytest.param(ASKED, "", "git fetch origin", None, Answer.NO, marks=costly),
        (PICKED, "", "git fetch origin release", Answer.YES, Answer.NO),
        pytest.param(TOLD, "", "git fetch origin release", None, Answer.NO, marks=costly),
        pytest.param("Mend parse().", "", "git fetch --unshallow", None, Answer.NO, marks=costly),
        pytest.param(ASKED, "", "git commit -qam x; git fetch --unshallow", None, Answer.NO, marks=costly),
    ],
    ids=[
        "asked for",
        "named in a file",
        "not deepened",
        "one that it lacks",
        "one that is spoken of",
        "nobody asks",
        "of the run's own",
    ],
)
async def test_what_a_clone_lacks_is_needed_where_the_task_asks_for_a_commit(
    replay: Replay, tmp_path: Path, prompt: str, note: str, command: str, caused: Answer | None, passable: Answer
) -> None:
    settings = cloned(tmp_path, note)
    error = "fatal: unable to access 'https://git.lab.invalid/w.git/': Could not resolve host: git.lab.invalid"
    failed = shell(f"cd w && {command}", error, 128)
    asked = hypothesis(Barrier.NETWORK, event=1, hosts=("git.lab.invalid",), commands=(failed.command,))
    found = await replay(asked, shell("tar xf w.tar"), failed, profile="offline", settings=settings, prompt=prompt)
    assert found[Question.PASSABLE].answer is passable, found[Question.PASSABLE]
    assert (found[Question.CAUSED].answer if Question.CAUSED in found else None) is caused
