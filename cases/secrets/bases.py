"""Texts as numbers of other bases: base58, ASCII85, base85, uuencode, and base32 with hexadecimal digits first."""

import base64
import binascii
import string
from collections.abc import Callable, Iterator

from cases import patterns as re
from cases.secrets.escapes import Part, in_order

BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase
_FEWEST, _FEWEST_UU = 12, 8
_WORD58 = re.compile(r"[1-9A-HJ-NP-Za-km-z]{16,}")
_HEAD = 20
"""Signs of groups that are read first, as few as there may be: where those say nothing, the rest need not be read."""
_LONGEST58 = 400
"""Signs of such a word up to which it is read: what that takes grows with the square of them."""
_DIGITS58 = {sign: number for number, sign in enumerate(BASE58)}
_HEX32 = re.compile(r"[0-9A-V]{16,}")
_SHOWN = frozenset((*range(0x20, 0x7F), *b"\t\r\n\x1b"))
_SIGN85 = "[0-9A-Za-z!#$%&()*+;<=>?@^_`{|}~-]"
_GROUPS: tuple[tuple[re.Pattern[str], Callable[[str], bytes]], ...] = (
    (re.compile(r"[+-I][!-u]{4}(?:[#$+-I][!-u]{4}){3,}(?:[!-u]{2,4}|)"), base64.a85decode),
    (re.compile(rf"[A-Za-e]{_SIGN85}{{4}}(?:[2-4A-Za-e]{_SIGN85}{{4}}){{3,}}(?:{_SIGN85}{{2,4}}|)"), base64.b85decode),
)
"""Groups of five signs for four bytes of ASCII: the first is one of thirty, so that few words are tried."""


_UU = re.compile(
    r"(?m)^M[ -`]{60}$(?:\r?\n^[ -M][ -`]{1,60}$)*"
    r"|^(?:begin [0-7]{3,4} [^\n]{1,100})\r?\n(?P<body>(?:[ -M][ -`]{0,60}\r?\n)+)|^(?P<alone>[!-M][ -`]{12,60})$"
)
_LINE = re.compile(r"[^\r\n]+")
_ANY = re.Gate((_WORD58, _HEX32, *(pattern for pattern, _ in _GROUPS), _UU))


def numbered(text: str, digits: str) -> str:
    """A text's bytes as one number with these digits."""
    number, told = int.from_bytes(text.encode("utf-8", "surrogatepass"), "big"), ""
    while number:
        number, digit = divmod(number, len(digits))
        told = digits[digit] + told
    return told


def based(text: str) -> list[Part]:
    """What words of a text are in one of these bases, where all of it is text."""
    return in_order((*_based(text), *_uuencoded(text))) if _ANY.opens(text) else []


def _based(text: str) -> Iterator[Part]:
    for match in _WORD58.finditer(text):
        if match.end() - match.start() <= _LONGEST58 and (said := _base58(match[0])):
            yield said, *match.span()
    for match in _HEX32.finditer(text):
        if said := _read(base64.b32hexdecode, _padded(match[0])):
            yield said, *match.span()
    for pattern, decode in _GROUPS:
        for match in pattern.finditer(text):
            if said := _grouped(decode, match[0]):
                yield said, match.start(), match.end()


def _uuencoded(text: str) -> Iterator[Part]:
    for match in _UU.finditer(text):
        group = "body" if match["body"] is not None else 0
        if match["alone"] and not _fits(match["alone"]):
            continue
        told: list[str] = []
        for line in _LINE.finditer(match[group]):
            try:
                told.append(binascii.a2b_uu(line[0]).decode("ascii"))
            except ValueError:
                told = []
                break
        said = "".join(told)
        if len(said) >= _FEWEST_UU and _SHOWN.issuperset(said.encode()):
            yield said, *match.span(group)


def _fits(line: str) -> bool:
    """Whether a line is as long as its first sign says; blanks at its end may be lost."""
    length = (ord(line[0]) - ord(" ") + 2) // 3 * 4
    return len(line.rstrip()) - 1 <= length <= len(line) + 2


def _base58(word: str) -> str:
    number = 0
    for sign in word:
        number = number * len(BASE58) + _DIGITS58[sign]
    return _shown(number.to_bytes((number.bit_length() + 7) // 8, "big"))


def _padded(word: str) -> str:
    whole = word[: len(word) - (len(word) % 8 in (1, 3, 6))]
    return whole + "=" * (-len(whole) % 8)


def _grouped(decode: Callable[[str], bytes], word: str) -> str:
    """What a word says, of which the last sign or two may be none of it, as a quote or `~>` behind it."""
    if not _read(decode, word[:_HEAD]):
        return ""
    for dropped in range(4):
        if said := _read(decode, word[: len(word) - dropped]):
            return said
    return ""


def _read(decode: Callable[[str], bytes], word: str) -> str:
    try:
        return _shown(decode(word))
    except ValueError:
        return ""


def _shown(data: bytes) -> str:
    return data.decode() if len(data) >= _FEWEST and _SHOWN.issuperset(data) else ""
