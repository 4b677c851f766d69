"""What the benchmarks have in common: processes of their own that are measured, and lines that say what came out.

Seconds are those of the processor, so that what else a machine does counts little, and each stands beside those of a
baseline that was measured in turns with it.
"""

import json
import statistics
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_MEASURED = """
import json, resource, sys
{work}
used = resource.getrusage(resource.RUSAGE_SELF)
peak = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
told = {{"seconds": used.ru_utime + used.ru_stime, "megabytes": int(peak) / 1024, **globals().get("told", {{}})}}
sys.stderr.write("\\n" + json.dumps(told))
"""


@dataclass(frozen=True)
class Used:
    """What one process took."""

    seconds: float
    """Of the processor, its own start among them."""
    megabytes: float
    """At most, at one time."""
    inside: float = 0.0
    """Seconds of the part that is measured, where it said so."""


def used(work: str, arguments: Sequence[str] = (), environment: Mapping[str, str] | None = None) -> Used:
    """Run Python code in a process of its own; what it leaves in `told` is taken too."""
    code = _MEASURED.format(work=work)
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment, check=False)
    if done.returncode:
        sys.exit(f"{done.stderr[-3000:]}\nthe measured process left with {done.returncode}")
    return Used(**json.loads(done.stderr.splitlines()[-1]))


def in_turns(repeats: int, *works: Callable[[], Used]) -> list[list[Used]]:
    """Every work so many times, one after another in each round, the first round for what is loaded once."""
    rounds = [[work() for work in works] for _ in range(repeats + 1)]
    return [list(column) for column in zip(*rounds[1:], strict=True)]


def median(values: Sequence[float]) -> str:
    """The median and how far the values lie apart."""
    return f"{statistics.median(values):.3g} ({min(values):.3g} to {max(values):.3g})"


def say(text: str, value: float, bar: float, unit: str = "") -> bool:
    """One line of the result; whether its bar is met."""
    met = value <= bar
    sys.stdout.write(f"{text} (bar {bar:g}{unit}){'' if met else ' MISSED'}\n")
    sys.stdout.flush()
    return met
