"""Screenshots in the report, with the element that decides framed."""

import base64
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from cases import patterns as re
from evidence.artifacts import EvidenceFile
from probes import Finding

BOX = "box"
"""The name of the observation that says where on a screenshot the deciding element stands."""
CONTENT = "content"
"""And of the one that says how far down its content reaches."""
_LARGEST = 300 * 1024
_ALL = 900 * 1024
"""Bytes of pictures that one report inlines; the rest is linked."""
_EXTENT = re.compile(r"(\d{1,5})x(\d{1,5}) of (\d{1,5})x(\d{1,5})")
_PLACE = re.compile(r"(\d{1,5}),(\d{1,5}),(\d{1,5}),(\d{1,5}) of (\d{1,5})x(\d{1,5})(?:: (.*))?", re.DOTALL)


@dataclass(frozen=True)
class Box:
    """A frame on a picture of `across` by `down` pixels."""

    left: int
    top: int
    width: int
    height: int
    across: int
    down: int
    what: str


@dataclass(frozen=True)
class Content:
    """The part of a picture of `across` by `down` pixels that shows something, from its top."""

    height: int
    across: int
    down: int


@dataclass(frozen=True)
class Picture:
    """An inlined screenshot."""

    file: EvidenceFile
    source: Markup
    """A data URI."""
    box: Box | None
    content: Content | None
    """Where less than all of it shows something."""
    lossless: EvidenceFile | None


def pictures(evidence: tuple[EvidenceFile, ...], findings: Sequence[Finding]) -> dict[str, Picture]:
    """The pictures small enough to stand in the report, by SHA-256, the framed ones first."""
    boxes = {
        entry.artifact: box
        for finding in findings
        for entry in finding.observations
        if entry.name == BOX and entry.artifact and (box := _box(entry.value))
    }
    contents = {
        entry.artifact: content
        for finding in findings
        for entry in finding.observations
        if entry.name == CONTENT and entry.artifact and (content := _content(entry.value, boxes.get(entry.artifact)))
    }
    exact = {_stem(file): file for file in evidence if file.image == "image/png"}
    found: dict[str, Picture] = {}
    room = _ALL
    for file in sorted(evidence, key=lambda one: one.artifact.sha256 not in boxes):
        lossless = exact.get(_stem(file)) if file.image == "image/jpeg" else None
        shown_as_jpeg = file.image == "image/png" and _has_jpeg(file, evidence)
        if file.image is None or shown_as_jpeg or len(file.data) > min(_LARGEST, room):
            continue
        room -= len(file.data)
        source = Markup("data:{};base64,{}").format(file.image, base64.b64encode(file.data).decode())
        digest = file.artifact.sha256
        found[digest] = Picture(file, source, boxes.get(digest), contents.get(digest), lossless)
    return found


def _has_jpeg(file: EvidenceFile, evidence: tuple[EvidenceFile, ...]) -> bool:
    return any(one.image == "image/jpeg" and _stem(one) == _stem(file) for one in evidence)


def _stem(file: EvidenceFile) -> str:
    return file.artifact.name.rpartition(".")[0]


def _box(value: str) -> Box | None:
    match = _PLACE.fullmatch(value)
    if match is None:
        return None
    left, top, width, height, across, down = (int(number) for number in match.groups()[:6])
    inside = width and height and left + width <= across and top + height <= down
    return Box(left, top, width, height, across, down, match[7] or "") if inside else None


def _content(value: str, box: Box | None) -> Content | None:
    """What is cut off never holds the deciding element."""
    match = _EXTENT.fullmatch(value)
    if match is None:
        return None
    width, height, across, down = (int(number) for number in match.groups())
    least = box.top + box.height if box else 0
    return Content(height, across, down) if width == across and max(least, 1) <= height < down else None
