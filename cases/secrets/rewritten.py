"""Lines that a terminal wrote over and over: each says the beginning of the next, and so what is secret in that."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from operator import itemgetter

from cases import patterns as re

_DRAWN = re.compile(r"[^\r\n]*(?:\r[^\r\n]+)+")
_SEGMENT = re.compile(r"[^\r]+")


def beginnings(text: str, spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Where a line begins as the masked one does that was written over it; `spans` are masked, in their order."""
    masked = sorted(spans)
    for line in _DRAWN.finditer(text) if "\r" in text else ():
        below = set[tuple[int, int]]()
        after: tuple[int, int] | None = None
        for segment in reversed([one.span() for one in _SEGMENT.finditer(text, *line.span())]):
            told = _begins(text, segment, after) and {one for one in below if one[0] < segment[1] - segment[0]}
            own = _within(masked, segment)
            below = {(start, min(end, segment[1] - segment[0])) for start, end in told or ()}
            yield from ((segment[0] + start, segment[0] + end) for start, end in sorted(below - own))
            below |= own
            after = segment


def _begins(text: str, one: tuple[int, int], other: tuple[int, int] | None) -> bool:
    """Whether the second line begins with all of the first."""
    return other is not None and text.startswith(text[slice(*one)], *other)


def _within(spans: Sequence[tuple[int, int]], segment: tuple[int, int]) -> set[tuple[int, int]]:
    """Those that lie in a line, from where that begins."""
    start, end = segment
    found = set[tuple[int, int]]()
    for first, last in spans[bisect_left(spans, start, key=itemgetter(1)) :]:
        if first >= end:
            break
        if last > start:
            found.add((max(first, start) - start, min(last, end) - start))
    return found
