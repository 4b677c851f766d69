"""The workflow: classifier, one node a probe, judge, and back while hypotheses remain."""

import operator
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from time import monotonic
from typing import Annotated, Any, NotRequired, Protocol, TypedDict

from langgraph.errors import NodeError, NodeTimeoutError
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command, RetryPolicy, Send, TimeoutPolicy, interrupt

from cases import CredentialsError, ImpassableError
from graph.classifier import classify
from graph.context import AuditContext, Progress, Request, requested_context
from graph.decide import decide
from graph.limits import known_limits
from graph.planner import AT_ONCE, RECORDS, Step, key, next_steps
from graph.registry import PROBES
from graph.review import decisions
from graph.rubric import main_rubric
from graph.verdict import Basis, Review, Status, Verdict
from probes import (
    Answer,
    Control,
    Finding,
    Hypothesis,
    Probe,
    ProbeTransientError,
    ProbeUnavailableError,
    Question,
)

GRAPH_VERSION = "4"
"""Part of every thread's id: a renamed node or a changed state must never resume an old thread."""

REVIEW = "review"
"""The node that a person's answer resumes."""


class State(TypedDict):
    """What the checkpoints hold; artifacts stay in the store, the case in the context."""

    request: NotRequired[Request]
    hypotheses: NotRequired[list[Hypothesis]]
    basis: NotRequired[Basis]
    findings: Annotated[list[Finding], operator.add]
    asked: Annotated[list[str], operator.add]
    steps: NotRequired[list[Step]]
    verdict: NotRequired[Verdict]
    assisted: NotRequired[Annotated[list[str], operator.add]]
    """Nodes that have asked a model; each does so once."""
    turn: NotRequired[str]
    """The node that the judge hands over to when nothing is left to probe; empty at the end."""


class ProbeTask(TypedDict):
    """What a probe node is sent."""

    hypothesis: Hypothesis
    request: Request | None


@asynccontextmanager
async def _context(runtime: Runtime[AuditContext], request: Request | None) -> AsyncIterator[AuditContext]:
    if runtime.context is not None:
        yield runtime.context
        return
    async with requested_context(request) as context:
        yield context


async def classifier(state: State, *, runtime: Runtime[AuditContext]) -> dict[str, Any]:
    """Proposes and ranks hypotheses the first time, and names the next steps each time."""
    async with _context(runtime, state.get("request")) as context:
        update: dict[str, Any] = {}
        hypotheses: Sequence[Hypothesis] | None = state.get("hypotheses")
        if hypotheses is None:
            hypotheses, notes = classify(context.probe.case, context.probe.events, context.options.rubric)
            case = context.probe.case
            basis = Basis(
                rubric=main_rubric(context.options.rubric, case.benchmark).name,
                notes=(*known_limits(case, context.probe.envelope), *notes),
                exclusions=context.probe.exclusions,
            )
            update = {"hypotheses": list(hypotheses), "basis": basis}
        return {**update, "steps": _steps(state, hypotheses, context)}


async def judge(state: State, *, runtime: Runtime[AuditContext]) -> dict[str, Any]:
    """Applies the verdict rules, and says what is left to ask."""
    async with _context(runtime, state.get("request")) as context:
        hypotheses = state.get("hypotheses", [])
        verdict = decide(context.probe.case, hypotheses, state["findings"], state.get("basis", Basis()))
        steps = _steps(state, hypotheses, context)
        return {"verdict": verdict, "steps": steps, "turn": "" if steps else _turn(state, verdict, context)}


def _turn(state: State, verdict: Verdict, context: AuditContext) -> str:
    """A model is asked last: for causes only where rules and probes leave it open, for words once all is decided."""
    if context.options.model is None:
        return ""
    asked = state.get("assisted", [])
    if "proposer" not in asked and verdict.status is Status.INCONCLUSIVE:
        return "proposer"
    if "suggester" not in asked and verdict.status is Status.INCONCLUSIVE and _open_replay(state):
        return "suggester"
    return "" if "narrator" in asked else "narrator"


def _open_replay(state: State) -> Hypothesis | None:
    from graph.model.suggester import unsettled  # noqa: PLC0415 - only where a model was asked for

    return unsettled(state.get("hypotheses", []), state["findings"])


