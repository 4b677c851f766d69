"""Impassable in Python: whether a failed agent run met an impassable benchmark, settled by trying.

    >>> import impassable
    >>> result = impassable.audit("demo-missing-header", run="missing_header_UPLOAD.json", profile="offline")
    >>> result.status, result.score
    ('supported', 1)

This package is all that a caller's process imports. The rooms (`graph`, `probes`, `cases`, …) are imported only by the
program itself, which runs in a process of its own: a `graph.py` of yours stays yours.
"""

TYPE_CHECKING = False  # as type checkers know it; importing `typing` takes longer than all else here

if TYPE_CHECKING:
    from impassable.asking import audit, audit_many, load_pack
    from impassable.errors import (
        CredentialsError,
        ImpassableError,
        ImpassableWarning,
        InputError,
        InternalError,
        NotReadyError,
        PackError,
    )
    from impassable.frames import to_dataframe
    from impassable.options import Options
    from impassable.result import Result
    from impassable.schemas import schema

_HOMES = {
    "asking": ("audit", "audit_many", "load_pack"),
    "errors": (
        "CredentialsError",
        "ImpassableError",
        "ImpassableWarning",
        "InputError",
        "InternalError",
        "NotReadyError",
        "PackError",
    ),
    "frames": ("to_dataframe",),
    "options": ("Options",),
    "result": ("Result",),
    "schemas": ("schema",),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    """Import what is asked for: the program starts through this package and needs none of it."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found = globals()[name] = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    return found


def __dir__() -> list[str]:
    """Also what is not imported yet."""
    return sorted({*globals(), *__all__})


__all__ = [
    "CredentialsError",
    "ImpassableError",
    "ImpassableWarning",
    "InputError",
    "InternalError",
    "NotReadyError",
    "Options",
    "PackError",
    "Result",
    "audit",
    "audit_many",
    "load_pack",
    "schema",
    "to_dataframe",
]
