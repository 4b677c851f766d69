"""Error signatures: data files that turn text into a barrier with targets."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal, Self

from pydantic import model_validator

from cases import Model
from probes import Barrier, Targets
from probes.replay.data import signature_patterns

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
    at_end: bool = False
    """Whether it counts only in a failure with which a run ended: agents often meet it while they look around."""
    shared: bool = False
    """Whether its pattern is the replay probe's; where another of the same barrier matches, it is dropped."""
    source: str

    @model_validator(mode="after")
    def _compiles(self) -> Self:
        re.compile(self.pattern, re.MULTILINE)
        re.compile(self.ignore or "")
        unknown = set(self.targets) - set(Targets.model_fields)
        if unknown:
            raise ValueError(f"signature {self.id}: unknown targets {sorted(unknown)}")
        return self


class Shared(Model):
    """One entry of `[[shared]]`: the replay probe's own patterns for a barrier, by which a failure is proposed too."""

    id: str
    barrier: Barrier
    where: tuple[Where, ...]
    targets: dict[str, str]
    ignore: str | None = None
    at_end: bool = False
    source: str

    def signature(self) -> Signature:
        """All its patterns in one."""
        known = [entry.pattern for entry in signature_patterns() if entry.barrier is self.barrier and entry.alone]
        joined = "|".join(_scoped(pattern, number) for number, pattern in enumerate(known))
        return Signature(pattern=joined, shared=True, **self.model_dump())


def _scoped(pattern: str, number: int) -> str:
    """A part of a longer pattern: its flags hold for it alone, and its group has a name of its own."""
    flags = re.match(r"\(\?([a-z]+)\)", pattern)
    body = pattern[flags.end() :] if flags else pattern
    return f"(?{flags[1] if flags else ''}:{body.replace('?P<subject>', f'?P<subject{number}>')})"


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
    """All shipped signatures, those shared with the replay probe last."""
    tables = [_table(name) for name in _FILES]
    loaded = [Signature.model_validate(entry) for table in tables for entry in table["signature"]]
    loaded += [Shared.model_validate(entry).signature() for table in tables for entry in table.get("shared", ())]
    ids = [signature.id for signature in loaded]
    if len(ids) != len(set(ids)):
        raise ValueError("two signatures share an id")
    return tuple(loaded)


@lru_cache
def own_faults() -> re.Pattern[str]:
    """Failures that lie in what an agent wrote itself."""
    entries = [entry["pattern"] for name in _FILES for entry in _table(name).get("own_fault", ())]
    return re.compile("|".join(entries), re.MULTILINE)


def _table(name: str) -> dict[str, Any]:
    return tomllib.loads(files("graph").joinpath("signatures", name).read_text("utf-8"))


def scan(text: str, where: Where) -> Iterator[Match]:
    """All matches in `text`, in the order of the data files."""
    spans: list[tuple[Barrier, int, int]] = []
    for signature in signatures():
        if where not in signature.where:
            continue
        for match in re.finditer(signature.pattern, text, re.MULTILINE):
            before = text[max(0, match.start() - _AROUND) : match.end()]
            if signature.ignore and re.search(signature.ignore, before):
                continue
            found = _match(signature, match)
            span = (signature.barrier, found.start, found.end)
            if signature.shared and any(_overlap(span, other) for other in spans):
                continue
            spans.append(span)
            yield found


def _overlap(one: tuple[Barrier, int, int], other: tuple[Barrier, int, int]) -> bool:
    return one[0] is other[0] and one[1] < other[2] and other[1] < one[2]


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
