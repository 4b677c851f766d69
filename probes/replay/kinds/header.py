"""A header or library that a compiler or linker does not find."""

import re
from typing import ClassVar

from probes.model import Barrier, Hypothesis, Targets
from probes.replay.data import headers
from probes.replay.kinds.base import Kind
from probes.replay.kinds.building import being_built, named_by_sources
from probes.replay.kinds.own_source import STDIN, own_source
from probes.replay.outcome import Outcome
from probes.replay.subject import Subject
from probes.replay.trial import Trial


class Header(Kind):
    """`fatal error: …: No such file or directory`."""

    barriers = (Barrier.HEADER,)
    noun = "header"
    failure: ClassVar = {Barrier.HEADER: "missing header"}
    valid = re.compile(r"[\w.+-]+(/[\w.+-]+)*")
    names = frozenset({"header", "apt", "distribution", "wheelname", "import_check"})
    unknown: ClassVar = {
        "apt": "no Debian package is known that brings it",
        "distribution": "which package was being built is not known",
    }

    def named(self, targets: Targets) -> tuple[str, ...]:
        """Headers."""
        return targets.headers

    def parameters(self, barrier: Barrier, about: str, command: str, home: str) -> dict[str, str]:
        """The header and the Debian package that has it."""
        del barrier, command, home
        return {"header": about} | ({"apt": headers()[about].apt} if about in headers() else {})

    def distribution(self, hypothesis: Hypothesis, subject: Subject, output: str) -> str | None:
        """The package that is being built."""
        return being_built(hypothesis, subject, output)

    def learn(self, trial: Trial) -> Subject:
        """Which package a local directory holds, and whether the run asked for the header itself."""
        subject = named_by_sources(trial)
        own = own_source(trial, subject.parameters.get("apt"))
        return subject.with_parameters(own_source=own) if own else subject

    def meaningless(self, subject: Subject, outcome: Outcome) -> str | None:
        """What a source of the run's own asks for needlessly is not the machine's to have."""
        del outcome
        own = subject.parameters.get("own_source")
        if own is None:
            return None
        source = "what the command feeds to the compiler" if own == STDIN else own
        return f"{source}, which asks for it, is the run's own, and nothing in the task's text does"
