"""A package that pip cannot install."""

import shlex
import sys
from typing import ClassVar

from cases.sentences import Sentences
from cases.touches.installing import REQUIREMENT, bare, builds_a_directory, requirements
from probes.model import Barrier, Envelope, Targets
from probes.replay.handlers.base import BarrierHandler
from probes.replay.handlers.on_disk import lying_copy
from probes.replay.handlers.package import PackageDetails, being_built, named_by_sources, package_values
from probes.replay.resources.context import ContainerContext
from probes.replay.resources.outcome import Outcome
from probes.replay.target.details import Named
from probes.replay.target.model import ReplayTarget

say = Sentences(__name__)

NAMELESS = frozenset({"externally managed", "conflict", "build step failed"})
"""Failures that name no package."""


class Pip(BarrierHandler):
    """`No matching distribution`, a wheel that does not build, an externally managed environment."""

    barriers = (Barrier.PIP,)
    noun = "package"
    valid = REQUIREMENT
    details = PackageDetails
    unknown: ClassVar = {"distribution": say("pip.package_being_built")}
    present_rests_on = ("image", "python")
    needs_index = True

    def named(self, targets: Targets) -> tuple[str, ...]:
        """Packages."""
        return targets.packages

    def asked(self, command: str) -> tuple[str, ...]:
        """With their pins: the pin may be what stands in the way."""
        return tuple(requirements(command))

    def refuses(self, about: str, command: str, output: str, *, told: bool) -> str | None:
        """What Python brings itself needs no package."""
        del command, output, told
        if bare(about) in sys.stdlib_module_names:
            return say("pip.belongs_python_itself", about=about)
        return None

    def must_work(self, subject: ReplayTarget, command: str, commands: tuple[str, ...]) -> bool:
        """To have what only the build of a directory requires is not yet to have built that."""
        named = {bare(one) for one in requirements(command)}
        builds = builds_a_directory(command) and not any(map(builds_a_directory, commands))
        return builds and bare(subject.about) not in named

    def least(self, about: str, envelope: Envelope) -> str:
        """Install it."""
        del envelope
        return f"python3 -m pip install {shlex.quote(about)}"

    def known(self, subject: ReplayTarget) -> PackageDetails:
        """The package itself."""
        named = () if subject.expected.kind in NAMELESS else (subject.about,)
        return PackageDetails(being_built(subject, *named))

    def values(self, subject: ReplayTarget, command: str) -> Named:
        """The requirement as it was asked for, and the package."""
        return {"package": shlex.quote(subject.about), **package_values(subject, command)}

    def learn(self, trial: ContainerContext) -> PackageDetails:
        """Which package a local directory holds, and whether the machine has it somewhere."""
        distribution = named_by_sources(trial)
        return PackageDetails(distribution, lying_copy(trial, distribution))

    def learns_by_facts(self, subject: ReplayTarget) -> bool:
        """What it opened is what it failed to build."""
        return subject.told(PackageDetails).doubt is not None

    def unsettled(self, subject: ReplayTarget, outcome: Outcome) -> str | None:
        """What lies on the disk is not missing for good."""
        del outcome
        return subject.told(PackageDetails).doubt
