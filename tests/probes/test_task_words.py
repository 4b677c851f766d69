"""What a task's own words demand."""

from pathlib import Path

import pytest

from cases import Case, Outcome, Run, Task
from probes.task_words import PROMPT, demanded, files_of, texts_of


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("/results/answer.txt", "Write the number 5 to /results/answer.txt."),
        ("/results", "Write the number 5 to /results/answer.txt."),
        ("/results/answer.txt", "Save all plots, with their figures, into the directory /results"),
        ("/results", "Save the results in html format in `/results/`."),
        ("/results", "Your output directory is /results."),
        ("/results", "/results/report.json must contain the answer"),
        ("/results", "Create a file named answer.txt in the folder /results."),
    ],
)
def test_a_place_that_the_task_names_for_its_output_is_demanded(path: str, text: str) -> None:
    assert demanded(path, [("README.md", "Nothing."), (PROMPT, text)]) == PROMPT


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("/results", "Save the output to ../results"),
        ("/results", "Write the answer to /results2/a.txt"),
        ("/results", "Save the answer to results/answer.txt"),
        ("/results", "The results of the paper are compared in /results."),
        ("/results", "Generated files can be viewed at https://site.example/results"),
        ("/results", "Count the files in /results and write the number to a.txt"),
        ("/data/x.csv", "Create a plot with the data in /data/x.csv and save it."),
        ("/data/x.csv", "Write a program that counts the lines of /data/x.csv"),
        ("/home/agent/.cache", "Save it to /home/agent"),
        ("/tmp", "Write it to /tmp/x.txt"),
    ],
)
def test_a_place_that_is_relative_read_from_or_another_is_not_demanded(path: str, text: str) -> None:
    assert demanded(path, [(PROMPT, text)]) is None


def test_the_text_that_demands_it_is_named_and_the_task_s_own_goes_first(tmp_path: Path) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "README.md").write_text("Outputs are written to /results.\n")
    files = files_of(tmp_path)
    for prompt, title in ((None, "code/README.md"), ("Save it to /results.", PROMPT)):
        run = Run(run_id="r1", outcome=Outcome.FAILED, source="synthetic")
        case = Case(benchmark="b", task_id="t", task=Task(prompt=prompt), runs=(run,))
        assert demanded("/results", texts_of(case, tmp_path, files)) == title
