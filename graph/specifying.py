"""From a task's text and the answers of its runs to hypotheses."""

from collections.abc import Iterator

from cases import Case
from graph.proposal import Proposal
from probes import Targets
from probes.specification import Reading, read


def from_specification(case: Case) -> Iterator[Proposal]:
    """One proposal where the text leaves something open and independent runs agree on another answer."""
    reading = read(case)
    if reading.suspect:
        barrier = reading.signs[0].sign.barriers[0]
        run = reading.convergence.groups[0].runs[0]
        citations = Reading.citations(case, reading.about(barrier))
        yield Proposal(barrier, Targets(), citations, "rules", run.run_id)
