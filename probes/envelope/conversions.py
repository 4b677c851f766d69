"""From the words of a transcript to values of the envelope."""

import ast
from collections.abc import Callable, Iterable
from typing import Any

from cases import patterns as re
from probes.envelope.mounts import combined, listed_mount
from probes.envelope.patterns import Pattern, patterns
from probes.model import Mount

SEVERAL = {"tools", "mounts", "read_only"}
"""Fields of which every sighting adds something."""
POWERS = {"B": -2, "K": -1, "M": 0, "G": 1, "T": 2}
PSEUDO = re.compile(r"/(?:proc|sys|dev)(?:/|$)")
"""The kernel's own file systems, where errors tell nothing of a restriction."""


def converted(pattern: Pattern, match: re.Match[str], text: str) -> Any:  # noqa: ANN401 - each field has its own type
    """The value that a match shows, None when it shows none; `text` is the whole output or block."""
    taken = re.search(pattern.beside, text) if pattern.beside else match
    if taken is None:
        return None
    groups = taken.groupdict()
    if pattern.field == "mounts":
        return _mount(pattern, groups)
    value = pattern.value or groups["value"]
    return (
        CONVERSIONS[pattern.field](value, groups.get("unit") or pattern.unit) if pattern.field in CONVERSIONS else value
    )


def merged(field: str, before: tuple[Any, ...], more: Iterable[Any]) -> tuple[Any, ...]:
    """Earlier sightings and more, without repeats."""
    if field == "mounts":
        return combined(before, more)
    return tuple(dict.fromkeys((*before, *more)))


def _mount(pattern: Pattern, groups: dict[str, str | None]) -> Mount | None:
    path = groups["path"] or ""
    if patterns().of_engine(path):
        return None
    if pattern.value:
        return Mount(path=path, flags=(pattern.value,))
    return listed_mount(path, groups.get("type") or "", groups.get("options") or "")


def _names(text: str, _: str | None) -> tuple[str, ...] | None:
    try:
        return tuple(str(name) for name in ast.literal_eval(text))
    except (ValueError, SyntaxError):
        return None


def _mebibytes(number: str, unit: str | None) -> int:
    return int(float(number) * 1024.0 ** POWERS[(unit or "B")[0].upper()])


CONVERSIONS: dict[str, Callable[[str, str | None], Any]] = {
    "sudo": lambda word, _: word == "yes",
    "allowed_imports": _names,
    "cpus": lambda number, _: float(number),
    "memory_mb": _mebibytes,
    "disk_mb": _mebibytes,
    "read_only": lambda path, _: None if PSEUDO.match(path) else path,
}
