"""A program that is not found."""

import shlex
from dataclasses import dataclass
from typing import ClassVar

from cases import patterns as re
from cases.sentences import Sentences
from cases.shell import language_of, steps_of
from cases.task_words import prompt_of
from cases.touches import names_program
from probes.model import Barrier, Envelope, Targets
from probes.names import ProgramName, conveniences, programs
from probes.replay.handlers.base import BarrierHandler
from probes.replay.handlers.lying import lying, packed
from probes.replay.handlers.plain import alone
from probes.replay.handlers.rewriting import loaded_in_r
from probes.replay.handlers.searching import NOT_LOOKED_INTO
from probes.replay.handlers.sources import sources
from probes.replay.resources.contents import Sort
from probes.replay.resources.context import ContainerContext
from probes.replay.resources.outcome import Outcome
from probes.replay.target.data import servers
from probes.replay.target.details import Details, Named
from probes.replay.target.model import ReplayTarget

say = Sentences(__name__)

SOURCES = ("c", "cc", "cpp", "cxx", "C")
MOST_BY_HAND = 40
"""Sources that somebody would still compile without what has compilers run."""
DUMPS = f"""find / {NOT_LOOKED_INTO} -type f -not -empty -iname '*.sql*' -print 2>/dev/null | head -50 |
while IFS= read -r f; do zgrep -qE '^(COPY|INSERT|REPLACE) ' "$f" && echo "$f"; done | head -1; true"""
"""Prints a dump in plain text, packed or not."""
SHORT = 1500
"""Characters of a program that somebody writes anew in another language."""
SECONDS = 60
NO_PROGRAM = "-not -path '*completion*' -not -path '/usr/share/*' -not -path '/etc/*' -not -path '/var/lib/*'"


@dataclass(frozen=True)
class CommandDetails(Details):
    """What lies on the disk."""

    doubt: str | None = None
    """Why that leaves it open; ends a sentence."""


class Command(BarrierHandler):
    """`command not found`."""

    barriers = (Barrier.COMMAND,)
    noun = "program"
    failure: ClassVar = {Barrier.COMMAND: "command not found"}
    valid = re.compile(r"[\w][\w.+-]*")
    details = CommandDetails
    unknown: ClassVar = {
        "apt": say("command.no_debian_package"),
        "package": say("command.no_python_package"),
    }

    def named(self, targets: Targets) -> tuple[str, ...]:
        """Programs."""
        return targets.programs

    def least(self, about: str, envelope: Envelope) -> str:
        """Call it."""
        del envelope
        return f"{about} --version"

    def plainly(self, subject: ReplayTarget) -> ReplayTarget:
        """The task's own command alone where that calls the program, without what was to bring it and did not."""
        asked = subject.asked
        called = {step.command.program for step in steps_of(asked.command)} if asked else set()
        return alone(subject, but_installs=True) if subject.about in called else subject

    def values(self, subject: ReplayTarget, command: str) -> Named:
        """The program and what is known to bring it."""
        del command
        known = _known(subject.about)
        return {
            "program": subject.about,
            "apt": known.apt or subject.about.lower(),
            "package": known.package,
            "python_module": known.module,
        }

    def held(self, subject: ReplayTarget) -> tuple[Sort, str]:
        """The program."""
        return "program", subject.about

    def learn(self, trial: ContainerContext) -> CommandDetails:
        """Whether a file of its name, be it with a version, or a package that has it lies on the disk."""
        program = trial.subject.about
        known = _known(program)
        tests = (
            f"-name {shlex.quote(program)} -not -type d {NO_PROGRAM}",
            f"-regex '.*/{re.escape(program)}[-_.]?v?[0-9][0-9.]*' -xtype f -executable {NO_PROGRAM}",
            packed(program),
            packed(known.apt or program.lower()),
            *([f"-iname '{known.package.replace('-', '?')}-*.whl'"] if known.package else []),
        )
        demanded = names_program(prompt_of(trial.context.case), program)
        by_hand = _by_hand(trial) if known.builds and not demanded else None
        dump = _dump(trial, program) if program in servers().clients and not demanded else None
        short = None if demanded else _short(trial, program)
        return CommandDetails(lying(trial, *tests) or by_hand or dump or short)

    def unsettled(self, subject: ReplayTarget, outcome: Outcome) -> str | None:
        """What lies there could be put to use in a way that no route knows."""
        del outcome
        return subject.told(CommandDetails).doubt


def _dump(trial: ContainerContext, program: str) -> str | None:
    """Why a database is not needed to read what is to be read into it."""
    [done] = trial.run("replay-dumps", DUMPS, seconds=60)
    path = done.output.strip()
    return say("command.dump", path=path, program=program) if path else None


def _short(trial: ContainerContext, program: str) -> str | None:
    """Why an interpreter is not needed: what it is to run is short, and takes nothing but what any language has."""
    language = language_of(program)
    beyond = conveniences().languages.get(language or "")
    if beyond is None:
        return None
    text = sources(trial, trial.subject.attempts[0].command) or ""
    plain = not re.search(beyond, text) and loaded_in_r(text) <= conveniences().r
    return say("command.short", program=program) if 0 < len(text) <= SHORT and plain else None


def _by_hand(trial: ContainerContext) -> str | None:
    """Why a build is open that only lacks what has compilers run: they are there, and have little to do."""
    place = shlex.quote(trial.spec.workdir)
    names = " -o ".join(f"-name '*.{ending}'" for ending in SOURCES)
    find = f"find {place} -xdev -type f \\( {names} \\) | head -{MOST_BY_HAND + 1}"
    done = trial.run("replay-by-hand", f"command -v cc gcc clang c++ >/dev/null && {find}", seconds=SECONDS)[0]
    count = len(done.output.splitlines())
    return say("command.by_hand", count=count) if 0 < count <= MOST_BY_HAND else None


def _known(program: str) -> ProgramName:
    return programs().get(program) or ProgramName(program=program, source="")
