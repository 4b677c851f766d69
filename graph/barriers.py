"""What is known of each barrier kind: its words, its locus and the probes that question it."""

import tomllib
from functools import lru_cache
from importlib.resources import files

from pydantic import TypeAdapter

from cases import Model
from graph.verdict import Locus
from probes import Barrier


class BarrierKind(Model):
    """One entry of `barriers.toml`."""

    title: str
    locus: Locus
    probes: tuple[str, ...]
    """Cheapest first."""
    passable: tuple[str, ...]
    """Probes whose "no" is needed, each, before PASSABLE may be no; none means that it cannot be answered yet."""
    asks: str = ""
    """What only a person can answer about it; yes puts the fault on the benchmark."""


@lru_cache
def barrier_kinds() -> dict[Barrier, BarrierKind]:
    """All kinds; every `Barrier` has an entry."""
    data = tomllib.loads(files(__package__).joinpath("barriers.toml").read_text("utf-8"))
    kinds = TypeAdapter(dict[Barrier, BarrierKind]).validate_python(data)
    missing = set(Barrier) - set(kinds)
    if missing:
        raise ValueError(f"barriers.toml lacks {', '.join(sorted(missing))}")
    return kinds
