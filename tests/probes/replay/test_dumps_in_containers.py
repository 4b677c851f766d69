"""A database that is not there, where what was to be read into it is a dump in plain text."""

import gzip
from pathlib import Path

import pytest

from probes import Answer
from tests.probes.replay.made import Replay, shell
from tests.probes.replay.test_documented_in_containers import task
from tests.probes.replay.test_given_otherwise_in_containers import told

pytestmark = [pytest.mark.docker, pytest.mark.slow, pytest.mark.timeout(300)]

ROWS = "CREATE TABLE orders (id integer, amount numeric);\nCOPY orders (id, amount) FROM stdin;\n1\t12.50\n\\.\n"
MAKE = "restore:\n\tcreatedb shop\n\tpsql -d shop -f shop.sql\n"
MADE = "make: createdb: No such file or directory\nmake: *** [Makefile:2: restore] Error 127"


@pytest.mark.parametrize(
    ("prompt", "dump", "packed", "answer"),
    [
        ("What was the revenue? `make restore` restores it.", ROWS, True, Answer.UNKNOWN),
        pytest.param(
            "What was the revenue?", "CREATE TABLE a (b text);\n", False, Answer.NO, marks=pytest.mark.exhaustive
        ),
        pytest.param("Make a database by createdb.", ROWS, False, Answer.NO, marks=pytest.mark.exhaustive),
    ],
    ids=["with its rows", "without rows", "asked for by name"],
)
async def test_a_dump_in_plain_text_leaves_a_missing_database_s_program_open(
    replay: Replay, tmp_path: Path, prompt: str, dump: str, packed: bool, answer: Answer
) -> None:
    place = task(tmp_path, Makefile=MAKE)
    name, data = ("shop.sql.gz", gzip.compress(dump.encode())) if packed else ("shop.sql", dump.encode())
    (tmp_path / "task" / name).write_bytes(data)
    finding = await told(replay, place, prompt, shell("make restore", MADE, 2))
    assert finding.answer is answer, finding
