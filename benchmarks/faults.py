"""Faults at random moments of audits with known truth: what was said wrongly, lost, or left behind.

`python benchmarks/faults.py [--lanes 2] [--share 1] [--seed 21]` from the repository's root, as root, with an engine, a
browser and libfaketime; each lane has an engine, a disk and a web of its own. Leaves with 1 when a bar is missed.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.figures import ROOT, say

Tallies = dict[str, dict[str, Any]]
LEAST, BAR = 200, 0.0


def campaign(lanes: int, seed: int, share: float) -> list[Tallies]:
    """What each lane came to."""
    with tempfile.TemporaryDirectory(prefix="impassable-bench-") as name:
        files = [Path(name, f"{lane}.json") for lane in range(1, lanes + 1)]
        own = [sys.executable, "-m", "tests.faults", f"--seed={seed}", f"--share={share}"]
        running = [
            subprocess.Popen([*own, f"--lane={lane}/{lanes}", f"--to={file}"], cwd=ROOT, stdout=sys.stderr)
            for lane, file in enumerate(files, 1)
        ]
        if any(one.wait() not in (0, 1) for one in running) or not all(file.exists() for file in files):
            sys.exit("a lane did not come to its end")
        return [json.loads(file.read_text("utf-8")) for file in files]


def told(tallies: Iterable[Tallies]) -> bool:
    """A line a fault, and whether every promise was kept, in trials enough."""
    kinds: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for lane in tallies:
        for name, tally in lane.items():
            kinds[name].append(tally)
    fine, trials = True, 0
    for name, parts in sorted(kinds.items()):
        number = sum(part["trials"] for part in parts)
        counts = {kind: sum(len(part[kind]) for part in parts) for kind in ("wrong", "lost", "orphans", "other")}
        settled = sum((Counter(part["settled"]) for part in parts), Counter[str]())
        came = ", ".join(f"{count} {status.replace('_', ' ')}" for status, count in sorted(settled.items())) or "none"
        text = (
            f"{name} at {number} random moments: {counts['wrong']} wrong, {counts['lost']} lost, {counts['orphans']} "
        )
        text += f"left behind, {counts['other']} crashed or hung; of the audits that ended meanwhile: {came}"
        fine &= say(text, sum(counts.values()), BAR)
        trials += number
    enough = f"trials in all {trials}, too few by {max(0, LEAST - trials)}"
    return say(enough, max(0, LEAST - trials), BAR) and fine


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lanes", type=int, default=2)
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=21)
    parser.add_argument("--from", action="append", type=Path, dest="files", help="tallies that a lane has written")
    given = parser.parse_args()
    found = [json.loads(path.read_text("utf-8")) for path in given.files or ()]
    sys.exit(0 if told(found or campaign(given.lanes, given.seed, given.share)) else 1)
