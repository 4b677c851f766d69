"""The scorer probe: did a grader mark a right answer wrong?"""

from cases import Case
from cases.answers.equivalence import compare
from probes.contract import Later, Slot
from probes.model import Ground, Hypothesis
from probes.scorer.grader import Deciding, Grader
from probes.scorer.judged import Judged, judged_runs, unjudged_runs

__all__ = ["Deciding", "Grader", "Judged", "ScorerProbe", "compare", "judged_runs", "unjudged_runs"]


class ScorerProbe(Later):
    """Answers the three questions about barriers that lie in a grader."""

    name = "scorer"
    ground = Ground.GRADER
    slot: Slot | None = "docker"
    seconds = 900.0
    home = "probes.scorer.probe"

    def targets(self, hypothesis: Hypothesis, case: Case) -> tuple[str, ...]:
        """None."""
        del hypothesis, case
        return ()
