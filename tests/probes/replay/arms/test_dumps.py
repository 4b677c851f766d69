"""Dumps as MariaDB's and PostgreSQL's own programs wrote them are read row by row without their servers."""

import sqlite3
import subprocess
from pathlib import Path

import pytest

from probes.replay.arms.documented.words import table

DUMPS = sorted(Path(__file__).parents[1].joinpath("dumps").glob("*.sql"))
WARDS = [("1", "St. Mary's", "1987-03-01", "12"), ("2", "West; annex (old)", None, "4")]
NOTES = ['said: "no"; left', "tab\tand\nline", None, "back\\slash"]


def read(dump: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    command = next(tool.command for tool in table().other_tool if ".sql" in tool.suffixes)
    line = command.format(file=dump, to=folder)
    return subprocess.run(["bash", "-c", line], stderr=subprocess.PIPE, text=True, check=False)


@pytest.mark.parametrize("dump", DUMPS, ids=lambda dump: dump.stem)
def test_every_row_of_a_dump_is_read_as_it_was(dump: Path, tmp_path: Path) -> None:
    done = read(dump, tmp_path)
    assert done.returncode == 0, done.stderr
    base = sqlite3.connect(tmp_path / "rows.db")
    wards = base.execute("select * from ward order by id").fetchall()
    assert [tuple(None if cell is None else str(cell) for cell in ward) for ward in wards] == WARDS
    assert [note for (note,) in base.execute("select note from stay order by id")] == NOTES
    base.close()


@pytest.mark.parametrize(
    "text",
    [
        "select 1;",
        "create table a (\n  b int\n);",
        "create function f() returns int return 1;\ninsert into a values (1);",
    ],
    ids=["a question", "no rows", "a function that only the server runs"],
)
def test_what_holds_no_rows_or_needs_the_server_is_not_read(text: str, tmp_path: Path) -> None:
    dump = tmp_path / "x.sql"
    dump.write_text(text)
    assert read(dump, tmp_path).returncode != 0
