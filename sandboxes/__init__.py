"""Where commands are replayed: images, limits, network policy and one Docker session.

`Engine.connect()` reaches Docker, `Bench` owns the containers and snapshots of one piece of work, `Session` is one
container: run, put, get, snapshot, fork, close. All of it is synchronous; call it through `asyncio.to_thread`.
"""

from sandboxes.bench import Bench
from sandboxes.capture import Executed, Limit
from sandboxes.engine import Engine, IndexRoute
from sandboxes.errors import EngineUnavailable, ImageUnavailable, SandboxCancelled, SandboxError
from sandboxes.journal import Did, Entry, Placed
from sandboxes.packing import Packed
from sandboxes.session import Session
from sandboxes.spec import Limits, Network, Spec

__all__ = [
    "Bench",
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
