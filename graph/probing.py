"""The node of a probe: its slot, its time, its second attempt, and what is left behind where it could not run."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from contextvars import copy_context
from dataclasses import replace
from datetime import UTC, datetime
from time import monotonic
from typing import Any, Protocol

from langgraph.errors import NodeError
from langgraph.graph import StateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command, RetryPolicy

from cases.sentences import Sentences
from graph.context import AuditContext, Progress, note, tell
from graph.planner import Step, key
from graph.state import ProbeTask, State, reason_of
from probes import (
    SUGGESTED,
    Answer,
    Control,
    Finding,
    Probe,
    ProbeContext,
    ProbeTransientError,
    ProbeUnavailableError,
    Question,
)
from probes.contract import Slot

say = Sentences(__name__)

_AGAIN = RetryPolicy(max_attempts=2, initial_interval=0.5, jitter=False, retry_on=(ProbeTransientError,))


class ProbeNode(Protocol):
    """A node that runs one probe on one task."""

    async def __call__(self, state: ProbeTask, *, runtime: Runtime[AuditContext]) -> dict[str, Any]:
        """The state's update: findings, and that the step was asked."""
        ...


def add_probe(builder: StateGraph[State, AuditContext, State, State], probe: Probe) -> None:
    """The probe's node, on the way to the judge."""
    builder.add_node(
        probe.name,
        _node(probe),
        input_schema=ProbeTask,
        retry_policy=_AGAIN,
        error_handler=_unable(probe),
    )
    builder.add_edge(probe.name, "judge")


def _node(probe: Probe) -> ProbeNode:
    async def node(state: ProbeTask, *, runtime: Runtime[AuditContext]) -> dict[str, Any]:
        context = _context(state, runtime.context.knowing(state.get("retraced", [])))
        slot = context.slots.get(probe.slot) if probe.slot else None
        async with slot or nullcontext(), turn(probe.slot, context):
            findings = await _asked(probe, state, context)
        step = Step(state["hypothesis"].id, probe.name)
        return {"findings": findings, "asked": [] if context.suggested else [key(step)]}

    return node


@asynccontextmanager
async def turn(slot: Slot | None, context: ProbeContext) -> AsyncIterator[None]:
    """A probe's turn among those of all audits of the batch; the wait for it is no time of this audit's."""
    if slot is None or context.batch is None:
        yield
        return
    began = monotonic()
    async with context.batch.slots[slot]:
        context.waited.append(monotonic() - began)
        yield


def _context(state: ProbeTask, context: ProbeContext) -> ProbeContext:
    """The probe's own."""
    suggested = tuple(tuple(commands) for commands in state.get("suggested", ()))
    known = tuple(state.get("known", ()))
    return replace(heard(context), known=known, suggested=suggested)


def heard(context: ProbeContext) -> ProbeContext:
    """The same whose notes go into the stream of the node that calls this, whatever calls them."""
    here = copy_context()
    return replace(context, say=lambda text: here.run(tell, note(text)))


async def _asked(probe: Probe, state: ProbeTask, context: ProbeContext) -> list[Finding]:
    """What the probe finds in its time, which begins only here, with its slot in hand."""
    hypothesis, started = state["hypothesis"], monotonic()
    tell(Progress(probe=probe.name, hypothesis=hypothesis.id, state="started", text=hypothesis.statement))
    try:
        async with asyncio.timeout(probe.seconds) as clock:
            findings = await probe(hypothesis, context)
    except TimeoutError as error:
        if not clock.expired():
            raise
        raise ProbeUnavailableError(say("probing.took_longer_than_may")) from error
    answers = ", ".join(f"{finding.question.value}={finding.valid_answer.value}" for finding in findings)
    took = round(monotonic() - started, 2)
    text = answers or "nothing to say"
    tell(Progress(probe=probe.name, hypothesis=hypothesis.id, state="finished", text=text, seconds=took))
    return findings


def _unable(probe: Probe) -> Any:  # noqa: ANN401 - langgraph injects the error by its type, which no protocol of its says
    """A probe that could not run leaves an unknown finding; its siblings go on."""

    async def handle(state: ProbeTask, error: NodeError, *, runtime: Runtime[AuditContext]) -> Command[str]:
        del runtime
        hypothesis, reason = state["hypothesis"], reason_of(error.error)
        tell(Progress(probe=probe.name, hypothesis=hypothesis.id, state="failed", text=reason))
        suggested = bool(state.get("suggested"))
        finding = _unknown(probe, state, reason, suggested=suggested)
        asked = [] if suggested else [key(Step(hypothesis.id, probe.name))]
        return Command(update={"findings": [finding], "asked": asked}, goto="judge")

    return handle


def _unknown(probe: Probe, state: ProbeTask, reason: str, *, suggested: bool) -> Finding:
    hypothesis = state["hypothesis"].id
    name = SUGGESTED if suggested else probe.name
    question = Question.PASSABLE if suggested or probe.reads_records else Question.PRESENT
    told = say("probe.failed", probe=probe.name, reason=reason)
    ran = Control(name=say("probe.control", probe=probe.name), expected="it runs", observed=reason, passed=False)
    if suggested:
        told = say("probe.routes", reason=reason)
    return Finding(
        id=f"{hypothesis}/{name}/{question.value}",
        hypothesis=hypothesis,
        probe=name,
        ground=probe.ground,
        question=question,
        answer=Answer.UNKNOWN,
        summary=told,
        controls=() if suggested else (ran,),
        limits=(told,),
        started=datetime.now(UTC),
        seconds=0.0,
    )
