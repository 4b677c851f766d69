"""The run's whole log, folded around what is quoted from it, and a small picture of how it went."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from cases import Block, Citation
from cases.sentences import counted
from evidence.text import clip

_LONGEST = 4_000
_MOST = 600_000
"""Characters of a log that a report shows; the rest is in case.json."""
_AROUND = 1
_LAST = 3
_SLOTS = 160
"""Marks of a timeline; what is longer shares them."""


_SCROLLS, _LINES = 250, 12
"""Characters and lines that fit into a block of the report on any screen."""


@dataclass(frozen=True)
class Turn:
    """One block."""

    index: int
    who: str
    exit_code: int | None
    cited: bool
    pieces: tuple[tuple[str, bool], ...]
    """Text, and whether it is quoted."""

    @property
    def long(self) -> bool:
        """Whether it may scroll, if only on a small screen: the keyboard must then reach it."""
        text = "".join(piece for piece, _ in self.pieces)
        return len(text) > _SCROLLS or text.count("\n") > _LINES


@dataclass(frozen=True)
class Fold:
    """Neighbouring blocks, folded unless something near is quoted."""

    turns: tuple[Turn, ...]
    folded: bool

    @property
    def told(self) -> str:
        """Which they are."""
        first, last = self.turns[0].index, self.turns[-1].index
        return f"Block {first}" if first == last else f"Blocks {first} to {last} ({counted(len(self.turns), 'block')})"


class Mark(NamedTuple):
    """One place of a timeline."""

    block: int
    kind: str
    """`stood`, `wrong`, `failed`, `acted` or `result`."""
    left: float
    """From 0 to 1."""


@dataclass(frozen=True)
class Timeline:
    """A run from left to right."""

    marks: tuple[Mark, ...]
    width: float
    """Of one mark, as a share of the whole."""
    last: int
    """The index of the last block."""


def transcript(blocks: Sequence[Block], citations: Iterable[Citation]) -> list[Fold]:
    """All blocks in order."""
    quoted: dict[int, list[Citation]] = {}
    for citation in citations:
        quoted.setdefault(citation.block, []).append(citation)
    last = len(blocks) - _LAST
    near = {at for index in quoted for at in range(index - _AROUND, index + _AROUND + 1)} | set(
        range(last, last + _LAST)
    )
    room, turns = _MOST, []
    for block in blocks:
        pieces = _pieces(block.text, quoted.get(block.index, []), min(_LONGEST, max(room, 200)))
        room -= sum(len(text) for text, _ in pieces)
        turns.append(Turn(block.index, _who(block), block.exit_code, block.index in quoted, pieces))
    groups = groupby(turns, lambda turn: turn.index not in near)
    return [Fold(tuple(group), folded) for folded, group in groups]


def timeline(blocks: Sequence[Block], barrier: Iterable[int], errors: Iterable[int]) -> Timeline | None:
    """Where the barrier stood and what was tried, from left to right; each mark leads to its block."""
    if not blocks:
        return None
    stood, wrong = set(barrier), set(errors)
    slots = min(_SLOTS, len(blocks))
    marks = []
    for slot in range(slots):
        mine = blocks[slot * len(blocks) // slots : (slot + 1) * len(blocks) // slots]
        held = {block.index for block in mine}
        kind = "stood" if held & stood else "wrong" if held & wrong else _kind(mine)
        marks.append(Mark(min(held & stood or held & wrong or held), kind, slot / slots))
    return Timeline(tuple(marks), 1 / slots, blocks[-1].index)


def _kind(blocks: Sequence[Block]) -> str:
    if any(block.exit_code for block in blocks):
        return "failed"
    return "acted" if any(block.kind == "call" for block in blocks) else "result"


def _who(block: Block) -> str:
    who = {"call": "call of", "result": "result of"}.get(block.kind)
    return f"{who} {block.tool or block.role}" if who else block.role


def _pieces(text: str, citations: list[Citation], most: int) -> tuple[tuple[str, bool], ...]:
    """The text with what is quoted marked; long stretches between lose their middle."""
    pieces: list[tuple[str, bool]] = []
    at = 0
    for citation in sorted(citations, key=lambda one: (one.start, one.end)):
        start = max(at, citation.start)
        if text[citation.start : citation.end] != citation.quote or citation.end <= start:
            continue
        pieces += [(clip(text[at:start], most), False), (clip(text[start : citation.end], most), True)]
        at = citation.end
    pieces.append((clip(text[at:], most), False))
    return tuple(piece for piece in pieces if piece[0])
