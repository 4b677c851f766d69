"""What a command costs before it does anything, and one audit that needs records only: cold, and warm in its process.

`python benchmarks/start.py [--repeats 5]` from the repository's root; inputs are synthetic, nothing is sent. Leaves
with 1 when a bar is missed.
"""

import argparse
import csv
import os
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.figures import Used, in_turns, median, say, used

BARE = "import typer, pydantic"
GRAPH = "import typer, pydantic, langgraph.graph, langgraph.checkpoint.sqlite.aio"
COMMAND = """
import contextlib, io, os
from verify.__main__ import main
with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
    main()
"""
WARM = """
import gc, time
from pathlib import Path
from verify.__main__ import YOUNG
gc.set_threshold(YOUNG, 20, 20)
from verify.auditor import Auditor
from verify.config import load
from verify.inputs import open_library
folder = Path(sys.argv[1])
places = {"out": folder / "packs", "state": folder / "state"}
settings = load({"outcomes": [folder / "runs.csv"], "offline": True, **places})
library = open_library(settings)
marks = [time.process_time()]
cases = [library.case(task) for task in library.tasks()]
Auditor(settings, "quiet").audit_all(cases, lambda _: marks.append(time.process_time()))
half = len(marks) // 2  # some run side by side, so that only all of them together tell what one takes
told = {"inside": (marks[-1] - marks[half]) / (len(marks) - 1 - half)}
"""
RUNS = 60
TASKS = 40
WARM_BAR, PEAK, HELP, LIST, COLD = 0.1, 120, 1.5, 10.0, 3.0


def write(path: Path) -> None:
    """Who passed what: every task by some runs, so that peers settle it."""
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(("benchmark", "task_id", "scaffold", "model", "date", "correct", "run_id"))
        for task in range(TASKS):
            for run in range(RUNS):
                name = f"scaffold {run % 5}"
                rows.writerow(
                    ("synthetic", f"task-{task}", name, f"model {run % 7}", "2025-01-02", run % 3 == 0, f"run-{run}")
                )


def main(repeats: int) -> bool:
    """Measure in processes of their own, in turns."""
    with tempfile.TemporaryDirectory(prefix="impassable-bench-") as name:
        folder = Path(name)
        write(folder / "runs.csv")
        own = {"XDG_CACHE_HOME": f"{name}/cache", "XDG_CONFIG_HOME": name, "VERIFY_STATE": f"{name}/state"}
        environment = {**os.environ, **own}

        def verify(*arguments: str) -> Used:
            return used(COMMAND, arguments, environment)

        outcomes = f"--outcomes={name}/runs.csv"
        bare, graph, told, listed, audited, warm = in_turns(
            repeats,
            lambda: used(BARE),
            lambda: used(GRAPH),
            lambda: verify("--help"),
            lambda: verify("cases", outcomes),
            lambda: verify("task-1", outcomes, "--offline", "--quiet", f"--out={name}/packs"),
            lambda: used(WARM, [name], environment),
        )
    fine = True
    for what, ours, base, named, bar in (
        ("verify --help", told, bare, "importing Typer and pydantic", HELP),
        ("verify cases", listed, bare, "importing Typer and pydantic", LIST),
        ("verify TASK_ID, records only", audited, graph, "importing these and LangGraph", COLD),
    ):
        mine, theirs = [one.seconds for one in ours], [one.seconds for one in base]
        ratio = statistics.median(mine) / statistics.median(theirs)
        fine &= say(f"{what} {median(mine)} s, {named} {median(theirs)} s, ratio {ratio:.2f}", ratio, bar)
    seconds = [one.inside for one in warm]
    cold = statistics.median(one.seconds for one in audited)
    share = statistics.median(seconds) / cold
    told_warm = f"one warm audit, records only {median(seconds)} s, cold {cold:.3g} s, ratio {share:.2f}"
    fine &= say(told_warm, statistics.median(seconds), WARM_BAR, " s")
    peaks = [one.megabytes for one in audited]
    base_peak = statistics.median(one.megabytes for one in graph)
    told_peak = f"its peak memory {median(peaks)} MB, LangGraph imported {base_peak:.0f} MB"
    return fine & say(told_peak, max(peaks), PEAK, " MB")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    sys.exit(0 if main(parser.parse_args().repeats) else 1)
