"""The JSON schemas of what is written: a pack's records, an index, and the objects that `--json` prints."""

import ast
import inspect
import textwrap
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Literal

from pydantic import Field, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import core_schema

from cases import Case, Model
from evidence.document import Document
from evidence.index import Entry, Unreadable
from graph.verdict import JudgeInputs, Verdict
from probes import Envelope, Finding, Hypothesis
from verify.batch.lines import Line

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


class _Whole(GenerateJsonSchema):
    """Fields that have defaults are written too."""

    def field_is_required(
        self,
        field: core_schema.ModelField | core_schema.DataclassField | core_schema.TypedDictField,
        total: bool,
    ) -> bool:
        return True


class Index(Model):
    """The packs of a folder, and what could not be read of them."""

    version: Literal["impassable/1"] = Field("impassable/1", alias="schema")
    packs: tuple[Entry, ...]
    unreadable: tuple[Unreadable, ...]


class Failure(Model):
    """What went wrong, and the exit code that it would have alone."""

    message: str
    exit_code: int


class ErrorDocument(Model):
    """What `--json` prints of a task that could not be audited."""

    version: Literal["impassable/1"] = Field("impassable/1", alias="schema")
    error: Failure


_WRITTEN: dict[str, tuple[str, Any]] = {
    "case": ("case.json of a pack: what was audited", Case),
    "envelope": ("envelope.json of a pack: what the agent's machine was", Envelope),
    "hypotheses": ("hypotheses.json of a pack: what might have been impassable", tuple[Hypothesis, ...]),
    "findings": ("findings.json of a pack: what the probes answered", tuple[Finding, ...]),
    "basis": ("basis.json of a pack: what the judge is told besides", JudgeInputs),
    "verdict": ("verdict.json of a pack: the verdict", Verdict),
    "index": ("index.json of a folder of packs, as `verify view --write` makes it", Index),
    "ledger": ("one line of ledger.jsonl, which an audit of many tasks keeps", Line),
    "answer": ("one line of `verify TASK_ID --json`: what an audit found", Document),
    "error": ("one line of `--json`: what could not be done", ErrorDocument),
}


def schemas() -> dict[str, dict[str, Any]]:
    """By name, the schema of each form; what is written always satisfies it."""
    return {name: _schema(title, form) for name, (title, form) in _WRITTEN.items()}


def _schema(title: str, form: Any) -> dict[str, Any]:  # noqa: ANN401 - any type that pydantic knows
    made = TypeAdapter(form).json_schema(mode="serialization", schema_generator=_Whole)
    for name, one in [(getattr(form, "__name__", ""), made), *made.get("$defs", {}).items()]:
        properties = one.get("properties", {})
        models: list[Any] = [Entry, *_models(Model)]
        for model in models:
            if model.__name__ == name and len(model.__pydantic_fields__) == len(properties):
                for field, about in _told(model).items():
                    if field in properties:
                        properties[field]["description"] = about
    return {"$schema": _DIALECT} | made | {"title": title}


def _models(of: type[Model]) -> Iterator[type[Model]]:
    for model in of.__subclasses__():
        yield model
        yield from _models(model)


def _told(model: Any) -> dict[str, str]:  # noqa: ANN401 - a model or a dataclass of pydantic's
    """What stands below each field in the source."""
    [declared] = ast.parse(textwrap.dedent(inspect.getsource(model))).body
    assert isinstance(declared, ast.ClassDef)
    told = {}
    for field, below in pairwise(declared.body):
        if isinstance(field, ast.AnnAssign) and isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
            told[ast.unparse(field.target)] = inspect.cleandoc(str(below.value.value))
    return told
