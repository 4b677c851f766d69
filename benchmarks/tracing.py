"""What measuring a failure's facts costs: one more start of a short command, and a whole build under the tracer.

`python benchmarks/tracing.py [--repeats 5]` from the repository's root; prints one line a measurement, and leaves with
1 when a bar is missed. Both sides run the same commands in the same image, in turns, and the medians are compared.
"""

import argparse
import statistics
import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from sandboxes import ContainerPool, Engine, Session, Spec
from sandboxes.images import ensure_base
from sandboxes.tracing import Tracer, ensure_tracer, trace

SHORT_BAR_S = 1.0
BUILD_BAR = 3.0
SHORT = ("cat data/stars.csv", "python3 -c 'import humanize'", "gcc probe.c -o probe")
"""They fail at once: a file, a module and a header are missing."""
SOURCES = r"""printf '#include <ft2build.h>\nint main(void) { return 0; }\n' >probe.c
printf '#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n' >common.h
for i in $(seq 24); do
    { echo '#include "common.h"'
      for j in $(seq 60); do echo "double f_${i}_$j(double x) { return sin(x * $j) + strtod(\"$i\", NULL); }"; done
    } >part$i.c
done
{ echo 'int missing(void);'; echo 'int main(void) { return missing(); }'; } >main.c
printf 'OBJECTS = $(patsubst %%.c,%%.o,$(filter-out probe.c,$(wildcard *.c)))\n' >Makefile
printf 'build: $(OBJECTS)\n\tgcc -o build $(OBJECTS) -lm\nclean:\n\trm -f *.o build\n' >>Makefile
"""
BUILD = "make -s"
"""Of 25 files; it fails at the end, where they are linked."""


def alternated(plain: Callable[[], None], traced: Callable[[], None], repeats: int) -> tuple[float, float]:
    """Median seconds of both sides, run in turns so that a busy machine hits both."""
    taken: dict[Callable[[], None], list[float]] = {plain: [], traced: []}
    for number in range(repeats):
        for work in (plain, traced) if number % 2 else (traced, plain):
            began = monotonic()
            work()
            taken[work].append(monotonic() - began)
    return statistics.median(taken[plain]), statistics.median(taken[traced])


def short(containers: ContainerPool, spec: Spec, tracer: Tracer, repeats: int) -> bool:
    """What an audit pays for the facts of a command that fails at once: a container of its own, and the tracer."""
    fine = True
    for command in SHORT:

        def plainly(command: str = command) -> None:
            with containers.start(spec) as session:
                must_fail(session, command)

        def traced(command: str = command) -> None:
            with containers.start(spec) as session:
                must_tell(session, tracer, command)

        plain, told = alternated(plainly, traced, repeats)
        say(f"{command}: {plain:.2f} s, traced {told:.2f} s (bar {SHORT_BAR_S:.0f} s), ratio {told / plain:.2f}")
        fine &= told <= SHORT_BAR_S
    return fine


def build(session: Session, tracer: Tracer, repeats: int) -> bool:
    """How many times as long a build takes under the tracer."""

    def plainly() -> None:
        must_fail(session, f"make -s clean; {BUILD}")

    def traced() -> None:
        must_tell(session, tracer, f"make -s clean; {BUILD}")

    plain, told = alternated(plainly, traced, repeats)
    say(f"a build of 25 files: {plain:.2f} s, traced {told:.2f} s, ratio {told / plain:.2f} (bar {BUILD_BAR:.0f})")
    return told / plain <= BUILD_BAR


def must_fail(session: Session, command: str) -> None:
    """One that worked would measure something else."""
    assert not session.run(command, seconds=120).ok, command


def must_tell(session: Session, tracer: Tracer, command: str) -> None:
    """So would a trace that tells nothing."""
    told = trace(session, tracer, command, seconds=300)
    assert not told.done.ok, command
    assert told.log, command


def say(text: str) -> None:
    """One line of the result."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def main(repeats: int) -> bool:
    """Measure on the engine that is there."""
    engine = Engine.connect()
    try:
        image, tracer = ensure_base(engine, say), ensure_tracer(engine, say)
        with ContainerPool(engine) as containers, containers.start(Spec(image=image)) as session:
            assert session.run(SOURCES).ok
            spec = Spec(image=session.snapshot())
            must_tell(session, tracer, SHORT[0])  # what is loaded once
            return short(containers, spec, tracer, repeats) & build(session, tracer, repeats)
    finally:
        engine.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    sys.exit(0 if main(parser.parse_args().repeats) else 1)
