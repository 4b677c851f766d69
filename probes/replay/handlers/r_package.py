"""An R package that cannot be loaded or installed."""

from dataclasses import dataclass
from difflib import get_close_matches
from typing import ClassVar

from cases import patterns as re
from cases.sentences import Sentences
from cases.task_words import texts_of
from cases.touches.promises import made_by_run
from probes.model import Answer, Barrier, Envelope, Targets
from probes.replay.handlers.base import BarrierHandler
from probes.replay.handlers.lying import lying
from probes.replay.handlers.rewriting import r_alone
from probes.replay.resources.contents import Sort
from probes.replay.resources.context import ContainerContext
from probes.replay.resources.outcome import Outcome
from probes.replay.target.details import Details, Named
from probes.replay.target.model import ReplayTarget

say = Sentences(__name__)

ADDED = "/opt/impassable/r-was-added"
LOADED = re.compile(r"\b(?:library|require|requireNamespace|loadNamespace)\(\s*['\"]?(?P<name>[A-Za-z][\w.]*)")
INSTALLED = re.compile(r"\b(?:install\.packages|BiocManager::install|pak::pkg_install)\(\s*(?:c\()?(?P<names>[^)]*)")
QUOTED = re.compile(r"['\"]([A-Za-z][\w.]*)\\?['\"]")
FILES = (
    r"grep -rIlE --include='*.R' --include='*.r' --include='*.Rmd' --include='README*' --include=DESCRIPTION "
    r"'\b{package}\b' . | head -20"
)
THERE = """Rscript -e 'cat(rownames(installed.packages()), sep = "\\n")'"""
ALIKE = 0.75
"""How much alike two names are, from 0 to 1, of which one may be meant by the other."""
LOCAL = """Rscript -e 'quit(status = !any(grepl("^file:", getOption("repos"))))'"""


@dataclass(frozen=True)
class RDetails(Details):
    """What R and the disk have."""

    added: bool = False
    """R itself was put there for this replay."""
    local_repository: bool = False
    """Its packages come from a disk."""
    doubt: str | None = None
    """Why what lies on the disk leaves it open; ends a sentence."""
    spelled: bool = False
    """Whether the task's own words or files spell its name, and no package with a name much like it is there."""


class RPackage(BarrierHandler):
    """`there is no package called …`, and installations that fail."""

    barriers = (Barrier.R_PACKAGE,)
    noun = "R package"
    failure: ClassVar = {Barrier.R_PACKAGE: "no R package"}
    valid = re.compile(r"[A-Za-z][\w.]*")
    details = RDetails

    def named(self, targets: Targets) -> tuple[str, ...]:
        """Packages."""
        return targets.packages

    def asked(self, command: str) -> tuple[str, ...]:
        """What R is told to load or install."""
        loaded = [match["name"] for match in LOADED.finditer(command)]
        return (*loaded, *(name for match in INSTALLED.finditer(command) for name in QUOTED.findall(match["names"])))

    def same(self, subject: str, about: str) -> bool:
        """R's names are as they are written."""
        return subject == about

    def least(self, about: str, envelope: Envelope) -> str:
        """Load it."""
        del envelope
        return f"Rscript -e 'library({about})'"

    def values(self, subject: ReplayTarget, command: str) -> Named:
        """Its name, and as Debian and conda spell it."""
        del command
        about, local = subject.about, subject.told(RDetails).local_repository
        lower = about.lower()
        spelled = about if subject.told(RDetails).spelled else None
        given = {"package": about, "lower": lower, "apt": f"r-cran-{lower}"}
        return {**given, "local_repository": local, "spelled": spelled}

    def held(self, subject: ReplayTarget) -> tuple[Sort, str]:
        """The package in one of R's own libraries."""
        return "R package", subject.about

    def extras(self, subject: ReplayTarget, envelope: Envelope) -> tuple[str, ...]:
        """Debian's R, where the image has none: it can show what a capable agent could have done, and no more."""
        del subject, envelope
        install = "apt-get update -qq && apt-get install -y --no-install-recommends r-base-core"
        return (f"command -v Rscript || {{ {install} && touch {ADDED}; }}",)

    def lacking(self, trial: ContainerContext) -> str | None:
        """A profile's image may stand in for a machine that had an R."""
        done = trial.run("replay-r", "command -v Rscript")
        return None if done[0].ok else say("r_package.there_no_image")

    def learn(self, trial: ContainerContext) -> RDetails:
        """Whether this R is the image's own, its packages come from a disk, and R itself does what it misses."""
        subject = trial.subject
        added, local = trial.run("replay-r-repository", f"test -e {ADDED}", LOCAL)
        package, lower = subject.about, subject.about.lower()
        packed = (f"{package}_*.tar.gz", f"{package}_*.tgz", f"r-cran-{lower}_*.deb", f"r-bioc-{lower}_*.deb")
        tests = (f"-path '*/{package}/DESCRIPTION'", *(f"-name '{name}'" for name in packed))
        from_disk = local.ok or "file:/" in subject.attempts[0].command
        return RDetails(added.ok, from_disk, lying(trial, *tests) or r_alone(trial), _spelled(trial))

    def works(self, subject: ReplayTarget, outcome: Outcome, said: str) -> tuple[Answer, str]:
        """What works in an R that was put there says nothing of the run's."""
        if subject.told(RDetails).added:
            return Answer.UNKNOWN, say("r_package.but_put_there", said=said)
        return super().works(subject, outcome, said)

    def meaningless(self, subject: ReplayTarget, outcome: Outcome) -> str | None:
        """Any package is missing from an R that has just been put there."""
        del outcome
        return say("r_package.put_there") if subject.told(RDetails).added else None

    def unsettled(self, subject: ReplayTarget, outcome: Outcome) -> str | None:
        """Sources or a package that lie there could be installed in a way that no route knows."""
        del outcome
        return subject.told(RDetails).doubt


def _spelled(trial: ContainerContext) -> bool:
    """Whether it is surely called so: a name that somebody got wrong is missing everywhere."""
    about, events = trial.subject.about, trial.subject.events
    whole = re.compile(rf"(?<![\w.]){re.escape(about)}(?![\w.]*\w)")
    found, there = trial.run("replay-r-names", FILES.format(package=re.escape(about)), THERE)
    paths = (path for path in found.output.splitlines() if not made_by_run(path, "", events.commands, events.writes))
    told = any(whole.search(text) for _, text in texts_of(trial.context.case, None, ()))
    alike = get_close_matches(about.lower(), [name.lower() for name in there.output.split()], n=1, cutoff=ALIKE)
    return (told or next(paths, None) is not None) and not alike
