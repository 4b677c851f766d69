"""Lines that a terminal wrote over and over: each says the beginning of the next, and so what is secret in that."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from cases import patterns as re

_DRAWN = re.compile(r"[^\r\n]*(?:\r[^\r\n]+)+")
_SEGMENT = re.compile(r"[^\r]+")


def beginnings(text: str, spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Where a line begins as the masked one does that was written over it; `spans` are masked, in their order."""
    for line in _DRAWN.finditer(text) if "\r" in text else ():
        segments = [segment.span() for segment in _SEGMENT.finditer(text, *line.span())]
        inner = [one for one in spans if one[0] < line.end() and one[1] > line.start()]
        for (start, end), (again, stop) in reversed(list(pairwise(segments))):
            if stop - again < end - start or text[again : again + end - start] != text[start:end]:
                continue
            told = [(max(first, again), min(last, again + end - start)) for first, last in inner]
            new = [(first - again + start, last - again + start) for first, last in told if first < last]
            inner += new
            yield from new
