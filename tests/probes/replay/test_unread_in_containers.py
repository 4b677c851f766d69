"""Data on the machine that nobody has read may be what lacks, in another form."""

from pathlib import Path

import pytest

from probes import Answer, Question
from tests.probes.replay.made import Replay, shell
from tests.probes.replay.test_missing_data_in_containers import ASKED, MISSING, PROMISE, READ, offline

pytestmark = [pytest.mark.docker, pytest.mark.slow, pytest.mark.timeout(300)]

costly = pytest.mark.exhaustive
ROWS = "".join(f"<tr><td>{at}</td><td>{at * 7 % 31}</td></tr>\n" for at in range(40))
JSON = "".join(f'{{"day": {at}, "price": {at * 7 % 31}}}\n' for at in range(40))
PROSE = "".join(
    f"In {1950 + at}, a year of {at} storms, the mill was let again, to {at * 3} people.\n" for at in range(40)
)


@pytest.mark.parametrize(
    ("name", "text", "prompt", "before", "answer"),
    [
        ("s3.html", ROWS, PROMISE, "ls", Answer.UNKNOWN),
        pytest.param("s3.html", ROWS, f"{PROMISE} s3.html lists the staff.", "ls", Answer.NO, marks=costly),
        pytest.param("s3.html", ROWS, PROMISE, "head s3.html", Answer.NO, marks=costly),
        pytest.param("history.txt", PROSE, PROMISE, "ls", Answer.NO, marks=costly),
        pytest.param("shop.sqlite", "-", PROMISE, "ls", Answer.UNKNOWN, marks=costly),
        pytest.param("rows.jsonl", JSON, PROMISE, "find . -name '*.jsonl' | head -5", Answer.UNKNOWN, marks=costly),
    ],
    ids=["a table", "named by the task", "read in the run", "prose", "a database", "only listed"],
)
async def test_a_table_that_nobody_read_and_no_text_accounts_for_leaves_missing_data_open(
    replay: Replay, tmp_path: Path, name: str, text: str, prompt: str, before: str, answer: Answer
) -> None:
    (tmp_path / "task" / "code").mkdir(parents=True)
    (tmp_path / "task" / "code" / "main.py").write_text("print(len(open('/data/prices.csv').read()))\n")
    (tmp_path / "task" / name).write_text(text)
    told = {"profile": "offline", "settings": offline(tmp_path / "task"), "prompt": prompt}
    found = await replay(ASKED.model_copy(update={"event": 1}), shell(before), shell(READ, MISSING, 1), **told)
    assert found[Question.PASSABLE].valid_answer is answer, found[Question.PASSABLE]
