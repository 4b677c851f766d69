"""A whole file that lacks what the task's own program asks it for, and what may be it after all."""

import sqlite3
import subprocess
from pathlib import Path

import pytest

from probes import Answer, Barrier, Finding, Question, Settings
from tests.probes.replay.made import Replay, hypothesis, shell

pytestmark = [pytest.mark.docker, pytest.mark.network, pytest.mark.slow, pytest.mark.timeout(300)]

PRESENT, PASSABLE = Question.PRESENT, Question.PASSABLE
REPORT = """import sqlite3

found = sqlite3.connect("shop.db").execute("select sum(price * amount) from orders").fetchone()
print("revenue", found[0])
"""
FAILED = """Traceback (most recent call last):
  File "/home/agent/report.py", line 3, in <module>
    found = sqlite3.connect("shop.db").execute("select sum(price * amount) from orders").fetchone()
sqlite3.OperationalError: no such table: orders"""
MEAN = """import csv

rows = list(csv.DictReader(open("plots.csv")))
print("mean", sum(float(row["biomass"]) for row in rows) / len(rows))
"""
NO_COLUMN = """Traceback (most recent call last):
  File "/home/agent/mean.py", line 4, in <module>
    print("mean", sum(float(row["biomass"]) for row in rows) / len(rows))
KeyError: 'biomass'"""


def database(path: Path, *statements: str) -> None:
    with sqlite3.connect(path) as base:
        for statement in ("create table customers (id integer, name text)", *statements):
            base.execute(statement)


@pytest.fixture
def task(tmp_path: Path) -> Path:
    folder = tmp_path / "task"
    folder.mkdir()
    (folder / "report.py").write_text(REPORT)
    (folder / "mean.py").write_text(MEAN)
    return folder


async def replayed(replay: Replay, task: Path, command: str, output: str, code: int = 1) -> dict[Question, Finding]:
    return await replay(
        hypothesis(Barrier.COMMAND_FAILS, event=0, commands=(command,)),
        shell(command, output, code),
        profile="offline",
        settings=Settings(workspace=task),
    )


def passed(finding: Finding) -> str | None:
    return next((route.id for route in finding.routes if route.result == "passed"), None)


@pytest.mark.exhaustive
async def test_a_database_without_the_table_that_the_query_asks_for_is_impassable(replay: Replay, task: Path) -> None:
    database(task / "shop.db")
    found = await replayed(replay, task, "python3 report.py", FAILED)
    assert found[PRESENT].barrier is Barrier.INCOMPLETE_DATA, found[PRESENT]
    assert found[PASSABLE].valid_answer is Answer.NO, found[PASSABLE]
    assert any("`orders`" in limit for limit in found[PASSABLE].limits)


@pytest.mark.exhaustive
async def test_another_database_that_has_the_table_is_a_way(replay: Replay, task: Path) -> None:
    database(task / "shop.db")
    (task / "old").mkdir()
    filled = "insert into orders values (2.5, 4)"
    database(task / "old" / "march.db", "create table orders (price real, amount integer)", filled)
    found = await replayed(replay, task, "python3 report.py", FAILED)
    assert found[PASSABLE].valid_answer is Answer.YES, found[PASSABLE]
    assert passed(found[PASSABLE]) == "copy-with-the-part"


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("dump.sql", "create table orders (price real, amount integer);\ninsert into orders values (2.5, 4);\n"),
        ("build.py", 'import sqlite3\nsqlite3.connect("shop.db").execute("create table orders (price, amount)")\n'),
    ],
    ids=["a dump", "a program that makes it"],
)
async def test_where_the_name_stands_in_another_file_of_the_task_s_it_stays_open(
    replay: Replay, task: Path, name: str, text: str
) -> None:
    database(task / "shop.db")
    (task / name).write_text(text)
    found = await replayed(replay, task, "python3 report.py", FAILED)
    assert found[PASSABLE].valid_answer is Answer.UNKNOWN, found[PASSABLE]


@pytest.mark.exhaustive
async def test_a_column_that_no_other_can_stand_for_is_impassable(replay: Replay, task: Path) -> None:
    (task / "plots.csv").write_text("plot,species\na,Fagus\nb,Abies\n")
    found = await replayed(replay, task, "python3 mean.py", NO_COLUMN)
    assert found[PRESENT].barrier is Barrier.INCOMPLETE_DATA, found[PRESENT]
    assert found[PASSABLE].valid_answer is Answer.NO, found[PASSABLE]


