"""The oracle probe: the benchmark's own solution, run in the task's machine and graded by its own checks."""

from contextlib import suppress

from cases import Case, InputError
from probes.contract import Later, Slot
from probes.model import Ground, Hypothesis

__all__ = ["OracleProbe"]


class OracleProbe(Later):
    """Runs the benchmark's own solution and an empty run, each graded by the benchmark's own checks."""

    name = "oracle"
    ground = Ground.REFERENCE
    slot: Slot | None = "docker"
    seconds = 3600.0
    home = "probes.oracle.probe"

    def targets(self, hypothesis: Hypothesis, case: Case) -> tuple[str, ...]:
        """The lines that run it; none of them says what the solution does."""
        del hypothesis
        if case.task.reference is None:
            return ()
        from cases.folders import read_reference  # noqa: PLC0415 - only tasks with a solution need it
        from probes.oracle.repeating import commands_of  # noqa: PLC0415

        with suppress(InputError):
            return commands_of(read_reference(case.task.reference, case.task_id), case.task_id)
        return ()
