"""What a task's words, its files and the run's record say of a missing file."""

from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from cases import Events, FileWrite
from cases.touches.promises import Said, another_of_them, listed_at, listed_without, made_by_run, said
from probes import Barrier, Settings
from probes.replay.deriving import subject_of
from probes.replay.handlers.file_details import FileDetails
from probes.replay.handlers.promised import count_told, may_link, told_sizes
from probes.replay.handlers.searching import only_one, sorted_out
from probes.replay.handlers.whereabouts import nearest, size_doubts
from probes.replay.resources.outcome import Outcome
from probes.replay.target.model import ReplayTarget
from tests.probes.replay.made import context, hypothesis, python, shell


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The data are in data/x.csv. Train on them.", Said("the task's text")),
        ("Write the result to data/x.csv.", Said(to_make=True)),
        ("Save your predictions as x.csv", Said(to_make=True)),
        ("Download x.csv from the project's page first.", Said(to_fetch=True)),
        ("The file my-x.csv is there.", Said()),
        ("Nothing of it.", Said()),
        ("x.csv holds the input.\nCreate the output x.csv.", Said("the task's text", to_make=True)),
    ],
)
def test_what_the_task_says_of_a_file(sentence: str, expected: Said) -> None:
    assert said("data/x.csv", [("the task's text", sentence)]) == expected


@pytest.mark.parametrize(
    ("path", "sentence", "expected"),
    [
        ("data/orders_2023.csv", "One file a year: data/orders_<year>.csv", Said("README.md")),
        ("data/orders_2023.csv", "The script writes orders_{year}.csv", Said(to_make=True)),
        ("data/orders_2024.csv", "One file a year: data/orders_<year>.csv", Said()),
        ("data/orders_2023.tsv", "One file a year: data/orders_<year>.csv", Said()),
        ("data/2023.csv", "The results go by <name>.csv", Said()),
        ("data/orders_North.csv", "One file a region: data/orders_<region>.csv", Said()),
    ],
)
def test_how_files_are_called_promises_the_one_that_the_task_asks_for(path: str, sentence: str, expected: Said) -> None:
    texts = [("the task's text", "What did the North order in 2023?"), ("README.md", sentence)]
    assert said(path, texts) == expected


@pytest.mark.parametrize(
    ("other", "apart"), [("orders_2021.csv", True), ("orders_23.csv", False), ("sales.csv", False)]
)
def test_a_file_that_is_called_so_for_another_year_is_another_one(other: str, *, apart: bool) -> None:
    assert another_of_them("data/orders_2023.csv", other, [("README.md", "data/orders_<year>.csv: a year")]) is apart


def test_what_the_run_was_to_make_itself_is_known_by_its_record() -> None:
    assert made_by_run("out/x.csv", "", [shell("python a.py > out/x.csv")], [])
    assert made_by_run("x.csv", "", [python("df.to_csv('x.csv')", "")], [])
    assert made_by_run(
        "x.csv", "", [], [FileWrite(path="x.csv", how="whole", content="", tool="w", after=0, blocks=())]
    )
    writing = 'Traceback\n  File "a.py", line 3, in <module>\n    df.to_csv("out/x.csv")\nFileNotFoundError'
    assert made_by_run("out/x.csv", writing, [], [])
    reading = 'Traceback\n  File "a.py", line 3, in <module>\n    pd.read_csv("out/x.csv")\nFileNotFoundError'
    assert not made_by_run("out/x.csv", reading, [shell("head x.csv"), python("open('x.csv')", "")], [])


@pytest.mark.parametrize(
    ("code", "written"),
    [
        ("open('out/x.csv', 'w')", True),
        ("place = 'out/x.csv'\nwith open(place, mode='a') as file:\n    file.write('1')", True),
        ("Path('out/x.csv').write_text('x')", True),
        ("Path('out/x.csv').open('wb')", True),
        ("frame.to_csv(f'{folder}/x.csv')", True),
        ("open('out/x.csv', 'rb')", False),
        ("open('out/other_x.csv', 'w')", False),
        ("run('mkdir -p /tmp/p && tar xf x.csv')", False),
        ("text = open('x.csv').read()\nopen('y.csv', 'w').write(text)", False),
        ("%cd out\nframe.to_csv('x.csv')", True),
    ],
)
def test_what_python_writes_is_told_by_its_syntax_and_of_other_code_by_its_lines(code: str, *, written: bool) -> None:
    assert made_by_run("out/x.csv", "", [python(code, "")], []) is written


