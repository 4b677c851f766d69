"""What stands for a whole file of a form is one, by the programs that read it; looking at a file changes nothing."""

import gzip
import os
import sqlite3
import subprocess
from pathlib import Path

import pytest

from probes.replay.target import data_state
from probes.replay.target.data_state import empty_by_name, form_named, parts_of, recovery_of, whole_by_name

READ_BY_PYTHON = {
    ".json": "import json; json.load(open(path))",
    ".npz": "import zipfile; zipfile.ZipFile(path)",
    ".pickle": "import pickle; assert pickle.load(open(path, 'rb')) is None",
    ".sqlite": "import sqlite3; sqlite3.connect(path).execute('select * from sqlite_master')",
    ".svg": "import xml.etree.ElementTree as tree; tree.parse(path)",
    ".tar": "import tarfile; assert tarfile.open(path).getnames() == []",
    ".tar.gz": "import tarfile; assert tarfile.open(path).getnames() == []",
    ".wav": "import wave; assert wave.open(path).getnframes() == 0",
    ".gz": "import gzip; gzip.open(path).read()",
}


def stands_for(path: Path) -> Path:
    subprocess.run(["bash", "-c", f"F={path}; {empty_by_name()}"], check=True)
    return path


@pytest.mark.parametrize("ending", READ_BY_PYTHON)
def test_what_stands_for_a_file_is_read_by_its_program(tmp_path: Path, ending: str) -> None:
    path = stands_for(tmp_path / f"x{ending}")
    subprocess.run(["python3", "-c", f"path = {str(path)!r}; {READ_BY_PYTHON[ending]}"], check=True)


@pytest.mark.parametrize(
    ("ending", "begins", "size"),
    [
        (".nc", b"CDF\x01", 32),
        (".h5", b"\x89HDF\r\n\x1a\n", 179),
        (".rds", b"X\n\x00\x00\x00\x02", 18),
        (".parquet", b"PAR1", 81),
        (".feather", b"ARROW1", 146),
        (".mat", b"MATLAB 5.0", 128),
        (".png", b"\x89PNG", 67),
    ],
)
def test_what_stands_for_a_file_has_every_byte_of_its_form(
    tmp_path: Path, ending: str, begins: bytes, size: int
) -> None:
    data = stands_for(tmp_path / f"x{ending}").read_bytes()
    assert data.startswith(begins)
    assert len(data) == size


def test_a_database_that_nobody_may_write_beside_is_whole_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "assay.db"
    with sqlite3.connect(path) as base:
        base.execute("pragma journal_mode = wal")
        base.execute("create table well (plate, od)")
    base.close()
    sqlite = form_named("SQLite")
    assert sqlite
    before = path.stat()
    done = subprocess.run(["bash", "-c", data_state.tested(sqlite, str(path))], check=False)
    assert done.returncode == 0
    assert [one.name for one in tmp_path.iterdir()] == ["assay.db"]
    assert path.stat().st_mtime_ns == before.st_mtime_ns


def test_parts_of_a_zip_that_was_written_to_a_pipe_are_told_apart_too(tmp_path: Path) -> None:
    make = "import os, sys, zipfile\nwith zipfile.ZipFile(sys.stdout.buffer, 'w', zipfile.ZIP_DEFLATED) as made:\n"
    make += "    made.writestr('a.csv', '1,2\\n' * 5000)\n    made.writestr('b.bin', os.urandom(90000))\n"
    whole = subprocess.run(["python3", "-c", make], stdout=subprocess.PIPE, check=True).stdout
    path = tmp_path / "x.zip"
    path.write_bytes(whole[:50_000])
    form = form_named("zip")
    assert form
    told = subprocess.run(["bash", "-c", parts_of(form, str(path))], stdout=subprocess.PIPE, check=True)
    assert told.stdout.decode().splitlines() == ["whole a.csv", "cut b.bin"]


