"""One name for each benchmark, whatever its inputs call it."""

import datetime as dt
from functools import cache
from typing import Literal

from pydantic import Field

from cases import patterns as re
from cases.loading import load
from cases.model import Model, Outcome

UNKNOWN = "unknown"


class Success(Model):
    """When a benchmark's harness counts a run as passed."""

    rule: Literal["exact_answer", "all_questions", "full_rate", "steps"]
    source: str


class HubDataset(Model):
    """A benchmark's tasks on the hub, at one revision."""

    repository: str
    revision: str = Field(pattern=r"^[0-9a-f]{40}$")
    """A whole commit id: a branch or tag may move."""
    file: str
    source: str


class Published(Model):
    """When a benchmark's tasks came out."""

    day: dt.date
    source: str


class KnownTasks(Model):
    """The tasks of one benchmark that are known without any file."""

    name: str
    source: str
    tasks: dict[str, tuple[str, ...]]
    """The sites that a task's text names, by its id."""


class Benchmark(Model):
    """An entry of `benchmarks.toml`."""

    name: str
    aliases: tuple[str, ...]
    task_id: str | None = None
    """A regular expression that only this benchmark's task ids match."""
    part_of: str | None = None
    """The benchmark whose tasks it has a choice of, under the same ids."""
    success: Success | None = None
    published: Published | None = None
    tasks: HubDataset | None = None
    source: str


def _benchmarks() -> tuple[Benchmark, ...]:
    return load(tuple[Benchmark, ...], "cases", "benchmarks.toml", "benchmark")


@cache
def _names() -> dict[str, str]:
    return {_key(name): entry.name for entry in _benchmarks() for name in (entry.name, *entry.aliases)}


def _key(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


@cache
def normalised(name: str) -> str:
    """The benchmark's one name; a name that is not in the list comes back in lower case with underscores."""
    plain = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
    return _names().get(_key(name), plain or UNKNOWN)


@cache
def of_task_id(task_id: str) -> str | None:
    """The only benchmark that has such task ids."""
    return next((b.name for b in _benchmarks() if b.task_id and re.search(b.task_id, task_id)), None)


@cache
def alike(one: str, other: str) -> bool:
    """Whether two (normalised) names are of one benchmark, or one of a choice of the other's tasks."""
    return one == other or _whole(one) == other or _whole(other) == one


@cache
def has_parts(name: str) -> bool:
    """Whether there are choices of its tasks that are benchmarks of their own."""
    return any(entry.part_of == name for entry in _benchmarks())


@cache
def _whole(name: str) -> str | None:
    return next((entry.part_of for entry in _benchmarks() if entry.name == name), None)


@cache
def mentioned(text: str) -> str | None:
    """The known benchmark that a text names anywhere, the longest name first."""
    words = [word for word in re.split(r"[^a-z0-9]+", text.lower()) if word][:100]
    spans = ("".join(words[at : at + n]) for n in (4, 3, 2, 1) for at in range(len(words) - n + 1))
    return next((known for span in spans if (known := _names().get(span))), None)


@cache
def of_file_name(stem: str) -> str | None:
    """The benchmark that a file's name begins with, where that is a known name."""
    words = re.split(r"[^a-z0-9]+", stem.lower())
    return next((known for n in (3, 2, 1) if (known := _names().get("".join(words[:n])))), None)


@cache
def datasets() -> dict[str, HubDataset]:
    """Benchmarks whose tasks the hub has."""
    return {entry.name: entry.tasks for entry in _benchmarks() if entry.tasks}


@cache
def published(name: str) -> dt.date | None:
    """The day on which the tasks of the benchmark of this (normalised) name came out, as far as it is known."""
    return next((entry.published.day for entry in _benchmarks() if entry.published and entry.name == name), None)


@cache
def success(name: str) -> Success | None:
    """The rule of the benchmark of this (normalised) name; None where its harness lists who passed."""
    return next((entry.success for entry in _benchmarks() if entry.name == name), None)


def outcome(name: str, answer: str | None, gold: str | None) -> Outcome:
    """What the benchmark's rule makes of an answer; unknown where the rule needs more than that."""
    rule = success(name)
    if rule is None or rule.rule != "exact_answer" or answer is None or gold is None:
        return Outcome.UNKNOWN
    return Outcome.PASSED if answer == gold else Outcome.FAILED


def known_tasks() -> tuple[KnownTasks, ...]:
    """What ships with the program: ids and sites, no questions and no answers."""
    return load(tuple[KnownTasks, ...], __package__, "known_tasks.toml", "benchmark")
