"""A huge result file is read an entry at a time, and the second time only where the wanted task stands."""

import base64
import gzip
import io
import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import Case, InputError
from cases.library import Inputs, Library
from cases.readers import entries as reading
from cases.readers.entries import Entry, entries, fields_of
from cases.readers.hal_index import KEPT_FROM
from cases.readers.pacing import HostileError
from tests.cases.case_files import call, hal, said

TEXT = st.text(st.sampled_from('\\"ab\n[{]},: é→\U0001f600'), max_size=40)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(1 << 50), 1 << 50) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where this program keeps what it may forget."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "impassable" / "indexes"


def large(path: Path) -> Path:
    """Two tasks whose calls take turns, in texts of every alphabet, behind a third that nobody asks for."""
    log = [call([said("user", 'naïve → \U0001f600 \\ " \n' * (KEPT_FROM // 20))], None, task="täsk-2")]
    for number in range(12):
        text = f'call {number}: naïve → \U0001f600 \\ " \n'
        log.append(call([said("user", text)], said("assistant", "ok"), task=f"täsk-{number % 2}", minute=number))
    hal(path, log, failed=["täsk-0", "täsk-1", "täsk-2"])
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")), ensure_ascii=False), "utf-8")
    assert path.stat().st_size > KEPT_FROM
    return path


def case_of(path: Path, task: str) -> Case:
    library = Library.open(Inputs(runs=(path,)))
    return library.case(library.resolve(task))


def said_in(case: Case) -> list[str]:
    assert case.runs[0].transcript
    return [block.text[:8] for block in case.runs[0].transcript.blocks]


def spoil(path: Path, word: str) -> None:
    """Damage what stands around a word, and leave the file's size and times as they were."""
    state, raw = path.stat(), path.read_bytes()
    at = raw.index(word.encode())
    path.write_bytes(raw[: at - 5] + b"}" * 10 + raw[at + 5 :])
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))


def test_a_second_look_up_reads_the_wanted_task_and_no_other(tmp_path: Path, kept: Path) -> None:
    path = large(tmp_path / "run_UPLOAD.json")
    first = case_of(path, "täsk-1")
    assert said_in(first)[0] == "call 1: "
    spoil(path, "call 2: ")
    assert case_of(path, "täsk-1") == first
    with pytest.raises(InputError, match="the file has changed; run the command again"):
        case_of(path, "täsk-0")
    assert kept.is_dir()


def test_what_is_kept_says_nothing_of_what_was_said(tmp_path: Path, kept: Path) -> None:
    path = large(tmp_path / "secret-name_UPLOAD.json")
    case_of(path, "täsk-0")
    [index] = kept.iterdir()
    told = index.read_text("utf-8")
    assert "täsk-0" in told
    assert not any(word in told for word in ("naïve", "call 1", "Synthetic Agent", "secret-name", str(tmp_path)))


@pytest.mark.parametrize("change", ["longer", "later", "another beginning"])
def test_a_file_that_has_changed_is_read_again(tmp_path: Path, kept: Path, change: str) -> None:
    path = large(tmp_path / "run_UPLOAD.json")
    case_of(path, "täsk-0")
    state, text = path.stat(), path.read_text("utf-8")
    if change == "longer":
        path.write_text(text + " ", "utf-8")
    elif change == "later":
        os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns + 1))
    else:
        path.write_text(text.replace("synthetic_run_1", "synthetic_run_2"), "utf-8")
        os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))
    [index] = kept.iterdir()
    before = index.read_bytes()
    run = case_of(path, "täsk-0").runs[0]
    assert run.transcript
    assert run.run_id == ("synthetic_run_2" if change == "another beginning" else "synthetic_run_1")
    assert index.read_bytes() != before


@pytest.mark.parametrize("damage", [b"", b"{", b'{"form": 1}', b"\xff\xfe"])
def test_an_index_that_cannot_be_read_is_made_again(tmp_path: Path, kept: Path, damage: bytes) -> None:
    path = large(tmp_path / "run_UPLOAD.json")
    first = case_of(path, "täsk-0")
    [index] = kept.iterdir()
    index.write_bytes(damage)
    assert case_of(path, "täsk-0") == first
    assert len(index.read_bytes()) > 100


