"""Replaying a failed run's commands in containers: does it fail again, can it be passed, was the command right."""

from cases import Case, Run
from probes.contract import Later, ProbeContext, Slot
from probes.model import Ground, Hypothesis, Retraced

__all__ = ["ReplayProbe"]


class ReplayProbe(Later):
    """Replay, ways around and the command without the barrier, for every barrier that `handlers/` can replay."""

    name = "replay"
    ground = Ground.MACHINE
    slot: Slot | None = "docker"
    seconds = 900.0
    home = "probes.replay.probe"

    async def retrace(self, run: Run, context: ProbeContext) -> Retraced:
        """What the run's commands end with; raises as a call does."""
        retraced: Retraced = await self.working().retrace(run, context)
        return retraced

    def targets(self, hypothesis: Hypothesis, case: Case) -> tuple[str, ...]:
        """The failing commands."""
        del case
        return hypothesis.targets.commands
