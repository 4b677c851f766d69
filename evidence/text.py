"""Hostile text made safe to show and to store: nothing invisible stays invisible, nothing is endless."""

import json
import math
from typing import Any

from pydantic_core import to_json, to_jsonable_python

from cases import patterns as re
from cases.sentences import Sentences
from cases.text import INVISIBLE, visible

say = Sentences(__name__)

__all__ = ["INVISIBLE", "clip", "dumps", "loads", "plain", "safe_name", "visible"]

_HALF = re.compile(rb"(?i)\\ud[89a-f]")
_MOST_VALUES = 4_000_000
_BLOCK = 1 << 18
"""Bytes that are taken apart at a time."""
_UNSAFE_NAME = re.compile(r"[^A-Za-z0-9._-]+")


def clip(text: str, limit: int) -> str:
    """`text` of at most about `limit` characters, its middle left out and counted."""
    left_out = len(text) - limit
    if left_out <= 0:
        return text
    head = limit * 2 // 3
    return f"{text[:head]}\n… {left_out:,} characters left out …\n{text[head + left_out :]}"


def safe_name(text: str, limit: int, default: str) -> str:
    """`text` as a plain file name of at most `limit` characters."""
    return _UNSAFE_NAME.sub("-", text)[:limit].strip(".-_") or default


def loads(data: bytes) -> Any:  # noqa: ANN401 - any JSON value
    """The value of JSON that a stranger may have written.

    Raises:
        ValueError: it is none, or would take more memory or depth than any record of ours.
    """
    if _values(data) > _MOST_VALUES and _values_outside(data) > _MOST_VALUES:
        raise ValueError(say("text.holds_more_values_than"))
    try:
        value = json.loads(data)
        if _HALF.search(data):
            json.dumps(value, ensure_ascii=False).encode()
    except RecursionError:
        raise ValueError(say("text.nested_too_deeply")) from None
    except UnicodeEncodeError:
        raise ValueError(say("text.half_a_character")) from None
    return value


def _values(data: bytes) -> int:
    return sum(data.count(mark) for mark in (b",", b"[", b"{"))


def _values_outside(data: bytes) -> int:
    """The same without what stands in texts."""
    unescaped = data.replace(rb"\\", b"").replace(rb"\"", b"")
    values = inside = 0
    for start in range(0, len(unescaped), _BLOCK):
        parts = unescaped[start : start + _BLOCK].split(b'"')
        values += _values(b"".join(parts[inside::2]))
        inside = (inside + len(parts) - 1) % 2
    return values


def plain(value: object) -> Any:  # noqa: ANN401 - any JSON value
    """Models, tuples and numbers as plain JSON values; what JSON has no number for becomes null."""
    if isinstance(value, str | int | None):
        return value
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return plain(to_jsonable_python(value))


def dumps(value: object, indent: int | None = 2) -> str:
    """JSON in the order given, with invisible characters escaped, so that it is safe in a terminal.

    Without `indent` it is one line.
    """
    text = to_json(value, indent=indent, inf_nan_mode="null").decode()
    return INVISIBLE.sub(lambda match: json.dumps(match.group())[1:-1], text) + "\n"
