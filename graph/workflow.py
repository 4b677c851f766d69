"""The workflow: classifier, planner, one node a probe, judge, and back to the planner while anything is left to ask."""

from collections.abc import Sequence
from functools import cache
from typing import Any, Protocol

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command, Send, interrupt

from cases import Case, Outcome
from cases.sentences import Sentences
from cases.task_words import given
from graph.assisted import ASSISTANTS, add_assistants, turn_of
from graph.classifier import classify
from graph.context import AuditContext
from graph.decide import decide
from graph.planner import Planner
from graph.probing import add_probe
from graph.registry import PROBES
from graph.retracer import add_retracer, measured
from graph.review import decisions
from graph.rubric import main_rubric
from graph.run_termination import unexplained
from graph.state import ProbeTask, State
from graph.verdict import JudgeInputs, Review
from probes import Envelope, Hypothesis, Probe, Value

say = Sentences(__name__)

GRAPH_VERSION = "12"
"""Part of every thread's id: a renamed node or a changed state must never resume an old thread."""

REVIEW = "review"
"""The node that a person's answer resumes."""
_NAMED = 3
"""Runs that a sentence names before it only counts them."""


async def classifier(state: State, *, runtime: Runtime[AuditContext]) -> dict[str, Any]:
    """Proposes and ranks hypotheses, unless they are given."""
    if "hypotheses" in state:
        return {}
    retraced = state.get("retraced", [])
    context, options = runtime.context.knowing(retraced), runtime.context.options
    case = context.case
    hypotheses, notes = classify(case, context.events, options.rubric, given(context.settings.workspace))
    basis = JudgeInputs(
        rubric=main_rubric(options.rubric, case.benchmark).name,
        notes=(*known_limits(case, context.envelope), *measured(retraced), *notes),
        unexplained="" if any(one.citations for one in hypotheses) else unexplained(case, context.events),
        exclusions=context.exclusions,
    )
    return {"hypotheses": list(hypotheses), "basis": basis}


def known_limits(case: Case, envelope: Envelope) -> list[str]:
    """What the record lost and what had to be assumed, a sentence each, for the verdict's `limits`."""
    failed = [run for run in case.runs if run.transcript and run.outcome is not Outcome.PASSED]
    notes = [f"{run.run_id}: {note}" for run in failed for note in (run.transcript.notes if run.transcript else ())]
    assumed = _assumed(envelope)
    if failed and assumed:
        notes.append(say("limit.assumed", names=", ".join(say(f"envelope.{name}") for name in assumed)))
    if failed and envelope.chosen:
        notes.append(say("limit.profile", profile=envelope.profile, chosen=f" ({envelope.chosen})"))
    if not failed and any(run.outcome is not Outcome.PASSED for run in case.runs):
        notes.append(say("limit.no_log"))
    return notes + _unrecorded(case)


def _unrecorded(case: Case) -> list[str]:
    open_ones = [run.run_id for run in case.runs if run.outcome is Outcome.UNKNOWN or run.settled_by_rule]
    if not open_ones or len(open_ones) < len(case.runs):
        return []
    named = ", ".join(open_ones[:_NAMED]) + (f" and {len(open_ones) - _NAMED} more" if len(open_ones) > _NAMED else "")
    return [say("limit.no_outcome", runs=named)]


def _assumed(envelope: Envelope) -> list[str]:
    values = ((name, getattr(envelope, name)) for name in Envelope.model_fields)
    return [name for name, value in values if isinstance(value, Value) and value.origin == "assumed"]


class PlannerNode(Protocol):
    """A node that says what comes next."""

    async def __call__(self, state: State, *, runtime: Runtime[AuditContext]) -> Command[str]:
        """Where to go."""
        ...


def planner_of(probes: Sequence[Probe]) -> PlannerNode:
    """The node that sends hypotheses to probes while any are to be asked, and then hands over."""

    by_name = {probe.name: probe for probe in probes}

    async def planner(state: State, *, runtime: Runtime[AuditContext]) -> Command[str]:
        settings, hypotheses = runtime.context.options.settings, state.get("hypotheses", [])
        reference = bool(runtime.context.probe.case.task.reference)
        plan = Planner(by_name, thorough=settings.thorough, offline=settings.offline, reference=reference)
        by_id = {hypothesis.id: hypothesis for hypothesis in hypotheses}
        steps = plan.next_steps(hypotheses, state["findings"], state["asked"])
        if steps:
            return Command(goto=[Send(step.probe, _task(by_id[step.hypothesis], state)) for step in steps])
        verdict = state.get("verdict")
        return Command(goto=(turn_of(state, verdict, runtime.context) or REVIEW) if verdict else "judge")

    return planner


def _task(hypothesis: Hypothesis, state: State) -> ProbeTask:
    known = [one for one in state["findings"] if one.hypothesis == hypothesis.id]
    return ProbeTask(hypothesis=hypothesis, known=known, retraced=state.get("retraced", []))


async def judge(state: State, *, runtime: Runtime[AuditContext]) -> dict[str, Any]:
    """Applies the verdict rules."""
    case, basis = runtime.context.probe.case, state.get("basis", JudgeInputs())
    return {"verdict": decide(case, state.get("hypotheses", []), state["findings"], basis)}


async def review(state: State, *, runtime: Runtime[AuditContext]) -> dict[str, Any]:
    """Stops until a person has said what they think of the verdict, where that is asked for."""
    if not runtime.context.options.review:
        return {}
    verdict = state["verdict"]
    asked = {
        "verdict": verdict.model_dump(mode="json"),
        "open_question": verdict.open_question,
        "answers": decisions(verdict),
    }
    said: Review = interrupt(runtime.context.mask.value(asked), response_schema=Review)
    basis = state.get("basis", JudgeInputs()).model_copy(update={"review": said})
    return {"basis": basis, **await judge({**state, "basis": basis}, runtime=runtime)}


def build(probes: Sequence[Probe] = PROBES) -> StateGraph[State, AuditContext, State, State]:
    """The graph, not yet compiled; one node a probe."""
    builder = StateGraph(State, context_schema=AuditContext)
    add_retracer(builder, probes)
    builder.add_node("classifier", classifier)
    ways = (*(probe.name for probe in probes), "judge", *ASSISTANTS, REVIEW)
    builder.add_node("planner", planner_of(probes), destinations=ways)
    builder.add_node("judge", judge, defer=True)
    builder.add_node(REVIEW, review)
    for probe in probes:
        add_probe(builder, probe)
    add_assistants(builder, probes)
    builder.add_edge(START, "retracer")
    builder.add_edge("retracer", "classifier")
    builder.add_edge("classifier", "planner")
    builder.add_edge("judge", "planner")
    builder.add_edge(REVIEW, END)
    return builder


@cache
def compiled(probes: tuple[Probe, ...] = PROBES) -> CompiledStateGraph[State, AuditContext, State, State]:
    """The graph without a checkpointer; compiled once, since that takes longer than an audit of records alone."""
    return build(probes).compile()
