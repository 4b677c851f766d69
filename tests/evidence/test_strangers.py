"""A pack from a stranger costs no more than its size: what it says of itself is not believed, nothing is waited for."""

import json
import os
import struct
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cases import ImpassableError, InputError, PackError
from evidence import archive_of, read_pack, write_pack
from evidence.archive import members, opened
from evidence.checking import check
from evidence.index import listing
from evidence.recomputing import recompute
from evidence.text import loads
from probes import ArtifactStore
from probes.browser.recorded import asked
from tests.evidence.forging import rewritten
from tests.evidence.synthetic_audits import supported

MEGABYTE = 2**20


@pytest.fixture
def pack(store: ArtifactStore, tmp_path: Path) -> Path:
    """An unsigned pack."""
    return write_pack(supported(store), store, tmp_path / "packs").path


def lying(name: str, *, said: int, megabytes: int) -> bytes:
    """A zip of one member that is said to be so small, and whose stream gives so much."""
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    stream = b"".join(squeeze.compress(bytes(MEGABYTE)) for _ in range(megabytes)) + squeeze.flush()
    path, crc = name.encode(), zlib.crc32(bytes(said))
    sizes = (20, 0, 8, 0, 33, crc, len(stream), said, len(path))
    head = struct.pack("<4s5H3L2H", b"PK\x03\x04", *sizes, 0) + path
    entry = struct.pack("<4s6H3L5H2L", b"PK\x01\x02", 20 | 3 << 8, *sizes, 0, 0, 0, 0, 0o100644 << 16, 0) + path
    return head + stream + entry + ending(1, len(entry), len(head) + len(stream))


def ending(files: int, size: int, start: int) -> bytes:
    """The last header of a zip."""
    return struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, files, files, size, start, 0)


def costs(work: Callable[[], object]) -> int:
    """Bytes of memory at most, whatever comes of it."""
    tracemalloc.start()
    try:
        work()
    except ImpassableError:
        pass
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return peak


READERS: dict[str, Callable[[Path], object]] = {
    "opened": opened,
    "check": check,
    "recompute": lambda path: recompute(check(path)),
    "index": lambda path: listing(path.parent),
    "members": lambda path: members(path.read_bytes(), "it"),
}


@pytest.mark.parametrize("reader", READERS)
def test_a_stream_that_holds_more_than_is_said_is_never_unpacked_whole(reader: str, tmp_path: Path) -> None:
    path = tmp_path / "packs" / "x-supported-000000000000.zip"
    path.parent.mkdir()
    path.write_bytes(lying("x-supported-000000000000/verdict.json", said=10, megabytes=300))
    assert path.stat().st_size < MEGABYTE
    assert costs(lambda: READERS[reader](path)) < 16 * MEGABYTE


def test_an_exchange_of_a_stranger_is_read_in_bounds(tmp_path: Path) -> None:
    path = tmp_path / "visit.har.zip"
    path.write_bytes(lying("visit.har", said=2**31, megabytes=300))
    assert costs(lambda: asked(path)) < 260 * MEGABYTE
    assert asked(path) == ""


def test_a_directory_of_a_million_files_is_refused_before_it_is_read(tmp_path: Path) -> None:
    entry = struct.pack("<4s6H3L5H2L", b"PK\x01\x02", 20, 20, 0, 0, 0, 33, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0) + b"a"
    path = tmp_path / "many.zip"
    path.write_bytes(b"PK\x03\x04" + entry * 300_000 + ending(0xFFFF, len(entry) * 300_000, 4))
    size = path.stat().st_size
    assert costs(lambda: opened(path)) < size + 2 * MEGABYTE
    with pytest.raises(PackError, match="more files than any pack"):
        opened(path)


def nested(levels: int) -> bytes:
    return b"[" * levels + b"]" * levels


RECORDS = {
    "nested": nested(100_000),
    "many lists": b"[" + b"[]," * 6_000_000 + b"[]]",
    "many objects": b"[" + b'{"":0},' * 2_100_000 + b"0]",
    "long number": b'{"a":' + b"9" * 100_000 + b"}",
    "no text": b"\xff\xfe" * 1000,
}


@pytest.mark.parametrize("record", RECORDS)
def test_a_record_that_would_fill_memory_or_stack_is_one_sentence(record: str, pack: Path) -> None:
    found: list[Any] = []
    (pack / "case.json").write_bytes(RECORDS[record])
    most = 8 * len(RECORDS[record]) + 40 * MEGABYTE

    def refused() -> None:
        with pytest.raises(PackError, match=r"case\.json is not"):
            read_pack(pack)

    assert costs(refused) < most
    assert costs(lambda: found.append(listing(pack.parent))) < most
    assert len(found[0].unreadable) == 1


def test_a_large_record_of_many_words_is_read() -> None:
    words = [{"text": 'one, two, [three], {four}, "five", \\ ' * 200} for _ in range(6000)]
    assert loads(json.dumps(words).encode()) == words


@pytest.mark.parametrize("levels", [100, 240, 900])
def test_arguments_nested_without_end_are_no_pack_of_this_program(levels: int, pack: Path, tmp_path: Path) -> None:
    case = json.loads((pack / "case.json").read_bytes())
    case["runs"][0]["transcript"]["blocks"][0]["arguments"] = {"a": json.loads(nested(levels))}
    forged = rewritten(pack, {"case.json": json.dumps(case, indent=2).encode()}, tmp_path / "forged")
    with pytest.raises(PackError, match=r"case\.json is not what this program writes"):
        recompute(check(forged))


@pytest.mark.timeout(30)
@pytest.mark.parametrize("name", ["verdict.json", "case.json", "report.html", "manifest-sha256.txt"])
def test_nothing_but_plain_files_is_opened(name: str, pack: Path) -> None:
    path, kept = pack / name, (pack / name).read_bytes()
    archive_of(pack).unlink()
    for place in (os.mkfifo, lambda it: it.symlink_to("/dev/zero"), lambda it: it.symlink_to("/etc/hostname")):
        path.unlink()
        place(path)
        with pytest.raises((PackError, InputError)):
            check(pack)
        listing(pack.parent)
        path.unlink()
        path.write_bytes(kept)
    with path.open("r+b") as sparse:
        sparse.truncate(2**40)
    with pytest.raises(PackError, match=r"is larger than|is not what"):
        check(pack)
    listing(pack.parent)


def test_a_zip_in_a_pack_that_lies_costs_nothing(pack: Path, tmp_path: Path) -> None:
    inner = lying("visit.har", said=10, megabytes=300)
    other = tmp_path / "other.zip"
    with zipfile.ZipFile(archive_of(pack)) as own, zipfile.ZipFile(other, "w") as archive:
        for entry in own.infolist():
            archive.writestr(entry, own.read(entry))
        archive.writestr(f"{pack.name}/data/evidence/x.har.zip", inner)
    assert costs(lambda: check(other)) < 16 * MEGABYTE


def test_a_record_that_holds_half_a_character_is_none() -> None:
    with pytest.raises(ValueError, match="half a character"):
        loads(rb'{"note": "\ud800"}')
    assert loads(rb'{"note": "\ud83d\ude00", "path": "C:\\ud800"}') == {"note": "\U0001f600", "path": "C:\\ud800"}
