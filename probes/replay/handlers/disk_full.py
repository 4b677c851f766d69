"""A disk without room; ours is never the barrier, only one whose size in the run is known."""

import posixpath
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from cases import patterns as re
from cases.failing import step_failures
from cases.sentences import Sentences
from cases.shell import steps_of
from cases.task_words import prompt_of
from probes.model import Answer, Barrier, Control, Envelope
from probes.replay.handlers.base import BarrierHandler
from probes.replay.handlers.demands import Demand, demand_for, only_told, said_of, told_by_goals
from probes.replay.handlers.offers import Offers, offers_of, settings_of
from probes.replay.handlers.pieces import divisible
from probes.replay.resources.context import ContainerContext
from probes.replay.resources.outcome import Outcome
from probes.replay.target.details import Details, Named
from probes.replay.target.model import ReplayTarget
from sandboxes import Executed, Limits
from sandboxes.tracing.failed_calls import SHARED

say = Sentences(__name__)

NAMED = re.Whole(r"[\w.-]", r"[\w-]|\.\w")
BUS_ERROR = 135
"""A shell's exit code for SIGBUS."""
SIZED = re.compile(r"(?:^|[:,])size=")
WORDS = "No space left on device"

ROOMS = ("/tmp", "/var/tmp", "/dev/shm")  # noqa: S108
"""Where anybody may write."""
FEW = 6


@dataclass(frozen=True)
class DiskDetails(Details):
    """What the command may put elsewhere."""

    offers: Offers = field(default_factory=Offers)
    demand: Demand | None = None
    """A text that demands the place, where the task leaves no path of the command's open."""
    movable: tuple[tuple[str, str], ...] = ()
    """Paths that the command names on the run's small disks, each with its mount, which no text demands."""
    by_goals: bool = False
    """Whether what else the task asks for tells whether another place will do."""
    shared: str = ""
    """What was being written in the memory that processes share, which lies nowhere else."""
    asked: bool = False
    """Whether the task itself names that."""


class DiskFull(BarrierHandler):
    """`No space left on device`."""

    barriers = (Barrier.DISK_FULL,)
    about = "device"
    noun = "disk"
    failure: ClassVar = {Barrier.DISK_FULL: "no space left"}
    details = DiskDetails
    unknown: ClassVar = dict.fromkeys(
        ("command_home", "command_local", "command_elsewhere"),
        say("disk_full.command_names_no"),
    )
    present_rests_on = ("image", "tmpfs", "disk_mb")
    limit = "disk"

    def values(self, subject: ReplayTarget, command: str) -> Named:
        """What the first replayed command names on the run's small disks put elsewhere."""
        del command
        told, home, first = subject.told(DiskDetails), subject.home, subject.attempts[0].command
        path = told.movable[0][0] if told.movable else None
        return {
            "demanded": bool(told.shared) or (told.demand is not None and not told.demand.by_goals),
            "command_pieces": told.offers.pieces,
            "command_home": moved(first, path, home) if path else None,
            "command_local": moved(first, path, ".") if path else None,
            "command_elsewhere": elsewhere(first, told.movable, home) if path else None,
        }

    def learn(self, trial: ContainerContext) -> DiskDetails:
        """What of the command's paths on the run's small disks the task leaves open, and what its script reads."""
        command = trial.subject.attempts[0].command
        folder = trial.subject.cwd or trial.session.spec.workdir
        each = [(path, mount) for mount in mounts(trial.spec.tmpfs) for path in named(command, mount, folder)]
        paths = list({path: (path, mount) for path, mount in reversed(each)}.values())[::-1]
        asked = {path: demand_for(trial, posixpath.join(folder, path)) for path, _ in paths}
        free = tuple((path, mount) for path, mount in paths if (found := asked[path]) is None or found.by_goals)
        demands = [found for path, _ in free or paths if (found := asked[path])]
        demand = next((one for one in demands if one.sure), next(iter(demands), None))
        if not paths:
            full = (fact.subject for fact in trial.outcome.facts if fact.kind == "no space" and "/" in fact.subject)
            each_demand = (demand_for(trial, path, from_here=True) for path in full)
            demand = next((found for found in each_demand if found and found.sure), None)
        by_goals = bool(free) and all(told_by_goals(trial, path) for path, _ in free)
        offers = settings_of(trial, amounts=True, place=demand.place if demand and demand.sure else "")
        facts = (fact.subject for fact in trial.outcome.facts if fact.kind == "no space")
        shared = next((path for path in facts if path.startswith(SHARED)), "")
        offers = replace(offers, pieces=offers_of(trial).pieces) if shared else offers
        name = posixpath.basename(shared)
        spoken = bool(shared) and any(NAMED.within(name, text) for text in (prompt_of(trial.context.case), command))
        return DiskDetails(offers, demand, free, by_goals, shared, spoken)

    def learns_by_facts(self, subject: ReplayTarget) -> bool:
        """What was being written when there was no more room."""
        del subject
        return True

    def within(self, limits: Limits, envelope: Envelope) -> Limits:
        """The run's own room, where it is known."""
        known = envelope.disk_mb.origin != "assumed" and envelope.disk_mb.value
        return replace(limits, disk_mb=min(known, limits.disk_mb or known)) if known else limits

    def met(self, subject: ReplayTarget, done: Executed) -> bool:
        """A tmpfs of the run's that is full, or more written than its disk had room for, though the line end with 0, or
        the crash of what found no room in shared memory.
        """
        details = subject.details
        if isinstance(details, DiskDetails) and details.shared and done.exit_code == BUS_ERROR:
            return True
        over = done.limit == "disk" and WORDS not in done.output
        failed = not done.ok or "yes" in step_failures(done.command, done.output, done.exit_code)
        return failed and (done.disk_full or over or WORDS in done.output)

    def controls(self, trial: ContainerContext) -> list[Control]:
        """What earlier commands left on a tmpfs is not in the containers of the routes: the failure must be, all the
        same."""
        outcome = trial.outcome
        decisive = outcome.decisive
        if not (trial.spec.tmpfs and outcome.prior and decisive and decisive.same):
            return []
        with trial.containers.start(trial.spec) as session:
            done = session.run(decisive.command, seconds=300, shell=trial.subject.shell)
        return [
            Control(
                name="the failure in a fresh container",
                expected=say("disk_full.comes_back_without"),
                observed=done.how,
                passed=self.met(trial.subject, done),
            )
        ]

    def works(self, subject: ReplayTarget, outcome: Outcome, said: str) -> tuple[Answer, str]:
        """Where the run's room is not known to the byte, a command that ends says nothing."""
        if not _sized_tmpfs(outcome):
            return Answer.UNKNOWN, say("disk_full.but_how_much", said=said)
        if outcome.unreplayed or any(not step.rebuilt for step in outcome.prior):
            return Answer.UNKNOWN, say("disk_full.but_not_all", said=said)
        return super().works(subject, outcome, said)

    def meaningless(self, subject: ReplayTarget, outcome: Outcome) -> str | None:
        """Our own disk says nothing of the run's; a crash for want of shared memory does, which the run met as well."""
        if subject.told(DiskDetails).shared:
            return None
        done = outcome.decisive.done if outcome.decisive else None
        if done is None or done.disk_full:
            return None if _sized_tmpfs(outcome) else say("disk_full.how_large_run")
        if done.limit == "disk" and WORDS not in done.output:
            known = outcome.profile.get("envelope", {}).get("disk_mb", {})
            return None if known.get("origin") in {"observed", "profile"} else say("disk_full.only_our_own")
        return say("disk_full.disk_full_machine")

    def judged_by_goals(self, subject: ReplayTarget) -> bool:
        """Where that can tell whether another place will do."""
        return subject.told(DiskDetails).by_goals

    def unsettled(self, subject: ReplayTarget, outcome: Outcome) -> str | None:
        """What an agent wrote itself could have kept less on the disk at once, which no route can try."""
        if divisible(subject, outcome):
            return say("disk_full.same_work_less")
        told = subject.told(DiskDetails)
        if told.shared and not told.asked:
            return say("disk_full.shared", place=told.shared)
        if reads := told.offers.named or told.offers.unread:
            return say("disk_full.what_command_reads", reads=reads)
        return only_told(told.demand)

    def remarks(self, subject: ReplayTarget, outcome: Outcome) -> tuple[str, ...]:
        """Another place is a way round only if the task takes it."""
        moved = outcome.passed and outcome.passed.plan.id.startswith("another-place")
        demand = subject.told(DiskDetails).demand
        return (said_of(demand),) if moved or demand else ()


