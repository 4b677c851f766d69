"""The words of `patterns.toml` and `signs.toml`, checked when first used."""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, Literal

from pydantic import AfterValidator

from cases import Model


def _compiles(text: str) -> str:
    re.compile(text)
    return text


class Line(Model):
    """A line of a rubric, word for word."""

    text: str = ""
    """Empty where only the group speaks of it."""
    group: str = ""
    """The title that it stands under; empty where the rubric has none."""

    def __str__(self) -> str:
        return ": ".join(part for part in (self.group, self.text) if part)


class Pattern(Model):
    """One entry of `patterns.toml`."""

    remedy: str
    """What a capable agent would have done; its braces name words that the detector gives."""
    least: int = 1
    """How often it must be seen."""
    source: str
    assistantbench: Line
    environmental_barrier: Line


class Sign(Model):
    """One entry of `signs.toml`."""

    pattern: Annotated[str, AfterValidator(_compiles)]
    source: str


class Signs(Model):
    """The whole of `signs.toml`."""

    refusal: tuple[Sign, ...]
    transient: tuple[Sign, ...]
    missed_element: tuple[Sign, ...]
    misused_tool: tuple[Sign, ...]
    own_code: tuple[Sign, ...]
    budget: tuple[Sign, ...]
    partial_view: tuple[Sign, ...]
    scrolled: tuple[Sign, ...]
    by_hand: tuple[Sign, ...]
    installs: tuple[Sign, ...]


SignKind = Literal[
    "refusal",
    "transient",
    "missed_element",
    "misused_tool",
    "own_code",
    "budget",
    "partial_view",
    "scrolled",
    "by_hand",
    "installs",
]


@cache
def patterns() -> dict[str, Pattern]:
    """The shipped patterns by name."""
    return {name: Pattern.model_validate(entry) for name, entry in _loaded("patterns.toml").items()}


@cache
def _signs() -> dict[str, tuple[re.Pattern[str], ...]]:
    signs = Signs.model_validate(_loaded("signs.toml"))
    return {
        kind: tuple(re.compile(sign.pattern, re.MULTILINE) for sign in getattr(signs, kind))
        for kind in Signs.model_fields
    }


def search(kind: SignKind, text: str) -> re.Match[str] | None:
    """The earliest match of any sign of `kind` in `text`."""
    found = (pattern.search(text) for pattern in _signs()[kind])
    return min((match for match in found if match), key=lambda match: match.start(), default=None)


def _loaded(name: str) -> dict[str, Any]:
    return tomllib.loads(files("probes.exclusions").joinpath(name).read_text("utf-8"))
