"""A Dask cluster of two workers against one, over audits that only need the processor: runs with logs, nothing to send.

`python benchmarks/cluster.py [--tasks 120] [--repeats 2]` from the repository's root; inputs are synthetic, nothing is
sent. What both take to start, measured with next to no task, is taken off. Leaves with 1 when a bar is missed.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.figures import ROOT, median, say
from benchmarks.large import TASKS, write
from benchmarks.many import environment, lines

BAR = 1.6
FEW = 4
SIZE = 200_000
"""Bytes of a task's log."""


def seconds(given: Path, folder: Path, tasks: int, workers: int) -> float:
    """Of one command over so many tasks."""
    command = [sys.executable, "-m", "verify", "audit", f"--sample={tasks}", f"--run={given}", "--offline", "--quiet"]
    command += [f"--out={folder}/packs", "--engine=dask", f"--workers={workers}"]
    began = time.monotonic()
    subprocess.run(command, cwd=ROOT, env=environment(given.parent), check=True, stdout=subprocess.DEVNULL)
    took = time.monotonic() - began
    done = len(lines(folder / "packs" / "ledger.jsonl"))
    if done != tasks:
        sys.exit(f"{done} of {tasks} audits were finished")
    return took


def main(tasks: int, repeats: int) -> bool:
    """Measure, in turns."""
    took: dict[int, list[float]] = {1: [], 2: []}
    with tempfile.TemporaryDirectory(prefix="impassable-bench-") as name:
        given = Path(name) / "runs_UPLOAD.json"
        write(given, TASKS * SIZE)
        for number in range(repeats):
            for workers, all_of in took.items():
                empty = seconds(given, Path(name) / f"{number}-{workers}-few", FEW, workers)
                all_of.append(seconds(given, Path(name) / f"{number}-{workers}", tasks, workers) - empty)
    one, two = statistics.median(took[1]), statistics.median(took[2])
    told = f"{tasks} audits by one Dask worker {median(took[1])} s, by two {median(took[2])} s, "
    told += f"{one / two:.2f} times as fast"
    return say(f"{told}; share of the time {two / one:.3f}", two / one, 1 / BAR)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tasks", type=int, default=120)
    parser.add_argument("--repeats", type=int, default=2)
    given = parser.parse_args()
    sys.exit(0 if main(given.tasks, given.repeats) else 1)