def test_a_listing_of_the_run_shows_where_the_file_lies() -> None:
    assert listed_at("/data/x.csv", [shell("find .", "./a\n./env/x.csv\n")]) == "./env/x.csv"
    assert listed_at("/data/x.csv", [shell("ls -l", "-rw-r--r-- 1 u u 5 Jan 1 x.csv")]) == "x.csv"
    assert listed_at("/data/x.csv", [shell("ls x.csv", "ls: cannot access 'x.csv': No such file or directory")]) is None
    assert listed_at("/data/x.csv", [shell("cat list", "x.csv")]) is None


def test_the_run_s_own_listing_shows_a_directory_without_the_file() -> None:
    empty = shell("ls -la /w/data", "total 0\n.\n..")
    assert listed_without("/w/data", "x.csv", [shell("pwd", "/w"), empty]) == "ls -la /w/data"
    assert listed_without("/w", "x.csv", [empty]) is None
    assert listed_without("/w/data", "x.csv", [shell("ls /w/data", "x.csv")]) is None
    assert listed_without("/w/data", "x.csv", [shell("ls /w/data", "ls: cannot access", 2)]) is None
    assert listed_without("/w/data", "x.csv", [shell("ls /w/data | grep y", "")]) is None


def test_the_file_whose_path_agrees_most_is_taken_and_a_packed_one_last() -> None:
    assert nearest("data/x.csv", ["/a/x.csv", "/w/data/x.csv", "/w/data/x.csv.gz"]) == "/w/data/x.csv"
    assert nearest("data/x.csv", ["/w/data/x.csv.gz"]) == "/w/data/x.csv.gz"
    assert nearest("data/x.csv", []) is None


def test_a_found_file_gives_the_routes_their_words(tmp_path: Path) -> None:
    failed = shell("python main.py --data data/x.csv", "No such file or directory: 'data/x.csv'", 1)
    made = context(tmp_path, "debian", Events(commands=(failed,)), AsyncExitStack(), Settings())
    subject = subject_of(hypothesis(Barrier.MISSING_DATA, paths=("data/x.csv",)), made)
    assert isinstance(subject, ReplayTarget)
    there = replace(subject, details=FileDetails(found="/home/agent/repo/data/x.csv")).values(failed.command)
    assert there.fill("{base} {found}") == "/home/agent/repo /home/agent/repo/data/x.csv"
    assert there.fill("{command_found}") == "python main.py --data /home/agent/repo/data/x.csv"
    packed = replace(subject, details=FileDetails(found="/w/x.csv.gz")).values(failed.command)
    assert (packed.fill("{packed}"), packed.has("found"), packed.has("command_found")) == ("/w/x.csv.gz", False, False)
    assert not any(map(subject.values(failed.command).has, ("found", "packed", "base", "command_found")))


def test_a_path_is_looked_up_from_where_the_command_goes_first(tmp_path: Path) -> None:
    failed = shell("cd repo && python main.py", "No such file or directory: 'data/x.csv'", 1)
    made = context(tmp_path, "debian", Events(commands=(failed,)), AsyncExitStack(), Settings())
    subject = subject_of(hypothesis(Barrier.MISSING_DATA, paths=("data/x.csv",)), made)
    assert isinstance(subject, ReplayTarget)
    assert subject.values(failed.command).fill("{path}") == "repo/data/x.csv"
    assert [attempt.command for attempt in subject.attempts] == [failed.command]


