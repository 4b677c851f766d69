"""The data of the routes, and what every route works with."""

import datetime as dt
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from pydantic import Field, field_validator

from cases import Model, Task
from cases import patterns as re
from cases.answers.figures import is_year, tells_by_absence
from cases.answers.presence import Presence, traced
from cases.loading import load
from probes.model import Control, Route, Tier
from probes.web.plain import Plain
from probes.web.records import Outcome


class Caps(Model):
    """How many addresses of each kind are tried."""

    gold: int = Field(gt=0)
    variants: int = Field(gt=0)
    archived: int = Field(gt=0)
    captures: int = Field(gt=0)
    engines: int = Field(gt=0)
    moved: int = Field(gt=0)
    pages: int = Field(gt=0)
    drawn: int = Field(gt=0)


class Archive(Model):
    """A web archive with a CDX index."""

    name: str
    index: str
    availability: str
    """Asked where the index does not answer."""
    replay: str
    """With `{timestamp}` and `{url}`."""
    raw: str
    """The same for the body as it was captured, without the archive's own additions."""
    near_days: int = Field(gt=0)
    """How far from a task's date a copy may be to be of its time."""
    control: str
    """A page known to be captured."""
    source: str


class Engine(Model):
    """A search engine."""

    name: str
    host: str
    """A pattern for its hosts."""
    query: str
    """The parameter that holds the query."""
    search: str
    """With `{query}`."""
    source: str

    @field_validator("host")
    @classmethod
    def _pattern(cls, value: str) -> str:
        re.compile(value)
        return value


class Forbidden(Model):
    """A way that is never taken."""

    id: str
    note: str
    source: str


class Ladder(Model):
    """The data file."""

    caps: Caps
    archive: Archive
    engine: tuple[Engine, ...] = Field(min_length=2)
    forbidden: tuple[Forbidden, ...]


def ladder() -> Ladder:
    """What stands in `routes.toml`."""
    return load(Ladder, __package__, "routes.toml")


@dataclass
class Ways:
    """What the routes of one hypothesis work with."""

    examine: Callable[[str], Awaitable[Outcome]]
    """Visits an address as often as it takes to be sure of a wall."""
    enter: Callable[[str, str], Awaitable[Outcome]]
    """The same by way of another page, in one session."""
    press: Callable[[str], Awaitable[Outcome]]
    """The same with a page scrolled and its controls pressed."""
    get: Callable[[str], Awaitable[Plain]]
    """One GET by plain HTTP through the guard."""
    spellings: Callable[[str], tuple[str, ...]]
    """Other spellings of an address that may lead to the same page."""
    needed: tuple[str, ...]
    task: Task
    shown: Callable[[], tuple[str, ...]]
    """Finds addresses that the run was shown and that speak of what the task asks, on other sites than it needs."""
    gold: tuple[str, ...]
    lacks: Callable[[Outcome], bool]
    """Whether a page opens and surely shows nothing of what is expected."""
    date: dt.date | None
    """The task's, for the nearest archived copy."""
    shown_anywhere: Callable[[], tuple[str, ...]] = field(default=lambda: ())
    """As `shown`, on any site."""
    beside: Callable[[Outcome], bool] = field(default=lambda _: False)
    """Whether the rest of its site opens and may show what is needed."""
    mapped: Callable[[str], bool] = field(default=lambda _: False)
    """Whether the user mapped the address's host to one of a lab."""
    gold_shut: bool = False
    """Whether each page of which the benchmark says that the answer stands there is shut."""
    thorough: bool = False
    controls: list[Control] = field(default_factory=list)
    """Controls that the tried routes depend on, in their order."""

    def says(self, text: str, url: str) -> Presence:
        """Whether the text of a page says the expected answer, be it in other words; absent where none is known."""
        return traced(text, self.task, url) if self.task.gold else "absent"

    @property
    def absence_tells(self) -> bool:
        """Whether it says something that the expected answer is not on a page, though it may be too short to look for.

        A year may follow from many pages, unless the one where it stands is shut.
        """
        gold = self.task.gold or ""
        return tells_by_absence(gold) or (self.gold_shut and is_year(gold))

    def control(self, control: Control) -> None:
        """Remember a control once."""
        if control not in self.controls:
            self.controls.append(control)


def route(kind: str, url: str, result: str, note: str, tier: Tier = Tier.T2) -> Route:
    """A route to an address."""
    return Route.model_validate(
        {"id": f"{kind}: {url}", "tier": tier, "commands": (url,), "result": result, "note": note}
    )