def test_without_a_place_for_caches_everything_is_read_all_the_same(tmp_path: Path, kept: Path) -> None:
    kept.parent.parent.write_text("a file where the folder would be")
    assert said_in(case_of(large(tmp_path / "run_UPLOAD.json"), "täsk-0"))[0] == "call 0: "


class TestPacked:
    """A gzipped file is unpacked from where the task's part stands."""

    def packed(self, path: Path) -> Path:
        """One that is large also when it is packed."""
        noise = base64.b64encode(os.urandom(KEPT_FROM + 100_000)).decode()
        log = [call([said("user", noise)], None, task="task-0")]
        log += [call([said("user", f"call {n}")], None, task=f"task-{n % 2}", minute=n) for n in range(1, 12)]
        hal(path.with_suffix(""), log, failed=["task-0", "task-1"])
        path.write_bytes(gzip.compress(path.with_suffix("").read_bytes(), 1))
        assert path.stat().st_size > KEPT_FROM
        return path

    def test_it_says_what_it_says_unpacked(self, tmp_path: Path, kept: Path) -> None:
        path = self.packed(tmp_path / "run_UPLOAD.json.gz")
        plain = path.with_suffix("")
        expected = case_of(plain, "task-1").runs[0].transcript
        assert case_of(path, "task-1").runs[0].transcript == expected
        assert sorted(one.suffix for one in kept.iterdir()) == [".json", ".json", ".points"]
        assert case_of(path, "task-1").runs[0].transcript == expected

    def test_points_that_are_not_those_that_were_kept_are_found_again(self, tmp_path: Path, kept: Path) -> None:
        path = self.packed(tmp_path / "run_UPLOAD.json.gz")
        first = case_of(path, "task-1")
        [points] = kept.glob("*.points")
        points.write_bytes(b"nothing of the kind")
        assert case_of(path, "task-1") == first
        assert points.stat().st_size > 10_000

    def test_one_that_is_cut_off_is_refused_as_any_other(self, tmp_path: Path, kept: Path) -> None:
        path = self.packed(tmp_path / "run_UPLOAD.json.gz")
        path.write_bytes(path.read_bytes()[:-1000])
        with pytest.raises(InputError, match="gzip data is damaged or cut off"):
            case_of(path, "task-1")
        assert list(kept.iterdir()) == []


def taken(value: dict[str, Any], apart: bool, block: int, *, ascii_only: bool) -> tuple[bytes, list[Entry]]:
    raw = json.dumps(value, ensure_ascii=ascii_only, indent=block % 3 or None).encode()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(reading, "BLOCK", block)
        return raw, list(entries(io.BytesIO(raw), lambda _: apart))


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(TEXT, JSON, max_size=4), st.sampled_from((1, 2, 7, 50, 4096)), st.booleans())
def test_entries_are_what_stands_at_their_places(value: dict[str, Any], block: int, ascii_only: bool) -> None:
    raw, whole = taken(value, False, block, ascii_only=ascii_only)
    assert {one.key: one.exact() for one in whole} == value
    _, parts = taken(value, True, block, ascii_only=ascii_only)
    for one in [*whole, *parts]:
        assert json.loads(raw[one.start : one.start + one.length]) == one.exact()
    inside = {key: [one.exact() for one in parts if one.key == key and one.inside] for key in value}
    for key, inner in value.items():
        if isinstance(inner, list | dict):
            assert inside[key] == list(inner.values() if isinstance(inner, dict) else inner)
    assert fields_of(frozenset(value), io.BytesIO(raw)) == value


@pytest.mark.parametrize(
    "raw", [b"", b"[]", b"{", b'{"a" 1}', b'{"a": 1,}', b'{"a": [1 2]}', b"{1: 2}", b'{"a": 1} x', b'{"a": "\xff"}']
)
def test_what_is_no_object_is_refused(raw: bytes) -> None:
    with pytest.raises((json.JSONDecodeError, UnicodeDecodeError)):
        list(entries(io.BytesIO(raw), lambda _: True))


def test_one_entry_beyond_measure_is_refused_before_it_is_built() -> None:
    raw = b'{"log": [' + b"[" + b"{}," * 8_000_000 + b"{}]]}"
    with pytest.raises(HostileError, match="more in one place"):
        list(entries(io.BytesIO(raw), lambda _: True))
