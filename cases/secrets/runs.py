"""Runs of signs that are text in another alphabet: base64, base32, hexadecimal, numbers, and what was packed before."""

import base64
import binascii
import bz2
import lzma
import string
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Protocol

from cases import patterns as re
from cases.secrets.escapes import Part, in_order

_FEWEST, _FEWEST_WIDE, _FEWEST_ZEROS = 8, 12, 6
_UNSEEN = "\t\r\n\x1b\x08\u00ad\u200b"
_MOST_INFLATED = 8
"""Bytes that may be unpacked of one packed byte: of ordinary text it is three to six."""
_SMALL = 256
"""Bytes that may be unpacked of however few."""
_MOST_MEMORY = 64 * 2**20
UNREAD = "\ufdd1"
"""Stands for what is packed so tightly that it is not read; no text has it (Unicode, noncharacters)."""
_REMEMBERED = 4_096
"""Runs of which is remembered what they say: words come again and again, in one text and its views."""
_ZLIB = (b"x\x9c", b"x\xda", b"x\x01")
_MOST_BEFORE = 100
"""Bytes before what is packed that are of what was glued to its front."""
_MOST_AFTER = 3
"""Lines after a run that may look like part of it."""
_LINE = re.compile(r"[^\r\n]+")
_TEXT = re.compile(rb"[\x20-\x7e\t\r\n\x1b\x08]{8,}|[0-9]{4,}")
"""Bytes that are text, so many that it is no coincidence."""
_WIDE = re.compile(rb"(?:[\x20-\x7e\t\r\n]\0){6,}|(?:\0[\x20-\x7e\t\r\n]){6,}")

_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{8,}={0,2}")
_BASE64_LINES = re.compile(
    r"[A-Za-z0-9+/]{16,}(?:[ \t]*\r?\n[ \t]*[A-Za-z0-9+/]{16,})*(?:[ \t]*\r?\n[ \t]*[A-Za-z0-9+/]+)?={0,2}"
)
_BASE32 = re.compile(r"[A-Z2-7]{8,}={0,6}|[a-z2-7]{16,}={0,6}")
_HEX = re.compile(r"(?:[0-9a-fA-F]{2}){4,}")
_DUMP = re.compile(
    r"(?:[0-9a-fA-F]{2}){1,4}(?:(?:[ :-]|[ \t]*\r?\n[ \t]*)(?:[0-9a-fA-F]{2}){1,4}){2,}(?:[ :-][0-9a-fA-F]{2}\b)?"
)
_PREFIXED = re.compile(r"(?:0[xX][0-9A-Fa-f]{2}(?:[\s,;:|+)(]|chr){0,8}){4,}")
_BYTE = re.compile(r"0[xX]([0-9A-Fa-f]{2})")
_QUOTED = re.compile(r"(?:[='][0-9A-Fa-f]{2}){4,}")
_QUOTED_BYTE = re.compile(r"[='](..)")
_SEPARATORS = " \t\r\n+,;.&|"
_POINTS = re.compile(r"(?:U\+00[0-9A-Fa-f]{2}[\s,]{0,3}){4,}")
_POINTED = re.compile(r"U\+00(..)")
_OCTAL = re.compile(r"\b(?:0o)?[01][0-7]{2}(?:[ \t,]{1,3}(?:0o)?[01][0-7]{2}){5,}\b")
_OCTET = re.compile(r"[01][0-7]{2}")
_BITS = re.compile(r"\b[01]{8}(?:[ \t,]{0,2}[01]{8}){5,}\b")
_BIT = re.compile(r"[01]{8}")
_CALLED = re.compile(r"(?:(?:\bchr\(|\[char\])\s?(?:\d{1,3}|0x[0-9a-fA-F]{2})\s?\)?[\s+.,&]{0,5}){4,}")
_POINT = re.compile(r"\d{2,3}|0x[0-9a-fA-F]{2}")
_WRITTEN = (
    (_PREFIXED, _BYTE, 16),
    (_QUOTED, _QUOTED_BYTE, 16),
    (_POINTS, _POINTED, 16),
    (_OCTAL, _OCTET, 8),
    (_BITS, _BIT, 2),
    (_CALLED, _POINT, 0),
)
"""Bytes written one by one: many of them, one, and the numbers' base."""
_LETTERS = (
    (re.compile(r"(?:'[^'\\\s]'[ \t]{0,3},\s{1,20}){7,}'[^'\\\s]'"), re.compile(r"'(.)'[\s,]*")),
    (re.compile(r"(?:\"[^\"\\\n]\"[ \t]{0,3},\s{1,20}){7,}\"[^\"\\\n]\""), re.compile(r"\"(.)\"[\s,]*")),
    (re.compile(r"(?:[!-~][ \t]{1,3}){11,}[!-~]"), re.compile(r"(.)[ \t]*")),
    (re.compile(r"(?:[ -~]\r?\n){11,}[!-~]"), re.compile(r"(.)\r?\n?")),
    (re.compile(r"(?:[ -~]\x00){6,}"), re.compile(r"(.)\x00")),
)
"""Texts set letter by letter (quoted, spaced, on lines, with the zeros of a wider alphabet), and one letter."""
_NUMBERS = re.compile(r"\d{1,3}(?:[ \t]{0,3},?\s{1,3}\d{1,3}|,\d{1,3}){3,}")
_NUMBER = re.compile(r"\d+")
_NUMBERED = re.Gate((_NUMBERS, _DUMP, _HEX, *(run for run, _, _ in _WRITTEN), *(run for run, _ in _LETTERS)))


