"""Regular expressions in linear time: the interface of `re`, with RE2 as its engine.

Whatever is searched here was written by strangers, and `re` takes minutes over a hundred kilobytes of the wrong letter.
Patterns and their matches are those of `re`, but for this:

- What looks around stands at an edge: behind by one character at the beginning, ahead at the end, also of alternatives.
  Whatever else only going back can match (backreferences, atomic groups, possessive repeats) is refused.
- An upper bound above 1,000 is none: here it would cost more than it saves.
- `$` without MULTILINE, where more of the pattern may follow, is only the text's very end.
- Where a pattern itself names a letter beyond ASCII, its word boundaries take that letter for none.
- After an empty match the search goes on behind the next character.
"""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from re import ASCII, DOTALL, IGNORECASE, MULTILINE, NOFLAG, M, error
from typing import Any, AnyStr

from cases.patterns.gate import Gate
from cases.patterns.limited import TooSlowError
from cases.patterns.match import Match
from cases.patterns.pattern import Pattern
from cases.patterns.words import LONGEST, Whole, Words

__all__ = [
    "ASCII",
    "DOTALL",
    "IGNORECASE",
    "LONGEST",
    "MULTILINE",
    "NOFLAG",
    "Gate",
    "M",
    "Match",
    "Pattern",
    "TooSlowError",
    "Whole",
    "Words",
    "compile",
    "error",
    "escape",
    "findall",
    "finditer",
    "fullmatch",
    "match",
    "search",
    "split",
    "sub",
]


def escape(text: str, *, any_length: bool = False) -> str:
    """A pattern of a text; one that is longer than any name is found nowhere."""
    return re.escape(text) if any_length or len(text) <= LONGEST else r"[^\s\S]"


def compile(pattern: AnyStr, flags: int = 0) -> Pattern[AnyStr]:  # noqa: A001 - the name that `re` gives it
    """A pattern, ready to be searched for."""
    return _compiled(pattern, flags)


@lru_cache(maxsize=1024)
def _compiled(pattern: object, flags: int) -> Pattern[Any]:
    return Pattern(pattern, flags)


def search(pattern: AnyStr, text: AnyStr, flags: int = 0) -> Match[AnyStr] | None:
    """The first match."""
    return compile(pattern, flags).search(text)


def match(pattern: AnyStr, text: AnyStr, flags: int = 0) -> Match[AnyStr] | None:
    """The match with which the text begins."""
    return compile(pattern, flags).match(text)


def fullmatch(pattern: AnyStr, text: AnyStr, flags: int = 0) -> Match[AnyStr] | None:
    """The match that is the whole text."""
    return compile(pattern, flags).fullmatch(text)


def finditer(pattern: AnyStr, text: AnyStr, flags: int = 0) -> Iterator[Match[AnyStr]]:
    """All matches."""
    return compile(pattern, flags).finditer(text)


def findall(pattern: AnyStr, text: AnyStr, flags: int = 0) -> list[Any]:
    """The texts of all matches, or of their groups."""
    return compile(pattern, flags).findall(text)


def split(pattern: AnyStr, text: AnyStr, maxsplit: int = 0, flags: int = 0) -> list[AnyStr | Any]:
    """What stands between the matches."""
    return compile(pattern, flags).split(text, maxsplit)


def sub(
    pattern: AnyStr, to: AnyStr | Callable[[Match[AnyStr]], AnyStr], text: AnyStr, count: int = 0, flags: int = 0
) -> AnyStr:
    """The text with its matches replaced."""
    return compile(pattern, flags).sub(to, text, count)
