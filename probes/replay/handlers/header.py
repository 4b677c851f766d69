"""A header or library that a compiler or linker does not find."""

import shlex
from dataclasses import dataclass
from typing import ClassVar

from cases import patterns as re
from cases.sentences import Sentences
from probes.model import Barrier, Targets
from probes.names import headers
from probes.replay.handlers.base import BarrierHandler
from probes.replay.handlers.lying import committed, lying, packed
from probes.replay.handlers.own_options import own_options
from probes.replay.handlers.own_source import STDIN, OwnSource, own_source
from probes.replay.handlers.package import PackageDetails, being_built, named_by_sources, package_values, wheel_name
from probes.replay.resources.contents import Sort
from probes.replay.resources.context import ContainerContext
from probes.replay.resources.outcome import Outcome
from probes.replay.target.details import Named
from probes.replay.target.model import ReplayTarget

say = Sentences(__name__)

CALLED = r"""
l=$(find / -xdev \( -type f -o -type l \) \( {names} \) -print -quit 2>/dev/null)
s=$(mktemp)
nm -D --defined-only "$l" 2>/dev/null | sed 's/.* //; s/@.*//' | sort -u > $s
n=$(grep -rlIF -- {header} {place} 2>/dev/null | head -200 | xargs -r -d '\n' grep -hoE '[A-Za-z_]\w+' |
    grep -xFf $s | sort -u | wc -l)
rm -f $s
echo $n $l
"""
"""How many of a library's symbols the sources name that include its header, and where the library lies."""
MOST_CALLED = 20
SECONDS = 120


@dataclass(frozen=True)
class HeaderDetails(PackageDetails):
    """The package that is built, and who asks for the header."""

    own_source: OwnSource | None = None
    """The run's own source that asks for it, if one does."""


class Header(BarrierHandler):
    """`fatal error: …: No such file or directory`."""

    barriers = (Barrier.HEADER,)
    noun = "header"
    failure: ClassVar = {Barrier.HEADER: "missing header"}
    valid = re.compile(r"[\w.+-]+(/[\w.+-]+)*")
    details = HeaderDetails
    unknown: ClassVar = {
        "apt": say("header.no_debian_package"),
        "distribution": say("header.package_being_built"),
    }

    def named(self, targets: Targets) -> tuple[str, ...]:
        """Headers."""
        return targets.headers

    def known(self, subject: ReplayTarget) -> HeaderDetails:
        """The package that is being built."""
        return HeaderDetails(being_built(subject))

    def values(self, subject: ReplayTarget, command: str) -> Named:
        """The header or library, the Debian package that has it, and how conda-forge may call it."""
        about, apt = subject.about, _apt(subject.about)
        return {
            **package_values(subject, command),
            "header": about,
            "apt": apt,
            "library": _library(about),
            "conda_names": " ".join(name for stem in stems_of(about, apt) for name in (stem, f"lib{stem}")),
        }

    def held(self, subject: ReplayTarget) -> tuple[Sort, str]:
        """The header, or the library to link with."""
        library = _library(subject.about)
        return ("library", library) if library else ("header", subject.about)

    def learn(self, trial: ContainerContext) -> HeaderDetails:
        """Which package is built, whether the run asked for the header itself, and what else may do."""
        about, built = trial.subject.about, named_by_sources(trial)
        apt, library = _apt(about), _library(about)
        own, stems = own_source(trial, apt), stems_of(library or about, apt)
        tests = [f"-path '*/{about}'"]
        tests += [f"-name 'lib{library}.so*' -o -name 'lib{library}.a'"] if library else []
        tests += [packed(stem) for stem in stems]
        tests += [f"-iname '{wheel_name(built)}-*.whl'"] if built else []
        there, offered = lying(trial, *tests) or committed(trial, about), own_options(trial, about, stems)
        return HeaderDetails(built, there or offered or _declarable(trial, about, stems), own)

    def meaningless(self, subject: ReplayTarget, outcome: Outcome) -> str | None:
        """What a source of the run's own asks for needlessly, or what nobody is known to have, is not the machine's."""
        del outcome
        own = subject.told(HeaderDetails).own_source
        if own is None:
            return None
        source = say("header.what_command_feeds") if own.name == STDIN else own.name
        if not own.told:
            return say("header.asks_run_own", source=source)
        if _apt(subject.about) is None and not subject.packages:
            return say("header.asks_run_own_no", source=source)
        return None

    def unsettled(self, subject: ReplayTarget, outcome: Outcome) -> str | None:
        """What lies on the disk, or is offered by the sources themselves, leaves it open."""
        del outcome
        return subject.told(HeaderDetails).doubt


def _declarable(trial: ContainerContext, about: str, stems: tuple[str, ...]) -> str | None:
    """Why a header is open whose library is there: the task's sources call little of it, and that can be declared."""
    if not stems or about.startswith("-l"):
        return None
    names = " -o ".join(f"-regex '.*/lib{re.escape(stem)}[-0-9.]*\\.so[.0-9]*'" for stem in stems)
    ask = CALLED.format(place=shlex.quote(trial.spec.workdir), header=shlex.quote(about), names=names)
    count, _, library = trial.run("replay-declarable", ask, seconds=SECONDS)[0].output.strip().partition(" ")
    if count.isdigit() and 0 < int(count) <= MOST_CALLED:
        return say("header.declarable", library=library, count=count)
    return None


def _apt(header: str) -> str | None:
    known = headers().get(header)
    return known.apt if known else None


def _library(about: str) -> str | None:
    """The library's name, where it is no header; facts spell it as the linker's option."""
    name = about.removeprefix("-l")
    return None if name == about and re.search(r"[./]", about) else name


def stems_of(header: str, apt: str | None) -> tuple[str, ...]:
    """What its library is called, as options and packages spell it: `png` for png.h of libpng-dev."""
    bare = re.sub(r"\.h\w*$", "", header.rpartition("/")[2])
    package = re.sub(r"^lib|(?:\d[\w.+-]*)?-dev$", "", apt) if apt else ""
    names = (package, header.partition("/")[0] if "/" in header else "", bare)
    return tuple(dict.fromkeys(name.lower() for name in names if len(name) > 1))
