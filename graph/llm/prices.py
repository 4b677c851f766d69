"""What a model's tokens cost."""

import datetime as dt
from functools import cache

from pydantic import Field

from cases import InputError, Model
from cases import patterns as re
from cases.loading import load
from cases.sentences import Sentences
from graph.llm.options import ModelOptions, Price

say = Sentences(__name__)

_DATED = re.compile(r"-\d{4}-\d{2}-\d{2}$")


class _Entry(Model):
    model: str
    read: float = Field(ge=0)
    written: float = Field(ge=0)
    date: dt.date
    source: str = Field(min_length=1)


@cache
def _prices() -> dict[str, Price]:
    shipped = load(tuple[_Entry, ...], __package__, "prices.toml", "price")
    return {one.model: Price(one.read, one.written) for one in shipped}


def price_of(options: ModelOptions) -> Price | None:
    """The user's own price first, then the data file's; None when neither knows it."""
    known = _prices()
    return options.price or known.get(options.name) or known.get(_DATED.sub("", options.name))


def check_price(options: ModelOptions) -> None:
    """See that a ceiling of costs can be kept.

    Raises:
        InputError: there is a ceiling, but no price.
    """
    if options.cost is not None and price_of(options) is None:
        raise InputError(say("llm.prices.max_cost_no_price", name=options.name))


def cost_of(options: ModelOptions, read: int, written: int) -> float | None:
    """US dollars for that many tokens; None without a price."""
    price = price_of(options)
    return None if price is None else (read * price.read + written * price.written) / 1e6
