"""What a page has of its own beside other pages of its site: compared by letters, in any language."""

import unicodedata
from collections.abc import Iterable
from urllib.parse import unquote, urlsplit

WINDOW = 12
"""Letters in a row that two pages must share before they are the same words."""
SLACK = 0.05
"""Share of its letters that a page may have of its own and still be the same one, such as a time of day."""
FEWEST = 12
"""Letters below which a text is too short to be the same as another by more than chance."""
_LONGEST = 20_000
_WIDE = 3
"""Letters of an alphabet that say as much as one letter of Chinese, Japanese or Korean."""


def letters(text: str, echoes: Iterable[str] = ()) -> str:
    """The text without anything but letters, and without the words of an address that it echoes."""
    kept = "".join(char for char in unicodedata.normalize("NFKC", text).casefold() if char.isalpha())[:_LONGEST]
    for echo in echoes:
        kept = kept.replace(echo, "")
    return kept


def echoes(*urls: str) -> tuple[str, ...]:
    """What a page may repeat of these addresses, the longest first."""
    whole = [unquote(urlsplit(url).path) for url in urls]
    parts = {letters(part) for path in whole for part in (path, *path.split("/"))}
    return tuple(sorted((part for part in parts if len(part) >= 4), key=lambda part: (-len(part), part)))


def own(text: str, others: Iterable[str], echoed: Iterable[str] = ()) -> str:
    """The letters of a text that stand in none of the others, so that what frames every page of a site is left out."""
    gone = tuple(echoed)
    mine, theirs = letters(text, gone), [letters(other, gone) for other in others]
    if any(mine in other for other in theirs):
        return ""
    known = {other[i : i + WINDOW] for other in theirs for i in range(len(other) - WINDOW + 1)}
    shared = bytearray(len(mine))
    for i in range(len(mine) - WINDOW + 1):
        if mine[i : i + WINDOW] in known:
            shared[i : i + WINDOW] = b"\1" * WINDOW
    return "".join(letter for letter, common in zip(mine, shared, strict=True) if not common)


def same(one: str, other: str, echoed: Iterable[str] = ()) -> bool:
    """Whether two texts are one and the same, but for the address that each repeats and a few letters."""
    gone = tuple(echoed)
    ours, theirs = letters(one, gone), letters(other, gone)
    if min(len(ours), len(theirs)) < FEWEST:
        return False
    return all(len(own(a, (b,))) <= SLACK * len(a) for a, b in ((ours, theirs), (theirs, ours)))


def said(text: str) -> int:
    """How much a text says, in letters of an alphabet."""
    return sum(_WIDE if unicodedata.east_asian_width(char) in "WF" else 1 for char in letters(text))
