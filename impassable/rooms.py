"""Where this program's own packages are found, whatever else bears their names.

The rooms (`cases`, `graph`, `probes`, …) are packages with ordinary names. A `graph.py` in somebody's folder,
or anywhere on PYTHONPATH, would be found before them. In the program's own process this finder answers first, and only
for these names; in anybody else's process it is never installed (`impassable.calling` starts the program).
"""

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType

ROOMS = frozenset({"cases", "evidence", "graph", "impassable", "probes", "sandboxes", "verify"})
HOME = str(Path(__file__).resolve().parents[1])
"""The folder in which this package and the rooms lie side by side."""


class Rooms:
    """A finder of the rooms beside this package, and of nothing else."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """The room of that name; None for any other module."""
        return PathFinder.find_spec(name, [HOME], target) if name in ROOMS else None


def come_first() -> None:
    """Find the rooms here from now on; to be called before the first of them is imported."""
    if Rooms not in sys.meta_path:
        sys.meta_path.insert(0, Rooms)
