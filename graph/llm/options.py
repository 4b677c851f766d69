"""How a language model may be used; without a name there is none."""

from pathlib import Path
from typing import NamedTuple

from pydantic import Field

from cases import Model


class Price(NamedTuple):
    """US dollars for a million tokens."""

    read: float
    written: float


class ModelOptions(Model):
    """The user's choices about the model; the key is none of them, so that it is written nowhere."""

    name: str = Field(min_length=1)
    server: str | None = None
    """The base URL of a server that speaks chat-completions; None is OpenAI's own."""
    calls: int = Field(default=2, ge=0, le=100)
    """Of one audit."""
    tokens: int = Field(default=200_000, gt=0)
    """Of one audit, read and written together."""
    cost: float | None = Field(default=None, gt=0)
    """US dollars of one audit; None is no ceiling."""
    price: Price | None = None
    """Where `prices.toml` does not know the model, or wrongly."""
    context: int = Field(default=32_000, ge=2_000)
    """Tokens that one prompt and its answer may have together."""
    answer: int = Field(default=6_000, ge=100)
    """Tokens that one answer may have."""
    seconds: float = Field(default=120.0, gt=0, le=3_600)
    """For one answer."""
    retries: int = Field(default=2, ge=0, le=10)
    """Of a request that the server refused for now, as far as the ceilings allow; nothing else is retried."""
    rate: float = Field(default=2.0, gt=0)
    """Requests a second, of all audits of this process together."""
    second_reader: bool = False
    """Whether a second pass argues against the verdict."""
    offline: bool = False
    """Whether only replies that are remembered may be used."""
    memory: Path | None = None
    """The directory of remembered replies and of the journal; None remembers nothing."""
