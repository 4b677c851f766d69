"""Runs benchmarks and puts what they say into `RESULTS.md`, with the machine, the versions and the day.

`python -m benchmarks [NAME[=ARGUMENTS]…]` from the repository's root; without names all but the long ones. What is
there of others stays, and of those that need arguments and got none. Leaves with 1 when a bar is missed.
"""

import argparse
import datetime as dt
import os
import platform
import re
import shlex
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
RESULTS = FOLDER / "RESULTS.md"
HEAD = """# Results

What `make bench` measured; one script writes one section, and its own text says what it compares. Seconds of `large`
and `start` are those of the processor; medians, and in brackets how far the values lie apart. Every figure stands
beside its baseline, measured in turns with it in the same run.
"""
ALL = tuple(
    path.stem
    for path in sorted(FOLDER.glob("[!_]*.py"))
    if 'if __name__ == "__main__":' in path.read_text("utf-8").splitlines()
)
LONG = frozenset({"ablation", "faults", "labelled", "mutants"})
"""Run by their names only: most of an hour each, or more."""
VERSIONS = ("langgraph", "langchain-core", "pydantic", "ijson", "indexed-gzip", "playwright", "google-re2")
USAGE = 2
_LINE = re.compile(r"(?P<figure>.+) \(bar (?P<bar>[^()]+)\)(?P<missed> MISSED)?")
_SECTION = re.compile(r"^## (\w+)\n.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)


def measured(name: str, arguments: str = "") -> tuple[str | None, bool]:
    """The section of one benchmark, None where it lacks arguments, and whether all its bars are met."""
    command = [sys.executable, FOLDER / f"{name}.py", *shlex.split(arguments)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    sys.stdout.write(done.stdout)
    if done.returncode == USAGE:
        return None, True
    return section(name, done.stdout) or f"## {name}\n\n{_conditions()}\n\nIt measured nothing.\n", not done.returncode


def section(name: str, said: str) -> str:
    """The table of what a benchmark said; empty where that is no figure."""
    rows = [
        f"| {line['figure']} | {line['bar']} | {'**missed**' if line['missed'] else 'yes'} |"
        for line in map(_LINE.fullmatch, said.splitlines())
        if line
    ]
    table = "\n".join(("| figure | bar | met |", "|---|---|---|", *rows))
    return f"## {name}\n\n{_conditions()}\n\n{table}\n" if rows else ""


def _conditions() -> str:
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30
    machine = f"{os.cpu_count()} × {platform.machine()}, {memory:.0f} GiB, {platform.system()}"
    used = ", ".join(f"{name} {version(name)}" for name in VERSIONS)
    load = f"load {os.getloadavg()[1]:.1f} when it ended"
    return f"{dt.datetime.now(dt.UTC):%Y-%m-%d}; {machine}; Python {platform.python_version()}; {used}; {load}."


def main(names: list[str]) -> int:
    """Run them one after another; 0 when every bar is met."""
    known = RESULTS.read_text("utf-8") if RESULTS.exists() else ""
    sections = {match[1]: match[0].rstrip() + "\n" for match in _SECTION.finditer(known)}
    fine = True
    for asked in names or (one for one in ALL if one not in LONG):
        name, _, arguments = asked.partition("=")
        found, met = measured(name, arguments)
        sections |= {name: found} if found else {}
        fine &= met
        RESULTS.write_text("\n".join((HEAD, *(sections[one] for one in sorted(sections)))), "utf-8")
    return 0 if fine else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(ALL))
    sys.exit(main(parser.parse_args().names))
