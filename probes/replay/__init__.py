"""Replaying a failed run's commands in containers: does it fail again, can it be passed, was the command right."""

from cases import Case
from probes.contract import Later, Slot
from probes.model import Ground, Hypothesis

__all__ = ["ReplayProbe"]


class ReplayProbe(Later):
    """Replay, ways around and the command without the barrier, for every barrier that `handlers/` can replay."""

    name = "replay"
    ground = Ground.MACHINE
    slot: Slot | None = "docker"
    seconds = 900.0
    home = "probes.replay.probe"

    def targets(self, hypothesis: Hypothesis, case: Case) -> tuple[str, ...]:
        """The failing commands."""
        del case
        return hypothesis.targets.commands
