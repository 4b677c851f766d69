#!/usr/bin/env python3
"""Writes `impassable/schemas/` and, from the schema of an answer, the types of `impassable/types.py`.

.venv/bin/python scripts/schemas.py
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from verify.schemas import schemas

PACKAGE = Path(__file__).resolve().parents[1] / "impassable"
HEAD = '''"""What an audit found, as objects. Written by scripts/schemas.py from the published schema of an answer."""

import datetime as dt
from typing import Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field


class Record(BaseModel):
    """A frozen record; what a later version adds is kept."""

    model_config = ConfigDict(frozen=True, extra="allow")
'''
RENAMED = {"CaseTold": "Case", "RunTold": "Run"}
PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
DATES = {"date": "dt.date", "date-time": "dt.datetime"}


def texts() -> dict[Path, str]:
    """The files that this script writes, with what is to stand in them."""
    found = schemas()
    files = {
        PACKAGE / "schemas" / f"{name}.json": json.dumps(one, indent=2, ensure_ascii=False) + "\n"
        for name, one in found.items()
    }
    return files | {PACKAGE / "types.py": _formatted(module(found["answer"]))}


def module(schema: dict[str, Any]) -> str:
    """The types of a schema as the source of a module; what refers comes after what it refers to."""
    parts: dict[str, str] = {}

    def named(name: str) -> str:
        shown = RENAMED.get(name, name)
        if shown not in parts:
            one = schema["$defs"][name]
            made = _choice(shown, one) if "enum" in one else _record(shown, one, spelled)
            parts[shown] = made
        return shown

    def spelled(one: dict[str, Any]) -> str:
        if "$ref" in one:
            return named(one["$ref"].rpartition("/")[2])
        if "anyOf" in one:
            return " | ".join(spelled(each) for each in one["anyOf"])
        if "const" in one or "enum" in one:
            return f"Literal[{', '.join(repr(each) for each in one.get('enum', [one.get('const')]))}]"
        if one.get("type") == "array":
            return f"tuple[{spelled(one['items'])}, ...]"
        if one.get("type") == "object":
            return f"dict[str, {spelled(one['additionalProperties'])}]"
        return DATES.get(one.get("format", ""), PLAIN[one["type"]])

    verdict = _record("Document", schema, spelled)
    return HEAD + "\n\n" + "\n\n".join([*parts.values(), verdict])


def _choice(name: str, schema: dict[str, Any]) -> str:
    about = schema.get("description", "").partition("\n")[0]
    return f'{name}: TypeAlias = Literal[{", ".join(map(repr, schema["enum"]))}]\n"""{about}"""\n'


def _record(name: str, schema: dict[str, Any], spelled: Any) -> str:  # noqa: ANN401
    lines = [f"class {name}(Record):", f'    """{schema.get("description", name)}"""', ""]
    for field, one in schema["properties"].items():
        kind = spelled(one)
        lines.append(f'    version: {kind} = Field(alias="schema")' if field == "schema" else f"    {field}: {kind}")
        if about := one.get("description"):
            lines += [f'    """{about}"""'.replace("\n", "\n    ")]
    return "\n".join(lines) + "\n"


def _formatted(text: str) -> str:
    command = [sys.executable, "-m", "ruff", "format", "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    for path, text in texts().items():
        path.write_text(text, encoding="utf-8")
