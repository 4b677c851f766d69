"""Which of many words stand in a text, told in one pass."""

from collections.abc import Iterable

import re2

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
