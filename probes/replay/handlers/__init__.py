"""How barriers are replayed: one file a handler; a file that is here is known."""

from importlib import import_module
from pkgutil import iter_modules

from probes.barriers import entry
from probes.model import Barrier, Targets
from probes.replay.handlers.base import BarrierHandler


class Ordinary(BarrierHandler):
    """A barrier without a handler of its own: the failing command again, and the routes of its file."""

    barriers = ()
    noun = "command"

    def named(self, targets: Targets) -> tuple[str, ...]:
        """The first that the hypothesis names."""
        things = (targets.packages, targets.modules, targets.headers, targets.programs, targets.paths, targets.hosts)
        return next((names for names in (*things, targets.commands) if names), ())


for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")
HANDLERS: tuple[BarrierHandler, ...] = tuple(handler() for handler in BarrierHandler.__subclasses__())


def handler_of(barrier: Barrier) -> BarrierHandler | None:
    """The one that replays this barrier, an ordinary failing command where it has none; None where none is to."""
    own = next((one for one in HANDLERS if barrier in one.barriers), None)
    return own or (Ordinary() if "replay" in entry(barrier).probes else None)


__all__ = ["HANDLERS", "BarrierHandler", "handler_of"]
