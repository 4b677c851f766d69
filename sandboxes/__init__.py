"""Where commands are replayed: images, limits, network policy and one Docker session.

`Engine.connect()` reaches Docker, `ContainerPool` owns the containers and snapshots of one piece of work, `Session` is
one container: run, put, get, snapshot, close. All of it is synchronous; call it through `asyncio.to_thread`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sandboxes.capture import Executed, Limit
    from sandboxes.container_pool import ContainerPool
    from sandboxes.engine import Engine, IndexRoute
    from sandboxes.errors import EngineUnavailable, ImageUnavailable, SandboxCancelled, SandboxError
    from sandboxes.journal import Did, Entry, Placed
    from sandboxes.packing import Packed
    from sandboxes.session import Session
    from sandboxes.spec import Limits, Network, Spec

_HOMES = {
    "ContainerPool": "sandboxes.container_pool",
    "Did": "sandboxes.journal",
    "Engine": "sandboxes.engine",
    "EngineUnavailable": "sandboxes.errors",
    "Entry": "sandboxes.journal",
    "Executed": "sandboxes.capture",
    "ImageUnavailable": "sandboxes.errors",
    "IndexRoute": "sandboxes.engine",
    "Limit": "sandboxes.capture",
    "Limits": "sandboxes.spec",
    "Network": "sandboxes.spec",
    "Packed": "sandboxes.packing",
    "Placed": "sandboxes.journal",
    "SandboxCancelled": "sandboxes.errors",
    "SandboxError": "sandboxes.errors",
    "Session": "sandboxes.session",
    "Spec": "sandboxes.spec",
}
__all__ = [
    "ContainerPool",
    "Did",
    "Engine",
    "EngineUnavailable",
    "Entry",
    "Executed",
    "ImageUnavailable",
    "IndexRoute",
    "Limit",
    "Limits",
    "Network",
    "Packed",
    "Placed",
    "SandboxCancelled",
    "SandboxError",
    "Session",
    "Spec",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - lazy, because most audits start nothing
    """Load a public name from its module at first use."""
    if name not in _HOMES:
        raise AttributeError(name)
    return getattr(import_module(_HOMES[name]), name)
