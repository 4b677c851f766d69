"""Words in a text: which of many stand in it, and whether one stands there as a whole; no pattern is made for each."""

from collections.abc import Iterable

import re2

from cases.patterns.pattern import Pattern

LONGEST = 1000
"""Characters of a name or a word; a pattern that spells more takes long over more of the same."""
_MEMORY = 64 << 20


class Words:
    """Words, and what looks for all of them at once."""

    def __init__(self, words: Iterable[str]) -> None:
        """Take all of them."""
        options = re2.Options()
        options.max_mem, options.encoding = _MEMORY, re2.Options.Encoding.LATIN1
        self._words = sorted(set(words))
        self._all = re2.Set.SearchSet(options)
        for word in self._words:
            self._all.Add(re2.escape(word.encode("utf-8", "surrogatepass")))
        self._all.Compile()

    def within(self, text: str) -> frozenset[str]:
        """Those that stand in it as they are."""
        return frozenset(self._words[number] for number in self._all.Match(text.encode("utf-8", "surrogatepass")) or ())


class Whole:
    """Where a word counts as whole."""

    def __init__(self, before: str, after: str) -> None:
        """Neither may the sign before it fit `before`, nor what follows begin with `after`."""
        self._before, self._after = Pattern(before), Pattern(after)

    def within(self, word: str, text: str) -> bool:
        """Whether it stands somewhere in a text."""
        at = text.find(word) if 0 < len(word) <= LONGEST else -1
        while at >= 0:
            end = at + len(word)
            if not (at and self._before.match(text[at - 1])) and not self._after.match(text[end : end + 2]):
                return True
            at = text.find(word, at + 1)
        return False
