"""Runs benchmarks and puts what they say into `RESULTS.md`, with the machine, the versions and the day.

`python -m benchmarks [NAME[=ARGUMENTS]…]` from the repository's root; without names all but the long ones. What is there
of others stays, and of those that need arguments and got none. Leaves with 1 when a bar is missed.
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
    if 'if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME[=ARGUMENTS]", help=", ".join(ALL))
    sys.exit(main(parser.parse_args().names))
