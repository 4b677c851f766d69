"""The smallest fix of each kind of barrier, and why it may be meant: `kinds.toml`."""

import tomllib
from functools import cache
from importlib.resources import files

from pydantic import Field, TypeAdapter

from cases import Model
from probes import Barrier


class IssueKind(Model):
    """One entry of `kinds.toml`."""

    fix: str = Field(min_length=1)
    intended: str = Field(min_length=1)
    source: str = Field(min_length=1)


@cache
def issue_kinds() -> dict[Barrier, IssueKind]:
    """By barrier; every one has an entry."""
    data = tomllib.loads(files("evidence.issue").joinpath("kinds.toml").read_text("utf-8"))
    kinds = TypeAdapter(dict[Barrier, IssueKind]).validate_python(data)
    missing = set(Barrier) - set(kinds)
    if missing:
        raise ValueError(f"kinds.toml lacks {', '.join(sorted(missing))}")
    return kinds
