"""A file that cannot be run: a script whose interpreter is not there, a program for another machine."""

import posixpath
import shlex

from cases import patterns as re
from probes.model import Barrier, Targets
from probes.replay.handlers.base import BarrierHandler
from probes.replay.target.details import Named
from probes.replay.target.model import ReplayTarget


class ScriptInterpreter(BarrierHandler):
    """`bad interpreter`, `cannot execute binary file`."""

    barriers = (Barrier.INTERPRETER, Barrier.PROGRAM_UNFIT)
    noun = "script"
    valid = re.compile(r"[^\s'\"`;|&<>$(){}*?\\]{1,300}")

    def named(self, targets: Targets) -> tuple[str, ...]:
        """The script."""
        return targets.paths

    def same(self, subject: str, about: str) -> bool:
        """A script is known by its name, wherever it was started from."""
        return posixpath.basename(subject) == posixpath.basename(about)

    def values(self, subject: ReplayTarget, command: str) -> Named:
        """The script, and the command with a copy of it in its place."""
        name = posixpath.basename(subject.about)
        spelled = re.compile(rf"(?:[^\s'\";|&<>()]*[^\s'\";|&<>()\w.-]|(?<![\w.-])){re.escape(name)}(?![\w.-])")
        copied = spelled.sub(f"$HOME/.route-bin/{name}", command, count=1)
        return {
            "script": shlex.quote(subject.about),
            "script_name": shlex.quote(name),
            "command_copied": copied if copied != command else None,
        }
