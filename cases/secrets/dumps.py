"""What programs show that dump bytes in rows: `xxd`, `hexdump` and `od`."""

from collections.abc import Iterator

from cases import patterns as re
from cases.secrets.escapes import Part, in_order

_SHOWABLE = frozenset((*range(0x20, 0x7F), *b"\t\r\n\x1b\x08"))
_HEX_LINE = re.compile(
    r"(?m)(?:^|[:>=] )(?P<whole>[ \t]*(?:0x)?0[0-9a-fA-F]{3,15}"
    r"(?::[ \t]{1,3}(?P<first>(?:[0-9a-fA-F]{2}){1,8}(?: (?:[0-9a-fA-F]{2}){1,8}){0,15})"
    r"(?:[ \t]{2,}[^\r\n]{1,20})?|[ \t]{1,3}(?P<last>(?:[0-9a-fA-F]{2}){1,8}(?: {1,2}(?:[0-9a-fA-F]{2}){1,8}){0,15})"
    r"(?:[ \t]{2,}[|>*][^\r\n]{1,20})?)"
    r"[ \t]*\r?(?:\n|$))"
)
"""A row of a dump: behind a colon the first byte of a number comes first, else its last."""
_NUMBERED = (
    (re.compile(r"(?m)^[0-7]{7}(?P<row>(?: [01][0-7]{5}){1,8})[ \t]*\r?(?:\n|$)"), 8, 2),
    (re.compile(r"(?m)^[0-7]{7}(?P<row>(?: {5}\d| {4}\d{2}| {3}\d{3}| {2}\d{4}| \d{5}){1,8})[ \t]*\r?(?:\n|$)"), 10, 2),
    (re.compile(r"(?m)^[0-7]{7}(?P<row>(?:   \d|  \d\d| \d{3}){1,16})[ \t]*\r?(?:\n|$)"), 10, 1),
    (re.compile(r"(?m)^[0-9a-f]{8}:(?P<row>(?: [01]{8}){1,8})(?: {2,}[^\r\n]{1,20})?[ \t]*\r?(?:\n|$)"), 2, 1),
)
"""Rows of numbers, their base, and the bytes of one."""
_DUMPED = re.compile(
    r"(?m)(?:^[0-7]{7}(?: {1,3}(?:[0-7]{3}|\\[0-9abfnrtv]| [!-~]| {2}(?: |$))){1,16}[ \t]*\r?(?:\n|$))+"
)
_ADDRESS, _CELL = 7, 4
"""Signs of an address and of a byte in what `od -c` shows."""
_CONTROLS = {"\\n": "\n", "\\t": "\t", "\\r": "\r"}
_ROWS = re.Gate((_HEX_LINE, *(pattern for pattern, _, _ in _NUMBERED), _DUMPED))


def dumped(text: str) -> list[Part]:
    """What programs show that dump bytes in rows: signs there escape nothing."""
    if not _ROWS.opens(text):
        return []
    parts = in_order((*_dumped(text), *_number_lines(text), *_hex_lines(text)))
    begins = {start for _, start, _ in parts}
    return [(said if end in begins else f"{said}\n", start, end) for said, start, end in parts]


def _hex_lines(text: str) -> Iterator[Part]:
    """What `xxd`, `hexdump` and `od -x` show, line by line with all that stands in it."""
    for line in _HEX_LINE.finditer(text):
        words = [bytes.fromhex(word) for word in (line["first"] or line["last"]).split()]
        said = b"".join(words if line["first"] else (word[::-1] for word in words)).rstrip(b"\0")
        yield from _told(said, line.start("whole"), line.end())


def _told(said: bytes, start: int, end: int) -> Iterator[Part]:
    """What a row says, where most of it can be shown; the zeros of a wider alphabet say nothing."""
    if said.count(0) * 3 > len(said):
        said = said.replace(b"\0", b"")
    if sum(byte in _SHOWABLE for byte in said) * 2 > len(said):
        yield said.decode("latin-1"), start, end


def _number_lines(text: str) -> Iterator[Part]:
    """What `od` without a word, `od -d`, `od -t u1` and `xxd -b` show."""
    for pattern, base, size in _NUMBERED:
        for line in pattern.finditer(text):
            numbers = [int(number, base) for number in line["row"].split()]
            if max(numbers) < 1 << 8 * size:
                said = b"".join(number.to_bytes(size, "little") for number in numbers).rstrip(b"\0")
                yield from _told(said, line.start(), line.end())


def _dumped(text: str) -> Iterator[Part]:
    """What `od -c` shows, which writes letters as they are."""
    for match in _DUMPED.finditer(text) if text.count("\n") or text[:7].isdigit() else ():
        at = match.start()
        for line in match[0].splitlines(keepends=True):
            shown = line.rstrip("\r\n")[_ADDRESS:]
            cells = (shown[cell : cell + _CELL].strip() for cell in range(0, len(shown), _CELL))
            yield "".join(_celled(cell) for cell in cells), at, at + len(line)
            at += len(line)


def _celled(cell: str) -> str:
    octal = len(cell) == len("000") and cell.isdigit()
    return chr(int(cell, 8) & 0xFF) if octal else _CONTROLS.get(cell, cell[:1] or " ")
