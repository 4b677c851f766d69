"""CSV files of claims and outcomes: what a row becomes, and that one bad row costs only itself."""

import datetime as dt
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import Claim, InputError, Outcome
from cases.library import Inputs, Library
from tests.cases.case_files import JUDGE, OUTCOMES, RUBRIC, table

GOOD = ("capsule-0000001", "corebench", "1.00", "0", "existence_reasoning: x | evidence: y", "run_1_UPLOAD")


def opened(*paths: Path) -> Library:
    return Library.open(Inputs(claims=paths))


def claims(library: Library, task: str = "capsule-0000001") -> tuple[Claim, ...]:
    return library.case(library.resolve(task)).claims


def test_a_rubric_row_is_a_claim_with_its_line_and_unchanged_text(tmp_path: Path) -> None:
    text = ' existence_reasoning: a "quoted"\r\nsecond line | evidence: y \n'
    path = table(
        tmp_path / "judge_of_x.csv", RUBRIC, [GOOD, (*GOOD[:2], "0.00", "0", text, "run_2"), (*GOOD[:2], "", *GOOD[3:])]
    )
    found = claims(opened(path))
    assert [claim.claim_id for claim in found] == ["claim:judge_of_x:2", "claim:judge_of_x:3", "claim:judge_of_x:6"]
    assert [claim.score for claim in found] == [1.0, 0.0, None]
    assert found[1].text == text
    assert (found[0].run_id, found[0].kind, found[0].source) == ("run_1", "rubric", f"{path}:2")


def test_a_judge_row_speaks_of_a_run_only_when_there_is_one(tmp_path: Path) -> None:
    rows = [
        ("capsule-0000001", "1", "True", "2", "run_a;run_b", "why"),
        ("capsule-0000002", "0", "0", "1", "run_a", "why not"),
    ]
    library = opened(table(tmp_path / "j.csv", JUDGE, rows))
    assert claims(library)[0].run_id is None
    assert claims(library, "capsule-0000002")[0].run_id == "run_a"
    assert {task.benchmark for task in library.tasks()} == {"corebench_hard"}


def test_an_outcome_row_is_a_run(tmp_path: Path) -> None:
    row = ("corebench_hard", "capsule-0000001", "Synthetic Scaffold", "model-x", "2025-07-31", "1", "run_9")
    library = opened(table(tmp_path / "o.csv", OUTCOMES, [row]))
    run = library.case(library.resolve("capsule")).runs[0]
    assert (run.run_id, run.outcome, run.date) == ("run_9", Outcome.PASSED, dt.date(2025, 7, 31))
    assert (run.agent, run.model) == ("Synthetic Scaffold", "model-x")
    assert run.environment == {"scaffold": "Synthetic Scaffold"}
    assert run.transcript is None


@pytest.mark.exhaustive
def test_many_rows_are_held_as_their_text_and_say_the_same_whenever_they_are_asked(tmp_path: Path) -> None:
    rows = [
        ("bench", f"task-{at // 10}", "Scaf\nfold", "model-x", "2025-07-31", str(at % 2), f"run_{at}")
        for at in range(20_000)
    ]
    path = table(tmp_path / "o.csv", OUTCOMES, rows)
    Library.open(Inputs(outcomes=(path,)))  # what is imported and compiled on use
    tracemalloc.start()
    library = Library.open(Inputs(outcomes=(path,)))
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 250 * len(rows)
    task = library.resolve("task-1999")
    assert library.case(task) == library.case(task)
    assert [run.run_id for run in library.case(task).runs] == [f"run_{at}" for at in range(19_990, 20_000)]
    assert {run.agent for run in library.case(task).runs} == {"Scaf\nfold"}
    assert (task.runs, task.passed, task.failed) == (10, 5, 5)


BAD_ROWS: list[tuple[str, str]] = [
    ("capsule-0000009,corebench,0.00,0,too few", "has 5 columns instead of 6"),
    ("capsule-0000009,corebench,0.00,0,too,many,columns", "has 7 columns instead of 6"),
    ("capsule-0000009,corebench,high,0,text,run", "'high' is not a number"),
    ("capsule-0000009,corebench,7,0,text,run", "is not between 0 and 1"),
    ("capsule-0000009,corebench,inf,0,text,run", "is not between 0 and 1"),
    (" ,corebench,0.00,0,text,run", "the task_id is missing"),
    ('capsule-0000009,corebench,0.00,0,"never closed,run', "cannot be parsed"),
    ('capsule-0000009,corebench,0.00,0,"bad "quotes" inside",run', "cannot be parsed"),
    ('"', "cannot be parsed"),
]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(("bad", "why"), BAD_ROWS)
def test_a_bad_row_is_told_with_its_line_and_costs_only_itself(
    tmp_path: Path, bad: str, why: str, newline: str
) -> None:
    path = table(tmp_path / "c.csv", RUBRIC, [(*GOOD[:4], f"text {n}\nof two lines", "run") for n in range(4)], newline)
    head, one, two, three, four, *_ = _records(path, newline)
    path.write_text(newline.join([head, one, two, bad, three, four]) + newline, newline="")
    library = opened(path)
    assert [claim.text for claim in claims(library)] == [f"text {n}\nof two lines" for n in range(4)]
    assert len(library.problems) == 1
    assert library.problems[0].place == "line 6"
    assert why in str(library.problems[0])


