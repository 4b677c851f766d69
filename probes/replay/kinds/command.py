"""A program that is not found."""

import re
import shlex
from typing import ClassVar

from probes.model import Barrier, Envelope, Targets
from probes.replay.data import programs
from probes.replay.kinds.base import Kind
from probes.replay.kinds.lying import lying, packed
from probes.replay.outcome import Outcome
from probes.replay.subject import Subject
from probes.replay.trial import Trial

NO_PROGRAM = "-not -path '*completion*' -not -path '/usr/share/*' -not -path '/etc/*' -not -path '/var/lib/*'"


class Command(Kind):
    """`command not found`."""

    barriers = (Barrier.COMMAND,)
    noun = "program"
    failure: ClassVar = {Barrier.COMMAND: "command not found"}
    valid = re.compile(r"[\w][\w.+-]*")
    names = frozenset({"program", "apt", "package", "python_module"})
    unknown: ClassVar = {
        "apt": "no Debian package is known that brings it",
        "package": "no Python package is known that brings it",
    }

    def named(self, targets: Targets) -> tuple[str, ...]:
        """Programs."""
        return targets.programs

    def least(self, about: str, envelope: Envelope) -> str:
        """Call it."""
        del envelope
        return f"{about} --version"

    def parameters(self, barrier: Barrier, about: str, command: str, home: str) -> dict[str, str]:
        """The program and what is known to bring it."""
        del barrier, command, home
        known = programs().get(about)
        given = {"package": known.package, "apt": known.apt, "python_module": known.module} if known else {}
        return {"program": about, "apt": about.lower()} | {name: value for name, value in given.items() if value}

    def learn(self, trial: Trial) -> Subject:
        """Whether a file of its name, be it with a version, or a package that has it lies on the disk."""
        known = trial.subject.parameters
        program = known["program"]
        tests = (
            f"-name {shlex.quote(program)} -not -type d {NO_PROGRAM}",
            f"-regex '.*/{re.escape(program)}[-_.]?v?[0-9][0-9.]*' -type f -perm /111",
            packed(program),
            packed(known["apt"]),
            *([f"-iname '{known['package'].replace('-', '?')}-*.whl'"] if "package" in known else []),
        )
        return trial.subject.with_parameters(**lying(trial, *tests))

    def unsettled(self, subject: Subject, outcome: Outcome) -> str | None:
        """What lies there could be put to use in a way that no route knows."""
        del outcome
        return subject.parameters.get("lying")