def mounts(tmpfs: Iterable[str]) -> list[str]:
    """Where file systems of a size of their own are mounted, the longest paths first."""
    return sorted((text.partition(":")[0].rstrip("/") for text in tmpfs), key=lambda path: (-len(path), path))


def named(command: str, mount: str, folder: str = "/") -> list[str]:
    """The paths at or below it that a command names, in order; `folder` is where it runs."""
    spoken = re.compile(rf"(?<![\w./-]){re.escape(mount)}(?:/[\w.-]+)*(?![\w-]|\.\w)")
    found = [match[0] for match in spoken.finditer(command)]
    for step in steps_of(command):
        words = [*step.command.words[1:], *(one.target for one in step.command.redirects if one.target)]
        places = ((word.text, step.at(word.text, folder)) for word in words if word.literal and "/" in word.text)
        found += [text for text, place in places if place and f"{place}/".startswith(f"{mount}/")]
    return list(dict.fromkeys(found))


def moved(command: str, path: str, place: str) -> str:
    """The command with one path put into another directory under its own name."""
    exact = re.compile(rf"(?<![\w./-]){re.escape(path)}(?![\w.-])")
    return shlex.quote(f"{place}/{path.rpartition('/')[2]}").join(exact.split(command))


def elsewhere(command: str, paths: Sequence[tuple[str, str]], home: str) -> str:
    """Further ways one after another: each path by itself, then all of them in a copy of what lies there."""
    ways = [moved(command, path, place) for path, _ in paths[:FEW] for place in (home, ".")][2:]
    ways += [moved(command, paths[0][0], place) for place in ROOMS if not place.startswith(paths[0][1])]
    whole, before = command, ""
    for number, mount in enumerate(dict.fromkeys(mount for _, mount in paths)):
        copy = f"{home}/.room-route-{number}"
        before += f"mkdir -p {copy}; cp -a {mount}/. {copy}/\n"
        whole = re.sub(rf"(?<![\w./-]){re.escape(mount)}(?![\w.-])", copy, whole)
    return " || ".join(f"(\n{way}\n)" for way in (*ways, before + whole))


def _sized_tmpfs(outcome: Outcome) -> bool:
    tmpfs = outcome.profile.get("envelope", {}).get("tmpfs", {})
    known = tmpfs.get("origin") in {"observed", "profile"}
    return known and any(SIZED.search(text) for text in tmpfs.get("value", ()))
