"""What the workflow's nodes hand to each other."""

import operator
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, NotRequired, TypedDict

from langgraph.errors import NodeTimeoutError
from langgraph.runtime import Runtime

from cases import ImpassableError
from graph.context import AuditContext, Request, requested_context
from graph.planner import Step
from graph.verdict import Basis, Verdict
from probes import Finding, Hypothesis, ProbeTransientError, ProbeUnavailableError


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
async def opened(runtime: Runtime[AuditContext], request: Request | None) -> AsyncIterator[AuditContext]:
    """The context that the program gave, or one for the request of a server."""
    if runtime.context is not None:
        yield runtime.context
        return
    async with requested_context(request) as context:
        yield context


def reason_of(error: BaseException) -> str:
    """Why a node could not run; ends a sentence."""
    if isinstance(error, NodeTimeoutError):
        return "it took longer than it may"
    if isinstance(error, (ProbeTransientError, ProbeUnavailableError, ImpassableError)):
        return str(error)
    return f"internal error ({type(error).__name__}: {error})"
