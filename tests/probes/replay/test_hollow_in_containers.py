"""Modules of which nothing is used, or that a build would have written: what stands in their place."""

from pathlib import Path

import pytest

from probes import Answer, Barrier, Question, Settings
from tests.probes.replay.made import Replay, hypothesis, python, shell
from tests.probes.replay.test_documented_in_containers import results, task

pytestmark = [pytest.mark.docker, pytest.mark.slow, pytest.mark.timeout(300)]

BUILD = '[tool.setuptools_scm]\nwrite_to = "orbits/_version.py"\n'


def missing(module: str) -> str:
    return f"ModuleNotFoundError: No module named '{module}'"


@pytest.mark.network
@pytest.mark.parametrize(
    ("used", "comes"),
    [
        ("if len(sys.argv) > 1:\n    print(iniconfig.IniConfig(sys.argv[1]))\n", "passed"),
        pytest.param("print(sorted(dir(iniconfig)))\n", "failed", marks=pytest.mark.exhaustive),
    ],
    ids=["only for another file", "for what is printed"],
)
async def test_an_empty_module_will_do_where_the_program_does_the_same_with_it(
    replay: Replay, tmp_path: Path, used: str, comes: str
) -> None:
    place = task(tmp_path, run_dot_py=f"import sys\nimport iniconfig\n{used}print(6 * 7)\n")
    failed = shell("python3 run.py", missing("iniconfig"), 1)
    asked = hypothesis(Barrier.MODULE, modules=("iniconfig",), commands=(failed.command,))
    settings = Settings(workspace=place.workspace)
    found = await replay(asked, failed, profile="offline", settings=settings, prompt="Run run.py; report the number.")
    finding = found[Question.PASSABLE]
    assert results(finding)["empty-module"] == comes, finding
    assert (finding.valid_answer is Answer.YES) is (comes == "passed")


async def test_a_version_file_that_a_build_writes_can_be_written_by_hand(replay: Replay, tmp_path: Path) -> None:
    place = task(tmp_path, pyproject_dot_toml=BUILD, run_dot_py="import orbits\nprint(7)\n")
    (tmp_path / "task" / "orbits").mkdir()
    (tmp_path / "task" / "orbits" / "__init__.py").write_text("from ._version import version\n")
    failed = shell("python3 run.py", missing("orbits._version"), 1)
    asked = hypothesis(Barrier.MODULE, modules=("orbits._version",), commands=(failed.command,))
    found = await replay(asked, failed, profile="offline", settings=place, prompt="Run run.py.")
    assert results(found[Question.PASSABLE])["version-file"] == "passed", found[Question.PASSABLE]


LOADS = "def load(number, form='sav'):\n{}    import pyreadstat\n    return pyreadstat.read_sav(f'{number}.sav')\n"
OTHER = "    if form == 'csv':\n        return open(f'{number}.csv').read()\n"


@pytest.mark.parametrize(
    ("before", "answer"), [(OTHER, Answer.UNKNOWN), ("", Answer.NO)], ids=["one branch of two", "in any case"]
)
async def test_a_module_that_a_function_may_do_without_is_not_missed_for_sure(
    replay: Replay, tmp_path: Path, before: str, answer: Answer
) -> None:
    place = task(tmp_path, panel_dot_py=LOADS.replace("{}", before))
    code = "import sys\nsys.path.insert(0, '/task')\nfrom panel import load\nload(9)"
    asked = hypothesis(Barrier.MODULE, modules=("pyreadstat",))
    prompt = "Use load() of panel.py to load wave 9."
    found = await replay(asked, python(code, missing("pyreadstat")), profile="offline", settings=place, prompt=prompt)
    assert found[Question.PASSABLE].answer is answer, found[Question.PASSABLE]
