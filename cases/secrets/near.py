"""Patterns tried only near words without which they match nothing: most of a long text holds none."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from heapq import merge

from cases import patterns as re

_BEFORE, _AFTER = 400, 3000
"""Signs around such a word in which what it belongs to stands; on to the end of the word there."""
_SPACE = re.compile(r"\s")


class Near:
    """A text, and where words stand in it, in whatever case."""

    def __init__(self, text: str, hints: tuple[str, ...]) -> None:
        """`hints` are all words that patterns will be tried near."""
        self._text = text
        lowered = text.lower()
        self._lowered = lowered if len(lowered) == len(text) else "".join(_lower(sign) for sign in text)
        self.present = _all(hints).within(self._lowered)
        self._places: dict[str, list[int]] = {}

    def matches(self, pattern: re.Pattern[str], hints: frozenset[str]) -> Iterator[re.Match[str]]:
        """What a pattern matches, where each match lies near one of its `hints`."""
        done, present = 0, hints & self.present
        for start, end in self._around(present) if present else ():
            for match in pattern.finditer(self._text, max(start, done), end):
                done = match.end()
                yield match

    def _around(self, hints: Iterable[str]) -> Iterator[tuple[int, int]]:
        if len(self._text) <= _BEFORE:
            yield 0, len(self._text)
            return
        begins, ends = 0, -1
        for place in merge(*(self._at(hint) for hint in hints)):
            if place + _BEFORE > ends:
                if ends >= 0 and place - _BEFORE > ends:
                    yield begins, ends
                    begins = place - _BEFORE
                begins = max(0, place - _BEFORE) if ends < 0 else begins
                space = _SPACE.search(self._text, min(len(self._text), place + _AFTER))
                ends = space.start() if space else len(self._text)
        if ends >= 0:
            yield begins, ends

    def _at(self, hint: str) -> list[int]:
        if hint not in self._places:
            found, at = [], self._lowered.find(hint)
            while at >= 0:
                found.append(at)
                at = self._lowered.find(hint, at + len(hint))
            self._places[hint] = found
        return self._places[hint]


@lru_cache(maxsize=4)
def _all(words: tuple[str, ...]) -> re.Words:
    return re.Words(words)


def _lower(sign: str) -> str:
    lowered = sign.lower()
    return lowered if len(lowered) == 1 else sign