def decoded(text: str) -> list[Part]:
    """What all runs say; of several that overlap, the one that begins first."""
    letters = (*_base64_lines(text), *_base64(text), *_base32(text))
    if not _NUMBERED.opens(text):
        return in_order(letters)
    decimal = _numbers(text)
    numbers = (*decimal[True], *_dump(text), *_hex(text), *decimal[False], *_bytewise(text))
    return in_order((*letters, *numbers, *_spaced(text)))


def _base64(text: str) -> Iterator[Part]:
    for match in _BASE64.finditer(text):
        run = match.group().rstrip("=")
        if _mixed(run):
            yield from _moved(_run64(run), match.start())


@lru_cache(maxsize=_REMEMBERED)
def _run64(run: str) -> tuple[Part, ...]:
    said: list[Part] = []
    plain = run.replace("-", "+").replace("_", "/")
    for skipped in range(4):  # what is glued to its front shifts it
        data = _bytes64(plain[skipped:])
        if _mute(data):
            continue
        said = max(said, list(_said(data, range(skipped, len(run)), 4, 3)), key=_length)
        if _length(said) * 4 >= (len(run) - 4) * 3:
            break
    return tuple(said)


def _moved(parts: Iterable[Part], by: int) -> Iterator[Part]:
    return ((word, start + by, end + by) for word, start, end in parts)


def _base64_lines(text: str) -> Iterator[Part]:
    for match in _BASE64_LINES.finditer(text):
        if not _mixed(match[0]):
            continue
        lines = [(match.start() + line.start(), match.start() + line.end()) for line in _LINE.finditer(match[0])]
        for _ in range(min(_MOST_AFTER, len(lines) - 1)):
            places = [at for start, end in lines for at in range(start, end) if text[at] not in " \t="]
            parts = list(_said(_bytes64("".join(text[at] for at in places)), places, 4, 3))
            if parts and parts[-1][2] > lines[-1][0]:
                yield from parts
                break
            lines.pop()


def _mixed(run: str) -> bool:
    """Whether it is more than capitals, more than small letters and more than digits, as what is coded is."""
    return not (run.islower() or run.isupper() or run.isdigit())


