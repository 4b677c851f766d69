"""The kinds of barriers that can be replayed: one file a kind, each saying how; a file that is here is known."""

from importlib import import_module
from pkgutil import iter_modules

from probes.barriers import entry
from probes.model import Barrier
from probes.replay.handlers.base import BarrierHandler
from probes.replay.handlers.ordinary import Ordinary

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")
KINDS: tuple[BarrierHandler, ...] = tuple(kind() for kind in BarrierHandler.__subclasses__())


def kind_of(barrier: Barrier) -> BarrierHandler | None:
    """The kind that replays this barrier, an ordinary failing command where it has none; None where none is to."""
    own = next((kind for kind in KINDS if barrier in kind.barriers), None)
    return own or (Ordinary() if "replay" in entry(barrier).probes else None)


__all__ = ["KINDS", "BarrierHandler", "kind_of"]
