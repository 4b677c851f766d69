"""A barrier without a kind of its own: the failing command again, and the routes of its file."""

from probes.model import Targets
from probes.replay.handlers.base import BarrierHandler


class Ordinary(BarrierHandler):
    """Any command that fails."""

    barriers = ()
    noun = "command"

    def named(self, targets: Targets) -> tuple[str, ...]:
        """The first that the hypothesis names."""
        things = (targets.packages, targets.modules, targets.headers, targets.programs, targets.paths, targets.hosts)
        return next((names for names in (*things, targets.commands) if names), ())