def _length(parts: list[Part]) -> int:
    return sum(len(word) for word, _, _ in parts)


def _bytes64(run: str) -> bytes:
    """What it is in standard base64, without padding; of what is no whole byte, nothing."""
    whole = run[: len(run) - (len(run) % 4 == 1)]
    return binascii.a2b_base64(whole + "==")


def _bytewise(text: str) -> Iterator[Part]:
    """Bytes that are written one by one, in whichever numbers."""
    for run, one, base in _WRITTEN:
        for match in run.finditer(text):
            found = list(one.finditer(match[0]))
            digits = ((number.groups() or (number[0],))[0] for number in found)
            data = bytes(min(int(said, base), 0xFF) for said in digits)
            places = [match.start(), *(match.start() + number.start() for number in found[1:])]
            yield from _said(data, places, 1, 1, match.start() + len(match[0].rstrip(_SEPARATORS)))


def _spaced(text: str) -> Iterator[Part]:
    """Letters that stand one by one."""
    for run, letter in _LETTERS:
        for match in run.finditer(text):
            for one in letter.finditer(text, match.start(), match.end()):
                yield one[1], *one.span()


def _base32(text: str) -> Iterator[Part]:
    for match in _BASE32.finditer(text):
        yield from _moved(_run32(match.group().rstrip("=").upper()), match.start())


@lru_cache(maxsize=_REMEMBERED)
def _run32(run: str) -> tuple[Part, ...]:
    whole = run[: len(run) - (len(run) % 8 in (1, 3, 6))]
    if len(whole) % 8 in (1, 3, 6):
        return ()
    return tuple(_said(base64.b32decode(whole + "=" * (-len(whole) % 8)), range(len(whole)), 8, 5))


def _hex(text: str) -> Iterator[Part]:
    for match in _HEX.finditer(text):
        yield from _moved(_run16(match.group()), match.start())


@lru_cache(maxsize=_REMEMBERED)
def _run16(run: str) -> tuple[Part, ...]:
    return tuple(_said(bytes.fromhex(run), range(len(run)), 2, 1))


def _dump(text: str) -> Iterator[Part]:
    for match in _DUMP.finditer(text):
        places = [match.start() + at for at, sign in enumerate(match.group()) if sign in string.hexdigits]
        yield from _said(bytes.fromhex("".join(text[at] for at in places)), places, 2, 1)


def _numbers(text: str) -> dict[bool, list[Part]]:
    """What decimal numbers say, by whether some have three digits, so that they are surely no hexadecimal ones."""
    told: dict[bool, list[Part]] = {True: [], False: []}
    for match in _NUMBERS.finditer(text):
        numbers = list(_NUMBER.finditer(match[0]))
        data = bytes(min(int(number[0]), 0xFF) for number in numbers)
        surely = any(len(number[0]) > len("ff") for number in numbers)
        places = [match.start() + number.start() for number in numbers]
        told[surely] += _said(data, places, 1, 1, match.end())
    return told


def _said(data: bytes, places: Sequence[int], signs: int, size: int, end: int = 0) -> Iterator[Part]:
    """What bytes say of which each `size` stand in `signs` signs at some of the `places`, up to `end`."""
    if not data:
        return
    end = end or places[-1] + 1
    if whole := _whole(data):
        yield whole, places[0], end
        return
    for found in _TEXT.finditer(data) if _has_text(data) else ():
        for at in range(found.start() - found.start() % size, found.end(), size):
            first, after = at // size * signs, (at // size + 1) * signs
            said = data[max(at, found.start()) : min(at + size, found.end())].decode("ascii")
            yield said, places[first], places[after] if after < len(places) else end


def _whole(data: bytes) -> str:
    """The text that bytes are only as a whole: packed, as UTF-16, or beyond ASCII; `` where they are none."""
    if told := _unpacked(data):
        return told
    return _wide(data) or _beyond_ascii(data) or ("" if _has_text(data) else _deflated(data))


