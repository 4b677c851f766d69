"""What is known of tools and options that do with little memory: `names/frugal.toml`."""

from pydantic import Field

from cases import Model
from cases.loading import Expression, load


class FrugalTool(Model):
    """A tool's own options for little memory."""

    pattern: Expression
    frugal: str
    """The replacement, with the pattern's groups."""
    not_if: str | None = None
    source: str


class Offer(Model):
    """An option that makes pieces smaller, wherever a program has it."""

    flag: Expression
    values: tuple[str, ...] = Field(min_length=1)
    """In the order to try them; empty for a switch."""
    source: str


def frugal_tools() -> tuple[FrugalTool, ...]:
    """In their order; the first that changes a command is taken."""
    return load(tuple[FrugalTool, ...], __package__, "names/frugal.toml", "tool")


def offers() -> tuple[Offer, ...]:
    """In the order to try them."""
    return load(tuple[Offer, ...], __package__, "names/frugal.toml", "offer")