async def proposer(state: State, *, runtime: Runtime[AuditContext]) -> dict[str, Any]:
    """Asks a model for causes that rules have missed; they stand after those of the rules."""
    from graph.model.assistant import propose_more  # noqa: PLC0415 - only where a model was asked for

    async with _context(runtime, state.get("request")) as context:
        hypotheses, basis = await propose_more(context, state.get("hypotheses", []), state.get("basis", Basis()))
        return {"hypotheses": hypotheses, "basis": basis, "assisted": ["proposer"]}


async def suggester(state: State, *, runtime: Runtime[AuditContext]) -> dict[str, Any]:
    """Has a model suggest routes where a replay settled nothing, and tries them."""
    from graph.model.assistant import try_more  # noqa: PLC0415 - only where a model was asked for

    async with _context(runtime, state.get("request")) as context:
        hypothesis = _open_replay(state)
        assert hypothesis is not None
        findings, basis = await try_more(context, hypothesis, state["findings"], state.get("basis", Basis()))
        return {"findings": findings, "basis": basis, "assisted": ["suggester"]}


async def narrator(state: State, *, runtime: Runtime[AuditContext]) -> dict[str, Any]:
    """Asks a model to word what was found, and to argue against it; the judge then says the same as before."""
    from graph.model.assistant import narrate  # noqa: PLC0415 - only where a model was asked for

    async with _context(runtime, state.get("request")) as context:
        verdict = state.get("verdict")
        assert verdict is not None
        basis = await narrate(
            context, state.get("hypotheses", []), state["findings"], verdict, state.get("basis", Basis())
        )
        return {"basis": basis, "assisted": ["narrator"]}


async def review(state: State, *, runtime: Runtime[AuditContext]) -> dict[str, Any]:
    """Stops until a person has said what they think of the verdict, where that is asked for."""
    async with _context(runtime, state.get("request")) as context:
        if not context.options.review:
            return {}
        verdict = state["verdict"]
        asked = {
            "verdict": verdict.model_dump(mode="json"),
            "open_question": verdict.open_question,
            "answers": decisions(verdict),
        }
        said: Review = interrupt(asked, response_schema=Review)
        basis = state.get("basis", Basis()).model_copy(update={"review": said})
        hypotheses = state.get("hypotheses", [])
        return {"basis": basis, "verdict": decide(context.probe.case, hypotheses, state["findings"], basis)}


def _steps(state: State, hypotheses: Sequence[Hypothesis], context: AuditContext) -> list[Step]:
    settings = context.options.settings
    return next_steps(
        hypotheses, state["findings"], state["asked"], thorough=settings.thorough, offline=settings.offline
    )


def _fan_out(state: State) -> list[Send] | str:
    by_id = {hypothesis.id: hypothesis for hypothesis in state.get("hypotheses", [])}
    request = state.get("request")
    sends = [
        Send(probe, ProbeTask(hypothesis=by_id[hypothesis], request=request))
        for hypothesis, probe in state.get("steps", [])
    ]
    return sends or "judge"


def _more(state: State) -> str:
    return "classifier" if state.get("steps") else state.get("turn") or REVIEW


class ProbeNode(Protocol):
    """A node that runs one probe on one task."""

    async def __call__(self, state: ProbeTask, *, runtime: Runtime[AuditContext]) -> dict[str, Any]:
        """The state's update: findings, and that the step was asked."""
        ...


def _probe_node(probe: Probe) -> ProbeNode:
    async def node(state: ProbeTask, *, runtime: Runtime[AuditContext]) -> dict[str, Any]:
        hypothesis = state["hypothesis"]
        async with _context(runtime, state["request"]) as context:
            started = monotonic()

            context.progress(
                Progress(probe=probe.name, hypothesis=hypothesis.id, state="started", text=hypothesis.statement)
            )
            findings = await _run(probe, hypothesis, context)
            answers = ", ".join(f"{finding.question.value}={finding.valid_answer.value}" for finding in findings)
            context.progress(
                Progress(
                    probe=probe.name,
                    hypothesis=hypothesis.id,
                    state="finished",
                    text=answers or "nothing to say",
                    seconds=round(monotonic() - started, 2),
                )
            )
        return {"findings": findings, "asked": [key(Step(hypothesis.id, probe.name))]}

    return node


