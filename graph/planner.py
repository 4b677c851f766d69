"""Which probe questions which hypothesis next: records before reality, the likeliest cause first."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from graph.aggregate import settle
from graph.conflicts import about_the_same, reconciled
from graph.rules import Settled
from graph.verdict import Status
from probes import Barrier, Finding, Ground, Hypothesis, Probe
from probes.barriers import entry

AT_ONCE = 4
"""Hypotheses whose live probes run side by side."""


class Step(NamedTuple):
    """One probe about one hypothesis."""

    hypothesis: str
    probe: str


def key(step: Step) -> str:
    """How a step is remembered as asked."""
    return f"{step.hypothesis}/{step.probe}"


@dataclass(frozen=True)
class Planner:
    """Names the next steps."""

    probes: Mapping[str, Probe]
    """By name."""
    thorough: bool = False
    offline: bool = False
    reference: bool = False
    """Whether a reference solution is at hand: then what runs it questions everything about the machine."""

    def next_steps(
        self, hypotheses: Sequence[Hypothesis], findings: Sequence[Finding], asked: Collection[str]
    ) -> list[Step]:
        """The next round; empty when everything is settled or nothing is left to ask."""
        records = [
            step for hypothesis in hypotheses for step in self._left(hypothesis, asked) if self._reads(step.probe)
        ]
        if records:
            return records
        settled = reconciled([settle(hypothesis, findings) for hypothesis in hypotheses])
        steps = [self._live(item, asked) for item in (settled if self.thorough else _open(settled))]
        return [step for step in steps if step][:AT_ONCE]

    def _left(self, hypothesis: Hypothesis, asked: Collection[str]) -> list[Step]:
        """What may question it and has not yet, cheapest first."""
        steps = [Step(hypothesis.id, probe) for probe in self._names(hypothesis.barrier)]
        return [step for step in steps if key(step) not in asked]

    def _names(self, barrier: Barrier) -> list[str]:
        """Those of the barrier's own file, and before what is slower what runs a reference solution."""
        known = [name for name in entry(barrier).probes if name in self.probes]
        oracles = [name for name, probe in self.probes.items() if probe.ground is Ground.REFERENCE]
        own = [name for name in known if name not in oracles]
        if not self.reference:
            return own
        machine = any(self.probes[name].ground is Ground.MACHINE for name in own) or barrier is Barrier.UNSPECIFIED
        if oracles[:1] == known[-1:] or (machine and barrier is not Barrier.HARNESS):
            first = [name for name in own if self._reads(name)]
            return [*first, *oracles, *own[len(first) :]]
        return own

    def _reads(self, probe: str) -> bool:
        return self.probes[probe].reads_records

    def _live(self, item: Settled, asked: Collection[str]) -> Step | None:
        left = [step for step in self._left(item.hypothesis, asked) if not self._reads(step.probe)]
        if item.status is Status.INCONCLUSIVE or self.thorough:
            return next(iter(left), None)
        if self.offline or not _only_recorded(item):
            return None
        return next((step for step in left if self.probes[step.probe].ground is Ground.MACHINE), None)


def _only_recorded(item: Settled) -> bool:
    """Whether only the run's record shows a way: a machine repeats it, as the rubrics ask for the current state."""
    recorded = bool(item.decisive) and all(finding.ground is Ground.RECORD for finding in item.decisive)
    return recorded and any(finding.routes for finding in item.decisive)


def _open(settled: Sequence[Settled]) -> list[Settled]:
    """Of what is still to be asked: once one is supported, only what could yet bring the very thing it lacks."""
    held = [item.hypothesis for item in settled if item.status is Status.SUPPORTED]
    if not held:
        return list(settled)
    rivals = [item for item in settled if any(about_the_same(item.hypothesis, one) for one in held)]
    return [item for item in rivals if item.hypothesis not in held]
