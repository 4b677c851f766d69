"""Impassable in Python: whether a failed agent run met an impassable benchmark, settled by trying.

    >>> import impassable
    >>> result = impassable.audit("demo-missing-header", run="missing_header_UPLOAD.json", profile="offline")
    >>> result.status, result.score
    ('supported', 1)

This package is all that a caller's process imports. The rooms (`graph`, `probes`, `cases`, …) are imported only by the
program itself, which runs in a process of its own: a `graph.py` of yours stays yours.
"""

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
