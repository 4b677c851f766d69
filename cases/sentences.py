"""Sentences that people read: templates in the nearest `sentences.toml`, told by their names."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

Table = Mapping[str, Any]
FILE = "sentences.toml"
_HOME = Path(__file__).resolve().parents[1]


class Sentences:
    """What a module may say: the templates beside it, or of the first package above that has some.

    `{name}` in a template stands for a value.
    """

    def __init__(self, module: str) -> None:
        """Of the module or package of that name; nothing is read until the first is told."""
        self._module = module

    @property
    def all(self) -> dict[str, str]:
        """Every template by its name, such as `against.known`."""
        return _nearest(self._module)

    def __call__(self, name: str, /, **values: object) -> str:
        """The sentence of that name."""
        return self.all[name].format(**values)

    def table(self, name: str) -> Mapping[str, str]:
        """The sentences below a name, by what follows it."""
        return _below(self._module, name)


def counted(number: int, one: str, more: str = "") -> str:
    """`1 run`, `3 runs`."""
    return f"{number:,} {one if number == 1 else more or f'{one}s'}"


@cache
def _nearest(module: str) -> dict[str, str]:
    file = _HOME.joinpath(*module.split("."), FILE)
    if file.is_file():
        return dict(_flat(tomllib.loads(file.read_text("utf-8")), ""))
    return _nearest(module.rpartition(".")[0])


@cache
def _below(module: str, name: str) -> Mapping[str, str]:
    found = {key.removeprefix(f"{name}."): text for key, text in _nearest(module).items() if key.startswith(f"{name}.")}
    return MappingProxyType(found)


def _flat(table: Table, before: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for key, value in table.items():
        found += _flat(value, f"{before}{key}.") if isinstance(value, dict) else [(f"{before}{key}", str(value))]
    return found
