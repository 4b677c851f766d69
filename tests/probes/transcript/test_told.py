"""When a text tells an agent to use something, and when the name merely stands in it."""

import pytest

from probes.transcript.told import names_place, told
from probes.transcript.wanted import Wanted


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Print the length of .a in data.json with jq.", "jq"),
        ("Print how many keys config.yaml has, using PyYAML (yaml).", "pyyaml"),
        ("Load the R package R6 and print its version.", "r6"),
        ("Install tabulate.", "tabulate"),
        ("Use numpy, pandas and scikit_learn.", "scikit-learn"),
        ("Print the table with the `tabulate` package.", "tabulate"),
        ("Dependencies: numpy, tabulate", "tabulate"),
        ("library(data.table)\nx <- 1", "data.table"),
        ("import yaml\nprint(1)", "yaml"),
        ("tabulate==0.9.0", "tabulate"),
        ("./run.sh: line 2: jq: command not found", "jq"),
    ],
)
def test_an_instruction_tells_to_use_what_it_names(text, name):
    assert told(text, Wanted(tools=(name,)))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Print how many keys config.toml has.", "toml"),
        ("Use config.toml.", "toml"),
        ("The file abc.txt holds one number a line. Print their sum with a program.", "bc"),
        ("Print the length of .a in data.json (for example with jq).", "jq"),
        ("Print the length of .a in data.json, e.g. with jq.", "jq"),
        ("Do not use jq.", "jq"),
        ("You can use jq.", "jq"),
        ("Use jq or Python.", "jq"),
        ("Use Python to convert the image.", "convert"),
        ("Run the code in main.py and print the toml.", "toml"),
        ("Read the file with toml content.", "toml"),
        ("Print the mean of the column x in numbers.csv with R.", "data.table"),
        ("The data are in a table with data.", "data.table"),
        ("The tabulate of the parish was lost.", "tabulate"),
    ],
)
def test_a_name_that_merely_stands_there_tells_nothing(text, name):
    assert not told(text, Wanted(tools=(name,)))


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Download https://data.example/stations.csv and count its lines.", True),
        ("The data can be retrieved from data.example.", True),
        ("The report of https://data.example was late.", False),
        ("Count the lines of the file.", False),
    ],
)
def test_a_host_is_asked_for_by_a_sentence_that_fetches(text, asked):
    assert told(text, Wanted(places=("data.example", "stations.csv"))) == asked


@pytest.mark.parametrize(
    ("text", "path", "named"),
    [
        ("Count the lines of /data/train.csv.", "/data/train.csv", True),
        ("The training data are in data/train.csv.", "/home/agent/data/train.csv", True),
        ("The training data are in /home/agent/data/train.csv.", "data/train.csv", True),
        ("Count the lines of train.csv.", "train.csv", True),
        ("Make a directory results.", "results", True),
        ("Print how many files /data has.", "/data", True),
        ("Write the sum to a file in /results.", "/results/answer.txt", True),
        ("How many jobs of jobs.log failed?", "/data/solution.txt", False),
        ("Say what the solution is.", "solution", False),
        ("Count the lines of train.csv.gz.", "train.csv", False),
        ("Write 5 to answer.txt in your home directory. Never write to /results.", "/results/answer.txt", False),
        ("The data are in /data.", "/data/solution.txt", False),
    ],
)
def test_a_path_is_named_only_by_itself_or_by_what_demands_it(text, path, named):
    assert names_place(text, path, None) == named


def test_a_bare_file_name_names_the_one_in_the_working_directory():
    assert names_place("Count the lines of train.csv.", "/task/train.csv", "/task")
    assert not names_place("Count the lines of train.csv.", "/secret/train.csv", "/task")
