"""Texts in their order, and which of them name a thing: known by the words in them, not by searching each."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from cases import patterns as re

_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Name:
    """A thing's name as texts may spell it, each spelling with no part of another name around it."""

    spellings: tuple[str, ...]
    any_case: bool = False
    bare: str = ""
    """A file's name without its folder, which names it only where a text spells no other folder before it."""

    def stands_in(self, text: str) -> bool:
        """Whether a text spells it."""
        if not self.any_case:
            found = (start for spelling in self.spellings for start in _apart(spelling, text))
            bare = (start for start in _apart(self.bare, text) if not _in_a_folder(text, start))
            return any(True for starts in (found, bare) for _ in starts)
        lowered = text.lower()
        return any(True for spelling in self.spellings for _ in _apart(spelling.lower(), lowered))


def _apart(spelling: str, text: str) -> Iterator[int]:
    """Where it stands with no part of another name around it."""
    start = text.find(spelling) if spelling else -1
    while start >= 0:
        end = start + len(spelling)
        before, after, further = text[start - 1 : start] if start else "", text[end : end + 1], text[end + 1 : end + 2]
        if not (_joins(before) or before == "." or _joins(after) or (after == "." and _joins(further, also=""))):
            yield start
        start = text.find(spelling, start + 1)


def _in_a_folder(text: str, start: int) -> bool:
    """Whether a path's name stands there behind a folder's; what a variable or an address stands for may be any."""
    at = start
    while at and (text[at - 1].isalnum() or text[at - 1] in "/._-"):
        at -= 1
    before = text[at:start]
    return before.endswith("/") and before.strip("./") != "" and text[at - 1 : at] not in {":", "$"}


def _joins(sign: str, also: str = "-") -> bool:
    return sign != "" and (sign.isalnum() or sign in "_" + also)


class Texts(Sequence[str]):
    """Immutable; an index of their words is made when the first name is asked for."""

    def __init__(self, texts: Iterable[str]) -> None:
        """Keep them in their order."""
        self._texts = tuple(texts)

    def __len__(self) -> int:
        return len(self._texts)

    def __getitem__(self, number: int) -> str:  # type: ignore[override]  # nobody takes slices
        return self._texts[number]

    def naming(self, name: Name) -> Iterator[int]:
        """The numbers of the texts in which a name stands, in order."""
        numbers = {
            number for spelling in filter(None, (*name.spellings, name.bare)) for number in self.with_words_of(spelling)
        }
        return (number for number in sorted(numbers) if name.stands_in(self._texts[number]))

    def with_words_of(self, spelling: str) -> Sequence[int]:
        """The numbers of the texts in which all its words stand, wherever: those in which it can stand itself."""
        words = _words(spelling)
        if not words:
            return range(len(self._texts))
        found = sorted((self._index.get(word, frozenset()) for word in words), key=len)
        return sorted(found[0].intersection(*found[1:]))

    @cached_property
    def _index(self) -> dict[str, frozenset[int]]:
        index: dict[str, set[int]] = defaultdict(set)
        for number, text in enumerate(self._texts):
            for word in _words(text):
                index[word].add(number)
        return {word: frozenset(numbers) for word, numbers in index.items()}


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.lower()))
