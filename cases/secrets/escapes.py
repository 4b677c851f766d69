"""Escapes undone, and what is invisible taken out."""

import html
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import pairwise
from operator import itemgetter

from cases import patterns as re

Part = tuple[str, int, int]
"""Decoded words, and where what they were decoded from begins and ends."""


def unescaped(text: str) -> list[Part]:
    """What stands for other signs, or for none."""
    return list(_as_utf8(in_order([*_escapes(text), *_quoted_printable(text)])))


def in_order(found: Iterable[Part]) -> list[Part]:
    """Parts of a text one after another; of several that overlap, the one that begins first."""
    parts: list[Part] = []
    for part in sorted(found, key=itemgetter(1)):
        if not parts or part[1] >= parts[-1][2]:
            parts.append(part)
    return parts


_INVISIBLE = "\u00ad\u0334-\u0338\u034f\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff"
_ESCAPES = re.compile(
    r"(?P<nothing>\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-Z\\^_]|[^\n]\x08"
    rf"|[{_INVISIBLE}]|\\\r?\n[ \t]*"
    r"|<wbr\s?/?>|<!--[^<>]{0,40}-->|</(?:span|font|b|i|em|code|mark)>(?:<(?:span|font|b|i|em|code|mark)(?:\s[^<>]{0,80})?>)+"
    r"|\"\s{0,9}[+.&]\s{0,9}\"|'\s{0,9}[+.&]\s{0,9}')"
    r"|(?P<percent>%[0-9A-Fa-f]{2})"
    r"|(?P<entity>&(?:\#\d{1,7}|\#[xX][0-9A-Fa-f]{1,6}|[a-zA-Z]{2,31});)"
    r"|\\u(?P<point>[0-9A-Fa-f]{4})|\\[ux]\{(?P<braced>[0-9A-Fa-f]{1,6})\}|\\U(?P<long>[0-9A-Fa-f]{8})"
    r"|\\x(?P<byte>[0-9A-Fa-f]{2})|\\(?P<octal>[0-3]?[0-7]{2})"
    r"|\\(?P<sign>[\\\"'/nrt])"
    "|(?P<wide>[\uff01-\uff5e\U0001d400-\U0001d7ff])"
)
_POINTS = 0x110000
_LENGTHS = {0xC: 2, 0xD: 2, 0xE: 3, 0xF: 4}
"""Bytes of a sign in UTF-8 by the first four bits of its first."""
_SIGNS = {"n": "\n", "r": "\r", "t": "\t"}


def _escapes(text: str) -> Iterator[Part]:
    for match in _ESCAPES.finditer(text):
        kind, said = next((name, found) for name, found in match.groupdict().items() if found is not None)
        if kind == "nothing":
            word = ""
        elif kind == "percent":
            word = chr(int(said[1:], 16))
        elif kind == "entity":
            word = _entity(said)
        elif kind == "octal":
            word = chr(int(said, 8))
        elif kind == "sign":
            word = _SIGNS.get(said, said)
        elif kind == "wide":
            word = unicodedata.normalize("NFKC", said)
        else:
            number = int(said, 16)
            word = chr(number) if number < _POINTS else said
        if word != match[0]:  # an entity that nobody knows stands for itself
            yield word, match.start(), match.end()


def _entity(said: str) -> str:
    """What an entity stands for, control signs too, which a page would not show."""
    digits = said[2:-1]
    if said[1] != "#":
        return html.unescape(said)
    number = int(digits[1:], 16) if digits[0] in "xX" else int(digits)
    return chr(number) if number < _POINTS else said


def _as_utf8(parts: list[Part]) -> Iterator[Part]:
    """The same where bytes that follow one another are one sign in UTF-8."""
    at = 0
    while at < len(parts):
        length = _LENGTHS.get(ord(parts[at][0]) >> 4, 1) if len(parts[at][0]) == 1 else 1
        sign = _sign(parts[at : at + length]) if length > 1 else ""
        if sign:
            yield sign, parts[at][1], parts[at + length - 1][2]
            at += length
        else:
            yield parts[at]
            at += 1


def _sign(parts: list[Part]) -> str:
    if any(one[2] != other[1] for one, other in pairwise(parts)):
        return ""
    try:
        return "".join(word for word, _, _ in parts).encode("latin-1").decode()
    except ValueError:
        return ""


_QUOTED = re.compile(r"=(?:(?P<byte>[0-9A-F]{2})|\r?\n)")


def _quoted_printable(text: str) -> Iterator[Part]:
    if "=3D" in text or "=\n" in text or "=\r\n" in text:
        for match in _QUOTED.finditer(text):
            yield chr(int(match["byte"], 16)) if match["byte"] else "", match.start(), match.end()
