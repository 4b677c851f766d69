"""The outline of a JSON object: its keys, and what kind of values they have; one linear, bounded pass."""

import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO, cast

import ijson

from cases.readers.pacing import Paced

MOST_EVENTS = 1_000_000
"""JSON events after which the pass ends."""
MOST_BYTES = 128 * 1024 * 1024
MOST_KEYS = 2_000
SMALL = 4 * 1024 * 1024
"""Bytes of a file that may be parsed at once."""
LONGEST = 200
"""Characters that are kept of a key or value."""
ENOUGH = (frozenset({"config", "results"}), frozenset({"raw_logging_results"}))
"""Keys that settle the format, so that the rest of a huge file need not be looked at."""
SETTLING = frozenset().union(*ENOUGH)
_LISTED = ("start_array", "start_map")


@dataclass(slots=True)
class Value:
    """What is known of one top-level value."""

    kind: str = "null"
    """null, boolean, number, string, map or array."""
    text: str = ""
    """The beginning of a scalar."""
    keys: set[str] = field(default_factory=set)
    """Keys of a map, or of the maps in an array."""
    items: str = ""
    """What an array's first item is."""


def shape_of(stream: BinaryIO) -> dict[str, Value]:
    """The top-level keys of the first JSON object with their values' outlines, as far as it is sound."""
    outline = _Outline()
    try:
        paced = Paced(cast("BinaryIO", _Bounded(stream)))
        for event, value in itertools.islice(ijson.basic_parse(paced, use_float=True), MOST_EVENTS):
            if outline.ends(event, value):
                break
    except (ijson.JSONError, ValueError, OverflowError):
        pass
    return outline.found


def shape_of_small(stream: BinaryIO) -> dict[str, Value] | None:
    """The same of a file of at most `SMALL` bytes, many times as fast; None where it is larger or not sound."""
    raw = stream.read(SMALL + 1)
    if len(raw) > SMALL or sum(raw.count(mark) for mark in (b",", b"[", b"{")) > MOST_EVENTS:
        return None
    try:
        value, _ = _SOUND.raw_decode(raw.decode("utf-8").lstrip())
    except (ValueError, RecursionError):
        return None
    return {key: _value(inner) for key, inner in itertools.islice(value.items(), MOST_KEYS)} if value else {}


def shape_of_text(text: str) -> dict[str, Value]:
    """The same of a small text in which Python wrote NaN or Infinity, which are no JSON."""
    outline = _Outline()
    try:
        value, _ = json.JSONDecoder().raw_decode(text.lstrip())
        for event, inner in _events(value):
            outline.ends(event, inner)
    except (ValueError, RecursionError):
        pass
    return outline.found


def first_keys(stream: BinaryIO) -> frozenset[str]:
    """The keys of the first item of a JSON list; empty where that is no whole object, and for anything else."""
    keys: set[str] = set()
    depth = 0
    try:
        paced = Paced(cast("BinaryIO", _Bounded(stream)))
        for event, value in itertools.islice(ijson.basic_parse(paced, use_float=True), MOST_EVENTS):
            if depth < len(_LISTED) and event != _LISTED[depth]:
                break
            if event == "map_key" and depth == len(_LISTED) and len(keys) < MOST_KEYS:
                keys.add(str(value)[:LONGEST])
            depth += event.startswith("start_") - event.startswith("end_")
            if depth == 1 and event == "end_map":
                return frozenset(keys)
    except (ijson.JSONError, ValueError, OverflowError):
        pass
    return frozenset()


def _refuse(constant: str) -> None:
    raise ValueError(constant)


_SOUND = json.JSONDecoder(parse_constant=_refuse)


def _value(value: object) -> Value:
    kind = _kind(value)
    found = Value(kind, "" if value is None or kind in ("map", "array") else str(value)[:LONGEST])
    maps = [value] if isinstance(value, dict) else value if isinstance(value, list) else []
    for inner in maps:
        if isinstance(inner, dict) and len(found.keys) < MOST_KEYS:
            found.keys.update(key[:LONGEST] for key in itertools.islice(inner, MOST_KEYS - len(found.keys)))
    if isinstance(value, list) and value:
        found.items = _kind(value[0])
    return found


def _kind(value: object) -> str:
    kinds = ((dict, "map"), (list, "array"), (str, "string"), (bool, "boolean"), (int | float, "number"))
    return next((name for shape, name in kinds if isinstance(value, shape)), "null")


class _Bounded:
    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._left = MOST_BYTES

    def read(self, size: int) -> bytes:
        piece = self._stream.read(min(size, self._left))
        self._left -= len(piece)
        return piece


class _Outline:
    """Follows the events of one object."""

    def __init__(self) -> None:
        self.found: dict[str, Value] = {}
        self._open: list[str] = []
        self._key = ""

    def ends(self, event: str, value: object) -> bool:
        """Take one event; whether there is no need of more."""
        if event == "map_key":
            return self._keyed(str(value)[:LONGEST])
        if event.startswith("end_"):
            self._open.pop()
            return not self._open
        if len(self._open) == 1:
            if self._open[0] == "array":
                return True
            self._top(event.removeprefix("start_"), value)
        elif len(self._open) == 2 and self._open[1] == "array" and self._key in self.found:
            known = self.found[self._key]
            known.items = known.items or event.removeprefix("start_")
        if event.startswith("start_"):
            self._open.append(event.removeprefix("start_"))
        return not self._open

    def _keyed(self, key: str) -> bool:
        if len(self._open) == 1:
            self._key = key
            if key not in SETTLING:
                return False
            self._top("null", None)
            return any(keys <= self.found.keys() for keys in ENOUGH)
        known = self.found.get(self._key)
        if known and (self._open[1:] == ["map"] or self._open[1:] == ["array", "map"]) and len(known.keys) < MOST_KEYS:
            known.keys.add(key)
        return False

    def _top(self, kind: str, value: object) -> None:
        if len(self.found) < MOST_KEYS:
            scalar = kind not in ("map", "array") and value is not None
            self.found[self._key] = Value(kind, str(value)[:LONGEST] if scalar else "")


def _events(value: object, depth: int = 0) -> Iterator[tuple[str, object]]:
    """The events of a value as far down as the outline looks."""
    if isinstance(value, dict):
        yield "start_map", None
        for key, inner in value.items() if depth < 3 else ():
            yield "map_key", key
            yield from _events(inner, depth + 1)
        yield "end_map", None
    elif isinstance(value, list):
        yield "start_array", None
        for inner in value if depth < 3 else ():
            yield from _events(inner, depth + 1)
        yield "end_array", None
    else:
        kind = "boolean" if isinstance(value, bool) else "number" if isinstance(value, int | float) else "string"
        yield ("null" if value is None else kind), value
