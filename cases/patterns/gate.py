"""Whether any of several patterns matches in a text, told in one search: most short texts hold none of them."""

import re
from collections.abc import Iterable
from functools import cached_property

from cases.patterns.pattern import Pattern

_LONG = 2000
"""Characters from which on a text holds one of them so often that asking first gains nothing."""
_NAMED, _GLOBAL = re.compile(r"\(\?P<\w+>"), re.compile(r"(?:\(\?[aimsx]+\))*")
_FLAGS = {"a": re.ASCII, "i": re.IGNORECASE, "m": re.MULTILINE, "s": re.DOTALL, "x": re.VERBOSE}


class Gate:
    """Patterns, as one that matches wherever any of them does."""

    def __init__(self, patterns: Iterable[Pattern[str]]) -> None:
        """Take all of them."""
        self._patterns = tuple(patterns)

    @cached_property
    def _asked(self) -> tuple[Pattern[str], ...]:
        """All that one search can look for together, and each of the others."""
        alone = tuple(pattern for pattern in self._patterns if pattern.limited)
        joined = Pattern("|".join(map(_among_others, (one for one in self._patterns if one not in alone))))
        return (joined, *alone) if not joined.limited else self._patterns

    def opens(self, text: str) -> bool:
        """Whether one of them may match in a text."""
        return len(text) >= _LONG or any(pattern.search(text) for pattern in self._asked)


def _among_others(pattern: Pattern[str]) -> str:
    """A pattern without the names of its groups, with its flags for itself alone."""
    flags = "".join(sign for sign, flag in _FLAGS.items() if pattern.flags & flag)
    written = _NAMED.sub("(?:", pattern.pattern[_GLOBAL.match(pattern.pattern).end() :])  # type: ignore[union-attr]
    return f"(?{flags}:{written})" if flags else f"(?:{written})"
