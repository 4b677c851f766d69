"""A header or library that a compiler or linker does not find."""

import re
from typing import ClassVar

from probes.model import Barrier, Hypothesis, Targets
from probes.replay.data import headers
from probes.replay.kinds.base import Kind
from probes.replay.kinds.building import being_built, named_by_sources
from probes.replay.kinds.lying import lying, packed
from probes.replay.kinds.own_options import own_options
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
    names = frozenset({"header", "apt", "distribution", "wheelname", "import_check", "library", "conda_names"})
    unknown: ClassVar = {
        "apt": "no Debian package is known that brings it",
        "distribution": "which package was being built is not known",
    }

    def named(self, targets: Targets) -> tuple[str, ...]:
        """Headers."""
        return targets.headers

    def parameters(self, barrier: Barrier, about: str, command: str, home: str) -> dict[str, str]:
        """The header or library, the Debian package that has it, and how conda-forge may call it."""
        del barrier, command, home
        known = {"apt": headers()[about].apt} if about in headers() else {}
        if not re.search(r"[./]", about):
            known["library"] = about
        stems = stems_of(about, known.get("apt"))
        return {
            "header": about,
            "conda_names": " ".join(name for stem in stems for name in (stem, f"lib{stem}")),
        } | known

    def distribution(self, hypothesis: Hypothesis, subject: Subject, output: str) -> str | None:
        """The package that is being built."""
        return being_built(hypothesis, subject, output)

    def learn(self, trial: Trial) -> Subject:
        """Which package is built, whether the run asked for the header itself, and what else may do."""
        subject = named_by_sources(trial)
        told, about = subject.parameters, subject.about
        own = own_source(trial, told.get("apt"))
        tests = [f"-path '*/{about}'"]
        tests += [f"-name 'lib{told['library']}.so*' -o -name 'lib{told['library']}.a'"] if "library" in told else []
        tests += [packed(stem) for stem in stems_of(about, told.get("apt"))]
        tests += [f"-iname '{told['wheelname']}-*.whl'"] if "wheelname" in told else []
        learnt = lying(trial, *tests) | own_options(trial, about, stems_of(about, told.get("apt")))
        return subject.with_parameters(**learnt, **({"own_source": own} if own else {}))

    def meaningless(self, subject: Subject, outcome: Outcome) -> str | None:
        """What a source of the run's own asks for needlessly is not the machine's to have."""
        del outcome
        own = subject.parameters.get("own_source")
        if own is None:
            return None
        source = "what the command feeds to the compiler" if own == STDIN else own
        return f"{source}, which asks for it, is the run's own, and nothing in the task's text does"

    def unsettled(self, subject: Subject, outcome: Outcome) -> str | None:
        """What lies on the disk, or is offered by the sources themselves, leaves it open."""
        del outcome
        return subject.parameters.get("lying") or subject.parameters.get("own_options")


def stems_of(header: str, apt: str | None) -> tuple[str, ...]:
    """What its library is called, as options and packages spell it: `png` for png.h of libpng-dev."""
    bare = re.sub(r"\.h\w*$", "", header.rpartition("/")[2])
    package = re.sub(r"^lib|(?:\d[\w.+-]*)?-dev$", "", apt) if apt else ""
    names = (package, header.partition("/")[0] if "/" in header else "", bare)
    return tuple(dict.fromkeys(name.lower() for name in names if len(name) > 1))
