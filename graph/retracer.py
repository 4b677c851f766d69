"""The node that has runs gone through again whose records leave out how their commands ended."""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from typing import Any

from langgraph.errors import NodeError
from langgraph.graph import StateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command

from cases import Case, Events, Outcome, Run
from cases.sentences import Sentences
from graph.context import AuditContext, note, tell
from graph.probing import heard, turn
from graph.state import State, reason_of
from probes import Probe, Retraced, Retracing

say = Sentences(__name__)

RUNS = 3
"""Runs of one task that are gone through; of more the last ones are left as their records tell."""


def add_retracer(builder: StateGraph[State, AuditContext, State, State], probes: Sequence[Probe]) -> None:
    """The node, on the way to the classifier."""
    retracing = next((probe for probe in probes if isinstance(probe, Retracing)), None)

    async def retracer(state: State, *, runtime: Runtime[AuditContext]) -> dict[str, Any]:
        if retracing is None or "retraced" in state:
            return {}
        context = heard(runtime.context.probe)
        slot = context.slots.get(retracing.slot) if retracing.slot else None
        found = list[Retraced]()
        for run in untold(context.case, context.events):
            async with slot or nullcontext(), turn(retracing.slot, context):
                found.append(await retracing.retrace(run, context))
        return {"retraced": found}

    builder.add_node("retracer", retracer, error_handler=_unable)


async def _unable(state: State, error: NodeError) -> Command[str]:
    """Where it cannot be done the records speak alone."""
    del state
    tell(note(say("retracer.failed", reason=reason_of(error.error))))
    return Command(update={"retraced": []}, goto="classifier")


def untold(case: Case, events: Mapping[str, Events]) -> list[Run]:
    """The runs to go through again: their records leave out how something ended. None where another run has passed."""
    if any(run.outcome is Outcome.PASSED for run in case.runs):
        return []
    return [run for run in case.runs if run.run_id in events and events[run.run_id].untold][:RUNS]


def measured(retraced: Sequence[Retraced]) -> list[str]:
    """What was measured of each run, a sentence each, for the verdict's `limits`."""
    return [
        say("retracer.measured", run=one.run_id, known=len(one.codes), untold=one.untold)
        for one in retraced
        if one.codes
    ]
