"""A file that a program looks for on its own, and that neither the task nor the run names.

Such as a class of TeX's, a model or a dictionary of a library's.
"""

import posixpath
import shlex
from dataclasses import dataclass
from typing import ClassVar

from cases import patterns as re
from cases.sentences import Sentences
from cases.task_words import texts_of
from probes.barriers.measured import NODE_MODULES, OF_LIBRARIES
from probes.model import Barrier, Targets
from probes.replay.handlers.base import BarrierHandler
from probes.replay.handlers.lying import lying, packed
from probes.replay.resources.contents import Sort
from probes.replay.resources.context import ContainerContext
from probes.replay.resources.outcome import Outcome
from probes.replay.target.details import Details, Named
from probes.replay.target.model import ReplayTarget

say = Sentences(__name__)

OF_TEX = re.compile(r".+\.(?:cls|clo|sty|def|fd|ldf|tfm|bst|bbx|cbx|lbx)")


@dataclass(frozen=True)
class SupportDetails(Details):
    """Who asks for it, and what lies on the disk."""

    places: tuple[str, ...] = ()
    """Where it was looked for."""
    own: bool = False
    """Only a document of the run's own does."""
    doubt: str | None = None
    """Why what lies there leaves it open; ends a sentence."""


class SupportFile(BarrierHandler):
    """`! LaTeX Error: File … not found`, and what only a trace shows."""

    barriers = (Barrier.SUPPORT_FILE,)
    noun = "file of a program's own"
    failure: ClassVar = {Barrier.SUPPORT_FILE: "missing support file"}
    valid = re.compile(r"[\w.+@=,-][\w.+@=,/-]{0,200}")
    details = SupportDetails
    shows_past = True
    unknown: ClassVar = {
        "apt": say("command.no_debian_package"),
        "place": say("support_file.no_place"),
    }

    def named(self, targets: Targets) -> tuple[str, ...]:
        """Its file name."""
        return tuple(posixpath.basename(path) for path in targets.paths)

    def learns_by_facts(self, subject: ReplayTarget) -> bool:
        """Where it was looked for."""
        del subject
        return True

    def same(self, subject: str, about: str) -> bool:
        """Names of files are as they are written."""
        return subject == about

    def held(self, subject: ReplayTarget) -> tuple[Sort, str] | None:
        """The very file, in a tree of TeX's or in an interpreter's library; of others Debian's lists are not kept."""
        if OF_TEX.fullmatch(subject.about):
            return "TeX file", subject.about
        return ("library file", subject.about) if subject.about.endswith(OF_LIBRARIES) else None

    def values(self, subject: ReplayTarget, command: str) -> Named:
        """Its name, that without the suffix, where it was looked for, and no package before one is looked up."""
        del command
        places, about = subject.told(SupportDetails).places, subject.about
        perl = about.endswith(".pm")
        return {
            "file": shlex.quote(posixpath.basename(about)),
            "stem": posixpath.splitext(posixpath.basename(about))[0],
            "below": about if _libraries(about) else None,
            "up": "/".join([".."] * about.count("/")) or ".",
            "perl": shlex.quote(about.removesuffix(".pm").replace("/", "::")) if perl else None,
            "ruby": shlex.quote(about.removesuffix(".rb").partition("/")[0]) if about.endswith(".rb") else None,
            "place": shlex.join(places) or None,
            "apt": None,
            "node": shlex.quote(about.removeprefix(NODE_MODULES)) if about.startswith(NODE_MODULES) else None,
            "tex": OF_TEX.fullmatch(about) is not None,
        }

    def learn(self, trial: ContainerContext) -> SupportDetails:
        """Whether a document of the task's asks for it, and whether it lies on the disk, be it packed or in sources."""
        about, facts = posixpath.basename(trial.subject.about), trial.outcome.facts
        stem = posixpath.splitext(about)[0]
        tests = [f"-iname {shlex.quote(about)}", packed(stem)]
        tests += [f"-name '{stem}.dtx'", f"-name '{stem}.ins'"] if OF_TEX.fullmatch(about) else []
        sought = [path for fact in facts if fact.kind == "file missing" for path in (*fact.places, fact.subject)]
        places = dict.fromkeys(path for path in sought if path.startswith("/") and posixpath.basename(path) == about)
        package = trial.subject.about.startswith(NODE_MODULES)
        if package:
            lies = lying(trial, packed(trial.subject.about.removeprefix(NODE_MODULES).strip("@").replace("/", "-")))
        else:
            lies = lying(trial, *tests) if not _libraries(trial.subject.about) else _sibling(trial)
        return SupportDetails(tuple(places), _own(trial, stem), lies)

    def meaningless(self, subject: ReplayTarget, outcome: Outcome) -> str | None:
        """What only the run's own document asks for is not the machine's."""
        del outcome
        return say("support_file.own_document") if subject.told(SupportDetails).own else None

    def unsettled(self, subject: ReplayTarget, outcome: Outcome) -> str | None:
        """What lies there could be put to use in a way that no route knows."""
        del outcome
        return subject.told(SupportDetails).doubt


def _libraries(about: str) -> bool:
    """Whether it is a module of an interpreter's, found along a path."""
    return about.endswith(OF_LIBRARIES) or about.startswith(NODE_MODULES)


def _sibling(trial: ContainerContext) -> str | None:
    """That what Perl has of the same work lies there, by names that modules' own have: without a compiler, where one of
    XS is missing, or below its name, as JSON::PP below JSON; None where nothing does.
    """
    about = trial.subject.about
    if not about.endswith(".pm"):
        return None
    stem = about.removesuffix(".pm")
    bare = stem.removesuffix("/XS").removesuffix("_XS")
    names = [
        f"{stem}/*.pm",
        f"{bare}/*.pm",
        *([f"{bare}.pm", f"{stem.replace('XS', 'PP')}.pm"] if bare != stem else []),
    ]
    found_by = " -o ".join(f"-path {shlex.quote(f'*/{name}')}" for name in dict.fromkeys(names))
    asked = f"""perl -e 'print map {{ "$_\\n" }} grep {{ -d && $_ ne "." }} @INC' | while IFS= read -r d; do
(cd "$d" && find . -maxdepth 5 \\( {found_by} \\) -print | sed "s#^.#$d#"); done"""
    found = trial.run("replay-siblings", f"{{ {asked}; }} 2>/dev/null | head -1; true", seconds=20)[0].output.strip()
    return say("support_file.sibling", path=found) if found.startswith("/") else None


def _own(trial: ContainerContext, stem: str) -> bool:
    """Whether the run wrote it into a document of TeX's before, and nothing that the task says names it."""
    subject, asks = trial.subject, re.compile(rf"[{{,]\s*{re.escape(stem)}\s*[,}}]")
    before = subject.event if subject.event is not None else len(subject.events.commands)
    texts = [write.content for write in subject.events.writes if write.after <= before]
    texts += [command.command for command in subject.events.commands[:before]]
    spoken = re.compile(rf"(?<![\w-]){re.escape(stem)}(?![\w-])")
    told = any(spoken.search(text) for _, text in texts_of(trial.context.case, None, ()))
    return not told and any(asks.search(text) for text in texts)
