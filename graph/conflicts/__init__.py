"""What one hypothesis calls impassable while a route of another brought it: they disagree, so that it is open."""

from collections.abc import Sequence

from graph.conflicts.opening import opened
from graph.conflicts.things import about_the_same
from graph.conflicts.voiding import voided
from graph.rules import Settled
from graph.verdict import Status

__all__ = ["about_the_same", "reconciled"]


def reconciled(settled: Sequence[Settled]) -> list[Settled]:
    """The same, where what a route of another hypothesis brought no longer counts as impassable (rules 3, 7, 10).

    Behind a route that brought all that the task asks for, nothing else that failed on the machine was in the way.
    """
    found = [voided(item, settled) for item in settled]
    return [opened(item, found) if item.status is Status.SUPPORTED else item for item in found]
