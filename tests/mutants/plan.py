"""What `mutants.toml` says."""

import re
import tomllib
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

ROOT = Path(__file__).resolve().parents[2]


class Strict(BaseModel):
    """Frozen; unknown keys are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Module(Strict):
    """A file of deciding code and the tests that are nearest to it."""

    path: str
    tests: tuple[str, ...]
    only: tuple[str, ...] = ()
    """Functions; none for the whole file."""

    @property
    def name(self) -> str:
        """As Python imports it."""
        return self.path.removesuffix(".py").replace("/", ".")


class Explained(Strict):
    """A mutant that may survive."""

    module: str
    line: str
    """As it stands in the file, without its indentation; a star stands for anything."""
    becomes: str
    why: str = Field(min_length=30)

    def fits(self, before: str, after: str) -> bool:
        """Whether it explains this change."""
        return _fits(self.line, before) and _fits(self.becomes, after)


class Plan(Strict):
    """The whole file."""

    operators: tuple[str, ...]
    module: tuple[Module, ...]
    explained: tuple[Explained, ...] = ()


def plan() -> Plan:
    """As it is written."""
    return Plan.model_validate(tomllib.loads(Path(__file__).with_name("mutants.toml").read_text("utf-8")))


def _fits(pattern: str, text: str) -> bool:
    return re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), text) is not None
