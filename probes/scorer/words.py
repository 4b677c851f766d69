"""The content of `words.toml`, compiled: units, asked forms and asked orders."""

import re
import tomllib
from functools import lru_cache
from importlib.resources import files

from cases import Model


class Unit(Model):
    """One unit and every way to write it."""

    name: str
    written: tuple[str, ...]
    about: str
    """Where the task's text matches this, the unit goes without saying."""
    source: str


class AskedForm(Model):
    """Words that ask for a form of the answer, and the differences between answers that they settle."""

    settles: tuple[str, ...]
    pattern: str
    source: str


class Ordered(Model):
    """Words that ask for an order."""

    pattern: str
    source: str


class Label(Model):
    """Words that ask for a number that is a label: what it is equal to as a number says nothing."""

    pattern: str
    source: str


class Words(Model):
    """The whole file."""

    unit: tuple[Unit, ...]
    form: tuple[AskedForm, ...]
    ordered: tuple[Ordered, ...]
    label: tuple[Label, ...]


@lru_cache
def words() -> Words:
    """Validated, with patterns that compile."""
    loaded = Words.model_validate(tomllib.loads(files("probes.scorer").joinpath("words.toml").read_text("utf-8")))
    patterns = [unit.about for unit in loaded.unit]
    patterns += [form.pattern for form in loaded.form] + [order.pattern for order in loaded.ordered]
    patterns += [label.pattern for label in loaded.label]
    for pattern in patterns:
        re.compile(pattern)
    return loaded


@lru_cache
def unit_names() -> dict[str, str]:
    """Every way to write a unit, in lower case, with its name."""
    return {written: unit.name for unit in words().unit for written in unit.written}


def goes_without_saying(unit: str, task: str) -> bool:
    """Whether the task's text names the unit, and no other one."""
    return {entry.name for entry in words().unit if re.search(entry.about, task, re.IGNORECASE)} == {unit}


def asks_order(task: str) -> bool:
    """Whether the task's text may ask for an order, so that another order may be another answer."""
    return any(re.search(entry.pattern, task, re.IGNORECASE) for entry in words().ordered)


def asks_label(task: str) -> bool:
    """Whether the task's text may ask for a label such as a version, so that 3.10 and 3.1 may be two answers."""
    return any(re.search(entry.pattern, task, re.IGNORECASE) for entry in words().label)


def asked_forms(task: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """The words of a text that ask for a form of the answer, each with the differences that it settles."""
    found = ((re.search(form.pattern, task, re.IGNORECASE), form) for form in words().form)
    return tuple((match.group(), frozenset(form.settles)) for match, form in found if match)
