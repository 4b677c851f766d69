"""What a task's own words demand."""

from pathlib import Path

import pytest

from cases import Case, Outcome, Run, Task
from cases.task_words import PROMPT, Demand, demanded, files_of, in_full, texts_of


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("/results/answer.txt", "Write the number 5 to /results/answer.txt."),
        ("/results", "Write the number 5 to /results/answer.txt."),
        ("/results/answer.txt", "Save all plots, with their figures, into the directory /results"),
        ("/results", "Save the results in html format in `/results/`."),
        ("/results", "Create a file named answer.txt in the folder /results."),
        ("/results", "Run the pipeline and write its output to /results."),
        ("/results", "Your task is to save the figure as /results/figure.png."),
        ("/results", "The answer must be written to /results/answer.txt."),
        ("/results", "You should store every table in /results"),
        ("/results", "1. Please put the report into /results/report.pdf"),
        ("/results", "All results have to be saved to `/results`."),
        ("/results", "Your output directory is /results."),
        ("/results", "/results/report.json must contain the answer"),
        ("/results", "Output file: /results/answer.txt"),
        ("/results", "Save your findings to: `/results/findings.txt`"),
        ("/results", "- Additionally, create a summary file at: /results/summary.json"),
    ],
)
def test_a_place_that_the_task_names_for_its_output_is_demanded(path: str, text: str) -> None:
    assert demanded(path, [("README.md", "Nothing."), (PROMPT, text)]) == Demand(PROMPT, sure=True)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (
            "/results/run1/count.txt",
            "The tables of the earlier run are saved in /results/run1. Count them and put the number in a file called"
            " count.txt.",
        ),
        ("/var/log/pipe", "The pipeline writes its logs to /var/log/pipe and stops. Say why."),
        ("/results", "Tables saved by the earlier run in /results are to be counted."),
        ("/results", "Die Tabellen des letzten Laufs liegen in /results."),
        ("/results", "The results of the paper are compared in /results."),
        ("/results", "Count the files in /results and write the number to a.txt"),
        ("/data/x.csv", "Create a plot with the data in /data/x.csv and save it."),
        ("/data/x.csv", "Write a program that counts the lines of /data/x.csv"),
        ("/results", "Write a summary of the tables in /results to count.txt."),
    ],
)
def test_a_place_that_a_text_spells_may_be_demanded_unless_something_is_given_there(path: str, text: str) -> None:
    assert demanded(path, [(PROMPT, text)]) == Demand(PROMPT, sure=False)
    assert demanded(path, [(PROMPT, text)], lambda _: True) is None


@pytest.mark.parametrize(
    ("text", "sure"),
    [
        ("Append the line `checked` to /srv/ledger.txt. Only that file is checked.", True),
        ("Der Eintrag gehört nach /srv/ledger.txt, nirgendwo sonst hin.", True),
        ("Only /srv/ledger.txt counts.", True),
        ("If you like, append it to /srv/ledger.txt.", False),
    ],
)
def test_what_the_run_s_own_words_write_where_the_task_spells_it_is_demanded_in_any_language(
    text: str, sure: bool
) -> None:
    assert demanded("/srv/ledger.txt", [(PROMPT, text)], written=True) == Demand(PROMPT, sure=sure)
    assert demanded("/srv/other.txt", [(PROMPT, text)], written=True) is None


@pytest.mark.parametrize(
    "text",
    [
        "Write the number 5 to answer.txt in your home directory. Never write to /results.",
        "You must not save anything in /results",
        "Avoid writing to /results.",
    ],
)
def test_a_place_that_the_task_rules_out_is_not_demanded(text: str) -> None:
    assert demanded("/results", [(PROMPT, text)]) is None


def test_what_is_plainly_demanded_is_so_whatever_lies_there() -> None:
    text = "Save the report to /results/report.txt."
    assert demanded("/results", [(PROMPT, text)], lambda _: True) == Demand(PROMPT, sure=True)


