"""Hostile text made safe to show and to store: nothing invisible stays invisible, nothing is endless."""

import json
import math
import re
from typing import Any

from pydantic import BaseModel

INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff]"
)
"""Control, bidirectional, zero-width, tag and smuggling characters; tab and line feed are none of them."""

_NAMES = {0x00: "NUL", 0x07: "BEL", 0x08: "BS", 0x0D: "CR", 0x1B: "ESC", 0x7F: "DEL"}
_UNSAFE_NAME = re.compile(r"[^A-Za-z0-9._-]+")


def visible(text: str) -> str:
    """`text` with every invisible character replaced by a sign that shows it."""
    return INVISIBLE.sub(_sign, text.replace("\r\n", "\n"))


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


def plain(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """Models, tuples and numbers as plain JSON values; what JSON has no number for becomes null."""
    if isinstance(value, BaseModel):
        return plain(value.model_dump(mode="json"))
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def dumps(value: Any) -> str:  # noqa: ANN401 - any JSON value
    """JSON in the order given, with invisible characters escaped, so that it is safe in a terminal."""
    text = json.dumps(plain(value), ensure_ascii=False, allow_nan=False, indent=2)
    return INVISIBLE.sub(lambda match: json.dumps(match.group())[1:-1], text) + "\n"


def _sign(match: re.Match[str]) -> str:
    code = ord(match.group())
    return f"⟨{_NAMES.get(code, f'U+{code:04X}')}⟩"
