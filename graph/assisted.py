"""The nodes that ask a model, when one was asked for; none of them decides, and the judge speaks after each."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from langgraph.errors import NodeError
from langgraph.graph import StateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command, Send

from cases import CredentialsError
from cases.sentences import Sentences
from graph.context import AuditContext
from graph.planner import Step
from graph.readings import waits_for_readings
from graph.rules import recorded_in_full
from graph.state import ProbeTask, State, reason_of
from graph.verdict import JudgeInputs, Status, Verdict
from probes import Finding, Ground, Hypothesis, Probe

say = Sentences(__name__)

ASSISTANTS = ("proposer", "suggester", "reader", "narrator", "sceptic")
"""Each is asked once, in this order: what may settle it first, and words once all is decided."""


def turn_of(state: State, verdict: Verdict, context: AuditContext) -> str:
    """Whose turn it is; empty when none of them has anything to do any more."""
    left = (name for name in ASSISTANTS if name not in state.get("assisted", []))
    return next((name for name in left if _wanted(name, state, verdict, context)), "")


def _wanted(name: str, state: State, verdict: Verdict, context: AuditContext) -> bool:
    if context.options.model is None:
        return False
    hypotheses, case = state.get("hypotheses", []), context.probe.case
    is_open = verdict.status is Status.INCONCLUSIVE
    if name == "proposer":
        return is_open or (not hypotheses and recorded_in_full(case))
    if name == "suggester":
        return is_open and _untried(state) is not None
    if name == "reader":
        return waits_for_readings(case, verdict, hypotheses)
    return name == "narrator" or context.options.model.second_reader


def _untried(state: State) -> Step | None:
    from graph.llm.suggester import unsettled  # noqa: PLC0415 - only where a model was asked for

    return unsettled(state.get("hypotheses", []), state["findings"])


async def proposer(state: State, *, runtime: Runtime[AuditContext]) -> dict[str, Any]:
    """Asks a model for causes that rules have missed; they stand after those of the rules."""
    from graph.assistant import propose_more  # noqa: PLC0415 - only where a model was asked for

    known, basis = state.get("hypotheses", []), state.get("basis", JudgeInputs())
    context = replace(runtime.context, probe=runtime.context.knowing(state.get("retraced", [])))
    hypotheses, basis = await propose_more(context, known, state["findings"], basis)
    return {"hypotheses": hypotheses, "basis": basis, "assisted": ["proposer"]}


async def suggester(state: State, *, runtime: Runtime[AuditContext]) -> Command[str]:
    """Has a model suggest routes where nothing was settled, and sends them to the probe that could not settle it."""
    from graph.assistant import suggest_more  # noqa: PLC0415 - only where a model was asked for

    step = _untried(state)
    assert step is not None
    hypothesis = next(one for one in state.get("hypotheses", []) if one.id == step.hypothesis)
    basis = state.get("basis", JudgeInputs())
    routes, basis = await suggest_more(runtime.context, hypothesis, state["findings"], basis)
    task = ProbeTask(hypothesis=hypothesis, suggested=routes, retraced=state.get("retraced", []))
    return Command(
        update={"basis": basis, "assisted": ["suggester"]}, goto=Send(step.probe, task) if routes else "judge"
    )


async def reader(state: State, *, runtime: Runtime[AuditContext]) -> dict[str, Any]:
    """Has a model read the task several times; where its readings differ, the open question says so."""
    from graph.assistant import read_more  # noqa: PLC0415 - only where a model was asked for

    return {"basis": await read_more(runtime.context, state.get("basis", JudgeInputs())), "assisted": ["reader"]}


async def narrator(state: State, *, runtime: Runtime[AuditContext]) -> dict[str, Any]:
    """Asks a model to word what was found."""
    from graph.assistant import narrate  # noqa: PLC0415 - only where a model was asked for

    return {"basis": await narrate(runtime.context, *_decided(state)), "assisted": ["narrator"]}


async def sceptic(state: State, *, runtime: Runtime[AuditContext]) -> dict[str, Any]:
    """Asks a model what speaks against the verdict."""
    from graph.assistant import doubt  # noqa: PLC0415 - only where a model was asked for

    return {"basis": await doubt(runtime.context, *_decided(state)), "assisted": ["sceptic"]}


def _decided(state: State) -> tuple[list[Hypothesis], list[Finding], Verdict, JudgeInputs]:
    return state.get("hypotheses", []), state["findings"], state["verdict"], state.get("basis", JudgeInputs())


def add_assistants(builder: StateGraph[State, AuditContext, State, State], probes: Sequence[Probe]) -> None:
    """Their nodes, each on the way back to the judge."""
    trying = tuple(probe.name for probe in probes if probe.ground is Ground.MACHINE)
    builder.add_node("suggester", suggester, error_handler=_unassisted("suggester"), destinations=(*trying, "judge"))
    for name, node in (("proposer", proposer), ("reader", reader), ("narrator", narrator), ("sceptic", sceptic)):
        builder.add_node(name, node, error_handler=_unassisted(name))
        builder.add_edge(name, "judge")


def _unassisted(name: str) -> Any:  # noqa: ANN401 - langgraph injects the error by its type
    """Where a model cannot be asked at all, rules speak alone; only a missing key is the user's to mend first."""

    async def handle(state: State, error: NodeError) -> Command[str]:
        if isinstance(error.error, CredentialsError):
            raise error.error
        basis, reason = (
            state.get("basis", JudgeInputs()),
            say("assisted.failed", name=name, reason_of=reason_of(error.error)),
        )
        return Command(
            update={"assisted": [name], "basis": basis.model_copy(update={"notes": (*basis.notes, reason)})},
            goto="judge",
        )

    return handle
