"""The nodes that ask a model, when one was asked for; none of them decides."""

from typing import Any

from langgraph.errors import NodeError
from langgraph.runtime import Runtime
from langgraph.types import Command

from cases import CredentialsError
from graph.context import AuditContext
from graph.decide import no_barrier_met
from graph.readings import waits_for_readings
from graph.state import State, opened, reason_of
from graph.verdict import Basis, Status, Verdict
from probes import Hypothesis


def turn_of(state: State, verdict: Verdict, context: AuditContext) -> str:
    """A model is asked last: for causes only where rules leave it open or find none, for words once all is decided."""
    if context.options.model is None:
        return ""
    asked = state.get("assisted", [])
    found_nothing = not state.get("hypotheses") and no_barrier_met(context.probe.case)
    if "proposer" not in asked and (verdict.status is Status.INCONCLUSIVE or found_nothing):
        return "proposer"
    if "suggester" not in asked and verdict.status is Status.INCONCLUSIVE and _open_replay(state):
        return "suggester"
    if "reader" not in asked and waits_for_readings(context.probe.case, verdict, state.get("hypotheses", [])):
        return "reader"
    return "" if "narrator" in asked else "narrator"


def _open_replay(state: State) -> Hypothesis | None:
    from graph.model.suggester import unsettled  # noqa: PLC0415 - only where a model was asked for

    return unsettled(state.get("hypotheses", []), state["findings"])


async def proposer(state: State, *, runtime: Runtime[AuditContext]) -> dict[str, Any]:
    """Asks a model for causes that rules have missed; they stand after those of the rules."""
    from graph.model.assistant import propose_more  # noqa: PLC0415 - only where a model was asked for

    async with opened(runtime, state.get("request")) as context:
        hypotheses, basis = await propose_more(context, state.get("hypotheses", []), state.get("basis", Basis()))
        return {"hypotheses": hypotheses, "basis": basis, "assisted": ["proposer"]}


async def suggester(state: State, *, runtime: Runtime[AuditContext]) -> dict[str, Any]:
    """Has a model suggest routes where a replay settled nothing, and tries them."""
    from graph.model.assistant import try_more  # noqa: PLC0415 - only where a model was asked for

    async with opened(runtime, state.get("request")) as context:
        hypothesis = _open_replay(state)
        assert hypothesis is not None
        findings, basis = await try_more(context, hypothesis, state["findings"], state.get("basis", Basis()))
        return {"findings": findings, "basis": basis, "assisted": ["suggester"]}


async def reader(state: State, *, runtime: Runtime[AuditContext]) -> dict[str, Any]:
    """Has a model read the task several times; where its readings differ, the open question says so."""
    from graph.model.assistant import read_more  # noqa: PLC0415 - only where a model was asked for

    async with opened(runtime, state.get("request")) as context:
        return {"basis": await read_more(context, state.get("basis", Basis())), "assisted": ["reader"]}


async def narrator(state: State, *, runtime: Runtime[AuditContext]) -> dict[str, Any]:
    """Asks a model to word what was found, and to argue against it; the judge then says the same as before."""
    from graph.model.assistant import narrate  # noqa: PLC0415 - only where a model was asked for

    async with opened(runtime, state.get("request")) as context:
        verdict = state.get("verdict")
        assert verdict is not None
        basis = await narrate(
            context, state.get("hypotheses", []), state["findings"], verdict, state.get("basis", Basis())
        )
        return {"basis": basis, "assisted": ["narrator"]}


def unassisted(name: str) -> Any:  # noqa: ANN401 - langgraph injects the error by its type
    """Where a model cannot be asked at all, rules speak alone; only a missing key is the user's to mend first."""

    async def handle(state: State, error: NodeError) -> Command[str]:
        if isinstance(error.error, CredentialsError):
            raise error.error
        basis, reason = state.get("basis", Basis()), f"The {name} failed: {reason_of(error.error)}."
        return Command(
            update={"assisted": [name], "basis": basis.model_copy(update={"notes": (*basis.notes, reason)})},
            goto="judge",
        )

    return handle
