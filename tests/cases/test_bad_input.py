"""Whatever is given, the answer is data or one sentence: never another exception."""

import gzip
import io
import json
import random
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import InputError
from cases.events import events_of
from cases.files import sources
from cases.library import Inputs, Library
from tests.cases.case_files import OUTCOMES, RUBRIC, cumulative, hal, hal_v2, said, table, whowhen

TALK = [said("user", "Do it."), said("assistant", "Doing."), said("user", "Well?"), said("assistant", "Done.")]


def read_everything(path: Path) -> None:
    """Open the file and every case in it; InputError is an answer."""
    sentence = ""
    try:
        library = Library.open(Inputs(runs=(path,)))
        for task in library.tasks():
            for run in library.case(task).runs:
                if run.transcript:
                    events_of(run.transcript)
    except InputError as error:
        sentence = str(error)
    assert not sentence or (str(path) in sentence and "\n" not in sentence.strip())


def zipped(*names: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in names:
            archive.writestr(zipfile.ZipInfo(name), "{}")
    return buffer.getvalue()


FOREIGN: list[tuple[bytes, str]] = [
    (zipped("a", "b"), "a zip archive"),
    (zipped("a", "b")[:40], "a damaged or empty zip archive"),
    (b"\x80\x04\x95\x05.", "a Python pickle"),
    (b"\x89PNG\r\n\x1a\n....", "an image"),
    (b"Just some words.\nAnd more.", "plain text"),
    (b"", "an empty file"),
    (b" \n ", "a file with nothing but white space"),
    (b"\x00\x01\x02\xff\xfe" * 50, "binary data"),
    (b'{"id": "x", "task": "y", "answer": "z"}', "tasks .give it with --tasks."),
    (b'{"foo": 1, "bar": 2}', "JSON with the keys bar, foo"),
    (b'{"foo', "JSON that is cut off"),
    (b"[1, 2]", "a JSON list"),
    (b"<!doctype html><p>x", "an HTML or XML page"),
    (b"a,b,c\n1,2,3\n", "a table with the columns a, b, c"),
]


@pytest.mark.parametrize(("content", "looks_like"), FOREIGN)
def test_a_foreign_file_is_named_for_what_it_looks_like(tmp_path: Path, content: bytes, looks_like: str) -> None:
    path = tmp_path / "run_UPLOAD.json"
    path.write_bytes(content)
    with pytest.raises(InputError, match=looks_like) as caught:
        Library.open(Inputs(runs=(path,)))
    assert "known formats are HAL result file" in str(caught.value)


def test_foreign_and_damaged_files_in_a_directory_are_problems(tmp_path: Path) -> None:
    hal_v2(tmp_path / "good.json", TALK)
    (tmp_path / "notes.md").write_text("notes")
    (tmp_path / "cut.json").write_text(hal(tmp_path / "whole.json", cumulative(TALK)).read_text()[:-9])
    (tmp_path / ".hidden").write_text("x")
    library = Library.open(Inputs(runs=(tmp_path,)))
    assert [Path(problem.file).name for problem in library.problems] == ["cut.json", "notes.md"]
    assert [task.task_id for task in library.tasks()] == ["task-1"]


class TestPaths:
    """What can be wrong with a path."""

    @pytest.mark.parametrize(
        ("name", "message"),
        [
            ("missing.json", "there is no such file or directory"),
            ("*.none", "no file matches this pattern"),
            ("empty", "the directory holds no files"),
            ("nul\0byte", "there is no such file or directory"),
            ("foreign", "nothing there can be used"),
        ],
    )
    def test_refused(self, tmp_path: Path, name: str, message: str) -> None:
        (tmp_path / "empty").mkdir()
        (tmp_path / "foreign").mkdir()
        (tmp_path / "foreign" / "x.txt").write_text("x")
        with pytest.raises(InputError, match=message):
            Library.open(Inputs(runs=(tmp_path / name,)))

    @pytest.mark.parametrize("name", ["missing.json", "*.none", "empty"])
    def test_one_of_several_is_told_and_the_others_are_read(self, tmp_path: Path, name: str) -> None:
        (tmp_path / "empty").mkdir()
        good = hal_v2(tmp_path / "good.json", TALK)
        library = Library.open(Inputs(runs=(tmp_path / name, good), claims=(tmp_path / "no.csv",)))
        assert [task.transcripts for task in library.tasks()] == [1]
        told = {Path(problem.file).name for problem in library.problems if problem.refused}
        assert told == {name, "no.csv"}

    @pytest.mark.parametrize("name", ["missing.csv", "*.none", "empty"])
    def test_who_passed_must_be_there(self, tmp_path: Path, name: str) -> None:
        (tmp_path / "empty").mkdir()
        good = hal_v2(tmp_path / "good.json", TALK)
        with pytest.raises(InputError, match=f"{re.escape(str(tmp_path / name))}: "):
            Library.open(Inputs(runs=(good,), outcomes=(tmp_path / name,)))

    def test_a_device_is_no_file(self) -> None:
        with pytest.raises(InputError, match="not a regular file"):
            Library.open(Inputs(runs=(Path("/dev/null"),)))

    def test_a_glob_reaches_into_directories(self, tmp_path: Path) -> None:
        (tmp_path / "deep" / "er").mkdir(parents=True)
        hal_v2(tmp_path / "deep" / "er" / "r.json", TALK)
        library = Library.open(Inputs(runs=(tmp_path / "**" / "*.json",)))
        assert [task.transcripts for task in library.tasks()] == [1]

    @pytest.mark.timeout(20)
    @pytest.mark.parametrize("pattern", ["**/*.json", "*/*.json", "*/**/*.json", "*/*/*/*", "**", "*"])
    def test_no_glob_follows_a_link_out_of_its_folder(self, pattern: str, tmp_path: Path) -> None:
        outside, root = tmp_path / "outside", tmp_path / "runs"
        for folder in (outside, root / "deep" / "er"):
            folder.mkdir(parents=True)
            hal_v2(folder / "r.json", TALK)
        hal_v2(root / "top.json", TALK)
        hal_v2(root / "deep" / "mid.json", TALK)
        for name, target in (("out", outside), ("all", Path("/")), ("up", tmp_path), ("round", root), ("rnd", root)):
            (root / name).symlink_to(target)
        (root / "deep" / "file.json").symlink_to(outside / "r.json")
        refused: dict[Path, InputError] = {}
        found = [source.path for source in sources([root / pattern], refused)]
        assert found
        assert all(path.resolve().is_relative_to(root.resolve()) for path in found)
        assert refused
        assert all("leads out of" in str(error) for error in refused.values())

    def test_a_link_that_stays_in_the_folder_is_followed_and_one_that_leaves_it_is_told(self, tmp_path: Path) -> None:
        hal_v2(tmp_path / "kept.json", TALK)
        (tmp_path / "runs").mkdir()
        hal_v2(tmp_path / "runs" / "a.data", TALK)
        (tmp_path / "runs" / "in.json").symlink_to("a.data")
        (tmp_path / "runs" / "out.json").symlink_to(tmp_path / "kept.json")
        library = Library.open(Inputs(runs=(tmp_path / "runs" / "*.json",)))
        assert [task.transcripts for task in library.tasks()] == [1]
        assert "out.json: a link that leads out of" in str(library.problems[0])


class TestWhoWhen:
    """Files of the data set's shape that lack something."""

    def test_no_task_id(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="question_ID"):
            Library.open(Inputs(runs=(whowhen(tmp_path / "w.json", TALK, question_ID=""),)))

    def test_an_empty_history(self, tmp_path: Path) -> None:
        library = Library.open(Inputs(runs=(whowhen(tmp_path / "w.json", []),)))
        assert "is empty" in str(library.problems[0])
        assert library.case(library.tasks()[0]).runs[0].transcript is None

    def test_a_gold_answer_that_is_missing(self, tmp_path: Path) -> None:
        library = Library.open(Inputs(runs=(whowhen(tmp_path / "w.json", TALK, ground_truth=None),)))
        assert library.case(library.tasks()[0]).task.gold is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
KEYED = st.fixed_dictionaries(
    {},
    optional={
        "config": JSON,
        "results": JSON | st.fixed_dictionaries({"failed_tasks": JSON}),
        "raw_eval_results": JSON,
        "raw_logging_results": JSON
        | st.lists(
            st.fixed_dictionaries(
                {
                    "weave_task_id": st.sampled_from(["a", 1, None, ""]),
                    "inputs": st.fixed_dictionaries({"messages": JSON}),
                },
                optional={"output": JSON, "exception": JSON, "started_at": JSON, "id": JSON, "attributes": JSON},
            ),
            max_size=3,
        )
        | st.dictionaries(
            st.text(max_size=3), st.fixed_dictionaries({"messages": st.lists(JSON, max_size=3)}), max_size=2
        ),
        "task_prompts": JSON,
        "history": JSON,
        "question_ID": JSON,
        "question": JSON,
        "mistake_step": JSON,
    },
)


@pytest.mark.exhaustive
@settings(max_examples=300, deadline=None)
@given(KEYED)
def test_json_of_any_content_raises_nothing_but_input_errors(
    tmp_path_factory: pytest.TempPathFactory, data: dict[str, Any]
) -> None:
    path = tmp_path_factory.mktemp("json") / "r.json"
    path.write_text(json.dumps(data))
    read_everything(path)


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=300) | st.text(max_size=300).map(lambda text: text.encode("utf-8", "replace")))
def test_bytes_of_any_content_raise_nothing_but_input_errors(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    path = tmp_path_factory.mktemp("bytes") / "r.csv"
    path.write_bytes(data)
    read_everything(path)


@pytest.mark.parametrize("kind", ["v1", "v2", "gzip", "whowhen", "rubric", "outcomes"])
def test_a_file_cut_or_spoiled_anywhere_raises_nothing_but_input_errors(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "file"
    match kind:
        case "v1":
            hal(path, cumulative(TALK))
        case "v2":
            hal_v2(path, TALK)
        case "gzip":
            path.write_bytes(gzip.compress(hal_v2(path, TALK).read_bytes()))
        case "whowhen":
            whowhen(path, TALK)
        case "rubric":
            table(path, RUBRIC, [("a", "gaia", "1", "0", 'te"xt\nlines', "r")] * 4)
        case "outcomes":
            table(path, OUTCOMES, [("gaia", "a", "s", "m", "2025-01-01", "1", "r")] * 4)
    whole = path.read_bytes()
    chance = random.Random(7)
    for _ in range(120):
        at = chance.randrange(len(whole))
        spoiled = whole[:at] if chance.random() < 0.5 else whole[:at] + bytes([chance.randrange(256)]) + whole[at + 1 :]
        path.write_bytes(spoiled)
        read_everything(path)
