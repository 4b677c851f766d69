"""What functions of texts remember: many short ones, since long runs come back to each, and few long ones."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
_SHORT = 4_000
"""Signs of all its texts up to which a call counts as short."""
_MANY, _KEPT = 65_536, 8_192
"""Texts that are remembered while one audit goes on, and from one to the next."""
_memories: list[Any] = []


def remembered(few: int, short: int = _SHORT) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Have a function remember what it said of tens of thousands of `short` texts and of a `few` others."""

    def remembering(function: Callable[P, R]) -> Callable[P, R]:
        of_short: Callable[..., R] = lru_cache(maxsize=_MANY)(function)
        of_long: Callable[..., R] = lru_cache(maxsize=few)(function)
        _memories.append(of_short)

        @wraps(function)
        def told(*args: P.args, **kwargs: P.kwargs) -> R:
            given = (*args, *kwargs.values())
            size = sum(len(one) for one in given if isinstance(one, str))
            return (of_short if size <= short else of_long)(*args, **kwargs)

        return told

    return remembering


def forget_most() -> None:
    """End an audit: what has grown long over a large run starts anew, what all audits have in common mostly stays."""
    for memory in _memories:
        if memory.cache_info().currsize > _KEPT:
            memory.cache_clear()
