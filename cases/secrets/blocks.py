"""Private keys between their BEGIN and END lines, whatever stands before, behind and between the lines of one."""

from collections.abc import Iterator

from cases import patterns as re
from cases.secrets.layout import Place

_KIND = "private key block"
_EDGE = "-----"
_MARK = re.compile(r"-----(?P<which>BEGIN|END) [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----")
_FAR = 40_000
"""Signs within which a block ends."""
_RUN = re.compile(r"[A-Za-z0-9+/=]{12,}")
_ROW = re.compile(r"(?:^|[^\w.+/=-])(?P<row>[A-Za-z0-9+/]{32,}={0,2})(?:[^\w.+/=-]|$)")
_REST = re.compile(r"(?:^|[^\w.+/=-])(?P<row>[A-Za-z0-9+/]{1,64}={0,2})(?:[\"',$│|\s\\]*)$")
_ALONE = re.compile(r"[\s\\nr\"',+]*[A-Za-z0-9+/]{16,}={0,2}[\s\\nr\"',+]*")
_HEADER = re.compile(r"[^A-Za-z0-9]*(?:(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID|Subject): .*)?")
_LINES = re.compile(r"(?:\r?\n|\\{1,2}r\\{1,2}n|\\{1,2}n)")


def blocks(text: str, *, ends: bool = True, begins: bool = True) -> Iterator[Place]:
    """What stands in blocks of private keys; where one has no END or BEGIN line, as far as there is base64.

    Without `ends` or `begins` only blocks count that have these lines.
    """
    if _EDGE not in text or "PRIVATE KEY" not in text:
        return
    begun, done = -1, 0
    for mark in _MARK.finditer(text):
        if mark["which"] == "BEGIN":
            if ends:
                yield from _cut_off(text, begun, mark.start())
            begun = mark.end()
        elif begun >= 0 and mark.start() - begun <= _FAR:
            if _RUN.search(text[begun : mark.start()]):
                yield _KIND, begun, mark.start()
            begun, done = -1, mark.end()
        else:
            if begins:
                yield from _headless(text, max(done, mark.start() - _FAR), mark.start())
            begun, done = -1, mark.end()
    if ends:
        yield from _cut_off(text, begun, len(text))


def _cut_off(text: str, begun: int, end: int) -> Iterator[Place]:
    """The lines behind a BEGIN line while they are base64."""
    if begun < 0:
        return
    last = begun
    for start, stop in _lines(text, begun, min(end, begun + _FAR)):
        line = text[start:stop]
        if not (_HEADER.fullmatch(line) or _ALONE.fullmatch(line) or _ROW.search(line)):
            rest = _REST.search(line) if last > begun else None
            if rest and _looks_so(rest["row"]):
                last = start + rest.end("row")
            break
        last = stop if line.strip() else last
    if _RUN.search(text[begun:last]):
        yield _KIND, begun, last


def _headless(text: str, start: int, end: int) -> Iterator[Place]:
    """The lines before an END line while they are base64, without what stands around them."""
    lines = [one for one in _lines(text, start, end) if text[one[0] : one[1]].strip()]
    for number, (begin, stop) in enumerate(reversed(lines)):
        line = text[begin:stop]
        row = _ROW.search(line) or (_REST.search(line) if number <= 1 else None)
        if row is None:
            if number:
                return
            continue
        if not _ROW.search(line) and not _looks_so(row["row"]):
            continue
        yield _KIND, begin + row.start("row"), begin + row.end("row")


def _looks_so(row: str) -> bool:
    """Whether a short word ends a block: padding, or letters and digits mixed."""
    return row.endswith("=") or (
        len(row) > 2 and {True} == {any(map(kind, row)) for kind in (str.isupper, str.islower)}
    )


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for cut in _LINES.finditer(text, start, end):
        yield start, cut.start()
        start = cut.end()
    yield start, end
