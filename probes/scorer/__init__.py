"""The scorer probe: did a grader mark a right answer wrong?"""

from probes.scorer.equivalence import compare
from probes.scorer.grader import Deciding, Grader
from probes.scorer.judged import Judged, judged_runs, unjudged_runs
from probes.scorer.probe import ScorerProbe

__all__ = ["Deciding", "Grader", "Judged", "ScorerProbe", "compare", "judged_runs", "unjudged_runs"]