@pytest.mark.parametrize(
    ("title", "text", "expected"),
    [
        ("README.md", "data/x.csv (12,345 bytes) holds the input", {12345}),
        ("README.md", "- x.csv: 77 bytes, y.csv: 88 bytes", {77}),
        ("README.md", '{"path": "data/x.csv", "rows": 3, "size": 512}', {512}),
        ("README.md", "x.csv has 100 rows and 12 MB", set()),
        ("README.md", "x.csv\t400", set()),
        ("README.md", "my-x.csv (5 bytes), x.csv.gz (6 bytes)", set()),
        ("data/MANIFEST.txt", "other.csv\t400\ndata/x.csv\t401\n", {401}),
        ("manifest.csv", "402,x.csv\n", {402}),
        ("manifest.csv", "x.csv,3,402\n", set()),
        ("checksums.sha256", f"{'ab' * 32}  403  x.csv\n", {403}),
        ("checksums.txt", f"{'ab' * 32}  x.csv  403\n", {403}),
        ("manifest.txt", "x.csv 0\n", set()),
    ],
)
def test_the_exact_size_of_a_file_is_read_from_what_the_task_says(title: str, text: str, expected: set[int]) -> None:
    assert set(told_sizes("data/x.csv", [(title, text)], [])) == expected


@pytest.mark.parametrize(
    ("command", "output", "expected"),
    [
        ("ls -l data", "-rw-r--r-- 1 u u 1234 Jan 1 12:00 x.csv", {1234}),
        ("ls -lh data", "-rw-r--r-- 1 u u 1.2K Jan 1 12:00 x.csv", set()),
        ("ls -la", "drwxr-xr-x 2 u u 4096 Jan 1 12:00 x.csv\nlrwxrwxrwx 1 u u 9 Jan 1 12:00 x.csv", set()),
        ("find . -ls", "  123  8 -rw-r--r--  1 u  u  1234 Jan 1 12:00 ./data/x.csv", {1234}),
        ("tar -tvf a.tar", "-rw-r--r-- u/u 1234 2024-01-01 12:00 data/x.csv", {1234}),
        ("unzip -l a.zip", "     1234  2024-01-01 12:00   data/x.csv", {1234}),
        ("wc -c data/*", "  55 data/w.csv\n1234 data/x.csv\n", {1234}),
        ("wc -l data/x.csv", "1234 data/x.csv", set()),
        ("du -ab data", "1234\tdata/x.csv", {1234}),
        ("du -a data", "4\tdata/x.csv", set()),
        ("stat data/x.csv", "  File: data/x.csv\n  Size: 1234      \tBlocks: 8", {1234}),
        ("cat notes", "-rw-r--r-- 1 u u 1234 Jan 1 12:00 x.csv", set()),
    ],
)
def test_the_exact_size_of_a_file_is_read_from_listings(command: str, output: str, expected: set[int]) -> None:
    assert set(told_sizes("/w/x.csv", [], [shell(command, output)])) == expected


def test_what_bears_the_name_and_is_empty_a_pointer_or_of_another_size_is_not_the_file() -> None:
    facts = [
        ("file", 0, "/w/a/x.csv"),
        ("pointer", 130, "/w/b/x.csv"),
        ("file", 9, "/w/c/x.csv"),
        ("file", 12, "/w/d/x.csv"),
        ("file", 7, "/w/x.csv.gz"),
        ("directory", 4096, "/w/e/x.csv"),
    ]
    search = sorted_out("/w/x.csv", facts, {12: "README.md"})
    assert search.usable == ("/w/d/x.csv", "/w/x.csv.gz", "/w/e/x.csv")
    assert (search.empty, search.pointers, search.other) == (("/w/a/x.csv",), ("/w/b/x.csv",), (("/w/c/x.csv", 9),))
    assert "/w/c/x.csv" in sorted_out("/w/x.csv", facts, {}).usable


@pytest.mark.parametrize(
    ("text", "least"),
    [
        ("The 4,112 responses lie in /data/survey. Each has 12 columns.", 4112),
        ("`responses.csv` holds 4112 rows, one a respondent.", 4112),
        ("Of 4,112 people 900 answered.\nTheir answers are in responses.csv, from 2019 on.", 0),
        ("The 64 responses of 2019 lie in /data/survey/responses.csv, at port 8080.", 0),
    ],
)
def test_what_is_too_small_for_all_that_is_counted_in_it_is_not_the_file(text: str, least: int) -> None:
    path = "/data/survey/responses.csv"
    assert count_told(path, [("README.md", text)]) == least
    found = sorted_out(path, [("file", 60, "/w/seeds/responses.csv")], {}, least)
    assert bool(found.usable) is not bool(least)
    doubts = list(size_doubts(found, {}, least, None, 0))
    assert doubts == (
        [
            "/w/seeds/responses.csv has that name but only 60 bytes, too few for the 4112 of something that the "
            "task's texts tell of"
        ]
        if least
        else []
    )


