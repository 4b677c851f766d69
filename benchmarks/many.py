"""Many audits that need records and peers only: how many a second on all cores, what they take in memory, and kills.

`python benchmarks/many.py [--few 1000] [--many 10000] [--kills 50]` from the repository's root; inputs are synthetic,
nothing is sent. For the rate each share of the tasks is a command of its own (`--shard`), one a core, as in job arrays;
for the memory one command takes all of them, and writes results and index too. Every pack is written and every line of
the ledgers fsynced. Leaves with 1 when a bar is missed.
"""

import argparse
import csv
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.figures import ROOT, say

RUNS = 10
SHARES = os.cpu_count() or 1
RATE_BAR, GROWTH_BAR, LOST_BAR = 50.0, 20.0, 0.0
KILLED = 200
"""Tasks of the batch that is killed."""
MEASURED = """
import contextlib, json, os, resource, sys
from verify.__main__ import main
with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere), contextlib.suppress(SystemExit):
    main()
peak = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
used = resource.getrusage(resource.RUSAGE_SELF)
sys.stderr.write("\\n" + json.dumps([int(peak) / 1024, used.ru_utime + used.ru_stime]))
"""


def write(folder: Path, tasks: int) -> Path:
    """Who passed what: every task by some runs, so that peers settle it."""
    folder.mkdir(parents=True)
    path = folder / "runs.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(("benchmark", "task_id", "scaffold", "model", "date", "correct", "run_id"))
        for task in range(tasks):
            for run in range(RUNS):
                one = (f"scaffold {run % 5}", f"model {run % 7}", "2025-01-02", run % 3 == 0, f"run-{run}")
                rows.writerow(("synthetic", f"task-{task}", *one))
    return path


def environment(folder: Path) -> dict[str, str]:
    """A home of its own."""
    own = {"XDG_CACHE_HOME": f"{folder}/cache", "XDG_CONFIG_HOME": f"{folder}", "VERIFY_STATE": f"{folder}/state"}
    return {**os.environ, **own}


class Took(NamedTuple):
    """What all tasks took."""

    rate: float
    """Audits a second of all shares together, from the start of the commands, by the clock."""
    processor: float
    """The same by the processors' seconds, had all cores been theirs."""
    megabytes: float
    """The most of one command."""


def all_of(folder: Path, tasks: int, shares: int = SHARES) -> Took:
    """Audit them all, in so many commands."""
    given = write(folder, tasks)
    own = [sys.executable, "-c", MEASURED, "audit", "--all-failed", f"--outcomes={given}", "--offline", "--quiet"]
    began = time.monotonic()
    running = [
        subprocess.Popen(
            [*own, f"--out={folder}/packs", *([f"--shard={share}/{shares}"] if shares > 1 else [])],
            cwd=ROOT,
            env=environment(folder),
            stderr=subprocess.PIPE,
            text=True,
        )
        for share in range(1, shares + 1)
    ]
    said = [one.communicate()[1] for one in running]
    took = time.monotonic() - began
    done = sum(len(lines(path)) for path in (folder / "packs").glob("ledger*.jsonl"))
    if done != tasks:
        sys.exit(f"{done} of {tasks} audits were finished: {said[0][-2000:]}")
    peaks, seconds = zip(*(json.loads(one.splitlines()[-1]) for one in said), strict=True)
    return Took(tasks / took, tasks * SHARES / sum(seconds), max(peaks))


def lines(ledger: Path) -> list[dict[str, object]]:
    """The finished audits of a ledger."""
    told: list[dict[str, object]] = []
    for line in ledger.read_text("utf-8").splitlines() if ledger.exists() else ():
        try:
            one = json.loads(line)
        except ValueError:
            continue  # what a kill has cut off
        told += [one] if one["line"] == "audit" else []
    return told


def killed(folder: Path, kills: int) -> tuple[int, int, int]:
    """A batch that is killed at so many random moments, each time gone on with: audits lost, done twice, different."""
    given = write(folder, KILLED)
    chance = random.Random(7)  # noqa: S311
    out = folder / "packs"

    def command(into: Path) -> Sequence[str]:
        asked = ["audit", "--all-failed", f"--outcomes={given}", "--offline", "--quiet", f"--out={into}"]
        return [sys.executable, "-m", "verify", *asked]

    def finished(into: Path) -> list[dict[str, object]]:
        return lines(into / "ledger.jsonl")

    lost = 0
    for number in range(kills):
        before = finished(out)
        with subprocess.Popen(command(out), cwd=ROOT, env=environment(folder), stdout=subprocess.DEVNULL) as running:
            beyond = (number + 1) * KILLED // (kills + 2)
            while running.poll() is None and len(finished(out)) < beyond:
                time.sleep(0.01)
            time.sleep(chance.random() * 0.15)
            running.send_signal(signal.SIGKILL)
        lost += finished(out)[: len(before)] != before
    for into in (out, folder / "undisturbed"):
        subprocess.run(command(into), cwd=ROOT, env=environment(folder), stdout=subprocess.DEVNULL, check=True)
    counted = Counter(line["task_id"] for line in finished(out))
    here, there = ({line["task_id"]: _said(line) for line in finished(one)} for one in (out, folder / "undisturbed"))
    packs = sum(1 for one in out.iterdir() if one.is_dir() and not one.name.startswith("."))
    lost += KILLED - len(counted) + sum(not (out / str(line["pack"])).is_dir() for line in finished(out))
    twice = sum(counted.values()) - len(counted) + max(0, packs - KILLED)
    return lost, twice, sum(here.get(task) != told for task, told in there.items())


def _said(line: dict[str, object]) -> tuple[object, ...]:
    return tuple(line[name] for name in ("status", "score", "reason", "category", "locus", "settled_by", "missing"))


def main(few: int, many: int, kills: int) -> bool:
    """Measure."""
    with tempfile.TemporaryDirectory(prefix="impassable-bench-") as name:
        folder = Path(name)
        small, large = all_of(folder / "few", few), all_of(folder / "many", many)
        what = f"seconds for {RATE_BAR:g} of {many} audits that need records and peers only, {SHARES} shares at once,"
        told = (
            f"{what} by the clock {RATE_BAR / large.rate:.3g} s ({large.rate:.1f} a second; {small.rate:.1f} of {few})"
        )
        fine = say(told, RATE_BAR / large.rate, 1.0, " s")
        told = f"{what} by the processors' own seconds {RATE_BAR / large.processor:.3g} s"
        told += f" ({large.processor:.1f} a second; {small.processor:.1f} of {few})"
        fine &= say(told, RATE_BAR / large.processor, 1.0, " s")
        small, large = all_of(folder / "few at once", few, 1), all_of(folder / "many at once", many, 1)
        more = large.megabytes - small.megabytes
        told = f"peak memory of one command for {many} {large.megabytes:.0f} MB, for {few} {small.megabytes:.0f} MB,"
        fine &= say(f"{told} more {more:.0f} MB", more, GROWTH_BAR, " MB")
        lost, twice, other = killed(folder / "killed", kills)
        told = f"kill -9 at {kills} random moments of {KILLED} audits: {lost} lost, {twice} done twice, {other} with"
        return fine & say(f"{told} another result than undisturbed", lost + twice + other, LOST_BAR)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--few", type=int, default=1000)
    parser.add_argument("--many", type=int, default=10_000)
    parser.add_argument("--kills", type=int, default=50)
    given = parser.parse_args()
    sys.exit(0 if main(given.few, given.many, given.kills) else 1)
