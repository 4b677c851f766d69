"""One name for each benchmark, whatever its inputs call it."""

import re
import tomllib
from functools import cache
from pathlib import Path

from cases.model import Model

UNKNOWN = "unknown"


class Benchmark(Model):
    """An entry of `benchmarks.toml`."""

    name: str
    aliases: tuple[str, ...]
    task_id: str | None = None
    """A regular expression that only this benchmark's task ids match."""
    source: str


@cache
def _benchmarks() -> tuple[Benchmark, ...]:
    data = tomllib.loads(Path(__file__).with_name("benchmarks.toml").read_text("utf-8"))
    return tuple(Benchmark.model_validate(entry) for entry in data["benchmark"])


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
def of_file_name(stem: str) -> str | None:
    """The benchmark that a file's name begins with, where that is a known name."""
    words = re.split(r"[^a-z0-9]+", stem.lower())
    return next((known for n in (3, 2, 1) if (known := _names().get("".join(words[:n])))), None)
