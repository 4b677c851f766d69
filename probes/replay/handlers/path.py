"""A path that may not be written, or lies on a read-only file system."""

import posixpath
import shlex
from dataclasses import dataclass
from typing import ClassVar

from cases import CommandRun
from cases import patterns as re
from cases.sentences import Sentences
from cases.shell import steps_of
from cases.task_words import PROMPT
from probes.model import Answer, Barrier, Envelope, Hypothesis
from probes.replay.handlers.base import BarrierHandler, code_attempts
from probes.replay.handlers.demands import Demand, changes_given, demand_for, only_told, said_of, told_by_goals
from probes.replay.handlers.failing_part import to_what_names
from probes.replay.handlers.using import Use, open_still, use_of
from probes.replay.resources.context import ContainerContext
from probes.replay.resources.outcome import Outcome
from probes.replay.target.details import Details, Named
from probes.replay.target.model import Attempt, ReplayTarget
from probes.replay.target.needs import gone_to
from sandboxes.tracing import Fact

say = Sentences(__name__)

_OF_THE_KERNEL = ("/proc/", "/sys/")
"""What is written there sets something: no file elsewhere does that (proc(5), sysfs(5))."""


@dataclass(frozen=True)
class PathDetails(Details):
    """What the task and the command want of the path."""

    demand: Demand | None = None
    use: Use | None = None
    by_goals: bool = False
    """Whether what else the task asks for tells whether another place will do."""
    changed: bool = False
    """Whether what is there was to be changed."""
    read: bool = False
    """Whether the command was measured to read or to list it."""
    writable: str = ""
    """A path that the command was refused, and that its user may write all the same: only its folder is shut."""
    folder: str | None = None
    """The folder around it that the command is given, as it spells that, and from which it reads files."""


class Path(BarrierHandler):
    """`Permission denied`, `Read-only file system`."""

    barriers = (Barrier.PERMISSION, Barrier.READ_ONLY)
    noun = "path"
    failure: ClassVar = {Barrier.PERMISSION: "permission denied", Barrier.READ_ONLY: "read-only file system"}
    details = PathDetails
    unknown: ClassVar = dict.fromkeys(
        ("local", "command_local", "command_home"),
        say("path.command_not_name"),
    )
    present_rests_on = ("image", "user", "workdir", "tmpfs")

    def attempts(
        self, hypothesis: Hypothesis, event: CommandRun | None, about: str, envelope: Envelope
    ) -> tuple[Attempt, ...]:
        """The run's own command up to where it was refused: what comes behind may fail for want of that."""
        if event is not None and event.kind == "shell":
            event = event.model_copy(update={"command": to_what_names(event, about)})
        return (*code_attempts(event, envelope), *super().attempts(hypothesis, event, about, envelope))

    def learns_by_facts(self, subject: ReplayTarget) -> bool:
        """What was wanted of it."""
        del subject
        return True

    def measured(self, subject: ReplayTarget, facts: tuple[Fact, ...]) -> str:
        """The path that was refused, where the words of the failure name none that was."""
        kind = "denied" if subject.barrier is Barrier.PERMISSION else "read-only"
        refused = [fact.subject for fact in facts if fact.kind == kind]
        named = posixpath.normpath(subject.about)
        known = any(f"{path}/".startswith(f"{named}/") or path.endswith(f"/{named}") for path in refused)
        return subject.about if known or "/" in named or not refused else refused[0]

    def least(self, about: str, envelope: Envelope) -> str:
        """Make a directory there."""
        del envelope
        return f"mkdir {shlex.quote(about)}"

    def values(self, subject: ReplayTarget, command: str) -> Named:
        """The path, other places for it where the command names it as it is, and what may be used in its stead."""
        told, about = subject.told(PathDetails), subject.about
        use, name = told.use or Use(), _name(about)
        local, home = f"./{name}", f"{subject.home}/{name}"
        words = _spoken(about).split(command) if _movable(about, command) else None
        copied = f"./{_name(told.folder)}.own" if told.folder else ""
        return {
            "path": shlex.quote(about),
            "demanded": (told.demand is not None and not told.demand.by_goals) or about.startswith(_OF_THE_KERNEL),
            "uses": told.use is not None and told.use.plain,
            "copy": use.copy.path if use.copy else None,
            "command_copy": use.copy.command if use.copy else None,
            "command_run": use.command_run,
            "folder": shlex.quote(told.folder) if told.folder else None,
            "copied": copied or None,
            "command_copied": copied.join(_spoken(told.folder).split(command)) if told.folder else None,
            "local": shlex.quote(local) if words else None,
            "home": shlex.quote(home) if words else None,
            "command_local": local.join(words) if words else None,
            "command_home": home.join(words) if words else None,
        }

    def works(self, subject: ReplayTarget, outcome: Outcome, said: str) -> tuple[Answer, str]:
        """Where the run's read-only paths are not known, a path that can be written says nothing."""
        read_only = outcome.profile.get("envelope", {}).get("read_only", {}).get("value", ())
        if subject.barrier is Barrier.READ_ONLY and not read_only:
            return Answer.UNKNOWN, say("path.but_paths_read", said=said)
        return super().works(subject, outcome, said)

    def learn(self, trial: ContainerContext) -> PathDetails:
        """Whether the task demands that very place, and whether the command only reads or runs what is there."""
        demand = demand_for(trial, trial.subject.about)
        measured = _denied(trial)
        denied = trial.subject.expected.kind == self.failure[Barrier.PERMISSION] or measured is not None
        use = use_of(trial, measured.access if measured else None) if denied else None
        changed = changes_given(trial, demand.place) if demand else False
        by_goals = told_by_goals(trial, trial.subject.about)
        read = measured is not None and measured.access in {"read", "enter"}
        writable, folder = _writable(trial), _given_around(trial)
        return PathDetails(demand, use, by_goals, changed=changed, read=read, writable=writable, folder=folder)

    def changes(self, subject: ReplayTarget) -> bool:
        """Where the task demands that very place."""
        told = subject.told(PathDetails)
        return told.changed and told.demand is not None and told.demand.sure

    def demanded(self, subject: ReplayTarget) -> bool:
        """Where the prompt plainly asks for something at that very place, and the command was to write there."""
        told = subject.told(PathDetails)
        return told.demand is not None and told.demand.sure and told.demand.title == PROMPT and not told.read

    def judged_by_goals(self, subject: ReplayTarget) -> bool:
        """Where that can tell whether another place will do."""
        return subject.told(PathDetails).by_goals

    def unsettled(self, subject: ReplayTarget, outcome: Outcome) -> str | None:
        """A README's word for a place is not the task's; what can be read elsewhere may do."""
        told = subject.told(PathDetails)
        if told.writable:
            return say("path.may_be_written", path=told.writable)
        named = told.read or outcome.settled is not None or _movable(subject.about, subject.attempts[0].command)
        return only_told(told.demand) or open_still(subject.about, told.use, named=named)

    def remarks(self, subject: ReplayTarget, outcome: Outcome) -> tuple[str, ...]:
        """Another place is a way round only if the task takes it."""
        told = subject.told(PathDetails)
        if told.use and told.use.plain:
            return ()
        return (said_of(told.demand),) if outcome.passed or told.demand else ()