@pytest.mark.exhaustive
@pytest.mark.parametrize("column", ["biomasse_kg", "trockengewicht"], ids=["much alike", "another word for it"])
async def test_a_column_that_may_be_meant_leaves_it_open(replay: Replay, task: Path, column: str) -> None:
    (task / "plots.csv").write_text(f"plot,{column}\na,2.5\nb,4.5\n")
    found = await replayed(replay, task, "python3 mean.py", NO_COLUMN)
    assert found[PASSABLE].valid_answer is Answer.UNKNOWN, found[PASSABLE]


@pytest.mark.exhaustive
async def test_an_older_version_of_the_file_that_has_it_is_a_way(replay: Replay, task: Path) -> None:
    def git(*words: str) -> None:
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b.c", *words], cwd=task, check=True)

    (task / "plots.csv").write_text("plot,biomass\na,2.5\nb,4.5\n")
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "plots")
    (task / "plots.csv").write_text("plot,species\na,Fagus\nb,Abies\n")
    git("commit", "-qam", "species")
    found = await replayed(replay, task, "python3 mean.py", NO_COLUMN)
    assert found[PASSABLE].valid_answer is Answer.YES, found[PASSABLE]
    assert passed(found[PASSABLE]) == "from-version-control"


@pytest.mark.exhaustive
async def test_what_the_run_s_own_program_asks_for_says_nothing_of_the_file(replay: Replay, task: Path) -> None:
    (task / "mean.py").unlink()
    (task / "plots.csv").write_text("plot,species\na,Fagus\nb,Abies\n")
    write = f"cat > mean.py <<'END'\n{MEAN}END"
    found = await replay(
        hypothesis(Barrier.COMMAND_FAILS, event=1, commands=("python3 mean.py",)),
        shell(write),
        shell("python3 mean.py", NO_COLUMN, 1),
        profile="offline",
        settings=Settings(workspace=task),
    )
    assert found[PRESENT].barrier is not Barrier.INCOMPLETE_DATA, found[PRESENT]
    assert found[PASSABLE].valid_answer is not Answer.NO, found[PASSABLE]


@pytest.mark.exhaustive
async def test_a_word_that_only_stands_beside_a_failure_is_no_part_of_the_file(replay: Replay, task: Path) -> None:
    code = 'rows = open("plots.csv").read().split()[9:]\nprint("average", sum(map(len, rows)) / len(rows))\n'
    (task / "mean.py").write_text(code)
    (task / "plots.csv").write_text("plot,species\na,Fagus\nb,Abies\n")
    found = await replayed(replay, task, "python3 mean.py", "ZeroDivisionError: division by zero")
    assert found[PRESENT].barrier is not Barrier.INCOMPLETE_DATA, found[PRESENT]
    assert found[PASSABLE].valid_answer is not Answer.NO, found[PASSABLE]


SHOT = """for b in "$WEASYL" weasyl weasyl-stable; do
  [ -n "$b" ] && command -v "$b" > /dev/null && exec "$b" page.html
done
echo 'needs Weasyl (set WEASYL)' >&2
exit 1
"""


@pytest.mark.exhaustive
async def test_a_variable_of_a_shells_is_nothing_that_a_makefile_lacks(replay: Replay, task: Path) -> None:
    (task / "shot.sh").write_text(SHOT)
    (task / "Makefile").write_text("shot:\n\tsh shot.sh\n")
    failed = "needs Weasyl (set WEASYL)\nmake: *** [Makefile:2: shot] Error 1"
    found = await replayed(replay, task, "make shot", failed, code=2)
    assert found[PRESENT].barrier is Barrier.COMMAND, found[PRESENT]


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("described", "answer"),
    [
        ("dry weight of what grew there, in grams", Answer.NO),
        ("density times area of the plot, in grams", Answer.UNKNOWN),
    ],
)
async def test_a_codebook_that_tells_a_column_from_the_others_shows_that_none_of_them_is_meant(
    replay: Replay, task: Path, described: str, answer: Answer
) -> None:
    (task / "plots.csv").write_text("plot,density,area\n1,10,4\n2,12,6\n3,9,5\n")
    entries = {"plot": "number of the plot", "density": "plants in a square", "area": "size in square metres"}
    lines = [f"{name}: {text}\n" for name, text in (entries | {"biomass": described}).items()]
    (task / "codebook.txt").write_text("".join(lines))
    found = await replayed(replay, task, "python3 mean.py", NO_COLUMN)
    assert found[PASSABLE].valid_answer is answer, found[PASSABLE]
