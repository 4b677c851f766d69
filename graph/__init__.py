"""Who decides: classifier, planner, probe nodes and the judge, as a LangGraph workflow."""

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

os.environ.setdefault("LANGGRAPH_STRICT_MSGPACK", "true")

if TYPE_CHECKING:
    from graph.checkpoints import StateDamaged
    from graph.context import AuditOptions, Progress, open_batch
    from graph.decide import decide
    from graph.run import Plan, audit, plan
    from graph.server import build

_HOMES = {
    "AuditOptions": "graph.context",
    "Plan": "graph.run",
    "Progress": "graph.context",
    "StateDamaged": "graph.checkpoints",
    "audit": "graph.run",
    "build": "graph.server",
    "decide": "graph.decide",
    "open_batch": "graph.context",
    "plan": "graph.run",
}

__all__ = ["AuditOptions", "Plan", "Progress", "StateDamaged", "audit", "build", "decide", "open_batch", "plan"]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - lazy, because langgraph takes most of a second to import
    """Load a public name from its module at first use."""
    if name not in _HOMES:
        raise AttributeError(name)
    return getattr(import_module(_HOMES[name]), name)
