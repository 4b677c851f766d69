"""The workflow as the LangGraph server runs it: inputs come by name, and are opened once a run."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NotRequired

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from typing_extensions import TypedDict  # the server makes JSON schemas, and pydantic wants this one below 3.12

from cases import InputError
from cases.library import Inputs, Library
from cases.sentences import Sentences
from graph.context import AuditContext, AuditOptions, open_context, tell
from graph.run import RECURSION_LIMIT, streamed
from graph.state import State
from graph.verdict import JudgeInputs, Verdict
from graph.workflow import compiled
from probes import ArtifactStore, Finding, Hypothesis

say = Sentences(__name__)


class Request(TypedDict):
    """Which task, and where the inputs are."""

    task_id: str
    runs: NotRequired[list[str]]
    claims: NotRequired[list[str]]
    outcomes: NotRequired[list[str]]
    tasks: NotRequired[str]
    """A jsonl file of tasks, or a benchmark whose data set the hub has."""
    benchmark: NotRequired[str]
    trust_pickle: NotRequired[bool]
    store: NotRequired[str]
    """The directory of the artifacts."""


class Reply(TypedDict):
    """What came of it."""

    hypotheses: list[Hypothesis]
    findings: list[Finding]
    basis: JudgeInputs
    verdict: Verdict


class Served(Request, Reply):
    """Both together."""


audited = compiled()


async def audit(state: Request, *, runtime: Runtime[AuditOptions]) -> Reply:
    """One audit, from the request to its verdict; what is sent back holds no secrets."""
    options = runtime.context or AuditOptions()
    async with requested(state, options) as context:
        beginning = State(findings=[], asked=[])
        ended, _ = await streamed(audited, beginning, {"recursion_limit": RECURSION_LIMIT}, context, tell)
    mask = context.mask
    mask.learn(*ended["hypotheses"], *ended["findings"])
    return Reply(
        hypotheses=[mask.model(one) for one in ended["hypotheses"]],
        findings=[mask.model(one) for one in ended["findings"]],
        basis=mask.model(ended["basis"]),
        verdict=mask.model(ended["verdict"]),
    )


@asynccontextmanager
async def requested(request: Request, options: AuditOptions) -> AsyncIterator[AuditContext]:
    """The context for a request.

    Raises:
        InputError: no task is named, or the inputs cannot be used.
    """
    if "task_id" not in request:
        raise InputError(say("server.input_names_no_task"))
    inputs = Inputs(
        runs=tuple(map(Path, request.get("runs", []))),
        claims=tuple(map(Path, request.get("claims", []))),
        outcomes=tuple(map(Path, request.get("outcomes", []))),
        tasks=request.get("tasks"),
        offline=options.settings.offline,
        trust_pickle=request.get("trust_pickle", False),
    )
    library = await asyncio.to_thread(Library.open, inputs, request.get("benchmark"))
    case = await asyncio.to_thread(library.case, library.resolve(request["task_id"]))
    store = ArtifactStore(Path(request.get("store", ".verify/artifacts")))
    async with open_context(case, options, store) as context:
        yield context


def build() -> StateGraph[Served, AuditOptions, Request, Reply]:
    """The graph around the workflow, not yet compiled: a block for graphs of others; its context are the options."""
    builder = StateGraph(Served, context_schema=AuditOptions, input_schema=Request, output_schema=Reply)
    builder.add_node("audit", audit)
    builder.add_edge(START, "audit")
    builder.add_edge("audit", END)
    return builder


graph: CompiledStateGraph[Served, AuditOptions, Request, Reply] = build().compile()
"""Compiled without a checkpointer, since the server brings its own."""
