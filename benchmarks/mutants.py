"""What share of small changes to the deciding code its nearest tests notice; what they do not is explained or reported.

`python benchmarks/mutants.py [--at-once 2]` from the repository's root, with the extra `mutants`; the modules, their
tests and the explained survivors are in `tests/mutants/mutants.toml`. Leaves with 1 when a bar is missed.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.figures import ROOT, say

MISSED_BAR = 10.0
"""Percent of the mutants that no test notices."""


def rows(at_once: int) -> list[dict[str, int | str]]:
    """What became of each module's mutants."""
    with tempfile.NamedTemporaryFile("r", prefix="impassable-bench-") as file:
        own = [sys.executable, "-m", "tests.mutants", f"--at-once={at_once}", f"--to={file.name}"]
        subprocess.run(own, cwd=ROOT, stdout=sys.stderr, check=False)
        return [json.loads(line) for line in file]


def told(found: list[dict[str, int | str]]) -> bool:
    """A line a module, and one of all."""
    fine, every, missed = bool(found), 0, 0
    for row in found:
        number, killed, left, idle = (int(row[name]) for name in ("mutants", "killed", "survived", "idle"))
        text = (
            f"{row['module']}: {number} mutants, {killed} killed, {row['explained']} explained, {left} not, and {idle} "
        )
        fine &= say(f"{text}explained that do not survive", left + idle, 0.0)
        every, missed = every + number, missed + number - killed
    share = 100 * missed / max(1, every)
    text = f"of {every} mutants {every - missed} are killed, {share:.1f} % are not"
    return say(text, share, MISSED_BAR, " %") and fine


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--at-once", type=int, default=2)
    parser.add_argument("--from", type=Path, dest="file", help="rows that a run has written")
    given = parser.parse_args()
    written = given.file.read_text("utf-8").splitlines() if given.file else ()
    sys.exit(0 if told([json.loads(line) for line in written] or rows(given.at_once)) else 1)