async def _run(probe: Probe, hypothesis: Hypothesis, context: AuditContext) -> list[Finding]:
    slot = context.probe.slots.get(probe.slot) if probe.slot else None
    if slot is None:
        return await probe(hypothesis, context.probe)
    async with slot:
        return await probe(hypothesis, context.probe)


def _error_handler(probe: Probe) -> Any:  # noqa: ANN401 - langgraph injects the error by its type, which no protocol of its says
    """A probe that could not run leaves an unknown finding; its siblings go on."""

    async def handle(state: ProbeTask, error: NodeError, *, runtime: Runtime[AuditContext]) -> Command[str]:
        hypothesis = state["hypothesis"]
        reason = _reason(error.error)
        if runtime.context is not None:
            runtime.context.progress(Progress(probe=probe.name, hypothesis=hypothesis.id, state="failed", text=reason))
        question = Question.PASSABLE if probe.name in RECORDS else Question.PRESENT
        finding = Finding(
            id=f"{hypothesis.id}/{probe.name}/{question.value}",
            hypothesis=hypothesis.id,
            probe=probe.name,
            question=question,
            answer=Answer.UNKNOWN,
            summary=f"The {probe.name} probe could not run: {reason}",
            controls=(Control(name=f"the {probe.name} probe runs", expected="it runs", observed=reason, passed=False),),
            limits=(f"The {probe.name} probe could not run: {reason}",),
            started=datetime.now(UTC),
            seconds=0.0,
        )
        update = {"findings": [finding], "asked": [key(Step(hypothesis.id, probe.name))]}
        return Command(update=update, goto="judge")

    return handle


def _unassisted(name: str) -> Any:  # noqa: ANN401 - as above
    """Where a model cannot be asked at all, rules speak alone; only a missing key is the user's to mend first."""

    async def handle(state: State, error: NodeError) -> Command[str]:
        if isinstance(error.error, CredentialsError):
            raise error.error
        basis, reason = state.get("basis", Basis()), f"The {name} failed: {_reason(error.error)}."
        return Command(
            update={"assisted": [name], "basis": basis.model_copy(update={"notes": (*basis.notes, reason)})},
            goto="judge",
        )

    return handle


def _reason(error: BaseException) -> str:
    if isinstance(error, NodeTimeoutError):
        return "it took longer than it may"
    if isinstance(error, (ProbeTransientError, ProbeUnavailableError, ImpassableError)):
        return str(error)
    return f"internal error ({type(error).__name__}: {error})"


def build(probes: Sequence[Probe] = PROBES) -> StateGraph[State, AuditContext, State, State]:
    """The graph, not yet compiled; one node a probe."""
    builder = StateGraph(State, context_schema=AuditContext)
    builder.add_node("classifier", classifier)
    builder.add_node("judge", judge, defer=True)
    builder.add_node(REVIEW, review)
    for probe in probes:
        builder.add_node(
            probe.name,
            _probe_node(probe),
            input_schema=ProbeTask,
            timeout=TimeoutPolicy(run_timeout=probe.seconds * AT_ONCE),
            retry_policy=RetryPolicy(
                max_attempts=2, initial_interval=0.5, jitter=False, retry_on=(ProbeTransientError,)
            ),
            error_handler=_error_handler(probe),
        )
        builder.add_edge(probe.name, "judge")
    names = [probe.name for probe in probes]
    builder.add_edge(START, "classifier")
    builder.add_conditional_edges("classifier", _fan_out, [*names, "judge"])
    builder.add_node("proposer", proposer, error_handler=_unassisted("proposer"))
    builder.add_node("suggester", suggester, error_handler=_unassisted("suggester"))
    builder.add_node("narrator", narrator, error_handler=_unassisted("narrator"))
    builder.add_edge("proposer", "classifier")
    builder.add_edge("suggester", "judge")
    builder.add_edge("narrator", "judge")
    builder.add_conditional_edges("judge", _more, ["classifier", "proposer", "suggester", "narrator", REVIEW])
    builder.add_edge(REVIEW, END)
    return builder


graph: CompiledStateGraph[State, AuditContext, State, State] = build().compile()
"""Compiled without a checkpointer, for servers that bring their own."""
