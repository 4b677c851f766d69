"""A disk without room; ours is never the barrier, only one whose size in the run is known."""

import re
import shlex
from dataclasses import replace
from typing import ClassVar

from probes.model import Answer, Barrier, Control, Envelope
from probes.replay.kinds.base import Kind
from probes.replay.kinds.demands import only_told, said_of, with_demand
from probes.replay.kinds.pieces import divisible
from probes.replay.outcome import Outcome
from probes.replay.subject import Subject
from probes.replay.trial import Trial
from sandboxes import Executed, Limits

PLACE = re.compile(r"(?<![\w./-])(?P<path>/(?!dev/|bin/|sbin/|usr/|proc/|sys/|etc/|opt/)[\w.-]+(?:/[\w.-]+)*)")
SIZED = re.compile(r"(?:^|[:,])size=")
WORDS = "No space left on device"


class DiskFull(Kind):
    """`No space left on device`."""

    barriers = (Barrier.DISK_FULL,)
    about = "device"
    noun = "disk"
    failure: ClassVar = {Barrier.DISK_FULL: "no space left"}
    names = frozenset({"command_home", "command_local"})
    present_rests_on = ("image", "tmpfs", "disk_mb")
    limit = "disk"

    def parameters(self, barrier: Barrier, about: str, command: str, home: str) -> dict[str, str]:
        """The command with the first absolute path that it names put elsewhere."""
        del barrier, about
        spoken = PLACE.search(command)
        if not spoken or spoken["path"].startswith(home):
            return {}
        name = spoken["path"].rpartition("/")[2]
        exact = re.compile(rf"(?<![\w./-]){re.escape(spoken['path'])}(?![\w.-])")
        places = {"command_home": shlex.quote(f"{home}/{name}"), "command_local": shlex.quote(f"./{name}")}
        return {key: place.join(exact.split(command)) for key, place in places.items()}

    def learn(self, trial: Trial) -> Subject:
        """Whether the task demands the place that is full."""
        spoken = PLACE.search(trial.subject.attempts[0].command)
        return with_demand(trial, spoken["path"]) if spoken else trial.subject

    def within(self, limits: Limits, envelope: Envelope) -> Limits:
        """The run's own room, where it is known."""
        known = envelope.disk_mb.origin != "assumed" and envelope.disk_mb.value
        return replace(limits, disk_mb=min(known, limits.disk_mb or known)) if known else limits

    def met(self, subject: Subject, done: Executed) -> bool:
        """A tmpfs of the run's that is full, or more written than the run's disk had room for."""
        del subject
        over = done.limit == "disk" and WORDS not in done.output
        return not done.ok and (done.disk_full or over or WORDS in done.output)

    def controls(self, trial: Trial) -> list[Control]:
        """What earlier commands left on a tmpfs is not in the containers of the routes: the failure must be, all the
        same."""
        outcome = trial.outcome
        decisive = outcome.decisive
        if not (trial.spec.tmpfs and outcome.prior and decisive and decisive.same):
            return []
        with trial.bench.start(trial.spec) as session:
            done = session.run(decisive.command, seconds=300, shell=trial.subject.shell)
        return [
            Control(
                name="the failure in a fresh container",
                expected="comes back without what earlier commands left on a tmpfs",
                observed=done.how,
                passed=self.met(trial.subject, done),
            )
        ]

    def works(self, subject: Subject, outcome: Outcome, said: str) -> tuple[Answer, str]:
        """Where the run's room is not known to the byte, a command that ends says nothing."""
        if not _sized_tmpfs(outcome):
            return Answer.UNKNOWN, f"{said}, but how much room the run's disk had is not known exactly."
        if outcome.unreplayed or any(not step.rebuilt for step in outcome.prior):
            return Answer.UNKNOWN, f"{said}, but not all that came before it could be repeated."
        return super().works(subject, outcome, said)

    def meaningless(self, subject: Subject, outcome: Outcome) -> str | None:
        """Our own disk says nothing of the run's."""
        del subject
        done = outcome.decisive.done if outcome.decisive else None
        if done is None or done.disk_full:
            return None if _sized_tmpfs(outcome) else "how large the run's tmpfs was is not known"
        if done.limit == "disk" and WORDS not in done.output:
            known = outcome.profile.get("envelope", {}).get("disk_mb", {})
            return (
                None if known.get("origin") in {"observed", "profile"} else "only our own limit of disk space was met"
            )
        return "the disk that is full is this machine's, not the run's"

    def unsettled(self, subject: Subject, outcome: Outcome) -> str | None:
        """What an agent wrote itself could have kept less on the disk at once, which no route can try."""
        if divisible(subject, outcome):
            return "the same work with less on the disk at once is for the agent to write, and no route can try that"
        return only_told(subject)

    def remarks(self, subject: Subject, outcome: Outcome) -> tuple[str, ...]:
        """Another place is a way round only if the task takes it."""
        moved = outcome.passed and outcome.passed.plan.id.startswith("another-place")
        return (said_of(subject),) if moved or "demanded" in subject.parameters else ()


def _sized_tmpfs(outcome: Outcome) -> bool:
    tmpfs = outcome.profile.get("envelope", {}).get("tmpfs", {})
    known = tmpfs.get("origin") in {"observed", "profile"}
    return known and any(SIZED.search(text) for text in tmpfs.get("value", ()))