def _records(path: Path, newline: str) -> list[str]:
    lines = path.read_bytes().decode().split(newline)
    if newline == "\r\n":
        return lines
    return [lines[0], *("\n".join(lines[at : at + 2]) for at in range(1, len(lines) - 1, 2))]


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 5), st.sampled_from([bad for bad, _ in BAD_ROWS]))
def test_wherever_the_bad_row_stands_all_others_are_used(
    tmp_path_factory: pytest.TempPathFactory, place: int, bad: str
) -> None:
    rows = [f'capsule-0000001,corebench,0.00,0,"text, number {n}",run' for n in range(5)]
    rows.insert(place, bad)
    path = tmp_path_factory.mktemp("csv") / "c.csv"
    path.write_text("\n".join([",".join(RUBRIC), *rows]))
    library = opened(path)
    assert [claim.text for claim in claims(library)] == [f"text, number {n}" for n in range(5)]
    assert [problem.place for problem in library.problems] == [f"line {place + 2}"]


@settings(max_examples=60, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\0"), max_size=300))
def test_any_explanation_comes_through_unchanged(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = table(tmp_path_factory.mktemp("csv") / "c.csv", RUBRIC, [(*GOOD[:4], text, "run"), GOOD])
    library = opened(path)
    assert [claim.text for claim in claims(library)] == [text, GOOD[4]]
    assert not library.problems


@pytest.mark.parametrize(
    "change",
    [
        lambda raw: b"\xef\xbb\xbf" + raw,
        lambda raw: raw.replace(b"\n", b"\r\n"),
        lambda raw: raw.replace(b"capsule", b"caps\0ule"),
        lambda raw: raw.decode().encode("utf-16"),
        lambda raw: raw.replace(b"task_id", b"TASK_ID "),
        lambda raw: raw.replace(b",", b";"),
        lambda raw: b"\n\n" + raw + b"\n,,,,,\n\n",
    ],
    ids=["byte order mark", "CRLF", "NUL in the id", "UTF-16", "capitals", "semicolons", "empty rows"],
)
def test_what_spreadsheets_do_to_files_does_no_harm(tmp_path: Path, change: Any) -> None:
    path = table(tmp_path / "c.csv", RUBRIC, [GOOD])
    path.write_bytes(change(path.read_bytes()))
    library = opened(path)
    assert claims(library)[0].score == 1.0
    assert not library.problems


def test_text_that_is_not_utf_8_is_told_and_read_as_far_as_it_goes(tmp_path: Path) -> None:
    path = table(tmp_path / "c.csv", RUBRIC, [GOOD, (*GOOD[:4], "caf\u00e9", "run")])
    path.write_bytes(path.read_text("utf-8").encode("latin-1"))
    library = opened(path)
    assert claims(library)[1].text == "caf\ufffd"
    assert "line 3" in str(library.problems[0])


def test_an_explanation_beyond_the_csv_modules_limit_is_read(tmp_path: Path) -> None:
    path = table(tmp_path / "c.csv", RUBRIC, [(*GOOD[:4], "x" * 300_000, "run")])
    assert len(claims(opened(path))[0].text) == 300_000


class TestOutcomeRows:
    """What an outcomes file may say, and what it may not."""

    @pytest.mark.parametrize(
        ("text", "outcome"), [("1", "passed"), ("0", "failed"), ("True", "passed"), ("", "unknown")]
    )
    def test_correct(self, tmp_path: Path, text: str, outcome: str) -> None:
        library = opened(table(tmp_path / "o.csv", OUTCOMES, [("gaia", "t", "s", "m", "no date", text, "r")]))
        assert library.case(library.resolve("t")).runs[0].outcome == outcome

    def test_bad_rows(self, tmp_path: Path) -> None:
        good = ("gaia", "t", "s", "m", "2025-01-01", "1", "r")
        rows = [(*good[:5], "maybe", "r2"), ("gaia", "", *good[2:]), (*good[:6], ""), good]
        library = opened(table(tmp_path / "o.csv", OUTCOMES, rows))
        assert [problem.place for problem in library.problems] == ["line 2", "line 3", "line 4"]
        assert [task.passed for task in library.tasks()] == [1]


def test_a_table_of_something_else_is_foreign(tmp_path: Path) -> None:
    path = table(tmp_path / "c.csv", ("task_id", "grade", "comment"), [("a", "1", "x")])
    with pytest.raises(InputError, match="a table with the columns task_id, grade, comment"):
        opened(path)


def test_of_a_flood_of_claims_the_first_are_read_and_the_rest_is_said(tmp_path: Path) -> None:
    many = table(tmp_path / "many.csv", RUBRIC, [(*GOOD[:5], f"run_{number}") for number in range(20_000)])
    library = opened(many)
    assert len(claims(library)) == 2_000
    [problem] = library.problems
    assert "20000 claims about this task, and we read only the first 2000" in str(problem)


def test_of_endless_claims_the_beginning_is_read_and_that_is_said(tmp_path: Path) -> None:
    rows = [(*GOOD[:4], "x" * size, f"run_{size}") for size in (3_000_000, 1_000)]
    library = opened(table(tmp_path / "long.csv", RUBRIC, rows))
    assert [len(claim.text) for claim in claims(library)] == [500_000, 1_000]
    assert [str(problem).partition("; ")[0].partition(": ")[2] for problem in library.problems] == [
        "the claim has 3,000,000 characters, and we read only the first 500,000",
    ]
