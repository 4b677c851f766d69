"""Code of the run's own that fails on a file of the task's: only what is measured of that file names why."""

from pathlib import Path

import pytest

from cases import CommandRun
from probes import Answer, Barrier, Finding, Question, Settings
from tests.probes.replay.made import Replay, hypothesis, python, shell

pytestmark = [pytest.mark.docker, pytest.mark.network, pytest.mark.slow, pytest.mark.timeout(300)]

PRESENT, PASSABLE = Question.PRESENT, Question.PASSABLE
PAGE = "<!DOCTYPE html>\n<html><body><form action='/login'><input type='password'></form></body></html>\n"
TOTAL = "python3 -c \"import csv; print(sum(int(r['count']) for r in csv.DictReader(open('counts.csv'))))\""
NO_COUNT = """Traceback (most recent call last):
  File "<string>", line 1, in <module>
  File "<string>", line 1, in <genexpr>
KeyError: 'count'"""


async def replayed(replay: Replay, task: Path, command: CommandRun, file: str) -> dict[Question, Finding]:
    asked = hypothesis(Barrier.OWN_CODE_FAILS, event=0, paths=(file,))
    prompt = f"Report the total of the column `count` in {file}."
    return await replay(asked, command, profile="offline", settings=Settings(workspace=task), prompt=prompt)


@pytest.mark.exhaustive
async def test_a_web_page_in_the_place_of_data_is_damaged_and_impassable(replay: Replay, tmp_path: Path) -> None:
    (tmp_path / "counts.csv").write_text(PAGE)
    found = await replayed(replay, tmp_path, shell(TOTAL, NO_COUNT, 1), "counts.csv")
    assert found[PRESENT].barrier is Barrier.DAMAGED_DATA, found[PRESENT]
    assert found[PASSABLE].valid_answer is Answer.NO, found[PASSABLE]


@pytest.mark.exhaustive
async def test_an_interpreter_that_leaves_out_an_exception_s_module_says_the_same(
    replay: Replay, tmp_path: Path
) -> None:
    (tmp_path / "counts.csv.gz").write_text(PAGE)
    code = "import gzip\nwith gzip.open('counts.csv.gz', 'rt') as f:\n    print(f.read())"
    said = "Code execution failed at line 'print(f.read())' due to: BadGzipFile: Not a gzipped file (b'<!')"
    found = await replayed(replay, tmp_path, python(code, said), "counts.csv.gz")
    assert found[PRESENT].barrier is Barrier.DAMAGED_DATA, found[PRESENT]


@pytest.mark.exhaustive
async def test_a_column_that_only_another_file_of_the_series_has_stays_open(replay: Replay, tmp_path: Path) -> None:
    (tmp_path / "counts.csv").write_text("species,seen\nwren,3\nrook,4\n")
    (tmp_path / "counts2.csv").write_text("species,count\nwren,3\nrook,4\n")
    found = await replayed(replay, tmp_path, shell(TOTAL, NO_COUNT, 1), "counts.csv")
    assert found[PRESENT].barrier is Barrier.INCOMPLETE_DATA, found[PRESENT]
    assert found[PASSABLE].valid_answer is not Answer.NO, found[PASSABLE]


@pytest.mark.exhaustive
async def test_a_bug_of_its_own_on_a_sound_file_is_given_no_name(replay: Replay, tmp_path: Path) -> None:
    (tmp_path / "counts.csv").write_text("species,count\nwren,3\nrook,n/a\n")
    said = NO_COUNT.replace("KeyError: 'count'", "ValueError: invalid literal for int() with base 10: 'n/a'")
    found = await replayed(replay, tmp_path, shell(TOTAL, said, 1), "counts.csv")
    assert found[PRESENT].barrier is None, found[PRESENT]


@pytest.mark.exhaustive
async def test_a_name_that_the_data_spell_otherwise_is_a_way(replay: Replay, tmp_path: Path) -> None:
    (tmp_path / "counts.csv").write_text("species,Count\nwren,3\nrook,4\n")
    found = await replayed(replay, tmp_path, shell(TOTAL, NO_COUNT, 1), "counts.csv")
    assert found[PASSABLE].valid_answer is Answer.YES, found[PASSABLE]
    assert [one.id for one in found[PASSABLE].routes if one.result == "passed"] == ["as-the-data-spell-it"]
