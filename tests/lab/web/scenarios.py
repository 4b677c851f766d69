"""The scenarios and page templates of the lab, all written fresh for it."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

HERE = Path(__file__).parent


class Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Answer(Record):
    """What the server sends."""

    status: int = 200
    headers: dict[str, str] = Field(default_factory=dict)
    page: str | None = None
    """A template's name."""
    body: str = ""
    delay: float = 0.0
    """Seconds before the first byte."""
    mode: Literal["whole", "drip", "endless", "reset", "hang"] = "whole"


class Scenario(Record):
    """One host (or one path of it) and its true class."""

    id: str
    truth: str
    """`ok`, `unknown`, or the barrier that stands there."""
    host: str = ""
    """`<id>.lab.example` when empty."""
    path: str = "/page"
    """A pattern: `*` answers every path, `/?*` every one but the first page's."""
    query: str = ""
    """What the query has to contain."""
    cookie: str = ""
    """What the request's cookies have to contain."""
    wire: Literal["", "closed", "foreign", "unnamed"] = ""
    """Below HTTP: a port where nobody listens, a certificate of another authority, a name that no resolver knows."""
    answers: tuple[Answer, ...] = Field(min_length=1)
    """One, or several in turn for what flickers."""
    barrier: str = "unspecified"
    """What the hypothesis claims."""
    needed: tuple[str, ...] = ()
    rule: str | None = None
    """The rule that must be among those that decide."""
    trap_of: tuple[str, ...] = ()
    """Rules that must stay silent although their vendor's marks are there."""
    one_visit: str | None = None
    """What a single visit sees, where only several together tell the truth."""
    strange: bool = False
    """Whether the task that leads there is about something else than what it says."""

    @property
    def url(self) -> str:
        path = self.path.replace("?", "").replace("*", "page")
        return f"https://{self.at}/{path.lstrip('/')}"

    @property
    def at(self) -> str:
        return self.host or f"{self.id.replace('.', '-')}.lab.example"


@cache
def load_scenarios() -> dict[str, Scenario]:
    """All scenarios that have a true class: those of the guard's tests and of the routes aside."""
    apart = _of_file("guard.toml") | _of_file("routes.toml")
    return {name: one for name, one in every_scenario().items() if one.id not in apart}


def route_scenarios() -> dict[str, Scenario]:
    """A second search engine, and a site whose pages moved."""
    return {name: one for name, one in every_scenario().items() if one.id in _of_file("routes.toml")}


@cache
def every_scenario() -> dict[str, Scenario]:
    """All scenarios by id."""
    found: dict[str, Scenario] = {}
    for path in sorted((HERE / "scenarios").glob("*.toml")):
        for entry in tomllib.loads(path.read_text("utf-8"))["scenario"]:
            scenario = Scenario.model_validate(entry)
            assert scenario.id not in found, scenario.id
            found[scenario.id] = scenario
    return found


def _of_file(name: str) -> set[str]:
    return {entry["id"] for entry in tomllib.loads((HERE / "scenarios" / name).read_text("utf-8"))["scenario"]}


class Vector(Record):
    """One way by which something at home could be asked."""

    id: str
    way: Literal["address", "policy", "name", "page", "led"]
    text: str = ""
    location: str = ""
    answers: tuple[tuple[str, ...], ...] = ()
    real: bool = False
    """Whether it reaches the canary where the user maps its host."""

    def at(self, canary: str, port: int) -> "Vector":
        """The vector against a canary."""
        here = {"HERE": f"{canary}/v/{self.id}", "CANARY": canary, "PORT": str(port)}
        text, location = self.text, self.location
        for word, value in here.items():
            text, location = text.replace(word, value), location.replace(word, value)
        return self.model_copy(update={"text": text, "location": location})


def load_vectors() -> tuple[Vector, ...]:
    """All of them, each once."""
    found = tuple(map(Vector.model_validate, tomllib.loads((HERE / "vectors.toml").read_text("utf-8"))["vector"]))
    assert len({vector.id for vector in found}) == len(found)
    return found


FILLER = "\n".join(
    f"<p>Paragraph {number} of an ordinary page about trails, opening hours and the price of lamps in Springfield.</p>"
    for number in range(1, 9)
)


def render(answer: Answer, host: str, path: str) -> bytes:
    """The body of an answer."""
    text = answer.body
    if answer.page:
        text = (HERE / "pages" / f"{answer.page}.html").read_text("utf-8")
    for name, value in (("{{filler}}", FILLER), ("{{host}}", host), ("{{path}}", path)):
        text = text.replace(name, value)
    return text.encode("utf-8")
