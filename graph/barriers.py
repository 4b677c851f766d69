"""What is known of each barrier kind: its words, its locus and the probes that question it."""

import tomllib
from functools import lru_cache
from importlib.resources import files

from pydantic import TypeAdapter

from cases import Model
from graph.verdict import Locus
from probes import Barrier, Hypothesis, Targets

_LONGEST = 80
"""Characters of what a barrier is about."""


class BarrierKind(Model):
    """One entry of `barriers.toml`."""

    title: str
    named: str = ""
    """The title with `{about}` for what it is about; empty where its targets name nothing."""
    about: str = ""
    """The field of `Targets` that says what it is about."""
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
    unknown = {kind.about for kind in kinds.values()} - {"", *Targets.model_fields}
    if unknown:
        raise ValueError(f"barriers.toml names targets that do not exist: {', '.join(sorted(unknown))}")
    return kinds


def about(hypothesis: Hypothesis) -> str:
    """What its barrier is about, on one line; empty when its targets do not name it."""
    found = _subjects(hypothesis)
    return found[0] if found else ""


def titled(hypothesis: Hypothesis) -> str:
    """How its barrier is named in a sentence, with what it is about where that is known."""
    kind, found = barrier_kinds()[hypothesis.barrier], _subjects(hypothesis)
    if not found:
        return kind.title
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    return kind.named.replace("{about}", f"`{found[0]}`{more}")


def _subjects(hypothesis: Hypothesis) -> list[str]:
    kind = barrier_kinds()[hypothesis.barrier]
    names = getattr(hypothesis.targets, kind.about) if kind.about else ()
    lines = (" ".join(name.replace("`", "").split()) for name in names)
    return [line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…" for line in lines if line]
