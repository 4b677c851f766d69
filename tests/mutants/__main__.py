"""`python -m tests.mutants [--at-once N] [--to FILE] [MODULE…]`: what no test notices, and what share is noticed."""

import argparse
import json
import sys
from pathlib import Path

from .making import Mutant, mutants_of
from .plan import ROOT, Module, Plan, plan
from .running import Fate, each, judged


def main() -> int:
    """0 when every survivor is explained, and every explained one survives."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--at-once", type=int, default=2, metavar="N")
    parser.add_argument("--to", type=Path, metavar="FILE", help="a line of JSON a module")
    parser.add_argument("--list", action="store_true", help="only how many there are")
    parser.add_argument("modules", nargs="*", metavar="MODULE", help="such as graph/rules.py")
    given = parser.parse_args()
    told = plan()
    chosen = [one for one in told.module if not given.modules or one.path in given.modules]
    if given.list:
        for module in chosen:
            _say(f"{module.path}: {len(mutants_of(module, told.operators))}")
        return 0
    sys.path.insert(0, str(ROOT))
    return min(1, each(chosen, lambda module: _module(module, told, given.at_once, given.to)))


def _module(module: Module, told: Plan, at_once: int, to: Path | None) -> int:
    mutants = mutants_of(module, told.operators)
    ours = [entry for entry in told.explained if entry.module == module.path]
    survived: list[Mutant] = []
    unexplained: list[Mutant] = []
    for one, fate in judged(module, mutants, at_once):
        if fate is Fate.SURVIVED:
            survived.append(one)
            if not any(entry.fits(one.before, one.after) for entry in ours):
                unexplained.append(one)
                _say(f"SURVIVED {one}")
    idle = [entry for entry in ours if not any(entry.fits(one.before, one.after) for one in survived)]
    for entry in idle:
        _say(f"EXPLAINED, but it does not survive: {entry.module}: {entry.line} -> {entry.becomes}")
    killed, left = len(mutants) - len(survived), len(unexplained)
    row = {"module": module.path, "mutants": len(mutants), "killed": killed, "explained": len(survived) - left}
    _say(f"{module.path}: {len(mutants)} mutants, {killed} killed, {len(survived) - left} explained, {left} survived")
    if to:
        with to.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row | {"survived": left, "idle": len(idle)}) + "\n")
    return int(bool(unexplained or idle))


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


sys.exit(main())
