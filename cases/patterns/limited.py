"""Patterns that only an engine that goes back can match: it has a time limit, and begins where RE2 finds the rest."""

import re
import time
from collections.abc import Sequence
from typing import Any, AnyStr, Generic

import regex

from cases.errors import InputError
from cases.sentences import Sentences

say = Sentences(__name__)

SECONDS = 5.0
"""How long one text may be searched."""


class TooSlowError(InputError):
    """A text that is made to be searched for ever."""


class Limited(Generic[AnyStr]):
    """One such pattern."""

    def __init__(self, pattern: AnyStr, flags: int) -> None:
        """With the flags of `re`."""
        self._compiled: Any = regex.compile(pattern, _flags(flags))
        self._groups: int = self._compiled.groups

    def spans(self, way: str, text: AnyStr, pos: int, until: float | None = None) -> Sequence[tuple[int, int]] | None:
        """Where `search`, `match` or `fullmatch` finds it, group by group.

        Raises:
            TooSlowError: the search took longer than `until`, on the monotonic clock, or `SECONDS`.
        """
        left = SECONDS if until is None else until - time.monotonic()
        try:
            found = getattr(self._compiled, way)(text, pos, timeout=max(left, 0.01))
        except TimeoutError as error:
            told = say("patterns.limited.text_characters_takes_more", number=len(text), seconds=SECONDS)
            raise TooSlowError(say("patterns.limited.too_slow", told=told)) from error
        return found and [found.span(group) for group in range(self._groups + 1)]


def _flags(flags: int) -> int:
    named = ("IGNORECASE", "MULTILINE", "DOTALL", "VERBOSE", "ASCII")
    return sum(int(getattr(regex, name)) for name in named if flags & getattr(re, name)) | int(regex.VERSION0)
