"""Which file of a series a text means that tells its number or its date and not its name."""

import calendar
import posixpath
from collections.abc import Iterable, Iterator

from cases import patterns as re

_DIGITS = re.compile(r"\d+")
_MONTHS = {
    name: number for names in (calendar.month_name, calendar.month_abbr) for number, name in enumerate(names) if name
}
_DATES = {6: (4, 6), 8: (4, 6, 8)}
"""Where a date ends its parts that is written without signs between them, by its length."""


def told_by_number(path: str, prompt: str, texts: Iterable[str]) -> bool:
    """Whether a prompt tells every number in a file's name, as digits or as a month, and does not tell all those of
    another file that differs in its numbers only and is named in one of the `texts`.
    """
    name = posixpath.basename(path)
    numbers = tuple(_numbers(name))
    told = {int(one) for one in _DIGITS.findall(prompt)}
    told |= {number for month, number in _MONTHS.items() if re.search(rf"\b{re.escape(month)}\b", prompt)}
    if not numbers or not told.issuperset(numbers):
        return False
    kin = re.compile(r"\d+".join(map(re.escape, _DIGITS.split(name))))
    others = (match[0] for text in texts for match in kin.finditer(text))
    return any(not told.issuperset(_numbers(other)) for other in others)


def _numbers(name: str) -> Iterator[int]:
    for match in _DIGITS.finditer(name):
        ends = _DATES.get(len(match[0]), ())
        yield from (int(match[0][start:end]) for start, end in zip((0, *ends), ends or (None,), strict=False))
