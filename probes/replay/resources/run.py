"""What all arms of one hypothesis share: where they run, what time is left, what is kept."""

import threading
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime

from cases.failing import step_failures
from probes.contract import ProbeContext
from probes.model import Observation
from probes.replay.resources.context import ContainerContext
from probes.replay.resources.log import Log, run
from probes.replay.resources.outcome import Outcome, Tried
from probes.replay.resources.shared import ReplayResources
from probes.replay.target.model import ReplayTarget
from probes.replay.target.symptom import refused_by_us
from sandboxes import ContainerPool, Executed, Session, Spec

COMMAND_SECONDS = 300
"""Longest single command."""


@dataclass
class ReplayRun:
    """One hypothesis in hand; routes of one wave use it from several threads."""

    context: ProbeContext
    shop: ReplayResources
    containers: ContainerPool
    subject: ReplayTarget
    end: float
    """On the monotonic clock."""
    outcome: Outcome = field(default_factory=Outcome)
    spec: Spec = field(default_factory=lambda: Spec(image=""))
    refused: bool = False
    """Whether a terminal showed the words of our own proxy."""
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def sign(self) -> str:
        """The words that show the expected failure, once it was repeated."""
        decisive = self.outcome.decisive
        return decisive.sign if decisive else ""

    def left(self) -> float:
        """Seconds until this replay's time is over; negative afterwards."""
        return self.end - time.monotonic()

    def seconds(self, most: float = COMMAND_SECONDS) -> float:
        """That one command may take: `most`, unless the agent had less or less is left; never under five."""
        return max(5.0, min(most, float(self.context.envelope.seconds.value), self.left()))

    def keep(self, log: Log) -> str:
        """Store a log as an artifact; returns its digest."""
        artifact = log.store(self.context.store)
        with self.lock:
            self.refused = self.refused or refused_by_us("\n".join(log.lines))
            self.outcome.artifacts.append(artifact)
        return artifact.sha256

    def observe(self, name: str, value: str, seconds: float | None, artifact: str | None) -> None:
        """One thing measured now."""
        seen = Observation(name=name, value=value, at=datetime.now(UTC), seconds=seconds, artifact=artifact)
        with self.lock:
            self.outcome.observations.append(seen)

    def settle(self, tried: Tried) -> None:
        """A route that came to its end."""
        route = tried.route
        self.outcome.tried.append(tried)
        self.context.say(f"route {route.id}: {route.result}")
        value = f"{route.result}{f': {route.note}' if route.note else ''}"
        self.observe(f"route: {route.id}", value, tried.seconds, route.artifact)

    def steps(
        self,
        session: Session,
        log: Log,
        commands: tuple[str, ...],
        exports: str,
        seconds: float,
        user: str | None = None,
        *,
        failing: str | None = None,
    ) -> Executed | None:
        """Run commands until one fails; returns that one.

        The `failing` one among them fails also where it shows the expected failure and ends with 0 all the same, or
        where each of its commands fails that failed before, as a line that hides how they end does.
        """
        for command in commands:
            done = run(session, log, exports + command, self.seconds(seconds), user=user)
            if not done.ok or (command == failing and self._fails_still(command, done)):
                return done
        return None

    def _fails_still(self, command: str, done: Executed) -> bool:
        if self.subject.handler.met(self.subject, done):
            return True
        decisive = self.outcome.decisive
        if decisive is None or not decisive.done.ok or decisive.command != command:
            return False
        before, now = _failing(command, decisive.done), _failing(command, done)
        return bool(before) and before <= now

    def trial(self, session: Session) -> ContainerContext:
        """What a kind's hooks get."""
        return ContainerContext(
            self.context,
            self.shop,
            self.containers,
            self.spec,
            session,
            self.subject,
            self.outcome,
            self.keep,
            self.observe,
        )


def _failing(command: str, done: Executed) -> set[int]:
    """Which of a line's commands failed, by their place in it."""
    came = step_failures(command, done.output, done.exit_code)
    return {place for place, failed in enumerate(came) if failed == "yes"}
