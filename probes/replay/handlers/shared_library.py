"""A shared library that a program is linked against and the machine does not have."""

import shlex
from dataclasses import dataclass

from cases import patterns as re
from probes.model import Barrier, Targets
from probes.replay.handlers.base import BarrierHandler
from probes.replay.handlers.lying import lying, packed
from probes.replay.resources.contents import Sort
from probes.replay.resources.context import ContainerContext
from probes.replay.resources.outcome import Outcome
from probes.replay.target.details import Details, Named
from probes.replay.target.model import ReplayTarget


@dataclass(frozen=True)
class LibraryDetails(Details):
    """What lies on the disk."""

    doubt: str | None = None
    """Why that leaves it open; ends a sentence."""


class SharedLibrary(BarrierHandler):
    """`error while loading shared libraries`."""

    barriers = (Barrier.SHARED_LIBRARY,)
    noun = "shared library"
    valid = re.compile(r"[\w][\w.+-]{0,120}")
    details = LibraryDetails

    def named(self, targets: Targets) -> tuple[str, ...]:
        """Its file name."""
        return targets.libraries

    def same(self, subject: str, about: str) -> bool:
        """Another version of a library is another library."""
        return subject == about

    def held(self, subject: ReplayTarget) -> tuple[Sort, str]:
        """The very file that the loader looks for."""
        return "shared library", subject.about

    def values(self, subject: ReplayTarget, command: str) -> Named:
        """The file's name, and what its package is likely to be called."""
        del command
        stem, _, version = subject.about.removesuffix(".a").partition(".so")
        number = version.strip(".").split(".")[0]
        joined = f"{stem}-{number}" if stem[-1:].isdigit() and number else f"{stem}{number}"
        return {"library": shlex.quote(subject.about), "apt": joined.lower().replace("_", "-")}

    def learn(self, trial: ContainerContext) -> LibraryDetails:
        """Whether the very file, or a package that is called like it, lies on the disk."""
        name = trial.subject.about
        return LibraryDetails(lying(trial, f"-name {shlex.quote(name)}", packed(name.partition(".")[0])))

    def unsettled(self, subject: ReplayTarget, outcome: Outcome) -> str | None:
        """What lies there could be put to use in a way that no route knows."""
        del outcome
        return subject.told(LibraryDetails).doubt
