"""What is known of one barrier: the shape of a file in this folder."""

from enum import StrEnum
from typing import Self

from pydantic import Field, model_validator

from cases import Model
from cases import patterns as re
from probes.barriers.ladder import Ladder
from probes.barriers.signature import Signature
from probes.model import Barrier, Place, Targets


class Trait(StrEnum):
    """What code asks about a barrier, rather than which one it is."""

    UNNAMED = "unnamed"
    """Nothing but a measurement says what it is; it then has that barrier's name."""
    INDIRECT = "indirect"
    """Says only that something failed: where a measurement says what stopped that, it has that barrier's name."""
    WEB = "web"
    """Met on a page: hosts and URLs that stand near its words are its targets."""
    SITED = "sited"
    """Though no page shows it, a claim of it is about the site that the claim names most."""
    ASSERTED = "asserted"
    """Often only asserted: it is questioned after everything that shows an error."""
    OF_A_TOOL = "of_a_tool"
    """Of a tool that the agent is given: whatever the tool is to do for the task meets it."""
    CHOSEN = "chosen"
    """About something that an agent may pick without being told to."""
    MEANS = "means"
    """About no more than a means, which an agent may do without where the task leaves open how its work is done."""
    DATA = "data"
    """About data, which may stand on the machine in another form or under another name."""
    TYPED = "typed"
    """A placeholder that the agent typed instead of a value brings it about."""
    RETRIED = "retried"
    """Passed where the same host gave another request of the run its data."""
    ELSEWHERE = "elsewhere"
    """Passed by going to another place, so that the order of events does not matter."""
    ABOUT_ANSWERS = "about_answers"
    """The run may well have seen or given the expected answer and have failed all the same."""
    ABOUT_WORDING = "about_wording"
    """About the task's own words, so that a person's yes or no counts."""
    ABOUT_PAGES = "about_pages"
    """A page that was never there says something about it."""
    ABOUT_CONTENT = "about_content"
    """About what stands on a page: one that opens does not refute it, only its content does."""
    ABOUT_ADDRESS = "about_address"
    """An address that leads nowhere, beside which a made-up one tells how that is meant."""
    BESIDE = "beside"
    """A made-up address beside the page is always asked for as well."""
    MOVED = "moved"
    """The page may have another address now, which is looked for."""
    ENTERED = "entered"
    """The page may open for a session that began at the site's first page."""
    SITE_WIDE = "site_wide"
    """It guards a site rather than one page of it, so that it tells of every page behind it."""
    EVADABLE = "evadable"
    """Others evade it, with means that are never ours."""
    CONDITIONS = "conditions"
    """It may be the run's own way of looking at pages that shows it."""
    REFERENCE = "reference"
    """About the benchmark's own solution and checks: a measurement says which line of the rubric it is, and one that
    passes speaks for the whole task."""
    OUTAGE = "outage"
    """Met at an archive it is the archive's own trouble and says nothing about the copy."""


class NameForm(Model):
    """What a name of something must look like."""

    pattern: re.Pattern[str]
    source: str = Field(min_length=1)


class Advice(Model):
    """What an issue says to maintainers; `{about}` is what the barrier is about."""

    fix: str = Field(min_length=1)
    """The smallest change that would remove it."""
    intended: str = Field(min_length=1)
    """Why they may have meant it so."""
    source: str = Field(min_length=1)


class BarrierEntry(Model):
    """One file: everything that is known of one barrier."""

    title: str = Field(min_length=1)
    """How it is named in a sentence."""
    named: str = ""
    """The title with `{about}` for what it is about; empty where its targets name nothing."""
    claimed: str = ""
    """The title where only somebody's claim speaks of it; empty where that is no other."""
    about: str = ""
    """The field of `Targets` that says what it is about."""
    locus: Place
    """Where the fault would lie."""
    traits: frozenset[Trait] = frozenset()
    wall: int | None = None
    """Of several walls of one host, which are one barrier, the lowest number is the most telling name."""
    rubric: dict[str, str] = Field(default_factory=dict)
    """By rubric, its category and the line there, such as `3.1`; a rubric that does not speak of it is left out."""
    probes: tuple[str, ...]
    """Which question it, cheapest first."""
    passable: tuple[str, ...] = ()
    """Probes whose "no" is needed, each, before PASSABLE may be no; none means that it cannot be answered yet."""
    asks: str = ""
    """What only a person can answer about it; yes puts the fault on the benchmark."""
    on_page: str = ""
    """What a page that shows it is said to do; a clause."""
    name: NameForm | None = None
    """The form that a name of what it is about must have, so that a probe can act on it."""
    signature: tuple[Signature, ...] = ()
    """None where only measured facts, an answer or a person tell it."""
    issue: Advice
    ladder: Ladder | Barrier | None = None
    """Its routes, or the barrier whose routes are its own too; without any the failing command alone is its goal."""

    @model_validator(mode="after")
    def _names_targets(self) -> Self:
        if self.about and self.about not in Targets.model_fields:
            raise ValueError(f"no such targets: {self.about}")
        if bool(self.about) != ("{about}" in self.named):
            raise ValueError("`named` with {about} and `about` go together")
        return self
