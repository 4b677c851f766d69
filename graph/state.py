"""What the workflow's nodes hand to each other."""

import operator
from typing import Annotated, NotRequired

from pydantic import BaseModel
from typing_extensions import TypedDict  # see server.py

from cases import ImpassableError
from cases.sentences import Sentences
from graph.verdict import JudgeInputs, Verdict
from probes import Finding, Hypothesis, ProbeTransientError, ProbeUnavailableError, Retraced

say = Sentences(__name__)


class State(TypedDict):
    """What the checkpoints hold; artifacts stay in the store, the case in the context."""

    hypotheses: NotRequired[list[Hypothesis]]
    basis: NotRequired[JudgeInputs]
    retraced: NotRequired[list[Retraced]]
    """What was measured of runs whose records leave out how commands ended."""
    findings: Annotated[list[Finding], operator.add]
    asked: Annotated[list[str], operator.add]
    verdict: NotRequired[Verdict]
    assisted: NotRequired[Annotated[list[str], operator.add]]
    """Nodes that have asked a model; each does so once."""


def require_whole(value: object) -> None:
    """Check one value of a state that was kept.

    Raises:
        ValueError: it is not what the workflow writes; what could not be read as such comes back as something else.
    """
    if isinstance(value, BaseModel):
        type(value).model_validate(value.model_dump())
    elif not isinstance(value, str):
        raise TypeError(f"it holds a {type(value).__name__}")


class ProbeTask(TypedDict):
    """What a probe node is sent."""

    hypothesis: Hypothesis
    known: NotRequired[list[Finding]]
    """What has been found about it."""
    retraced: NotRequired[list[Retraced]]
    suggested: NotRequired[list[list[str]]]
    """Routes by their commands: then these are to be tried, and nothing else is asked."""


def reason_of(error: BaseException) -> str:
    """Why a node could not run; ends a sentence."""
    if isinstance(error, (ProbeTransientError, ProbeUnavailableError, ImpassableError)):
        return str(error)
    return say("state.internal_error", name=type(error).__name__, error=error)
