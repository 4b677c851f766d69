"""Whatever is given, no reader fails other than with one sentence, hangs, or takes all memory."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cases import InputError
from cases.readers import reader_of, readers
from cases.readers.shape import MOST_KEYS
from cases.readers.sniff import Head
from tests.cases.giants import giants
from tests.cases.samples import SAMPLES

COUNT = int(os.environ.get("IMPASSABLE_HOSTILE_COUNT", "300"))
BYTES = int(os.environ.get("IMPASSABLE_HOSTILE_BYTES", "400000"))
SEED = int(os.environ.get("IMPASSABLE_HOSTILE_SEED", "7"))


def tried(count: int, size: int) -> dict[str, Any]:
    """Another process, so that a crash of a parser is seen, and its memory is bounded."""
    command = [sys.executable, "-m", "tests.cases.hostile", str(count), str(SEED), str(size)]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, capture_output=True, text=True, cwd=root, check=False)
    assert done.returncode == 0, f"it died with {done.returncode}: {done.stderr[-2000:]}"
    return json.loads(done.stdout)


@pytest.mark.timeout(COUNT + 300)
def test_damaged_inputs_of_every_format() -> None:
    """A few hundred here; `IMPASSABLE_HOSTILE_COUNT=10000 pytest tests/cases/test_hostile.py` tries ten thousand."""
    found = tried(COUNT, 0)
    assert found["tried"] == COUNT
    assert found["faults"] == []


@pytest.mark.exhaustive
@pytest.mark.timeout(900)
def test_inputs_that_are_large_in_one_way() -> None:
    """Some hundred kilobytes each here; with `IMPASSABLE_HOSTILE_BYTES=50000000` fifty."""
    found = tried(0, BYTES)
    assert found["tried"] == sum(1 for _ in giants(100)) >= 30
    assert found["faults"] == []


def test_every_reader_is_among_those_that_are_tried(tmp_path: Path) -> None:
    reached = set()
    for kind, write in SAMPLES.items():
        (tmp_path / kind).mkdir()
        reached.add(reader_of(write(tmp_path / kind), readers()).name)
    assert reached == {reader.name for reader in readers()}


def test_fifty_megabytes_of_keys_on_one_line_are_one_bounded_look(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    path.write_bytes(b"{" + b",".join(b'"key %d":1' % number for number in range(3_300_000)) + b"}")
    assert path.stat().st_size > 50_000_000
    head = Head.of(path)
    assert 100 < len(head.json_keys) <= MOST_KEYS
    with pytest.raises(InputError, match="JSON with the keys"):
        reader_of(path, readers())
