"""Error signatures: data files that turn text into a barrier with targets."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Literal, Self

from pydantic import model_validator

from cases import Model
from probes import Barrier, Targets

Where = Literal["output", "page", "claim"]
_FILES = ("environment.toml", "web.toml", "answers.toml")
_AROUND = 80


class Signature(Model):
    """One entry of `signatures/*.toml`."""

    id: str
    barrier: Barrier
    where: tuple[Where, ...]
    pattern: str
    """A regular expression; a trailing digit of a group's name is dropped, so that alternatives may share one."""
    targets: dict[str, str]
    """Fields of `Targets`, filled from named groups."""
    ignore: str | None = None
    """A match is dropped when this matches within 80 characters before it or in it."""
    symptom: bool = False
    """Whether it only follows from something: dropped where the same output names a cause."""
    source: str

    @model_validator(mode="after")
    def _compiles(self) -> Self:
        re.compile(self.pattern, re.MULTILINE)
        re.compile(self.ignore or "")
        unknown = set(self.targets) - set(Targets.model_fields)
        if unknown:
            raise ValueError(f"signature {self.id}: unknown targets {sorted(unknown)}")
        return self


@dataclass(frozen=True)
class Match:
    """A signature found in a text."""

    signature: Signature
    start: int
    end: int
    quote: str
    targets: Targets


@lru_cache
def signatures() -> tuple[Signature, ...]:
    """All shipped signatures."""
    folder = files("graph").joinpath("signatures")
    loaded = [
        Signature.model_validate(entry)
        for name in _FILES
        for entry in tomllib.loads(folder.joinpath(name).read_text("utf-8"))["signature"]
    ]
    ids = [signature.id for signature in loaded]
    if len(ids) != len(set(ids)):
        raise ValueError("two signatures share an id")
    return tuple(loaded)


def scan(text: str, where: Where) -> Iterator[Match]:
    """All matches in `text`, in the order of the data files."""
    for signature in signatures():
        if where not in signature.where:
            continue
        for match in re.finditer(signature.pattern, text, re.MULTILINE):
            before = text[max(0, match.start() - _AROUND) : match.end()]
            if not signature.ignore or not re.search(signature.ignore, before):
                yield _match(signature, match)


def causes(text: str, where: Where) -> list[Match]:
    """All matches without mere symptoms of others."""
    found = list(scan(text, where))
    named = any(not match.signature.symptom for match in found)
    return [match for match in found if not (named and match.signature.symptom)]


def _match(signature: Signature, match: re.Match[str]) -> Match:
    groups = {name.rstrip("0123456789"): value for name, value in match.groupdict().items() if value}
    filled: dict[str, tuple[str, ...]] = {}
    for field, template in signature.targets.items():
        names = re.findall(r"{(\w+)}", template)
        if all(name in groups for name in names):
            filled[field] = (template.format(**groups).strip(),)
    quote = match.group()
    start = match.start() + len(quote) - len(quote.lstrip())
    return Match(signature, start, start + len(quote.strip()), quote.strip(), Targets(**filled))
