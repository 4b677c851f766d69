"""Each fault, done to a program that runs; what it returns undoes it."""

import contextlib
import os
import platform
import random
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from sandboxes.owner import LABEL

from .ground import Ground

Heal = Callable[[], None]
LOOK_SECONDS = 0.02
FAKETIME = Path("/usr/lib", f"{platform.machine()}-linux-gnu", "faketime", "libfaketime.so.1")
JUMPS = (-14 * 86400, -86400, -3600, -61, 61, 3600, 86400, 40 * 86400)
"""Seconds by which a clock jumps."""


class TooLate(Exception):  # noqa: N818 - it says what happened
    """The program ended before there was anything to do it to."""


class Trial:
    """One program that runs, and what chance says of its fault."""

    def __init__(self, ground: Ground, chance: random.Random, batch: str, program: "subprocess.Popen[bytes]") -> None:
        self.ground, self.chance, self.batch, self.program = ground, chance, batch, program

    @property
    def runs(self) -> bool:
        return self.program.poll() is None

    def wait(self, work: float) -> None:
        """Until the program has done so much work, or has ended."""
        while self.runs and worked(self.program.pid) < work:
            time.sleep(LOOK_SECONDS)

    def until(self, found: Callable[[], list[str]]) -> str:
        """One of what is looked for, as soon as there is any."""
        while self.runs:
            if there := found():
                return self.chance.choice(sorted(there))
            time.sleep(LOOK_SECONDS)
        raise TooLate


def worked(pid: int) -> float:
    """Seconds of the processor that a process has taken so far; 0 when it has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _nothing() -> None:
    """It cannot be undone."""


def _program(trial: Trial) -> Heal:
    if not trial.runs:
        raise TooLate
    os.kill(trial.program.pid, signal.SIGKILL)
    return _nothing


def _browser(trial: Trial) -> Heal:
    def running() -> list[str]:
        words = trial.ground.processes(besides=trial.program.pid)
        main = [str(pid) for pid, said in words.items() if "--impassable=" in said and "--type=" not in said]
        driver = [str(pid) for pid, said in words.items() if "run-driver" in said]
        return main and [*main, *driver]

    with contextlib.suppress(ProcessLookupError):
        os.kill(int(trial.until(running)), signal.SIGKILL)
    return _nothing


def _container(trial: Trial, *, relay: bool = False) -> Heal:
    private = trial.ground.private
    assert private
    engine = private.connect()
    try:

        def running() -> list[str]:
            found = engine.api.containers(filters={"label": LABEL})
            return [one["Id"] for one in found if one["Command"].startswith("python3") == relay]

        chosen = trial.until(running)
        with contextlib.suppress(Exception):  # it may have ended by itself in this moment
            engine.api.kill(chosen, signal="SIGKILL")
    finally:
        engine.close()
    return _nothing


def _engine(trial: Trial) -> Heal:
    private = trial.ground.private
    assert private
    if not trial.runs:
        raise TooLate
    private.kill()
    time.sleep(trial.chance.uniform(0, 6))
    private.start()  # in this thread, with which it would end
    return _nothing


def _cut(trial: Trial) -> Heal:
    line = trial.ground.lines["web" if trial.batch == "web" else "engine"]
    if not trial.runs:
        raise TooLate
    line.cut()
    if trial.chance.random() < 0.5:
        back = threading.Timer(trial.chance.uniform(0.1, 10), line.mend)
        back.start()
        return lambda: (back.join(), line.mend())[1]
    return line.mend


def _slow(trial: Trial) -> Heal:
    line = trial.ground.lines["web" if trial.batch == "web" else "engine"]
    if not trial.runs:
        raise TooLate
    line.delay = trial.chance.choice((0.1, 0.5, 2.0)) if trial.batch == "web" else trial.chance.choice((0.05, 0.2))
    return line.mend


def clock_file(ground: Ground) -> Path:
    """Where a program's clock is told how far it is from the machine's."""
    return ground.folder / "clock"


def with_clock(ground: Ground) -> Mapping[str, str]:
    """The environment in which a program reads that."""
    clock_file(ground).write_text("+0\n", "ascii")
    assert FAKETIME.exists(), "libfaketime is needed: apt-get install libfaketime"
    return {
        "LD_PRELOAD": str(FAKETIME),
        "FAKETIME_TIMESTAMP_FILE": str(clock_file(ground)),
        "FAKETIME_NO_CACHE": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }


def _clock(trial: Trial) -> Heal:
    if not trial.runs:
        raise TooLate
    clock_file(trial.ground).write_text(f"{trial.chance.choice(JUMPS):+d}\n", "ascii")
    return _nothing


def _full(trial: Trial) -> Heal:
    if not trial.runs:
        raise TooLate
    path = trial.ground.disk / "filling"
    piece = bytes(1 << 20)
    with path.open("wb", buffering=0) as file:
        for size in (len(piece), 4096):
            with contextlib.suppress(OSError):
                while True:
                    file.write(piece[:size])
    return path.unlink


INFLICTED: dict[str, Callable[[Trial], Heal]] = {
    "program killed": _program,
    "browser killed": _browser,
    "container killed": _container,
    "proxy killed": lambda trial: _container(trial, relay=True),
    "engine killed": _engine,
    "network cut": _cut,
    "network slowed": _slow,
    "clock jumped": _clock,
    "disk full": _full,
}
