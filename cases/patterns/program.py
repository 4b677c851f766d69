"""What RE2 runs."""

from collections.abc import Sequence
from functools import lru_cache
from re import error
from typing import Any

import re2

from cases.patterns.match import Span
from cases.patterns.translation import Mark, Translation

NOWHERE: Span = (-1, -1)
ANYWHERE = re2._re2.RE2.Anchor.UNANCHORED
HERE = re2._re2.RE2.Anchor.ANCHOR_START
WHOLE = re2._re2.RE2.Anchor.ANCHOR_BOTH
_MEMORY = 8 << 20, 256 << 20
"""Bytes that a pattern may take, and the few that need more to be run at all."""


class Program:
    """What RE2 runs."""

    def __init__(self, translation: Translation, tree: Any, flags: int) -> None:  # noqa: ANN401
        self.size = translation.alphabet.size
        written = translation.write(tree, flags)
        self.early = int(translation.behind)
        """How many characters before the place of a search it begins, but for the text's beginning."""
        self.marked = any(isinstance(group, str) for group in translation.groups)
        self._groups: tuple[int | Mark, ...] = tuple(translation.groups)
        self._count = 1 + sum(isinstance(group, int) for group in self._groups)
        self.engine = _engine(written.encode("ascii"))

    def cut(self, spans: Sequence[Span]) -> list[Span]:
        """The spans of the pattern's own groups, without what was taken in to look around."""
        first, last = spans[0]
        cut = [NOWHERE] * self._count
        for group, (start, _) in zip(self._groups, spans[1:], strict=True):
            if start >= 0:
                first, last = (start, last) if group == "start" else (first, start) if group == "end" else (first, last)
        cut[0] = first, last
        for group, (start, end) in zip(self._groups, spans[1:], strict=True):
            if start >= 0 and isinstance(group, int):
                cut[group] = min(max(start, first), last), min(max(end, first), last)
        return cut


@lru_cache(maxsize=2048)
def _engine(written: bytes) -> Any:  # noqa: ANN401
    options = re2.Options()
    options.encoding, options.log_errors = re2.Options.Encoding.LATIN1, False
    for memory in _MEMORY:
        options.max_mem = memory
        engine = re2._re2.RE2(written, options)
        if engine.ok():
            return engine
    raise error(engine.error(), written)
