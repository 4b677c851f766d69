"""Escapes undone, and what is invisible taken out."""

import html
import unicodedata
from collections.abc import Callable, Iterable, Iterator
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


_INVISIBLE = "\u00ad\u0300-\u036f\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff\U000e0100-\U000e01ef"
"""Signs that are not seen, or only change how the one before them looks."""
_INLINE = "span|font|b|i|em|strong|code|kbd|mark|tt|u"
_ESCAPES = re.compile(
    r"(?P<slashed>(?:\\[!-~]){4,})"
    r"|(?P<nothing>(?:(?:\\(?:x1[bB]|0?33|e|u001[bB])|\^\[)?\[\d{1,3}(?:;\d{1,3}){0,5}m"
    r"|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-Z\\^_]|[^\n]\x08"
    rf"|[{_INVISIBLE}]+|\\\r?\n[ \t]*"
    rf"|<wbr\s?/?>|<!--[^<>]{{0,40}}-->|</?(?:{_INLINE})(?:\s[^<>]{{0,80}})?>"
    r"|\"(?:\s{0,9}[+.&]\s{0,9}|[ \t]{0,9}\r?\n\s{0,40})\"|'(?:\s{0,9}[+.&]\s{0,9}|[ \t]{0,9}\r?\n\s{0,40})')+)"
    r"|(?P<joined>[A-Za-z0-9_+/-](?:''|\"\"|'\"|\"')[A-Za-z0-9])"
    r"|(?P<percent>%[0-9A-Fa-f]{2})"
    r"|(?P<entity>&(?:\#\d{1,7};?|\#[xX][0-9A-Fa-f]{1,6};?|[a-zA-Z]{2,31};))"
    r"|[\\%]u(?P<point>[0-9A-Fa-f]{4})|\\[ux]\{(?P<braced>[0-9A-Fa-f]{1,6})\}|\\U(?P<long>[0-9A-Fa-f]{8})"
    r"|\\N\{(?P<named>[A-Z][A-Z0-9 +-]{1,80})\}"
    r"|\\x(?P<byte>[0-9A-Fa-f]{2})|\\0000(?P<padded>[0-7][0-9A-Fa-f])|\\(?P<short>[2-7][0-9A-Fa-f]) "
    r"|\\(?P<octal>0[01][0-7]{2}|[0-3]?[0-7]{2})"
    r"|(?P<sign>\\[!-/:-@\[-`{-~nrte]|\^\[|\$')"
    "|(?P<wide>[\uff01-\uff5e\u2460-\u24ff\U0001d400-\U0001d7ff])|(?P<tag>[\U000e0020-\U000e007e])"
)
_POINTS, _TAGS = 0x110000, 0xE0000
_POINT = "U+"
_LENGTHS = {0xC: 2, 0xD: 2, 0xE: 3, 0xF: 4}
"""Bytes of a sign in UTF-8 by the first four bits of its first."""
_SIGNS = {"\\n": "\n", "\\r": "\r", "\\t": "\t", "\\e": "\x1b", "^[": "\x1b"}


def _escapes(text: str) -> Iterator[Part]:
    for match in _ESCAPES.finditer(text):
        kind, whole = match.which, match[0]
        word = _word(kind, match[kind], whole)
        if word != whole:  # an entity that nobody knows stands for itself
            yield word, match.start(), match.end()


def _word(kind: str, said: str, whole: str) -> str:
    """What one escape stands for."""
    if kind in _READ:
        return _READ[kind](said)
    if kind == "named":
        return _called(said) or whole
    number = int(said, 16)
    return chr(number) if number < _POINTS else said


def _entity(said: str) -> str:
    """What an entity stands for, control signs too, which a page would not show."""
    digits = said[2:].removesuffix(";")
    if said[1] != "#":
        return html.unescape(said)
    number = int(digits[1:], 16) if digits[0] in "xX" else int(digits)
    return chr(number) if number < _POINTS else said


def _called(name: str) -> str:
    """What a name of Unicode's stands for."""
    try:
        return chr(int(name.removeprefix(_POINT), 16)) if name.startswith(_POINT) else unicodedata.lookup(name)
    except (KeyError, ValueError, OverflowError):
        return ""


def _one_by_one(said: str) -> str:
    """Signs that have a backslash before each, as a shell takes them: line ends are such only among their like."""
    signs = said[1::2]
    return signs if set(signs) - set("nrte") else "".join(_SIGNS[f"\\{sign}"] for sign in signs)


_READ: dict[str, Callable[[str], str]] = {
    "nothing": lambda _said: "",
    "joined": lambda said: said[0] + said[-1],  # quoted pieces that a shell makes one word
    "percent": lambda said: chr(int(said[1:], 16)),
    "entity": _entity,
    "slashed": _one_by_one,
    "octal": lambda said: chr(int(said, 8)),
    "sign": lambda said: _SIGNS.get(said, said[1:]),
    "wide": lambda said: unicodedata.normalize("NFKC", said),
    "tag": lambda said: chr(ord(said) - _TAGS),
}


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
