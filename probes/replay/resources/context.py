"""What a kind of barrier may use while its arms run: one container and everything around it."""

from collections.abc import Callable
from dataclasses import dataclass

from probes.contract import ProbeContext
from probes.replay.resources.log import Log, run
from probes.replay.resources.outcome import Outcome
from probes.replay.resources.shared import ReplayResources
from probes.replay.target.model import ReplayTarget
from sandboxes import ContainerPool, Executed, Session, Spec
from sandboxes.session import OWN_QUESTION


@dataclass
class ContainerContext:
    """One container of one hypothesis."""

    context: ProbeContext
    shop: ReplayResources
    containers: ContainerPool
    spec: Spec
    session: Session
    subject: ReplayTarget
    outcome: Outcome
    keep: Callable[[Log], str]
    """Store a log as an artifact; returns its digest."""
    observe: Callable[[str, str, float | None, str | None], None]
    """Note one thing measured now: name, value, seconds, artifact's digest."""

    def run(self, name: str, *commands: str, seconds: float = 60, user: str | None = None) -> list[Executed]:
        """Run commands of ours in the container, logged together under a readable name."""
        log = Log(name)
        done = [run(self.session, log, command, seconds, user=user, env=OWN_QUESTION) for command in commands]
        self.keep(log)
        return done
