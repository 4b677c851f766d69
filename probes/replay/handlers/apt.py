"""A package of the operating system that apt cannot find."""

import shlex
from typing import ClassVar

from cases import patterns as re
from cases.sentences import Sentences
from probes.model import Barrier, Envelope, Targets
from probes.names import programs
from probes.replay.handlers.base import BarrierHandler
from probes.replay.resources.outcome import Outcome
from probes.replay.target.details import Named
from probes.replay.target.model import ReplayTarget, user_of

say = Sentences(__name__)


class Apt(BarrierHandler):
    """`E: Unable to locate package`."""

    barriers = (Barrier.APT,)
    noun = "package"
    failure: ClassVar = {Barrier.APT: "no such package"}
    valid = re.compile(r"[a-z0-9][a-z0-9+.-]+")
    needs_index = True

    def named(self, targets: Targets) -> tuple[str, ...]:
        """Packages."""
        return targets.packages

    def same(self, subject: str, about: str) -> bool:
        """Names of Debian packages are exact."""
        return subject == about

    def least(self, about: str, envelope: Envelope) -> str:
        """Install it."""
        sudo = "" if user_of(envelope) == "root" else "sudo "
        return f"{sudo}apt-get install -y {shlex.quote(about)}"

    def values(self, subject: ReplayTarget, command: str) -> Named:
        """The package, and the program that it brings where the Python index has it too."""
        del command
        about = subject.about
        known = next((one for one in programs().values() if about in {one.apt, one.program} and one.package), None)
        return {
            "package": shlex.quote(about),
            "pip_package": known.package if known else None,
            "program": known.program if known else None,
        }

    def unsettled(self, subject: ReplayTarget, outcome: Outcome) -> str | None:
        """An installation is a means: the barrier that it was to pass has routes of its own."""
        del outcome
        return say("apt.help_past_something", about=subject.about)
