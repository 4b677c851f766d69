"""Rows that a program numbers: where a word that is cut by their ends goes on behind the next row's number."""

from collections.abc import Iterator
from itertools import pairwise

from cases import patterns as re

_ROW = re.compile(
    r"(?m)(?:^|[:>] )(?P<gutter>[ \t]*(?P<number>\d{1,6})(?:[ \t]*[|│→:]|\t| {2})[ \t]*)(?P<rest>[^\r\n]*?)[ \t\\]*\r?$"
)
_CUT = re.compile(r"[A-Za-z0-9+/_-]{16,}$")
_MORE = re.compile(r"[A-Za-z0-9+/_-]{2,}={0,2}[\"',;]{0,2}")


def numbered(text: str) -> Iterator[tuple[str, int, int]]:
    """What lies between the two parts of such a word: the row's end, and the next one's number."""
    for row, after in pairwise(_ROW.finditer(text)):
        between = text[row.end() : after.start()]
        follows = between in ("", "\n", "\r\n") and int(after["number"]) == int(row["number"]) + 1
        if follows and _CUT.search(row["rest"]) and _MORE.fullmatch(after["rest"]):
            yield "", row.end("rest"), after.end("gutter")