@pytest.mark.parametrize(
    "text",
    [
        "Outputs are written to /results.",
        "Schreibe die Antwort nach /results/answer.txt.",
        "Nothing should be written to /results.",
        "The team needs read-write access to /results.",
        "You may save plots in /results.",
        "If you need space, write to /results.",
        "Save the summary of the tables that are stored in /results to count.txt.",
        "Write a summary of the tables in /results to count.txt.",
        "Plot the files in /results.",
        "Create a link to /results and call it r.",
        "Write the answer to /results/answer.txt. Do not write to /results.",
        "Do not forget to write the answer to /results.",
        "I would like the answer saved in /results.",
        "Results: /results",
    ],
)
def test_what_may_or_may_not_be_a_demand_is_told_as_unsure(text: str) -> None:
    assert demanded("/results", [(PROMPT, text)]) == Demand(PROMPT, sure=False)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("/results", "Save the output to ../results"),
        ("/results", "Write the answer to /results2/a.txt"),
        ("/results", "Save the answer to results/answer.txt"),
        ("/results", "Generated files can be viewed at https://site.example/results"),
        ("/home/agent/.cache", "Save it to /home/agent"),
        ("/tmp", "Write it to /tmp/x.txt"),
    ],
)
def test_a_place_that_is_relative_or_another_is_not_demanded(path: str, text: str) -> None:
    assert demanded(path, [(PROMPT, text)]) is None


def test_the_text_that_demands_it_is_named_and_the_task_s_own_goes_first(tmp_path: Path) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "README.md").write_text("Outputs are written to /results.\n")
    files = files_of(tmp_path)
    for prompt, demand in (
        (None, Demand("code/README.md", sure=False)),
        ("Save it to /results.", Demand(PROMPT, True)),
    ):
        run = Run(run_id="r1", outcome=Outcome.FAILED, source="synthetic")
        case = Case(benchmark="b", task_id="t", task=Task(prompt=prompt), runs=(run,))
        assert demanded("/results", texts_of(case, tmp_path, files)) == demand


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "seed",
    ["*", "- ", " ", "write ", "write to ", "/a", "/a{ ", "and ", "`", "save it to  ", "output file "],
)
def test_any_text_is_read_in_little_time(seed: str) -> None:
    for text in (seed * (200_000 // len(seed)), f"Write it to {seed * 50_000}/results"):
        demanded("/results", [(PROMPT, text)])


def test_a_text_that_tells_to_change_what_lies_around_a_file_demands_that_file_where_it_was_to_be_changed() -> None:
    there = lambda _: True  # noqa: E731
    text = "Implement the changes to the files under /workspace/lib so that the issue is resolved."
    path = "/workspace/lib/roman.pm"
    assert demanded(path, [(PROMPT, text)], there, changed=True) == Demand(PROMPT, sure=True)
    assert demanded(path, [(PROMPT, text)], there) is None
    assert demanded("/srv/roman.pm", [(PROMPT, text)], there, changed=True) is None
    kept = "Do not change anything under /workspace/lib."
    assert demanded(path, [(PROMPT, kept)], there, changed=True) is None
    spelled = f"The module is {path}."
    assert demanded(path, [(PROMPT, spelled)], there) is None
    assert demanded(path, [(PROMPT, spelled)], there, changed=True) == Demand(PROMPT, sure=False)
    in_place = f"Sort the list as {path} has it, in place."
    assert demanded(path, [(PROMPT, in_place)], there, changed=True) == Demand(PROMPT, sure=False)


@pytest.mark.parametrize(
    ("text", "sure"),
    [
        ("Create the site file /results/shop.conf.", True),
        ("Please write a script /results/shop.conf that starts it.", True),
        ("For its pages the program will create the directory /results/shop.conf.", False),
        ("Create a plot from the file /results/shop.conf.", False),
        ("Generate the report with the script /results/shop.conf.", False),
    ],
)
def test_a_file_that_is_to_be_made_by_its_name_is_demanded(text: str, *, sure: bool) -> None:
    assert demanded("/results/shop.conf", [(PROMPT, text)]) == Demand(PROMPT, sure=sure)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Make out/a.bin.", "Make /w/out/a.bin."),
        ("Make `./out/a.bin` in out/.", "Make `/w/out/a.bin` in /w/out/."),
        (
            "Make /srv/out/a.bin, about/out/a.bin and ../out/a.bin.",
            "Make /srv/out/a.bin, about/out/a.bin and ../out/a.bin.",
        ),
        ("Make a.bin without a word on its place.", "Make a.bin without a word on its place."),
    ],
)
def test_a_place_that_is_spelled_from_the_working_directory_is_spelled_in_full(text: str, told: str) -> None:
    assert in_full(text, "/w/out/a.bin", "/w") == told
    assert in_full(text, "/elsewhere/out/a.bin", "/w") == text
