"""A Python module that cannot be imported."""

import re
import shlex
from typing import ClassVar

from probes.model import Barrier, Envelope, Hypothesis, Targets
from probes.replay.data import modules
from probes.replay.installs import bare
from probes.replay.kinds.base import Kind
from probes.replay.kinds.on_disk import lying, with_copy
from probes.replay.outcome import Outcome
from probes.replay.subject import Subject
from probes.replay.trial import Trial


class Module(Kind):
    """`No module named …`."""

    barriers = (Barrier.MODULE,)
    noun = "module"
    failure: ClassVar = {Barrier.MODULE: "no module"}
    valid = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")
    names = frozenset({"module", "toppath", "package", "distribution", "wheelname", "import_check"})
    unknown: ClassVar = {"package": "no Python package is known that brings it"}
    present_rests_on = ("image", "python")

    def named(self, targets: Targets) -> tuple[str, ...]:
        """Modules."""
        return targets.modules

    def least(self, about: str, envelope: Envelope) -> str:
        """Import it."""
        del envelope
        return f'python3 -c "import {about}"'

    def parameters(self, barrier: Barrier, about: str, command: str, home: str) -> dict[str, str]:
        """The module, its top package and the distribution that brings it."""
        del barrier, command, home
        top = about.partition(".")[0]
        entry = modules().get(about) or modules().get(top)
        package = entry.package if entry else top.replace("_", "-")
        return {"module": about, "toppath": top, "package": shlex.quote(package)}

    def distribution(self, hypothesis: Hypothesis, subject: Subject, output: str) -> str | None:
        """The one that is known to bring the module."""
        del hypothesis, output
        return bare(subject.parameters["package"].strip("'"))

    def learn(self, trial: Trial) -> Subject:
        """Whether the machine has it somewhere."""
        return with_copy(trial, trial.subject)

    def unsettled(self, subject: Subject, outcome: Outcome) -> str | None:
        """What lies on the disk is not missing for good."""
        del outcome
        return lying(subject)
