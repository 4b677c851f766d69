"""Single values out of untyped input."""

import datetime as dt
import math
from typing import Any

from cases.readers.messages import clean


def text_of(value: Any) -> str | None:  # noqa: ANN401
    """A non-empty text, also of a number; None for anything else."""
    if isinstance(value, str):
        return clean(value) if value.strip() else None
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return None


def number_of(value: Any) -> float | None:  # noqa: ANN401
    """A finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value) if math.isfinite(value) else None
    except OverflowError:
        return None


def date_of(value: Any) -> dt.date | None:  # noqa: ANN401
    """The day that an ISO 8601 text begins with."""
    try:
        return dt.date.fromisoformat(str(value).strip()[:10])
    except ValueError:
        return None
