"""From a task's text and the answers of its runs to hypotheses."""

from collections.abc import Iterator

from cases import Case
from graph.proposal import Proposal
from probes import Targets
from probes.specification import Reading, read


def from_specification(case: Case) -> Iterator[Proposal]:
    """One proposal where independent runs agree on another answer; what the text leaves open only names it."""
    reading = read(case)
    if reading.suspect and case.task.prompt:
        run = reading.convergence.groups[0].runs[0]
        citations = Reading.citations(case, reading.about(reading.barrier))
        yield Proposal(reading.barrier, Targets(), citations, "rules", run.run_id)
