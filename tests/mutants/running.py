"""Tests run against a mutant: in a fork of a process that has imported all that the mutant cannot change."""

import contextlib
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from functools import cache
from pathlib import Path
from types import ModuleType

import grimp
import pytest

from .making import Mutant
from .plan import ROOT, Module

ROOMS = ("cases", "sandboxes", "probes", "graph")
ABOVE = ("tests", "conftest", "evidence", "verify", "impassable", "__main__")
"""What may import any module, and is imported anew in each fork."""
TIMES, LEAST_SECONDS, LONGEST_SECONDS = 10, 30, 900
"""So many times what the tests take without a mutant, and at least so long: what takes longer never ends."""


class Fate(Enum):
    """What became of a mutant."""

    KILLED = "killed"
    SURVIVED = "survived"


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Gives one module another source."""

    def __init__(self, name: str, path: Path, source: str) -> None:
        self._name, self._path, self._source = name, path, source

    def find_spec(self, fullname: str, path: object, target: object = None) -> importlib.machinery.ModuleSpec | None:
        del path, target
        return (
            importlib.util.spec_from_loader(fullname, self, origin=str(self._path)) if fullname == self._name else None
        )

    def exec_module(self, module: ModuleType) -> None:
        module.__file__ = str(self._path)
        exec(compile(self._source, str(self._path), "exec"), module.__dict__)


@cache
def _imports() -> grimp.ImportGraph:
    return grimp.build_graph(*ROOMS)


def prepare(module: Module) -> float:
    """Import all that its tests import and that the module does not change; the seconds that the tests then take.

    Raises:
        RuntimeError: the tests fail as it is.
    """
    with tempfile.NamedTemporaryFile("r", prefix="imported-") as told:
        if _waited(_begun(module, None, Path(told.name)), LONGEST_SECONDS) != 0:
            raise RuntimeError(f"the tests of {module.path} fail without any mutant: {' '.join(module.tests)}")
        names = told.read().splitlines()
    later = {module.name, *_imports().find_downstream_modules(module.name)}
    for name in names:
        if name not in later and name.partition(".")[0] not in ABOVE:
            with contextlib.suppress(Exception):  # made at run time, or by pytest alone
                importlib.import_module(name)
    for name in later:
        sys.modules.pop(name, None)  # a package imports its modules, whichever of them is asked for
    began = time.monotonic()
    if _waited(_begun(module, None), LONGEST_SECONDS) != 0:
        raise RuntimeError(f"the tests of {module.path} fail when what they need is imported before")
    return time.monotonic() - began


def judged(module: Module, mutants: Sequence[Mutant], at_once: int) -> Iterator[tuple[Mutant, Fate]]:
    """What becomes of each."""
    seconds = max(LEAST_SECONDS, TIMES * prepare(module))
    running: dict[int, tuple[Mutant, float]] = {}
    left = list(mutants)
    while left or running:
        while left and len(running) < at_once:
            one = left.pop(0)
            running[_begun(module, one)] = (one, time.monotonic() + seconds)
        for pid, (one, end) in list(running.items()):
            if (code := _ended(pid, end)) is not None:
                del running[pid]
                yield one, Fate.SURVIVED if code == 0 else Fate.KILLED
        time.sleep(0.02)


def _begun(module: Module, mutant: Mutant | None, tell: Path | None = None) -> int:
    if pid := os.fork():
        return pid
    with contextlib.suppress(BaseException):
        os.setsid()
        silent = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(silent, number)
        if mutant:
            sys.meta_path.insert(0, _Finder(module.name, ROOT / module.path, mutant.source))
        code = _tested(module)
        if tell:
            tell.write_text("\n".join(sys.modules), "utf-8")
        os._exit(code)
    os._exit(1)


def _tested(module: Module) -> int:
    quick = ["-m", "not docker and not browser and not network and not slow"]
    options = [
        "-x",
        "-q",
        "-p",
        "no:cacheprovider",
        "-n0",
        "-W",
        "ignore::pytest.PytestAssertRewriteWarning",
        "--no-header",
        *quick,
    ]
    there = [path for path in module.tests if (ROOT / path).exists()]
    return int(pytest.main([*options, *there]))


def _ended(pid: int, end: float) -> int | None:
    """Its exit code; one that takes too long is ended."""
    done, status = os.waitpid(pid, os.WNOHANG)
    if done:
        return os.waitstatus_to_exitcode(status)
    if time.monotonic() > end:
        os.killpg(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        return -signal.SIGKILL
    return None


def _waited(pid: int, seconds: float) -> int:
    end = time.monotonic() + seconds
    while (code := _ended(pid, end)) is None:
        time.sleep(0.02)
    return code


def each(modules: Iterable[Module], work: Callable[[Module], int]) -> int:
    """Every module in a process of its own: what one has imported is no other's. The sum of the exit codes."""
    codes = 0
    for module in modules:
        if pid := os.fork():
            codes += os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
            continue
        try:
            os._exit(work(module))
        except BaseException as error:  # noqa: BLE001 - told, and the others go on
            sys.stderr.write(f"{module.path}: {error}\n")
            os._exit(1)
    return codes