def _denied(trial: ContainerContext) -> Fact | None:
    """The fact that says what the command wanted of the path."""
    subject = trial.subject
    here = posixpath.join(trial.session.spec.workdir, gone_to(subject.attempts[0].command))
    place = posixpath.normpath(posixpath.join(here, subject.about))
    return next((fact for fact in trial.outcome.facts if fact.kind == "denied" and fact.subject == place), None)


def _writable(trial: ContainerContext) -> str:
    facts = trial.outcome.facts
    refused = dict.fromkeys(fact.subject for fact in facts if fact.kind == "denied" and fact.access == "write")
    if not refused:
        return ""
    shut = 'test -w "$p" && ! test -w "$(dirname "$p")"'
    ask = f'for p in {shlex.join(refused)}; do {shut} && echo "$p"; done; true'
    return next(iter(trial.run("replay-writable", ask, seconds=20)[0].output.splitlines()), "")


def _given_around(trial: ContainerContext) -> str | None:
    """The folder of the command's own words in which the path lies, where the command read files in it, too."""
    command = trial.subject.attempts[0].command
    here = posixpath.join(trial.session.spec.workdir, gone_to(command))
    path = posixpath.normpath(posixpath.join(here, trial.subject.about))
    for step in steps_of(command):
        for word in step.command.words[1:]:
            around = f"{posixpath.normpath(posixpath.join(here, word.text))}/"
            read = any(one.startswith(around) and one != path for one in trial.outcome.opened)
            if word.literal and path.startswith(around) and _name(word.text) and read and _movable(word.text, command):
                return word.text
    return None


def _name(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2]


def _spoken(path: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w./-]){re.escape(path)}(?![\w.-])")


def _movable(path: str, command: str) -> bool:
    """Whether the command names it as it is, so that another place can be put there."""
    return _name(path) not in {"", ".", ".."} and _spoken(path).search(command) is not None
