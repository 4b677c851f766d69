"""What a task's text leaves open: the content of `signs.toml`, and where it stands in a text."""

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Self

from pydantic import model_validator

from cases import Case, Citation, Model
from probes.model import Barrier

LONGEST = 20_000
"""Characters of a task's text that are read."""
MOST = 12
_ASKING = frozenset({"user", "human"})


class Sign(Model):
    """One entry of `signs.toml`."""

    id: str
    barriers: tuple[Barrier, ...]
    pattern: str
    unless: str
    lacks: str
    """What the text does not do; a verb and its object."""
    source: str

    @model_validator(mode="after")
    def _compiles(self) -> Self:
        re.compile(self.pattern)
        re.compile(self.unless)
        return self


class _Signs(Model):
    sign: tuple[Sign, ...]


@dataclass(frozen=True)
class Found:
    """A sign in a task's text: `text[start:end] == quote`."""

    sign: Sign
    start: int
    end: int
    quote: str


@lru_cache
def signs() -> tuple[Sign, ...]:
    """All signs, validated."""
    return _Signs.model_validate(tomllib.loads(files(__package__).joinpath("signs.toml").read_text("utf-8"))).sign


def signs_of(text: str) -> tuple[Found, ...]:
    """What a task's text leaves open, in the order of the data file and of the text."""
    read = text[:LONGEST]
    found = [
        Found(sign, match.start(), match.end(), match.group())
        for sign in signs()
        if not re.search(sign.unless, read)
        for match in re.finditer(sign.pattern, read)
    ]
    return tuple(found[:MOST])


def cited(case: Case, found: Found) -> Citation | None:
    """Where a run's record shows the task's words to the agent; None where no record has the text."""
    prompt = case.task.prompt or ""
    for run in case.runs:
        for block in run.transcript.blocks if run.transcript else ():
            at = block.text.find(prompt) if block.role in _ASKING else -1
            if at >= 0:
                start, end = at + found.start, at + found.end
                return Citation(run_id=run.run_id, block=block.index, start=start, end=end, quote=found.quote)
    return None
