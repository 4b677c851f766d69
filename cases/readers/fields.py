"""Single values out of untyped input."""

import datetime as dt
import math
from pathlib import Path
from typing import Any

from cases.readers.messages import clean


def text_of(value: object) -> str | None:
    """A non-empty text, also of a number; None for anything else."""
    if isinstance(value, str):
        return clean(value) if value.strip() else None
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return None


def number_of(value: object) -> float | None:
    """A finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value) if math.isfinite(value) else None
    except OverflowError:
        return None


def date_of(value: object) -> dt.date | None:
    """The day that an ISO 8601 text begins with."""
    try:
        return dt.date.fromisoformat(str(value).strip()[:10])
    except ValueError:
        return None


def mapping(value: object) -> dict[str, Any]:
    """The value where it is a mapping, else an empty one."""
    return value if isinstance(value, dict) else {}


def listed(value: object) -> list[Any]:
    """The value where it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def exit_code_of(value: object) -> int | None:
    """An exit code that a machine can give."""
    number = number_of(value)
    return int(number) if number is not None and abs(number) < 1 << 31 else None


def stem_of(path: Path) -> str:
    """The file's name without the endings of logs."""
    name = path.name
    for ending in (".gz", ".jsonl", ".json", ".traj", ".eval", ".zip"):
        name = name.removesuffix(ending)
    return clean(name) or "file"


def trimmed(value: object) -> str | None:
    """An id or name: a text without white space at its ends and without NUL."""
    text = text_of(value)
    return (text.replace("\0", "").strip() or None) if text else None
