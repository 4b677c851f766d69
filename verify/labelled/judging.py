"""What `verify` said of a world beside what is true of it."""

from dataclasses import dataclass
from typing import Any, Self

from cases.sentences import Sentences
from probes.barriers import Trait, having
from verify.labelled.world import Truth

say = Sentences(__name__)


@dataclass(frozen=True)
class Said:
    """The parts of a verdict that a world labels."""

    status: str
    barrier: str | None
    refuted: tuple[str, ...]
    """Barriers of all hypotheses that the deciding findings are about."""
    routes: tuple[str, ...]
    """Of the findings that decide, those that passed."""
    answers: tuple[str, ...]
    """Questions with the answers that decide, such as `CAUSED=no`."""
    reason: str
    cost: float | None = None
    """US dollars of a model's help; None without one."""

    @classmethod
    def of(cls, document: dict[str, Any]) -> Self:
        """From the object that `verify --json` prints."""
        verdict = document["verdict"]
        barriers = {one["id"]: one["barrier"] for one in document["hypotheses"]}
        measured = {one["hypothesis"]: one["barrier"] for one in document["findings"] if one.get("barrier")}
        nameless = {*having(Trait.UNNAMED), *having(Trait.INDIRECT)}
        barriers |= {name: measured[name] for name, known in barriers.items() if known in nameless and name in measured}
        decisive = [one for one in document["findings"] if one["id"] in verdict["decisive"]]
        routes = [route["id"] for one in decisive for route in one["routes"] if route["result"] == "passed"]
        return cls(
            status=verdict["status"],
            barrier=barriers.get(verdict["leading"]),
            refuted=tuple(dict.fromkeys(barriers[one["hypothesis"]] for one in decisive)),
            routes=tuple(dict.fromkeys(routes)),
            answers=tuple(dict.fromkeys(f"{one['question']}={one['answer']}" for one in decisive)),
            reason=verdict["reason"],
            cost=(verdict.get("assistance") or {}).get("cost"),
        )

    @property
    def decided_by(self) -> str:
        """In a word: the routes, or else the answers."""
        return ", ".join(self.routes or self.answers)


@dataclass(frozen=True)
class Difference:
    """Something that was said otherwise than it is."""

    what: str
    true: str
    said: str

    def __str__(self) -> str:
        return say("labelled.judging.instead", what=self.what, said=self.said or "nothing", true=self.true)


def compare(truth: Truth, said: Said) -> list[Difference]:
    """Every difference; the decisive route or answer must be among those that were named.

    Of several refuted barriers of one failure any may lead the verdict; the true one must be among them.
    """
    barrier = str(truth.barrier) if truth.barrier else None
    found = []
    if said.status != truth.status:
        found.append(Difference("status", truth.status, said.status))
    also = said.refuted if truth.status == "not_supported" else ()
    if barrier not in ("any", said.barrier, *also):
        found.append(Difference("barrier", barrier or "none", said.barrier or ""))
    if truth.route and truth.route not in said.routes:
        found.append(Difference("route", truth.route, said.decided_by))
    if truth.answer and truth.answer not in said.answers:
        found.append(Difference("answer", truth.answer, said.decided_by))
    return found
