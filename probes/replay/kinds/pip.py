"""A package that pip cannot install."""

import shlex
from typing import ClassVar

from probes.model import Barrier, Envelope, Hypothesis, Targets
from probes.replay.installs import REQUIREMENT, requirements
from probes.replay.kinds.base import Kind
from probes.replay.kinds.building import being_built, named_by_sources
from probes.replay.kinds.on_disk import lying, with_copy
from probes.replay.outcome import Outcome
from probes.replay.subject import Subject
from probes.replay.trial import Trial

NAMELESS = frozenset({"externally managed", "conflict", "build step failed"})
"""Failures that name no package."""


class Pip(Kind):
    """`No matching distribution`, a wheel that does not build, an externally managed environment."""

    barriers = (Barrier.PIP,)
    noun = "package"
    valid = REQUIREMENT
    names = frozenset({"package", "distribution", "wheelname", "import_check"})
    unknown: ClassVar = {"distribution": "which package was being built is not known"}
    present_rests_on = ("image", "python")
    needs_index = True

    def named(self, targets: Targets) -> tuple[str, ...]:
        """Packages."""
        return targets.packages

    def asked(self, command: str) -> tuple[str, ...]:
        """With their pins: the pin may be what stands in the way."""
        return tuple(requirements(command))

    def least(self, about: str, envelope: Envelope) -> str:
        """Install it."""
        del envelope
        return f"python3 -m pip install {shlex.quote(about)}"

    def parameters(self, barrier: Barrier, about: str, command: str, home: str) -> dict[str, str]:
        """The requirement."""
        del barrier, command, home
        return {"package": shlex.quote(about)}

    def distribution(self, hypothesis: Hypothesis, subject: Subject, output: str) -> str | None:
        """The package itself."""
        named = () if subject.expected.kind in NAMELESS else (subject.about,)
        return being_built(hypothesis, subject, output, *named)

    def learn(self, trial: Trial) -> Subject:
        """Which package a local directory holds, and whether the machine has it somewhere."""
        return with_copy(trial, named_by_sources(trial))

    def unsettled(self, subject: Subject, outcome: Outcome) -> str | None:
        """What lies on the disk is not missing for good."""
        del outcome
        return lying(subject)
