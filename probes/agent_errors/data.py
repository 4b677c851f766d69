"""The words of `patterns.toml` and `signs.toml`, checked when first used."""

from functools import cache
from typing import Literal

from cases import Model
from cases import patterns as re
from cases.loading import Expression, load


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

    pattern: Expression
    source: str


SignKind = Literal[
    "placeholder",
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


def patterns() -> dict[str, Pattern]:
    """The shipped patterns by name."""
    return load(dict[str, Pattern], __package__, "patterns.toml")


@cache
def _signs() -> dict[SignKind, tuple[re.Pattern[str], ...]]:
    signs = load(dict[SignKind, tuple[Sign, ...]], __package__, "signs.toml")
    return {kind: tuple(re.compile(sign.pattern, re.MULTILINE) for sign in every) for kind, every in signs.items()}


def search(kind: SignKind, text: str) -> re.Match[str] | None:
    """The earliest match of any sign of `kind` in `text`."""
    found = (pattern.search(text) for pattern in _signs()[kind])
    return min((match for match in found if match), key=lambda match: match.start(), default=None)