@pytest.mark.parametrize(
    ("found", "another"),
    [
        ("/w/data/2022/x.csv", True),
        ("/w/old/data/2023/x.csv", False),
        ("/w/x.csv", False),
        ("/w/part-2/2023/x.csv", False),
    ],
)
def test_what_lies_in_the_folder_of_another_number_is_not_the_file(found: str, another: bool) -> None:
    search = sorted_out("/w/data/2023/x.csv", [("file", 60, found)], {})
    assert (search.kin == (found,)) is another
    assert bool(search.usable) is not another


@pytest.mark.parametrize(
    ("found", "parted", "another"),
    [
        ("/w/models/small/x.bin", "/w/models/large", True),
        ("/w/models/small/x.bin", "", False),
        ("/w/models/x.bin", "/w/models/large", False),
        ("/w/models/old/large/x.bin", "/w/models/large", False),
    ],
)
def test_what_lies_in_a_folder_beside_one_that_is_there_may_be_another_s(
    found: str, parted: str, another: bool
) -> None:
    search = sorted_out("/w/models/large/x.bin", [("file", 60, found)], {}, parted=parted)
    assert (search.kin == (found,)) is another
    assert bool(search.usable) is not another


def test_a_file_of_the_told_size_counts_only_when_it_is_the_only_one_of_its_type(tmp_path: Path) -> None:
    failed = shell("python main.py --data data/x.csv", "No such file or directory: 'data/x.csv'", 1)
    made = context(
        tmp_path, "debian", Events(commands=(failed, shell("echo 1 > own.csv"))), AsyncExitStack(), Settings()
    )
    subject = subject_of(hypothesis(Barrier.MISSING_DATA, paths=("data/x.csv",)), made)
    assert isinstance(subject, ReplayTarget)
    assert only_one(subject, "11 12 /w/y.csv\n") == ("/w/y.csv", 1)
    assert only_one(subject, "11 12 /w/data/y.csv\n11 12 /w/z.csv\n") == ("/w/z.csv", 1)
    assert only_one(subject, "11 12 /w/y.csv\n13 12 /w/z.csv\n") == (None, 2)
    assert only_one(subject, "11 12 /w/y.txt\n13 12 /w/own.csv\n") == (None, 0)
    values = replace(subject, details=FileDetails(sized="/w/y.csv")).values(failed.command)
    assert (values.fill("{sized}"), values.fill("{command_sized}")) == ("/w/y.csv", "python main.py --data /w/y.csv")


def test_a_file_of_another_size_than_the_told_one_leaves_it_open(tmp_path: Path) -> None:
    failed = shell("cat x.csv", "cat: x.csv: No such file or directory", 1)
    made = context(tmp_path, "debian", Events(commands=(failed,)), AsyncExitStack(), Settings())
    subject = subject_of(hypothesis(Barrier.MISSING_DATA, paths=("x.csv",)), made)
    assert isinstance(subject, ReplayTarget)
    search = sorted_out("/w/x.csv", [("file", 9, "/w/c/x.csv")], {12: "README.md"})
    asked = replace(
        subject, details=FileDetails(other_doubts=tuple(size_doubts(search, {12: "README.md"}, 0, None, 0)))
    )
    assert "9 bytes instead of 12 bytes, as README.md says" in str(asked.handler.unsettled(asked, Outcome()))
    assert any("9 bytes instead" in remark for remark in asked.handler.remarks(asked, Outcome()))
    assert subject.handler.unsettled(subject, Outcome()) is None


@pytest.mark.parametrize(
    ("line", "links"),
    [
        ("ln -s /mnt/full set", True),
        ("cd /w && ln -sfn /mnt/full ./set/", True),
        ('for n in set; do ln -s /mnt/full "$n"; done', True),
        ("python3 -c \"import os; os.symlink('/mnt/full', 'se' + 't')\"", True),
        ("ln -s /mnt/full other", False),
        ("ls -l set", False),
    ],
)
def test_a_link_that_the_run_may_have_made_itself_promises_nothing(line: str, *, links: bool) -> None:
    assert may_link(shell(line), "set") == links
