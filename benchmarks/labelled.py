"""How often the program is right on failures whose truth is known: `benchmarks/disputed` through the real program.

`python benchmarks/labelled.py [--said FILE]… [OPTION OF verify bench]…` from the repository's root; FILE holds what
`verify bench --json` said of some of the worlds, the later one counts, and then nothing is audited. Leaves with 1
when a bar is missed.
"""

import argparse
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.figures import ROOT, say

SET = Path(__file__).parent / "disputed"
RECALL, REFUTED = 0.9, 0.9
Row = dict[str, Any]


def audited(options: list[str]) -> list[Row]:
    """What the program says now."""
    command = [sys.executable, str(ROOT / "impassable" / "__main__.py"), "bench", str(SET), "--json", *options]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    return rows_of(done.stdout)


def rows_of(text: str) -> list[Row]:
    """A row a world, also of a command that was ended before its figures."""
    said = map(json.loads, text.splitlines())
    return [one["audited"] for one in said if "audited" in one]


def told(rows: list[Row]) -> bool:
    """Whether every bar is met."""
    truly = [one for one in rows if one["truth"] == "supported"]
    said = [one for one in rows if one["said"] == "supported"]
    own = [one for one in rows if one["truth"] == "not_supported"]
    false = [one["world"] for one in said if one not in truly]
    missed = [one["world"] for one in truly if one not in said]
    hit = len(truly) - len(missed)
    share = hit / len(truly) if truly else 1.0
    met = say(f"{len(rows)} worlds: {len(said)} said to be impassable, {len(false)} of them wrongly", len(false), 0)
    missing = f"; missed: {', '.join(missed)}" if missed else ""
    met &= say(f"{hit} of {len(truly)} impassable ones found, {1 - share:.2f} missed{missing}", 1 - share, 1 - RECALL)
    refuted = sum(one["said"] == "not_supported" for one in own)
    short = 1 - refuted / len(own) if own else 0.0
    met &= say(f"{refuted} of {len(own)} passable ones said to be so, {short:.2f} not", short, 1 - REFUTED)
    statuses = Counter(one["said"] for one in rows)
    seconds = [one["seconds"] for one in rows]
    text = f"{statuses['inconclusive']} of {len(rows)} inconclusive; median {median(seconds):.0f} s an audit"
    say(f"{text}, at most {max(seconds):.0f} s", 0, 0)
    again = [one for one in rows if one["repeats"] > 1]
    unlike = sum(not one["agrees"] for one in again)
    return met & say(f"{len(again)} audited more than once, {unlike} of them said another thing", unlike, 0)


def main() -> int:
    """0 when every bar is met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--said", action="append", type=Path, default=[], metavar="FILE")
    given, options = parser.parse_known_args()
    every = [row for path in given.said for row in rows_of(path.read_text("utf-8"))] or audited(options)
    return 0 if told(list({row["world"]: row for row in every}.values())) else 1


if __name__ == "__main__":
    sys.exit(main())
