"""Checks that ask two different things of the same call."""

import shlex
from dataclasses import dataclass

from cases import patterns as re
from cases.sentences import Sentences
from probes.model import Barrier, Targets
from probes.replay.handlers.base import BarrierHandler
from probes.replay.resources.context import ContainerContext
from probes.replay.resources.outcome import Outcome
from probes.replay.target.details import Details
from probes.replay.target.model import ReplayTarget

say = Sentences(__name__)

_LONGEST = 120
"""Characters of a line that are quoted."""


@dataclass(frozen=True)
class ContradictoryDetails(Details):
    """The two cases."""

    lines: tuple[str, ...] = ()
    """As they stand in the file."""


class Contradictory(BarrierHandler):
    """Named by a measured fact only: with either case left out the run's own work passes."""

    barriers = (Barrier.CONTRADICTORY_CASES,)
    noun = "file"
    valid = re.compile(r"[^\x00-\x1f'\"`$\\*?]{1,400}")
    details = ContradictoryDetails
    present_rests_on = ("image", "workdir")

    def named(self, targets: Targets) -> tuple[str, ...]:
        """The file of checks."""
        return targets.paths

    def learn(self, trial: ContainerContext) -> ContradictoryDetails:
        """What the two ask."""
        fact = trial.outcome.settled
        if fact is None:
            return ContradictoryDetails()
        first, _, second, _ = re.findall(r"\d+", fact.process)[:4]
        of_another = fact.process.partition(" of ")[2]
        each = ((first, fact.subject), (second, of_another or fact.subject))
        ask = "; ".join(f"sed -n {number}p {shlex.quote(path)}" for number, path in each)
        [done] = trial.run("replay-cases", ask)
        lines = tuple(line.strip()[:_LONGEST] for line in done.output.splitlines())
        trial.observe("contradictory cases", f"{fact.process}: {'; '.join(lines)}", None, None)
        return ContradictoryDetails(lines)

    def remarks(self, subject: ReplayTarget, outcome: Outcome) -> tuple[str, ...]:
        """Which cases, and on what it rests."""
        del outcome
        lines = subject.told(ContradictoryDetails).lines
        return (say("contradictory.ask", lines="` and `".join(lines), path=subject.about),) if len(lines) > 1 else ()
