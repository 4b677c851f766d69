"""What a replay costs: against plain `docker run`, and a ladder of forks against a set-up for each route.

`python benchmarks/replay.py [--repeats 5]` from the repository's root; prints one line a measurement, and leaves with 1
when a bar is missed. Both sides run the same commands in the same image, in turns, and the medians are compared.
"""

import argparse
import statistics
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import monotonic

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from sandboxes import ContainerPool, Engine, Spec
from sandboxes.images import ensure_base

REPLAY_BAR = 1.15
LADDER_BAR = 0.5
PROGRAM = "#include <ft2build.h>\\nint main(void) { return 0; }\\n"
SET_UP = (
    "python3 -m venv work/env",
    "printf 'numpy==1.19.5\\nscikit-learn\\n' > work/requirements.txt",
    f"printf '{PROGRAM}' > work/probe.c",
    "for i in 1 2 3 4 5 6 7 8; do echo 'int f(void) { return 0; }' > work/f$i.c; gcc -c work/f$i.c -o work/f$i.o; done",
    "work/env/bin/python -m pip list",
)
"""What an agent's run does before it meets its barrier, without a network."""
FAILING = "gcc work/probe.c -o work/probe"
ROUTES = (
    "CPATH=/usr/include/freetype2 gcc work/probe.c -o work/probe",
    "TMPDIR=$PWD work/env/bin/python -c 'import tempfile; tempfile.mkdtemp()'",
    "work/env/bin/python -m pip --version",
    "python3 -c 'import sysconfig; print(sysconfig.get_paths())'",
    "gcc -E -x c /dev/null",
    "ls work",
)


def replayed(engine: Engine, spec: Spec) -> None:
    """Ours: one session, a command at a time."""
    with ContainerPool(engine) as containers, containers.start(spec) as session:
        for command in (*SET_UP, FAILING):
            session.run(command)


def run_plainly(image: str) -> None:
    """The same commands by one `docker run`."""
    script = "\n".join((*SET_UP, FAILING))
    subprocess.run(
        [
            "docker",
            "run",
            "--rm",
            "--network=none",
            "--user=agent",
            "--workdir=/home/agent",
            image,
            "bash",
            "-c",
            script,
        ],
        check=False,
        capture_output=True,
    )


def ladder_of_forks(engine: Engine, spec: Spec) -> None:
    """Ours: the set-up once, then every route in a fork of its snapshot."""
    with ContainerPool(engine) as containers:
        with containers.start(spec) as session:
            for command in SET_UP:
                session.run(command)
            fork = replace(spec, image=session.snapshot())
        for route in ROUTES:
            with containers.start(fork) as session:
                session.run(route)


def ladder_of_set_ups(engine: Engine, spec: Spec) -> None:
    """A fresh container and the set-up for each route."""
    with ContainerPool(engine) as containers:
        for route in ROUTES:
            with containers.start(spec) as session:
                for command in (*SET_UP, route):
                    session.run(command)


def compared(name: str, ours: Callable[[], None], theirs: Callable[[], None], repeats: int, bar: float) -> bool:
    """Median seconds of both sides, run in turns so that a busy machine hits both."""
    mine, other = list[float](), list[float]()
    for number in range(repeats):
        for work, taken in ((theirs, other), (ours, mine)) if number % 2 else ((ours, mine), (theirs, other)):
            began = monotonic()
            work()
            taken.append(monotonic() - began)
    a, b = statistics.median(mine), statistics.median(other)
    say(f"{name}, {repeats} times each: {a:.2f} s against {b:.2f} s, ratio {a / b:.2f} (bar {bar})")
    return a / b <= bar


def say(text: str) -> None:
    """One line of the result."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def main(repeats: int) -> bool:
    """Measure on the engine that is there."""
    engine = Engine.connect()
    try:
        image = ensure_base(engine, say)
        spec = Spec(image=image)
        replayed(engine, spec)  # what is loaded once
        told = f"replay of {len(SET_UP) + 1} commands against docker run"
        fine = compared(told, lambda: replayed(engine, spec), lambda: run_plainly(image), repeats, REPLAY_BAR)
        told = f"ladder of {len(ROUTES)} forks against a set-up for each"
        rounds = max(1, repeats // 2)
        return fine & compared(
            told, lambda: ladder_of_forks(engine, spec), lambda: ladder_of_set_ups(engine, spec), rounds, LADDER_BAR
        )
    finally:
        engine.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    sys.exit(0 if main(parser.parse_args().repeats) else 1)
