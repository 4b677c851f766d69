"""Runs of signs that are text in another alphabet: base64, base32, hexadecimal, numbers, and what was packed before."""

import base64
import string
import zlib
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from cases import patterns as re
from cases.secrets.escapes import Part, in_order

_FEWEST, _FEWEST_WIDE = 8, 12
_UNSEEN = "\t\r\n\x1b\x08\u00ad\u200b"
_MOST_INFLATED = 8
"""Bytes that may be unpacked of one packed byte: of ordinary text it is three to six."""
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
_BASE32 = re.compile(r"[A-Z2-7]{8,}={0,6}")
_HEX = re.compile(r"(?:[0-9a-fA-F]{2}){4,}")
_DUMP = re.compile(
    r"(?:[0-9a-fA-F]{2}){1,4}(?:(?:[ :]|[ \t]*\r?\n[ \t]*)(?:[0-9a-fA-F]{2}){1,4}){2,}(?:[ :][0-9a-fA-F]{2}\b)?"
)
_NUMBERS = re.compile(r"\d{1,3}(?:[ \t]{0,3},?\s{1,3}\d{1,3}|,\d{1,3}){3,}")
_NUMBER = re.compile(r"\d+")


def decoded(text: str) -> list[Part]:
    """What all runs say; of several that overlap, the one that begins first."""
    return in_order((*_base64_lines(text), *_base64(text), *_base32(text), *_dump(text), *_hex(text), *_numbers(text)))


def _base64(text: str) -> Iterator[Part]:
    for match in _BASE64.finditer(text):
        run = match.group().rstrip("=")
        if not (run.islower() or run.isupper() or run.isdigit()):
            yield from _moved(_run64(run), match.start())


@lru_cache(maxsize=_REMEMBERED)
def _run64(run: str) -> tuple[Part, ...]:
    said: list[Part] = []
    for skipped in range(4):  # what is glued to its front shifts it
        said = max(said, list(_said(_bytes64(run[skipped:]), range(skipped, len(run)), 4, 3)), key=_length)
        if _length(said) * 4 >= (len(run) - 4) * 3:
            break
    return tuple(said)


def _moved(parts: Iterable[Part], by: int) -> Iterator[Part]:
    return ((word, start + by, end + by) for word, start, end in parts)


def _base64_lines(text: str) -> Iterator[Part]:
    for match in _BASE64_LINES.finditer(text):
        lines = [(match.start() + line.start(), match.start() + line.end()) for line in _LINE.finditer(match[0])]
        for _ in range(min(_MOST_AFTER, len(lines) - 1)):
            places = [at for start, end in lines for at in range(start, end) if text[at] not in " \t="]
            parts = list(_said(_bytes64("".join(text[at] for at in places)), places, 4, 3))
            if parts and parts[-1][2] > lines[-1][0]:
                yield from parts
                break
            lines.pop()


def _length(parts: list[Part]) -> int:
    return sum(len(word) for word, _, _ in parts)


def _bytes64(run: str) -> bytes:
    whole = run[: len(run) - (len(run) % 4 == 1)].replace("-", "+").replace("_", "/")
    return base64.b64decode(whole + "=" * (-len(whole) % 4))


def _base32(text: str) -> Iterator[Part]:
    for match in _BASE32.finditer(text):
        yield from _moved(_run32(match.group().rstrip("=")), match.start())


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


def _numbers(text: str) -> Iterator[Part]:
    for match in _NUMBERS.finditer(text):
        numbers = list(_NUMBER.finditer(match[0]))
        data = bytes(min(int(number[0]), 0xFF) for number in numbers)
        yield from _said(data, [match.start() + number.start() for number in numbers], 1, 1, match.end())


def _said(data: bytes, places: Sequence[int], signs: int, size: int, end: int = 0) -> Iterator[Part]:
    """What bytes say of which each `size` stand in `signs` signs at some of the `places`, up to `end`."""
    if not data:
        return
    end = end or places[-1] + 1
    if whole := _whole(data):
        yield whole, places[0], end
        return
    for found in _TEXT.finditer(data):
        for at in range(found.start() - found.start() % size, found.end(), size):
            first, after = at // size * signs, (at // size + 1) * signs
            said = data[max(at, found.start()) : min(at + size, found.end())].decode("ascii")
            yield said, places[first], places[after] if after < len(places) else end


def _whole(data: bytes) -> str:
    """The text that bytes are only as a whole: packed, as UTF-16, or beyond ASCII; `` where they are none."""
    packed = data.find(b"\x1f\x8b\x08", 0, _MOST_BEFORE) if data[:2] not in _ZLIB else 0
    return (_inflated(data[packed:]) if packed >= 0 else _wide(data)) or _beyond_ascii(data)


def _inflated(data: bytes) -> str:
    try:
        most = _MOST_INFLATED * len(data)
        unpacked = zlib.decompressobj(zlib.MAX_WBITS | 32).decompress(data, most + 1)
        return UNREAD if len(unpacked) > most else unpacked.decode("utf-8", "replace")
    except zlib.error:
        return ""


def _wide(data: bytes) -> str:
    for high, encoding in ((data[1::2], "utf-16-le"), (data[::2], "utf-16-be")):
        if len(data) >= _FEWEST_WIDE and high.count(0) * 2 > len(high):
            return data.decode(encoding, "ignore")
    found = _WIDE.search(data)
    return found.group().replace(b"\0", b"").decode("ascii") if found else ""


def _beyond_ascii(data: bytes) -> str:
    """UTF-8 in which every sign can be shown; fewer bytes may be it by coincidence."""
    try:
        words = data.decode() if len(data) >= _FEWEST and not data.isascii() else ""
    except UnicodeDecodeError:
        return ""
    return words if all(sign.isprintable() or sign in _UNSEEN for sign in words) else ""