def _mute(data: bytes) -> bool:
    """Whether bytes say nothing at all, told quickly: most do."""
    return not (
        _has_text(data)
        or data.count(0) >= _FEWEST_ZEROS
        or data[:1] in _DEFLATED
        or data[:2] in _ZLIB
        or any(sign in data for sign, _ in _PACKED)
        or _beyond_ascii(data)
    )


def _has_text(data: bytes) -> bool:
    """Whether `_TEXT` is found in it, told in a fraction of the time: hardly any run of a long text says something."""
    return _SHOWN in data.translate(_SHOWABLE) or _FOUR in data.translate(_DIGITS)


def _table(signs: bytes) -> bytes:
    return bytes(ord("x") if byte in signs else 0 for byte in range(256))


_SHOWABLE = _table(bytes(range(0x20, 0x7F)) + b"\t\r\n\x1b\x08")
_DIGITS = _table(b"0123456789")
_SHOWN, _FOUR = b"x" * 8, b"x" * 4


class _Inflating(Protocol):
    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


def _unpacked(data: bytes) -> str:
    """What was packed by a program that says so in its first bytes."""
    if data[:2] in _ZLIB:
        return _inflated(data, zlib.decompressobj())
    for sign, unpacking in _PACKED:
        at = data.find(sign, 0, _MOST_BEFORE)
        if at >= 0 and (told := _inflated(data[at:], unpacking())):
            return told
    return ""


_PACKED: tuple[tuple[bytes, Callable[[], _Inflating]], ...] = (
    (b"\x1f\x8b\x08", lambda: zlib.decompressobj(zlib.MAX_WBITS | 16)),
    (b"BZh", bz2.BZ2Decompressor),
    (b"\xfd7zXZ\0", lambda: lzma.LZMADecompressor(memlimit=_MOST_MEMORY)),
    (b"\x5d\0\0", lambda: lzma.LZMADecompressor(lzma.FORMAT_ALONE, memlimit=_MOST_MEMORY)),
)
"""How what was packed begins, and what unpacks it."""


_DEFLATED = frozenset(bytes([byte]) for byte in range(256) if byte & 7 in (3, 5))
"""How what was deflated may begin, where it is one whole block."""


def _deflated(data: bytes) -> str:
    """What was packed without any sign of it, where it comes out as text to its very end."""
    if len(data) < _FEWEST_WIDE or data[:1] not in _DEFLATED:
        return ""
    unpacking = zlib.decompressobj(-zlib.MAX_WBITS)
    told = _inflated(data, unpacking)
    whole = unpacking.eof and all(sign.isprintable() or sign in _UNSEEN for sign in told)
    return told if whole else ""


def _inflated(data: bytes, unpacking: _Inflating) -> str:
    most = max(_MOST_INFLATED * len(data), _SMALL)
    try:
        unpacked = unpacking.decompress(data, most + 1)
        return UNREAD if len(unpacked) > most else unpacked.decode("utf-8", "replace")
    except (zlib.error, lzma.LZMAError, OSError, ValueError, EOFError):
        return ""


def _wide(data: bytes) -> str:
    for high, encoding in ((data[1::2], "utf-16-le"), (data[::2], "utf-16-be")):
        if len(data) >= _FEWEST_WIDE and high.count(0) * 2 > len(high):
            return data.decode(encoding, "ignore")
    found = _WIDE.search(data) if data.count(0) >= _FEWEST_ZEROS else None
    return found.group().replace(b"\0", b"").decode("ascii") if found else ""


def _beyond_ascii(data: bytes) -> str:
    """UTF-8 in which every sign can be shown; fewer bytes may be it by coincidence."""
    try:
        words = data.decode() if len(data) >= _FEWEST and not data.isascii() else ""
    except UnicodeDecodeError:
        return ""
    return words if all(sign.isprintable() or sign in _UNSEEN for sign in words) else ""
