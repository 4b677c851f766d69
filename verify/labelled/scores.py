"""What many audits of known truth come to."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from verify.labelled.judging import Said
from verify.labelled.running import Judged
from verify.labelled.world import World

_WHY = 90
"""Characters of a reason."""


@dataclass(frozen=True)
class Tried:
    """One world, audited once or more often."""

    world: World
    times: tuple[Judged, ...]

    @property
    def said(self) -> Said | None:
        """What the first audit said."""
        return self.times[0].said

    @property
    def right(self) -> bool:
        """Whether every audit said what is true."""
        return not any(one.differences for one in self.times)

    @property
    def agrees(self) -> bool:
        """Whether all said the same."""
        return len({one.said for one in self.times}) == 1

    @property
    def status(self) -> str:
        """The first one's; `error` where there was no verdict."""
        return self.said.status if self.said else "error"

    @property
    def row(self) -> dict[str, Any]:
        """The world in a table."""
        seconds = round(median(one.seconds for one in self.times), 1)
        told = {"world": self.world.id, "truth": self.world.truth.status, "said": self.status, "right": self.right}
        return told | {"repeats": len(self.times), "agrees": self.agrees, "seconds": seconds}


def scores(tried: Sequence[Tried]) -> dict[str, Any]:
    """Every figure as JSON has it; a share of nothing is None."""
    truly = [one for one in tried if one.world.truth.status == "supported"]
    said = [one for one in tried if one.status == "supported"]
    hits = [one for one in said if one in truly]
    undecided = [one for one in tried if one.status == "inconclusive"]
    repeated = [one for one in tried if len(one.times) > 1]
    costs = [run.said.cost for one in tried for run in one.times if run.said and run.said.cost is not None]
    seconds = [run.seconds for one in tried for run in one.times]
    return {
        "worlds": len(tried),
        "as_labelled": sum(one.right for one in tried),
        "status_as_labelled": sum(one.status == one.world.truth.status for one in tried),
        "precision": _share(len(hits), len(said)),
        "recall": _share(len(hits), len(truly)),
        "impassable": len(truly),
        "supported": len(said),
        "false_supported": [one.world.id for one in said if one not in hits],
        "missed": [one.world.id for one in truly if one not in hits],
        "passable_refuted": _share(*_refuted(tried)),
        "kappa": kappa([(one.world.truth.status == "supported", one.status == "supported") for one in tried]),
        "categories": _by(tried, lambda one: one.world.category),
        "formats": _by(tried, lambda one: one.world.format),
        "inconclusive": _share(len(undecided), len(tried)),
        "inconclusive_because": dict(Counter(_why(one) for one in undecided).most_common()),
        "self_agreement": _share(sum(one.agrees for one in repeated), len(repeated)),
        "repeats": max((len(one.times) for one in tried), default=0),
        "seconds": {"median": round(median(seconds), 1), "most": round(max(seconds), 1)} if seconds else None,
        "cost": round(sum(costs), 4) if costs else None,
    }


def kappa(pairs: Sequence[tuple[bool, bool]]) -> float | None:
    """Cohen's, of what is true and what was said; None where chance alone would agree fully."""
    if not pairs:
        return None
    agreed = sum(true == said for true, said in pairs) / len(pairs)
    true, said = (sum(pair[at] for pair in pairs) / len(pairs) for at in (0, 1))
    chance = true * said + (1 - true) * (1 - said)
    return None if chance == 1 else round((agreed - chance) / (1 - chance), 3)


def _refuted(tried: Sequence[Tried]) -> tuple[int, int]:
    """Of those that are the agent's own, how many were said to be so, by the right route where one is labelled."""
    own = [one for one in tried if one.world.truth.status == "not_supported"]
    return sum(not one.times[0].differences for one in own), len(own)


def _by(tried: Sequence[Tried], group: Callable[[Tried], str]) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for one in sorted(tried, key=group):
        row = found.setdefault(group(one), {"worlds": 0, "right": 0})
        row["worlds"] += 1
        row["right"] += one.status == one.world.truth.status
    return found


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _why(one: Tried) -> str:
    text = one.said.reason if one.said else ""
    return text if len(text) <= _WHY else text[: _WHY - 1].rstrip() + "…"
