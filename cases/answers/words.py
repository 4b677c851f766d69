"""The content of `words.toml`, compiled: units, asked forms and asked orders."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from cases import Model
from cases import patterns as re
from cases.loading import Expression, load


class Unit(Model):
    """One unit and every way to write it."""

    name: str
    written: tuple[str, ...]
    about: Expression
    """Where the task's text matches this, the unit goes without saying."""
    source: str


class AskedForm(Model):
    """Words that ask for a form of the answer, and the differences between answers that they settle."""

    settles: tuple[str, ...]
    concerns: tuple[str, ...] = ()
    """Differences that they may be about, or not."""
    kept_by: tuple[str, ...] = ()
    """Names of the expected answer's forms that are what they ask for."""
    pattern: Expression
    source: str


class Ordered(Model):
    """Words that ask for an order."""

    pattern: Expression
    source: str


class Label(Model):
    """Words that ask for a number that is a label: what it is equal to as a number says nothing."""

    pattern: Expression
    source: str


class Normal(Model):
    """A difference in form that published graders overlook."""

    difference: str
    source: str


class Sign(Model):
    """Words that say something of a task's text as a whole."""

    pattern: Expression
    source: str


class Allows(Model):
    """Words by which a task's text takes other answers for right, too."""

    what: Literal["percent", "absolute", "decimals", "nearest", "part", "promise"]
    pattern: Expression
    source: str


class Words(Model):
    """The whole file."""

    unit: tuple[Unit, ...]
    form: tuple[AskedForm, ...]
    ordered: tuple[Ordered, ...]
    label: tuple[Label, ...]
    normal: tuple[Normal, ...]
    literal: tuple[Sign, ...]
    amount: tuple[Sign, ...]
    english: tuple[Sign, ...]
    allows: tuple[Allows, ...]


def words() -> Words:
    """The shipped words."""
    return load(Words, __package__, "words.toml")


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


def asks_letters(task: str) -> bool:
    """Whether the task's text may ask for something whose very letters count, such as a password."""
    return any(re.search(entry.pattern, task, re.IGNORECASE) for entry in words().literal)


def asks_amount(task: str) -> bool:
    """Whether the task's text asks for an amount and not for a number that only names something."""
    return any(re.search(entry.pattern, task, re.IGNORECASE) for entry in words().amount)


def readable(task: str) -> bool:
    """Whether the task's text is in the language whose words are known here."""
    return any(re.search(entry.pattern, task, re.IGNORECASE) for entry in words().english)


@lru_cache
def normal_differences() -> frozenset[str]:
    """The differences in form that published graders overlook."""
    return frozenset(entry.difference for entry in words().normal)


@dataclass(frozen=True)
class Asked:
    """Words of a text that ask for a form of the answer."""

    words: str
    settles: frozenset[str]
    concerns: frozenset[str]
    kept_by: frozenset[str]


def asked_forms(task: str) -> tuple[Asked, ...]:
    """The words of a text that ask for a form of the answer, each with the differences that it settles or concerns."""
    found = ((re.search(form.pattern, task, re.IGNORECASE), form) for form in words().form)
    return tuple(
        Asked(match.group(), frozenset(form.settles), frozenset(form.concerns), frozenset(form.kept_by))
        for match, form in found
        if match
    )
