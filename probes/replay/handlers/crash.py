"""A process that was killed, most often for want of memory."""

import shlex
from dataclasses import dataclass
from typing import ClassVar

from cases import patterns as re
from cases.sentences import Sentences
from cases.touches.names import SOURCE
from probes.model import Answer, Barrier
from probes.replay.handlers.base import BarrierHandler
from probes.replay.handlers.offers import Offers, frugal, offers_of
from probes.replay.handlers.pieces import divisible
from probes.replay.resources.context import ContainerContext
from probes.replay.resources.outcome import Outcome
from probes.replay.target.details import Named
from probes.replay.target.model import ReplayTarget
from probes.replay.target.needs import scripts_of
from probes.replay.target.symptom import symptoms
from sandboxes import Executed
from sandboxes.tracing.used import OF_LIBRARIES

say = Sentences(__name__)

KILLED = frozenset({137, -9})
WORDS = "out of memory"
AT_ONCE = re.compile(
    r"(?P<flag>\s-j|\s--(?:jobs|parallel|(?:num[-_])?workers|n[-_]jobs|threads|processes|num[-_]proc(?:esses)?))"
    r"(?P<between>[= ]?)(?:\d+|auto|\$\(nproc\)|(?=\s|$))"
)
BATCH = re.compile(r"(?P<flag>--?(?:(?:\w+[-_])?batch[-_]?size|bs|chunk[-_]?size))(?P<between>[= ])\d+")

MUCH = "+1023k"
"""Size, in find(1)'s terms, of data that a script may read a little at a time."""
COMPILER = re.compile(r"\b(?:cc1(?:plus|obj)?|collect2|rustc|nvcc|cicc|ld)\b")


@dataclass(frozen=True)
class CrashDetails(Offers):
    """What the command offers, and what it works on."""

    read: str = ""
    """Data that a script read and anybody may read in pieces, if so."""


class Crash(BarrierHandler):
    """`Killed`, `MemoryError`, exit code 137."""

    barriers = (Barrier.CRASH,)
    about = "memory"
    noun = "job"
    failure: ClassVar = {Barrier.CRASH: "killed"}
    details = CrashDetails
    present_rests_on = ("image", "memory_mb")
    routes_rest_on = ("user", "sudo", "network", "shell", "memory_mb")
    limit = "memory"

    def values(self, subject: ReplayTarget, command: str) -> Named:
        """The command with less at once, as far as it, its own offers or a known tool say how."""
        offers = subject.told(CrashDetails)
        return {
            "command_serial": _with_one(AT_ONCE, command),
            "command_small": _with_one(BATCH, command),
            "command_frugal": frugal(command),
            "command_pieces": offers.pieces,
        }

    def learns_by_facts(self, subject: ReplayTarget) -> bool:
        """Which programs were called."""
        del subject
        return True

    def learn(self, trial: ContainerContext) -> CrashDetails:
        """Which options for smaller pieces, variables or settings the command itself has, and what data it read."""
        return CrashDetails(**vars(offers_of(trial)), read=_data_read(trial))

    def met(self, subject: ReplayTarget, done: Executed) -> bool:
        """Killed by the kernel for want of memory, by anybody else, or refused memory."""
        if done.ok or done.timed_out or done.limit not in {None, "memory"}:
            return False
        killed = done.exit_code in KILLED or done.oom
        return killed or bool(symptoms(subject.barrier, done.output))

    def works(self, subject: ReplayTarget, outcome: Outcome, said: str) -> tuple[Answer, str]:
        """With less to work on than in the run, a job that ends says nothing."""
        if outcome.unreplayed or any(not step.rebuilt for step in outcome.prior):
            return Answer.UNKNOWN, say("crash.but_not_all", said=said)
        return super().works(subject, outcome, said)

    def meaningless(self, subject: ReplayTarget, outcome: Outcome) -> str | None:
        """Only a want of memory on a machine whose memory is known is a barrier of it."""
        del subject
        known = outcome.profile.get("envelope", {}).get("memory_mb", {})
        given = outcome.profile.get("container", {}).get("limits", {}).get("memory_mb", 0)
        if known.get("origin", "assumed") == "assumed":
            return say("crash.how_much_memory")
        if given < known.get("value", 0):
            return say("crash.machine_cannot_give")
        decisive = outcome.decisive
        if decisive and not decisive.done.oom and WORDS not in {found.kind for found in decisive.found}:
            return say("crash.killed_but_not")
        return None

    def unsettled(self, subject: ReplayTarget, outcome: Outcome) -> str | None:
        """What an agent wrote itself could have been written to use less memory, which no route can try."""
        if divisible(subject, outcome):
            return say("crash.same_work_smaller")
        offers = subject.told(CrashDetails)
        if offers.read:
            return say("crash.read_in_pieces", file=offers.read)
        if offers.unread:
            return say("crash.whether_command_offers", unread=offers.unread)
        if COMPILER.search(subject.output):
            return say("crash.compiler_can_told")
        named = offers.named
        return say("crash.command_itself_offers", named=named) if named else None

    def remarks(self, subject: ReplayTarget, outcome: Outcome) -> tuple[str, ...]:
        """Other numbers are a way round only if the task leaves them open."""
        del subject
        small = outcome.passed and outcome.passed.plan.id in {
            "smaller-batches",
            "offered-pieces",
            "documented-setting",
            "documented-option",
        }
        return (say("crash.whether_task_leaves"),) if small else ()


def _data_read(trial: ContainerContext) -> str:
    """The largest file of data that a script read before it was killed; empty where no script did."""
    if not scripts_of(trial.subject.attempts[0].command):
        return ""
    opened = [path for path in trial.outcome.opened if not (SOURCE.search(path) or OF_LIBRARIES.search(path))]
    if not opened:
        return ""
    names = shlex.join(dict.fromkeys(opened))
    sized = f"find {names} -maxdepth 0 -type f -size {MUCH} -printf '%s %p\\n' 2>/dev/null | sort -rn | head -1"
    [found] = trial.run("replay-data-read", sized)
    return found.output.strip().partition(" ")[2]


def _with_one(pattern: re.Pattern[str], command: str) -> str | None:
    changed = pattern.sub(r"\g<flag>\g<between>1", command)
    return changed if changed != command else None
