"""A notebook is run by its interpreter alone, as far as that understands it: it prints what the cells show."""

import json
import subprocess
from pathlib import Path

import pytest

from cases.shell import steps_of
from probes.replay.arms.documented.notebooks import by_interpreter

CELLS = [
    "%load_ext autoreload\n%autoreload 2\n%matplotlib inline",
    "rows = [float(one) for one in open('../data/a.txt')]\nlen(rows)",
    "# is it the mean?\ntotal = sum(rows)\n%time mean = total / len(rows)",
    "display('mean')\nmean",
    "total;",
]


def notebook(*cells: str, language: str = "python") -> str:
    each = [{"cell_type": "code", "source": cell.splitlines(keepends=True), "outputs": []} for cell in cells]
    marked = {"cell_type": "markdown", "source": ["# A title"]}
    told = {"language_info": {"name": language}}
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": told, "cells": [marked, *each]})


def lines(line: str, text: str) -> list[str]:
    [step] = steps_of(line)
    return by_interpreter(text, step.command)


@pytest.mark.parametrize(
    "line",
    [
        "jupyter nbconvert --to notebook --execute notebooks/mean.ipynb",
        "jupyter-nbconvert --execute --to html notebooks/mean.ipynb",
        "jupyter execute notebooks/mean.ipynb",
    ],
)
def test_it_prints_what_its_cells_show_from_the_notebook_s_own_folder(line: str, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a.txt").write_text("1\n2\n6\n")
    (tmp_path / "notebooks").mkdir()
    script = "\n".join(lines(line, notebook(*CELLS)))
    done = subprocess.run(["sh", "-ec", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["3", "'mean'", "3.0"]


def test_its_lines_for_the_shell_are_run_by_one_and_end_nothing_where_they_fail(tmp_path: Path) -> None:
    cells = ["!echo 3 > a.txt && cat a.txt\nfor one in range(2):\n    !false 'a b'\n2", "%%bash\necho $((2 + 5))"]
    script = "\n".join(lines("jupyter execute a.ipynb", notebook(*cells)))
    done = subprocess.run(["sh", "-ec", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert sorted(done.stdout.splitlines()) == ["2", "3", "7"]


def test_papermill_runs_it_where_it_is_called() -> None:
    [only] = lines("papermill notebooks/mean.ipynb out.ipynb", notebook("1"))
    assert only.startswith("python3 -c ")


def test_an_interpreter_that_was_given_the_notebook_itself_gets_its_code() -> None:
    [only] = lines("python3 mean.ipynb", notebook("1"))
    assert only.startswith("python3 -c ")


def test_one_of_r_is_r_s() -> None:
    [only] = lines("papermill a.ipynb b.ipynb", notebook("x <- 1", "x", language="R"))
    assert only == "Rscript -e 'x <- 1\nx'"


@pytest.mark.parametrize(
    ("line", "cell"),
    [
        ("jupyter nbconvert --to script a.ipynb", "1"),
        ("jupyter lab a.ipynb", "1"),
        ("papermill a.ipynb b.ipynb -p n 3", "1"),
        ("jupyter execute a.ipynb", "!make {folder}"),
        ("jupyter execute a.ipynb", "made = !make data"),
        ("jupyter execute a.ipynb", "%run other.py"),
        ("jupyter execute a.ipynb", "%%perl\nprint 1"),
        ("jupyter execute a.ipynb", "len?"),
        ("jupyter execute a.ipynb", "get_ipython().system('ls')"),
        ("jupyter execute a.ipynb", "1 +"),
    ],
)
def test_what_the_interpreter_alone_does_not_understand_is_left_to_a_person(line: str, cell: str) -> None:
    assert lines(line, notebook(cell)) == []


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"cells": 3, "metadata": {}}', '{"cells": [{}]}', "null"])
def test_what_is_no_notebook_is_left_to_a_person(text: str) -> None:
    assert lines("jupyter execute a.ipynb", text) == []
