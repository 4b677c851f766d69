"""Sentences that people read: templates in a package's own `sentences.toml`, told by their names."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from cases.loading import load

Table = Mapping[str, Any]


class Sentences:
    """The templates of one package; `{name}` stands for a value."""

    def __init__(self, package: str) -> None:
        """Nothing is read until the first is told."""
        self._package = package

    @cached_property
    def all(self) -> dict[str, str]:
        """Every template by its name, such as `against.known`."""
        table: dict[str, Any] = load(dict[str, Any], self._package, "sentences.toml")
        return dict(_flat(table, ""))

    def __call__(self, name: str, /, **values: object) -> str:
        """The sentence of that name."""
        return self.all[name].format(**values)

    def table(self, name: str) -> dict[str, str]:
        """The sentences below a name, by what follows it."""
        return {key.removeprefix(f"{name}."): text for key, text in self.all.items() if key.startswith(f"{name}.")}


def counted(number: int, one: str, more: str = "") -> str:
    """`1 run`, `3 runs`."""
    return f"{number:,} {one if number == 1 else more or f'{one}s'}"


def _flat(table: Table, before: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for key, value in table.items():
        found += _flat(value, f"{before}{key}.") if isinstance(value, dict) else [(f"{before}{key}", str(value))]
    return found
