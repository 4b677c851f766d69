"""Words that stand as a whole in a text, whatever words these are: no pattern is made for each."""

from cases.patterns.pattern import Pattern

LONGEST = 1000
"""Characters of a name or a word; a pattern that spells more takes long over more of the same."""


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
