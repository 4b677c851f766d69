"""What one task of a huge HAL file costs: the first look-up against `json.load`, the second against a file of its own.

`python benchmarks/large.py [--megabytes 1000] [--packed 200] [--repeats 3]` from the repository's root; writes
synthetic files of generation 1 (many tasks, big windows) into a temporary directory, and leaves with 1 when a bar is
missed.
"""

import argparse
import gzip
import json
import os
import random
import shutil
import statistics
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.figures import Used, in_turns, median, say, used

TASKS = 200
WANTED = "task-7"
WORDS = ("the", "file", "error", "test_x", "\n", '"quoted"', "path/to/x", "naïve", "=", "(x)", "0.25", "--flag", "→")
LOOK_UP = """
from pathlib import Path
from cases.library import Inputs, Library
import time
began = time.process_time()
library = Library.open(Inputs(runs=(Path(sys.argv[1]),)))
run, = library.case(library.resolve(sys.argv[2])).runs
assert run.transcript.blocks
told = {"inside": time.process_time() - began}
"""
LOAD = """
import gzip, time
began = time.process_time()
with (gzip.open if sys.argv[1].endswith(".gz") else open)(sys.argv[1], "rt", encoding="utf-8") as file:
    json.load(file)
told = {"inside": time.process_time() - began}
"""
RATIO, AGAIN, PEAK = 1.5, 0.05, 200
PACKED_AGAIN = 0.5


def calls(size: int) -> Iterator[dict[str, Any]]:
    """Logged calls of about so many bytes together, the tasks in turns."""
    chance, length = random.Random(1), 0  # noqa: S311 - no secret
    pool = " ".join(chance.choices(WORDS, k=400_000))
    for number in range(10**9):
        task = f"task-{number % TASKS}"
        window = []
        for place in range(chance.randrange(5, 40)):
            at = chance.randrange(len(pool) - 20_000)
            text = pool[at : at + chance.randrange(200, 15_000)]
            window.append({"role": ("user", "assistant")[place % 2], "content": text})
            length += len(text)
        yield {
            "id": f"call-{number}",
            "started_at": f"{number:012}",
            "attributes": {"weave_task_id": task},
            "inputs": {"model": "synthetic", "messages": window},
            "output": {"id": f"answer-{number}", "choices": [{"message": {"role": "assistant", "content": "ok"}}]},
            "exception": None,
            "weave_task_id": task,
        }
        if length > size:
            return


def write(path: Path, size: int, only: str | None = None) -> None:
    """A result file, or what it would be of one task alone."""
    tasks = [only] if only else [f"task-{number}" for number in range(TASKS)]
    head = {
        "config": {"agent_name": "Synthetic", "benchmark_name": "synthetic", "run_id": "r"},
        "results": {"failed_tasks": tasks},
    }
    with path.open("w", encoding="utf-8") as file:
        file.write(json.dumps(head)[:-1] + ', "raw_logging_results": [')
        separator = ""
        for number, call in enumerate(calls(size)):
            if only in (None, call["weave_task_id"]):
                file.write(separator + json.dumps(call, ensure_ascii=bool(number % 3)))
                separator = ", "
        file.write("]}")


def compared(path: Path, alone: Path, repeats: int, again_bar: float) -> bool:
    """A first and a second look-up of the same file, in turns with `json.load` and with a file of the one task."""
    cache = path.parent / "cache"

    def looked_up(file: Path, *, anew: bool) -> Used:
        if anew:
            shutil.rmtree(cache, ignore_errors=True)
        return used(LOOK_UP, [str(file), WANTED], {**os.environ, "XDG_CACHE_HOME": str(cache)})

    load, first = in_turns(repeats, lambda: used(LOAD, [str(path)]), partial(looked_up, path, anew=True))
    again, own = in_turns(3 * repeats, partial(looked_up, path, anew=False), partial(looked_up, alone, anew=False))
    what = f"{path.stat().st_size / 1e6:.0f} MB{' packed' if path.suffix == '.gz' else ''}"
    ours, theirs = [one.inside for one in first], [one.inside for one in load]
    ratio = statistics.median(ours) / statistics.median(theirs)
    fine = say(f"{what}, first look-up {median(ours)} s, json.load {median(theirs)} s, ratio {ratio:.2f}", ratio, RATIO)
    later, base = [one.inside for one in again], [one.inside for one in own]
    beyond = statistics.median(later) - statistics.median(base)
    told = (
        f"{what}, second look-up {median(later)} s, of a file of that task alone {median(base)} s, {beyond:.3f} s more"
    )
    fine &= say(told, beyond, again_bar, " s")
    peaks = [one.megabytes for one in (*first, *again)]
    loaded = statistics.median(one.megabytes for one in load)
    return fine & say(f"{what}, peak memory {median(peaks)} MB, json.load {loaded:.0f} MB", max(peaks), PEAK, " MB")


def main(megabytes: int, packed: int, repeats: int) -> bool:
    """Measure files of these sizes."""
    with tempfile.TemporaryDirectory(prefix="impassable-bench-") as name:
        folder = Path(name)
        large, alone = folder / "large_UPLOAD.json", folder / "alone_UPLOAD.json"
        write(large, megabytes * 1_000_000)
        write(alone, megabytes * 1_000_000, WANTED)
        fine = compared(large, alone, repeats, AGAIN)
        write(large, packed * 1_000_000)
        write(alone, packed * 1_000_000, WANTED)
        with large.open("rb") as plain, gzip.open(folder / "large_UPLOAD.json.gz", "wb", 1) as file:
            shutil.copyfileobj(plain, file)
        return fine & compared(folder / "large_UPLOAD.json.gz", alone, repeats, PACKED_AGAIN)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=1000)
    parser.add_argument("--packed", type=int, default=200, help="megabytes before they are packed")
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_args()
    sys.exit(0 if main(given.megabytes, given.packed, given.repeats) else 1)
