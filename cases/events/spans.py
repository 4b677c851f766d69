"""Delimited parts of a text, found in one linear pass."""

from collections.abc import Iterator
from functools import cache

from cases import patterns as re
from cases.loading import Expression
from cases.model import Model


class Span(Model):
    """What lies between two marks."""

    opens: Expression
    """A pattern; `^` and `$` match at lines."""
    closes: str = ""
    """A pattern, in which `{name}` stands for the group `name` of what opened it; empty for the end of the text."""
    open_ended: bool = False
    """Whether a part that is never closed runs to the end of the text."""


def parts(span: Span, text: str) -> Iterator[tuple[re.Match[str], int, int]]:
    """Each part: what opened it, and where its body begins and ends. Parts do not overlap."""
    at = 0
    while at <= len(text) and (match := compiled(span.opens).search(text, at)):
        close = _closing(span, match).search(text, match.end()) if span.closes else None
        if close is None and span.closes and not span.open_ended:
            return
        end = close.start() if close else len(text)
        yield match, match.end(), end
        at = max(close.end() if close else end, match.start() + 1)


def _closing(span: Span, match: re.Match[str]) -> re.Pattern[str]:
    named = "{name}" in span.closes
    return compiled(span.closes.replace("{name}", re.escape(match["name"])) if named else span.closes)


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """The pattern as the data files mean it."""
    return re.compile(pattern, re.MULTILINE)