@pytest.mark.parametrize(("name", "tool"), [("gzip", "gzip"), ("bzip2", "bzip2"), ("xz", "xz")])
def test_of_a_packed_tar_that_was_cut_all_but_its_last_part_are_whole(tmp_path: Path, name: str, tool: str) -> None:
    (tmp_path / "in").mkdir()
    for part in ("a.csv", "b.csv", "c.bin"):
        (tmp_path / "in" / part).write_bytes(os.urandom(700_000))
    tar = subprocess.run(["tar", "-c", "in"], cwd=tmp_path, stdout=subprocess.PIPE, check=True).stdout
    packed = subprocess.run([tool, "-c"], input=tar, stdout=subprocess.PIPE, check=True).stdout
    form, path = form_named(name), tmp_path / "x"
    assert form

    def states(end: int) -> list[str]:
        path.write_bytes(packed[:end])
        told = subprocess.run(["bash", "-c", parts_of(form, str(path))], stdout=subprocess.PIPE, check=False)
        return [line.split()[0] for line in told.stdout.decode().splitlines()]

    *before, last = states(len(packed) * 3 // 4)
    assert set(before) == {"whole"}
    assert last == "cut"
    assert states(len(packed)) == ["whole"] * 3


def test_what_follows_behind_the_end_of_a_packed_file_is_no_damage(tmp_path: Path) -> None:
    path, gz = tmp_path / "x.gz", form_named("gzip")
    path.write_bytes(gzip.compress(b"all of it") + bytes(512) + b"padding")
    assert gz
    assert subprocess.run(["bash", "-c", data_state.tested(gz, str(path))], check=False).returncode == 0
    path.write_bytes(gzip.compress(b"all of it")[:-3])
    assert subprocess.run(["bash", "-c", data_state.tested(gz, str(path))], check=False).returncode != 0


def recovered(path: Path, root: str) -> tuple[int, Path]:
    """How the recovery of a database ends in which one page is zeros: that of an index, or of a table."""
    with sqlite3.connect(path) as base:
        base.execute("create table reading (id integer primary key, station text, mm real)")
        base.execute("create table remark (text)")
        base.executemany("insert into reading values (?, ?, ?)", ((at, f"K{at % 60}", at / 7) for at in range(9000)))
        base.executemany("insert into remark values (?)", ((f"remark {at}",) for at in range(2000)))
        base.execute("create index by_station on reading (station)")
        base.execute("create virtual table note using fts5 (body)")
        base.execute("insert into note values ('a note on a station')")
        base.execute("insert into remark values (cast(x'ff' as text))")
        base.execute("pragma user_version = 7")
        base.execute("analyze")
        [[page]] = base.execute("select rootpage from sqlite_master where name = ?", [root])
        [[size]] = base.execute("pragma page_size")
    base.close()
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(bytes(size))
    form, whole = form_named("SQLite"), path.with_suffix(".whole")
    assert form is not None
    done = subprocess.run(["bash", "-c", recovery_of(form, str(path), str(whole))], check=False, capture_output=True)
    return done.returncode, whole


def test_a_database_with_a_damaged_index_is_recovered_row_by_row(tmp_path: Path) -> None:
    code, whole = recovered(tmp_path / "x.db", "by_station")
    assert code == 0
    with sqlite3.connect(whole) as base:
        assert base.execute("select count(*), max(id) from reading where station = 'K7'").fetchall() == [(150, 8947)]
        assert base.execute("select count(*) from remark").fetchall() == [(2001,)]
        assert base.execute("select body from note where note match 'station'").fetchall() == [("a note on a station",)]
        assert base.execute("pragma user_version").fetchall() == [(7,)]
        assert base.execute("pragma integrity_check").fetchall() == [("ok",)]


@pytest.mark.parametrize("table", ["reading", "remark"])
def test_a_database_with_a_damaged_table_is_not(tmp_path: Path, table: str) -> None:
    code, _ = recovered(tmp_path / "x.db", table)
    assert code != 0


def test_a_database_of_which_only_rows_are_wrong_is_not_called_recovered(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    with sqlite3.connect(path) as base:
        base.execute("create table reading (station text)")
        base.executemany("insert into reading values (?)", ((f"station-{at:03}",) for at in range(50)))
        base.execute("create index by_station on reading (station)")
    base.close()
    path.write_bytes(path.read_bytes().replace(b"station-007", b"station-XXX", 1))
    form = form_named("SQLite")
    assert form is not None
    done = subprocess.run(
        ["bash", "-c", recovery_of(form, str(path), f"{path}.whole")], check=False, capture_output=True
    )
    assert done.returncode != 0


def test_a_name_tells_a_compressor_and_no_other_form(tmp_path: Path) -> None:
    folder = tmp_path / "my data"
    folder.mkdir()
    (folder / "x.csv.gz").write_bytes(gzip.compress(b"1"))
    (folder / "cut.csv.gz").write_bytes(gzip.compress(b"1")[:-4])
    ends = [
        subprocess.run(["sh", "-c", f'F="$1"; {whole_by_name(name)}', "sh", str(folder / name)], check=False).returncode
        for name in ("x.csv.gz", "cut.csv.gz", "weights.pth")
    ]
    assert [code == 0 for code in ends] == [True, False, True]


@pytest.mark.parametrize(
    ("lost", "altered", "whole"),
    [(8, False, True), (3, False, True), (9, False, False), (0, True, False)],
    ids=["its trailer", "a part of its trailer", "more", "another check sum"],
)
def test_of_a_gzip_file_only_what_stands_behind_its_stream_may_be_lost(
    tmp_path: Path, lost: int, *, altered: bool, whole: bool
) -> None:
    form, cut, back = form_named("gzip"), tmp_path / "counts.gz", tmp_path / "back.gz"
    text = b"".join(b"%d\n" % (number * number) for number in range(900))
    with gzip.open(cut, "wb") as packed:
        packed.write(text)
    data = bytearray(cut.read_bytes())
    data[-8] ^= altered
    cut.write_bytes(data[: len(data) - lost])
    assert form is not None
    done = subprocess.run(["bash", "-c", recovery_of(form, str(cut), str(back))], check=False)
    assert (done.returncode == 0) is whole
    assert not whole or gzip.decompress(back.read_bytes()) == text
