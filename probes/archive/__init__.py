"""The archive probe: was the expected answer on the task's own pages then, and is it there now?"""

from cases import Case
from probes.contract import Later, Slot
from probes.model import Ground, Hypothesis

__all__ = ["ArchiveProbe"]


class ArchiveProbe(Later):
    """Answers the three questions about expected answers that may be out of date or wrong."""

    name = "archive"
    ground = Ground.ARCHIVE
    slot: Slot | None = "browser"
    seconds = 600.0
    home = "probes.archive.probe"

    def targets(self, hypothesis: Hypothesis, case: Case) -> tuple[str, ...]:
        """The pages that go with the expected answer."""
        del hypothesis
        return case.task.gold_urls
