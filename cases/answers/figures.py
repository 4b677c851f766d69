"""Numbers as texts write them."""

import sys
import unicodedata
from itertools import islice
from urllib.parse import urlsplit

from cases import patterns as re
from cases.answers.text_match import normalise

DIGITS = 3
"""Of a number, that its presence says something."""
GROUPING = r"[.,'’ \u00a0\u202f]"
WRITTEN = re.compile(r"(?P<whole>\d{1,3}(?:[.,'’ \u00a0\u202f]\d{3})+|\d+)(?:[.,](?P<decimals>\d+))?")
BEHIND = re.compile(r"[ \u00a0\u202f]?([^\W\d_]+)")
_TIME = re.compile(r"\d:\d")
_AT = re.compile(r"[ \u00a0\u202f]?([^\W\d_]+|[€$£¥₹%°])")
_AT_BEFORE = re.compile(r"([^\W\d_]+|[€$£¥₹])[ \u00a0\u202f]?$")
ROUND = re.compile(r"^0*\d{1,2}0*$")
YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
TERMS = 120
"""Numbers of a text that are looked at."""
RARE = 4
"""Digits of a number that hardly stands anywhere by chance."""
_UNIT = 12
"""Characters of a unit, at most."""
_DIGITS_OF_SCRIPTS = {
    code: str(unicodedata.decimal(chr(code))) for code in range(128, sys.maxunicode + 1) if chr(code).isdecimal()
}
_FRACTION = re.compile(r"(?<=\d)[\u00bc-\u00be\u2150-\u215e]")
_POINT = re.compile(r"(?<=\d)[\u00b7\u066b€£](?=\d{2}(?![\d€£$]))")


def in_figures(text: str) -> str:
    """The text with every digit as ASCII has it, `½` as `.5`, and a point where decimals begin otherwise: `14€60`."""
    if text.isascii():
        return text
    return _POINT.sub(".", _FRACTION.sub(_decimals, text.translate(_DIGITS_OF_SCRIPTS)))


def _decimals(found: re.Match[str]) -> str:
    return f"{unicodedata.numeric(found[0]):.3g}"[1:]


def grouped(digits: str, decimals: str) -> re.Pattern[str]:
    """A number as it stands, with its thousands grouped or not."""
    groups = [digits[max(0, end - 3) : end] for end in range(len(digits), 0, -3)][::-1]
    fraction = rf"[.,]{decimals}0*" if decimals else ""
    return re.compile(rf"(?<!\d)(?:{digits}|{GROUPING.join(groups)}){fraction}(?!\d)(?![.,]\d)")


def roman(number: int) -> str:
    """A number below 4000 in Roman figures."""
    places = ((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"))
    told = ""
    for value, letters in (*places, (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")):
        told += letters * (number // value)
        number %= value
    return told


def tells_by_absence(gold: str) -> bool:
    """Whether an expected answer is one number that no page shows by other words, so that its absence says something.

    Such a number has its currency or unit, or is whole, of four digits, and neither round nor a year.
    """
    number = WRITTEN.search(gold)
    rest = gold.replace(number[0], "", 1).strip() if number else ""
    if number and not rest:
        digits = re.sub(r"\D", "", number[0])
        plain = not number["decimals"] and not ROUND.search(digits) and not YEAR.fullmatch(digits)
        return plain and len(digits) >= RARE
    return bool(rest) and "%" not in rest and not any(char.isdigit() for char in rest) and len(rest) <= _UNIT


def is_year(gold: str) -> bool:
    """Whether an expected answer is nothing but a year."""
    return YEAR.fullmatch(gold.strip()) is not None


def numbers_shown(text: str, gold: str, url: str) -> bool:
    """Whether a page shows every number of an answer that has several, one of them long: with the same word or sign at
    it, or in one line with such a one, as where the page is in another language; and a year in its address.
    """
    wanted = list(WRITTEN.finditer(gold))
    kinds = {match[0] for match in wanted}
    if (
        _TIME.search(gold)
        or len(kinds) == 1
        or all(sum(map(str.isdigit, one)) < DIGITS or YEAR.fullmatch(one) for one in kinds)
    ):
        return False
    lines = [_told_in(normalise(line)) for line in text.splitlines()]
    told = {(number, sign) for number, sign in _told_in(gold) if sign}
    firm = [set(line) & told for line in lines]
    beside = {number for line, sure in zip(lines, firm, strict=True) if sure for number, _ in line}
    sure = {number for each in firm for number, _ in each}
    years = {one for one in re.findall(r"\d{4}", urlsplit(url).path) if YEAR.fullmatch(one)}
    return bool(sure) and {_figures(one) for one in kinds} <= sure | beside | years


def _told_in(text: str) -> list[tuple[str, str]]:
    """The numbers of a text, each with the word or the sign behind it, and with that before it."""
    found = []
    for match in islice(WRITTEN.finditer(text), TERMS):
        behind, before = (
            _AT.match(text, match.end()),
            _AT_BEFORE.search(text[max(0, match.start() - _UNIT) : match.start()]),
        )
        signs = [one[1] for one in (behind, before) if one]
        found += [(_figures(match[0]), sign) for sign in signs or [""]]
    return found


def _figures(number: str) -> str:
    return re.sub(r"[ '’\u00a0\u202f]", "", number)
