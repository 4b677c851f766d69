"""A file that cannot be run: a script whose interpreter is not there, a program for another machine."""

import posixpath
import shlex
from dataclasses import dataclass

from cases import patterns as re
from probes.model import Barrier, Targets
from probes.replay.handlers.base import BarrierHandler
from probes.replay.handlers.lying import lying
from probes.replay.resources.context import ContainerContext
from probes.replay.resources.outcome import Outcome
from probes.replay.target.details import Details, Named
from probes.replay.target.model import ReplayTarget

FORMS = ("{}", "{}[._-]*", "*[._-]{}", "*[._-]{}[._-]*")
"""Of names that have a program's name whole."""
BEGINNING = ("{}", "{}[._-]*")
"""Of names that begin with what a library's name says behind `lib`."""
NO_BUILD = (
    "-not -iname '*.h' -not -iname '*.hpp' -not -iname '*.md' -not -iname '*.txt' -not -iname '*.rst' "
    "-not -iname '*.[1-8]' -not -iname '*.[1-8].gz' "
    "-not -path '*/.git/*' -not -path '/usr/share/*' -not -path '/usr/lib/*' -not -path '/usr/include/*' "
    "-not -path '/etc/*'"
)
"""Of a program's name, but neither its source nor a build of it."""
LIBRARY = re.compile(r"\.(?:a|o|so(?:\.\d+)*)$")


@dataclass(frozen=True)
class ProgramDetails(Details):
    """What else of the program lies on the disk."""

    doubt: str | None = None
    """Why that leaves it open; ends a sentence."""


class ScriptInterpreter(BarrierHandler):
    """`bad interpreter`, `cannot execute binary file`."""

    barriers = (Barrier.INTERPRETER, Barrier.PROGRAM_UNFIT)
    shows_past = True
    noun = "script"
    valid = re.compile(r"[^\s'\"`;|&<>$(){}*?\\]{1,300}")

    details = ProgramDetails

    def named(self, targets: Targets) -> tuple[str, ...]:
        """The script."""
        return targets.paths

    def same(self, subject: str, about: str) -> bool:
        """A script is known by its name, wherever it was started from."""
        return posixpath.basename(subject) == posixpath.basename(about)

    def values(self, subject: ReplayTarget, command: str) -> Named:
        """The script, and the command with a copy of it in its place."""
        name = posixpath.basename(subject.about)
        spelled = re.compile(rf"(?:[^\s'\";|&<>()]*[^\s'\";|&<>()\w.-]|(?<![\w.-])){re.escape(name)}(?![\w.-])")
        copied = spelled.sub(f"$HOME/.route-bin/{name}", command, count=1)
        return {
            "script": shlex.quote(subject.about),
            "script_name": shlex.quote(name),
            "runnable": "-readable" if LIBRARY.search(name) else "-perm -u+x",
            "command_copied": copied if copied != command else None,
        }

    def learn(self, trial: ContainerContext) -> ProgramDetails:
        """Whether a source or another build of a program lies on the disk: an archive or a file of its name."""
        if trial.subject.barrier is not Barrier.PROGRAM_UNFIT:
            return ProgramDetails()
        about, name = shlex.quote(trial.subject.about), posixpath.basename(trial.subject.about)
        stem = name.partition(".")[0]
        forms = [form.format(stem) for form in FORMS]
        if LIBRARY.search(name):
            forms += [form.format(stem.removeprefix("lib")) for form in BEGINNING]
        named = " -o ".join(f"-iname {shlex.quote(form)}" for form in forms)
        return ProgramDetails(lying(trial, f"\\( {named} \\) -not -samefile {about} {NO_BUILD}"))

    def unsettled(self, subject: ReplayTarget, outcome: Outcome) -> str | None:
        """What lies there could be put to use in a way that no route knows."""
        del outcome
        return subject.told(ProgramDetails).doubt
