"""What is known of each barrier: one file a barrier, and nothing of it anywhere else."""

from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from cases.loading import load
from cases.sentences import Sentences
from probes.barriers.entry import Advice, BarrierEntry, Trait
from probes.barriers.ladder import Ladder, Lift, RoutePlan
from probes.barriers.signature import Signature, Where, subject_of
from probes.model import Barrier, Hypothesis

say = Sentences(__name__)

_LONGEST = 80
"""Characters of what a barrier is about."""


def entry(barrier: Barrier) -> BarrierEntry:
    """Its file."""
    return entries()[barrier]


@cache
def entries() -> dict[Barrier, BarrierEntry]:
    """All of them.

    Raises:
        ValueError: a file is wrong, or belongs to no barrier.
    """
    names = {path.name.removesuffix(".toml") for path in files(__package__).iterdir() if path.name.endswith(".toml")}
    if names != set(Barrier):
        raise ValueError(say("barriers.barriers_their_files_differ", names=", ".join(sorted(names ^ set(Barrier)))))
    return {barrier: load(BarrierEntry, __package__, f"{barrier}.toml") for barrier in Barrier}


@cache
def having(trait: Trait) -> frozenset[Barrier]:
    """The barriers with this trait."""
    return frozenset(barrier for barrier, one in entries().items() if trait in one.traits)


def signatures(where: Where) -> Iterator[tuple[Barrier, Signature]]:
    """What tells a barrier there, in the order of the files."""
    return ((barrier, one) for barrier, known in entries().items() for one in known.signature if where in one.where)


def ladder_of(barrier: Barrier) -> Ladder:
    """The routes around it and the ways to remove it."""
    own = entry(barrier).ladder
    if isinstance(own, Barrier):
        return ladder_of(own)
    return own or Ladder(goal=("{command}",))


def about(hypothesis: Hypothesis) -> str:
    """What its barrier is about, on one line; empty when its targets do not name it."""
    found = _subjects(hypothesis)
    return found[0] if found else ""


def titled(hypothesis: Hypothesis) -> str:
    """How its barrier is named in a sentence, with what it is about where that is known."""
    kind, found = entry(hypothesis.barrier), _subjects(hypothesis)
    if kind.claimed and hypothesis.proposer == "claim":
        return kind.claimed
    if not found:
        return kind.title
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    return kind.named.replace("{about}", f"`{found[0]}`{more}")


def _subjects(hypothesis: Hypothesis) -> list[str]:
    field = entry(hypothesis.barrier).about
    names = getattr(hypothesis.targets, field) if field else ()
    lines = (" ".join(name.replace("`", "").split()) for name in names)
    return [line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…" for line in lines if line]


__all__ = [
    "Advice",
    "BarrierEntry",
    "Ladder",
    "Lift",
    "RoutePlan",
    "Signature",
    "Trait",
    "Where",
    "about",
    "entries",
    "entry",
    "having",
    "ladder_of",
    "signatures",
    "subject_of",
    "titled",
]
