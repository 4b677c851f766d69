"""A Python module that cannot be imported."""

import shlex
from functools import cache
from importlib.resources import files
from typing import ClassVar

from cases import patterns as re
from cases.touches.installing import bare
from probes.model import Barrier, Envelope, Targets
from probes.names import modules, ornaments
from probes.replay.handlers.base import BarrierHandler
from probes.replay.handlers.on_disk import lying_copy
from probes.replay.handlers.package import PackageDetails, package_values
from probes.replay.resources.contents import Sort
from probes.replay.resources.context import ContainerContext
from probes.replay.resources.outcome import Outcome
from probes.replay.target.details import Named
from probes.replay.target.model import ReplayTarget


class Module(BarrierHandler):
    """`No module named …`."""

    barriers = (Barrier.MODULE,)
    noun = "module"
    failure: ClassVar = {Barrier.MODULE: "no module"}
    valid = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")
    details = PackageDetails
    present_rests_on = ("image", "python")

    def named(self, targets: Targets) -> tuple[str, ...]:
        """Modules."""
        return targets.modules

    def least(self, about: str, envelope: Envelope) -> str:
        """Import it."""
        del envelope
        return f'python3 -c "import {about}"'

    def known(self, subject: ReplayTarget) -> PackageDetails:
        """The package that is known to bring the module."""
        return PackageDetails(bare(_package(subject.about)))

    def values(self, subject: ReplayTarget, command: str) -> Named:
        """The module, its top package and the requirement that brings it."""
        return {
            **package_values(subject, command),
            "module": subject.about,
            "toppath": _top(subject.about),
            "package": shlex.quote(_package(subject.about, subject.indexed)),
            "ornament": shlex.quote(_plain()) if _top(subject.about) in ornaments() else None,
            "apt": f"python3-{bare(_package(subject.about)).lower()}",
        }

    def held(self, subject: ReplayTarget) -> tuple[Sort, str]:
        """Its top package."""
        return "module", _top(subject.about)

    def learn(self, trial: ContainerContext) -> PackageDetails:
        """Whether the machine has it somewhere."""
        distribution = trial.subject.told(PackageDetails).distribution
        return PackageDetails(distribution, lying_copy(trial, distribution, _top(trial.subject.about)))

    def unsettled(self, subject: ReplayTarget, outcome: Outcome) -> str | None:
        """What lies on the disk is not missing for good."""
        del outcome
        return subject.told(PackageDetails).doubt


@cache
def _plain() -> str:
    """A module that gives back what it is given."""
    return files(__package__).joinpath("hooks", "ornament.py").read_text(encoding="utf-8")


def _top(module: str) -> str:
    return module.partition(".")[0]


def _package(module: str, indexed: str | None = None) -> str:
    """The requirement that is known to bring a module, or the likeliest."""
    entry = modules().get(module) or modules().get(_top(module))
    return entry.package if entry else indexed or _top(module).replace("_", "-")
