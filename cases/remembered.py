"""What functions of texts remember: many short ones, since long runs come back to each, and few long ones."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
_SHORT = 4_000
"""Signs of all its texts up to which a call counts as short."""
_MANY = 32_768


def remembered(few: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Have a function remember what it said of tens of thousands of short texts and of a `few` others."""

    def remembering(function: Callable[P, R]) -> Callable[P, R]:
        short: Callable[..., R] = lru_cache(maxsize=_MANY)(function)
        long: Callable[..., R] = lru_cache(maxsize=few)(function)

        @wraps(function)
        def told(*args: P.args, **kwargs: P.kwargs) -> R:
            given = (*args, *kwargs.values())
            size = sum(len(one) for one in given if isinstance(one, str))
            return (short if size <= _SHORT else long)(*args, **kwargs)

        return told

    return remembering
