"""A text as it reads once what is encoded in it is decoded, and where each part of that stood.

Escapes, invisible signs, wrapped lines and encoded runs are undone in place, layer by layer: a name keeps standing
before its value, whatever the value is written in.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

from cases import patterns as re
from cases.secrets.bases import based
from cases.secrets.dumps import dumped
from cases.secrets.escapes import Part, in_order, unescaped
from cases.secrets.runs import UNREAD, decoded

_DEEPEST = 12
_JOINED_DEEPEST = 3
_AROUND = 300
"""Signs on both sides of what was decoded that may belong to it; on to the ends of their lines."""
_LINE = 3000
"""Signs beyond these within which such an end is looked for."""

Joined = Literal["no", "surely", "perhaps", "blindly"]
"""Whether lines were joined, and how sure it is that they were one."""


@dataclass(frozen=True)
class View:
    """A text as it reads decoded."""

    text: str
    within: "View | None" = None
    begins: list[int] = field(default_factory=list)
    """Where each part begins in `text`; parts that were decoded and those between them, in turns."""
    spans: list[tuple[int, int]] = field(default_factory=list)
    """Where each of them stood in what it is `within`."""
    joined: Joined = "no"
    read: bool = False
    """Whether the runs of all but its fresh parts have been decoded before."""
    fresh: list[tuple[int, int]] = field(default_factory=list)
    """Parts of `text` that what it is within does not say; empty for all of it."""

    @property
    def parts(self) -> Iterator[tuple[int, str]]:
        """What is new in it: the position in `text` where that begins, and the part."""
        for start, end in self.fresh or [(0, len(self.text))]:
            yield start, self.text[start:end]

    def where(self, start: int, end: int) -> tuple[int, int]:
        """Start and end, in the text that was given, of the part from `start` to `end` of this one."""
        if self.within is None:
            return start, end
        return self.within.where(self._before(start), self._after(end))

    def _before(self, at: int) -> int:
        part = bisect_right(self.begins, at) - 1
        start, _ = self.spans[part]
        return start if part % 2 else start + at - self.begins[part]

    def _after(self, at: int) -> int:
        part = bisect_right(self.begins, at - 1) - 1
        start, end = self.spans[part]
        return end if part % 2 else start + at - self.begins[part]


def views(text: str, *, joined: bool = True) -> Iterator[View]:
    """The text itself, then what it says decoded, and what that says decoded again; each also with lines `joined`."""
    view: View | None = View(text)
    for depth in range(_DEEPEST):
        if view is None:
            return
        yield view
        if joined and depth <= _JOINED_DEEPEST:
            yield from _joined(view)
        if view.within is not None and (parts := _strings(view.text)):
            yield _with(view, parts, view.joined)
        view = _decoded(view)
    if view is not None and view.within is not None:
        yield _with(view.within, in_order(_unread(view.within.text, view.spans[1::2])), view.joined)


def _unread(text: str, spans: list[tuple[int, int]]) -> Iterator[Part]:
    """Whole words in which more is encoded than is read."""
    for start, end in spans:
        before = _SPACE_BEFORE.search(text[max(0, start - _AROUND) : start])
        after = _SPACE.search(text[end : end + _AROUND])
        yield UNREAD, start - (len(before[0]) if before else 0), end + (after.start() if after else 0)


_SPACE, _SPACE_BEFORE = re.compile(r"\s|$"), re.compile(r"\S*$")


def _decoded(view: View) -> View | None:
    """The text decoded once: what is dumped, else what is escaped, and only where nothing is, what runs of it say."""
    for decode in (dumped, based, unescaped):
        if parts := _within(view, decode, fresh=view.within is not None):
            return _with(view, parts, view.joined, read=view.read)
    parts = _within(view, decoded, fresh=view.read)
    return _with(view, parts, view.joined, read=True) if parts else None


def _within(view: View, decode: Callable[[str], list[Part]], *, fresh: bool) -> list[Part]:
    """What is decoded in a text, or only in what is new in it: all else has been."""
    if not fresh:
        return decode(view.text)
    return [(word, at + start, at + end) for at, part in view.parts for word, start, end in decode(part)]


def _with(view: View, parts: list[Part], joined: Joined, *, read: bool = True) -> View:
    told: list[str] = []
    begins: list[int] = []
    spans: list[tuple[int, int]] = []
    length, done = 0, 0
    for word, start, end in parts:
        for said, span in ((view.text[done:start], (done, start)), (word, (start, end))):
            told.append(said)
            begins.append(length)
            spans.append(span)
            length += len(said)
        done = end
    text = "".join([*told, view.text[done:]])
    fresh = _fresh(text, begins[1:], parts)
    return View(text, view, [*begins, length], [*spans, (done, len(view.text))], joined, read, fresh)


def _fresh(text: str, begins: list[int], parts: list[Part]) -> list[tuple[int, int]]:
    """Lines around what was decoded, of long ones what is near."""
    fresh: list[tuple[int, int]] = []
    for at, (word, _, _) in zip(begins[::2], parts, strict=True):
        stop = at + len(word) + _AROUND
        if fresh and stop < fresh[-1][1]:
            continue
        far = max(0, at - _AROUND)
        start = max(text.rfind("\n", max(0, far - _LINE), far) + 1, far - _LINE, 0)
        end = text.find("\n", stop, stop + _LINE)
        end = min(len(text), stop + _LINE) if end < 0 else end
        if fresh and start <= fresh[-1][1]:
            fresh[-1] = (fresh[-1][0], end)
        else:
            fresh.append((start, end))
    return fresh


_NARROWEST, _USUAL, _FEWEST = 16, 60, 3
"""Signs of a line from which on it may have been cut, and from which on two as wide were; how many of others were."""


def _lines(text: str) -> list[tuple[int, int]]:
    *ended, last = text.split("\n")
    lines, at = list[tuple[int, int]](), 0
    for line in ended:
        lines.append((at, at + len(line) - line.endswith("\r")))
        at += len(line) + 1
    return [*lines, (at, at + len(last))]


def _joined(view: View) -> Iterator[View]:
    """Lines that were cut at one width: beside one that is as wide, as wide as the widest, or anywhere in a word."""
    lines = _lines(view.text)
    if len(lines) == 1:
        return
    widths = [end - start for start, end in lines]
    widest = max(widths)
    cuts = [(end, start) for (_, end), (start, _) in pairwise(lines)]
    full = [at for at, width in enumerate(widths[:-1]) if width == widest]
    words = [at for at in full if widest and _BROKEN.match(view.text, cuts[at][0] - 1)]
    often = widths.count(widest) >= _FEWEST - bool(words)
    sure: list[Part] = []
    perhaps: list[Part] = []
    for at, (end, start) in enumerate(cuts):
        width = widths[at]
        beside = width in (widths[at + 1], widths[at - 1] if at else 0) and widths[at + 1] <= width
        if width >= _NARROWEST and ((beside and width >= _USUAL) or (often and width == widest)):
            sure.append(("", end, start))
        elif width >= _NARROWEST and at in words:
            perhaps.append(("", end, start))
    sure = list({cut[1]: cut for cut in (*sure, *_numbered(view.text))}.values())
    sure, perhaps = _new(view, in_order(sure)), _new(view, perhaps)
    if sure:
        joined = _with(view, sure, "surely")
        for _ in range(_JOINED_DEEPEST):
            yield joined
            inner = _decoded(joined)
            if inner is None:
                break
            joined = inner
    if perhaps:
        yield _with(view, perhaps, "perhaps")
    if broken := _new(view, [("", *match.span("end")) for match in _BROKEN.finditer(view.text)]):
        yield _with(view, broken, "blindly")


_ROW = re.compile(
    r"(?m)(?:^|[:>] )(?P<gutter>[ \t]*(?P<number>\d{1,6})(?:[ \t]*[|│→:]|\t| {2})[ \t]*)(?P<rest>[^\r\n]*?)[ \t\\]*\r?$"
)
_CUT = re.compile(r"[A-Za-z0-9+/_-]{16,}$")
_MORE = re.compile(r"[A-Za-z0-9+/_-]{2,}={0,2}[\"',;]{0,2}")


def _numbered(text: str) -> Iterator[tuple[str, int, int]]:
    """Where a word goes on in the next of rows that a program numbers: from the row's end to behind the next number."""
    for row, after in pairwise(_ROW.finditer(text)):
        between = text[row.end() : after.start()]
        follows = between in ("", "\n", "\r\n") and int(after["number"]) == int(row["number"]) + 1
        if follows and _CUT.search(row["rest"]) and _MORE.fullmatch(after["rest"]):
            yield "", row.end("rest"), after.end("gutter")


def _new(view: View, cuts: list[Part]) -> list[Part]:
    """Those of the cuts that lie in or beside what is new in a text: the others were joined before."""
    if view.within is None or not view.fresh:
        return cuts
    begins = [start for start, _ in view.fresh]

    def new(cut: Part) -> bool:
        before = bisect_right(begins, cut[2]) - 1
        return before >= 0 and cut[1] <= view.fresh[before][1]

    return [cut for cut in cuts if new(cut)]


_BROKEN = re.compile(r"[A-Za-z0-9_ -](?P<end>\r?\n[ \t]*)")

_OPENING = re.compile(r"(?:^|[:,\[({=])\s{0,3}(?P<quote>[\"']{1,2})[^\"'\n]*\n")
_CLOSING = re.compile(r"\n[^\"'\n]*(?P<quote>[\"']{1,2})\s{0,3}(?:[,\])}]|$)")


def _strings(text: str) -> list[Part]:
    """Quoted texts of several lines, each on lines of its own."""
    ends = [("\n", *match.span("quote")) for pattern in (_OPENING, _CLOSING) for match in pattern.finditer(text)]
    return in_order(ends)
