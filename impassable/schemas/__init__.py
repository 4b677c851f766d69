"""The JSON schemas of what is written, one a file; made by scripts/schemas.py."""

import json
from importlib.resources import files
from typing import Any


def schema(name: str) -> dict[str, Any]:
    """A published schema by its name, such as `verdict` (of `verdict.json`) or `answer` (of a line of `--json`).

    Raises:
        KeyError: there is none of that name.
    """
    found = files(__name__).joinpath(f"{name}.json")
    if not name.isidentifier() or not found.is_file():
        raise KeyError(name)
    read: dict[str, Any] = json.loads(found.read_text(encoding="utf-8"))
    return read
