"""What is known of tools and options that do with little memory: `names/frugal.toml`."""

from functools import cache

from pydantic import Field, field_validator

from cases import Model
from probes.replay.data import entries, expression


class FrugalTool(Model):
    """A tool's own options for little memory."""

    pattern: str
    frugal: str
    """The replacement, with the pattern's groups."""
    not_if: str | None = None
    source: str

    _checked = field_validator("pattern")(expression)


class Offer(Model):
    """An option that makes pieces smaller, wherever a program has it."""

    flag: str
    values: tuple[str, ...] = Field(min_length=1)
    """In the order to try them; empty for a switch."""
    source: str

    _checked = field_validator("flag")(expression)


@cache
def frugal_tools() -> tuple[FrugalTool, ...]:
    """In their order; the first that changes a command is taken."""
    return tuple(FrugalTool.model_validate(entry) for entry in entries("names/frugal.toml", "tool"))


@cache
def offers() -> tuple[Offer, ...]:
    """In the order to try them."""
    return tuple(Offer.model_validate(entry) for entry in entries("names/frugal.toml", "offer"))
