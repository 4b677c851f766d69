"""Data files that people edit: TOML beside the code, checked against its types, read once."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, TypeAdapter

from cases import patterns as re

T = TypeVar("T")


def _compiles(text: str) -> str:
    re.compile(text)
    return text


Expression = Annotated[str, AfterValidator(_compiles)]
"""A regular expression, as it is written."""


def load(shape: type[T], package: str, name: str, key: str | None = None) -> T:
    """What the file `name` of a package holds, or one `key` of it.

    Raises:
        ValueError: it is not of that shape; names the file and the place.
    """
    hashable: Any = shape
    loaded: T = _loaded(hashable, package, name, key)
    return loaded


@cache
def _loaded(shape: Any, package: str, name: str, key: str | None) -> Any:  # noqa: ANN401 - typed by `load`
    try:
        table = _table(package, name)
        return TypeAdapter(shape).validate_python(table[key] if key else table)
    except (ValueError, KeyError) as error:
        raise ValueError(f"{name} of {package}: {error}") from error


@cache
def _table(package: str, name: str) -> dict[str, Any]:
    return tomllib.loads(files(package).joinpath(name).read_text("utf-8"))
