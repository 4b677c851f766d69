"""What an index says of each pack in a folder."""

import datetime as dt
import os
import sys
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter
from pydantic.dataclasses import dataclass

from cases import ImpassableError, InputError, Model, PackError
from cases.sentences import Sentences
from evidence.archive import opened, plain_file
from evidence.checking import check
from evidence.recomputing import recompute
from evidence.text import loads, visible
from graph.verdict import Status, Verdict

say = Sentences(__name__)

_RECORDS = ("verdict.json", "case.json", "findings.json")
_MOST_BYTES = 256 * 2**20
_LONGEST, _SHORT = 32, 12
"""Characters of an id that is shown whole, and of one that is cut."""
_GROUPS = 8
"""Bars of a chart; what is rarer is one bar."""
_IMPASSABLE = 0.5
"""The score from which an earlier verdict calls a task impassable."""


@dataclass(slots=True, config=Model.model_config)
class Entry:
    """One pack."""

    pack: str
    """Its name in the folder."""
    benchmark: str
    task_id: str
    status: Status
    score: int
    category: str
    locus: str
    """Empty where the fault was not located."""
    reason: str
    barrier_then: bool | None
    barrier_now: bool | None
    lab: bool
    audited: dt.date | None
    """The day of the newest measurement, UTC."""
    claims: int
    """How many earlier verdicts there are of its task."""
    claims_impassable: int
    """How many of them call it impassable."""
    claims_sources: str
    """Where they were read, each once."""
    claims_categories: str
    """What they say it is, each once."""

    @property
    def short(self) -> str:
        """The task's id as it is shown; digests and other long ones are cut."""
        return self.task_id if len(self.task_id) <= _LONGEST else f"{self.task_id[:_SHORT]}…"

    @property
    def against(self) -> bool:
        """Whether most of the earlier verdicts say otherwise."""
        impassable = 2 * self.claims_impassable > self.claims
        return bool(self.claims) and impassable is not (self.status is Status.SUPPORTED)

    @property
    def zipped(self) -> bool:
        """Whether only the zip is there."""
        return self.pack.endswith(".zip")


class Unreadable(Model):
    """Something that looks like a pack and is none."""

    pack: str
    problem: str


class Group(Model):
    """The packs of one benchmark or category."""

    name: str
    counts: dict[Status, int]

    @property
    def packs(self) -> int:
        """How many there are."""
        return sum(self.counts.values())


class Listing(Model):
    """The packs of a folder."""

    folder: str
    entries: tuple[Entry, ...]
    """By benchmark, task and day."""
    unreadable: tuple[Unreadable, ...]

    @property
    def counts(self) -> dict[Status, int]:
        """How many packs have which status."""
        return _counts(self.entries)

    def groups(self, by: str) -> tuple[Group, ...]:
        """How many packs of each benchmark or category have which status, the most frequent first."""
        named: dict[str, list[Entry]] = {}
        for entry in self.entries:
            named.setdefault(str(getattr(entry, by)) or "none", []).append(entry)
        ranked = sorted(named.items(), key=lambda one: (-len(one[1]), one[0]))
        rest = [entry for _, entries in ranked[_GROUPS:] for entry in entries]
        shown = [*ranked[:_GROUPS], *([(f"{len(ranked) - _GROUPS} others", rest)] if rest else [])]
        return tuple(Group(name=name, counts=_counts(entries)) for name, entries in shown)


def _counts(entries: Iterable[Entry]) -> dict[Status, int]:
    found = Counter(entry.status for entry in entries)
    return {status: found[status] for status in Status}


Known = dict[str, tuple[tuple[int, ...], Entry]]
"""Packs by their names in a folder, each with its `stamp` when it was read."""


class _Loose(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class _Claim(_Loose):
    claim_id: str
    score: float | None
    category: str | None = None


class _Case(_Loose):
    benchmark: str
    task_id: str
    claims: tuple[_Claim, ...] = ()


class _Finding(_Loose):
    started: dt.datetime


def packs_in(folder: Path) -> list[Path]:
    """Packs directly in a folder; a zip beside its own folder counts once.

    Raises:
        InputError: the folder cannot be read.
    """
    return [folder / name for name in _packs(folder)]


def _packs(folder: Path) -> list[str]:
    try:
        names = sorted(name for name in os.listdir(folder) if not name.startswith("."))  # noqa: PTH208 - few bytes each
    except OSError as error:
        raise InputError(say("index.entries.pack_folder_packs", folder=folder, strerror=error.strerror)) from None
    folders = [name for name in names if os.path.isfile(f"{folder}/{name}/{_RECORDS[0]}")]  # noqa: PTH113 - as above
    known = {f"{name}.zip" for name in folders}
    return [
        *folders,
        *(name for name in names if name.endswith(".zip") and name not in known and (folder / name).is_file()),
    ]


def listing(folder: Path, *, compared: bool = False, known: Known | None = None) -> Listing:
    """What the packs of a folder say; one that cannot be read is listed with the reason.

    With `compared`, so is one that is not what this program writes of its own records. Those that are `known` from
    before are not read again, and it holds all afterwards.

    Raises:
        InputError: the folder cannot be read.
    """
    entries: list[Entry] = []
    unreadable: list[Unreadable] = []
    for path in map(folder.__truediv__, _packs(folder)):
        if not path.name.isprintable():
            problem = say("index.entries.holds_characters_cannot_shown")
            unreadable.append(Unreadable(pack=ascii(path.name), problem=problem))
            continue
        try:
            if compared:
                recompute(check(path))
            entries.append(_entry(path) if known is None else _known(path, known))
        except ImpassableError as error:
            unreadable.append(Unreadable(pack=path.name, problem=str(error)))
    entries.sort(key=lambda entry: (entry.benchmark, entry.task_id, entry.audited or dt.date.min, entry.pack))
    return Listing(folder=folder.resolve().name, entries=tuple(entries), unreadable=tuple(unreadable))


def stamp(pack: Path) -> tuple[int, ...]:
    """What changes when a pack is written anew; -1 where there is none any more."""
    told = pack if pack.is_file() else pack / _RECORDS[0]
    try:
        seen = told.stat()
    except OSError:
        return (-1,)
    return (seen.st_mtime_ns, seen.st_size, seen.st_ino)


def _known(path: Path, known: Known) -> Entry:
    now = stamp(path)
    then, entry = known.get(path.name, (None, None))
    if entry is None or then != now:
        entry = _entry(path)
        known[path.name] = now, entry
    return entry


def _entry(path: Path) -> Entry:
    records = opened(path).content if path.suffix == ".zip" else _read(path)
    try:
        verdict = Verdict.model_validate(loads(records["verdict.json"]))
        case = _Case.model_validate(loads(records["case.json"]))
        findings = _findings().validate_python(loads(records["findings.json"]))
    except (KeyError, ValueError) as error:
        raise PackError(
            say("index.entries.no_pack_version", name=path.name, error=str(error).splitlines()[0])
        ) from None
    return Entry(
        pack=path.name,
        benchmark=_few(case.benchmark),
        task_id=visible(case.task_id),
        status=verdict.status,
        score=verdict.score,
        category=_few(verdict.deficiency_type),
        locus=verdict.locus.value if verdict.locus else "",
        reason=_few(verdict.reason),
        barrier_then=verdict.barrier_then,
        barrier_now=verdict.barrier_now,
        lab=verdict.lab,
        claims=len(case.claims),
        claims_impassable=sum((claim.score or 0) >= _IMPASSABLE for claim in case.claims),
        claims_sources=_listed(claim.claim_id.removeprefix("claim:").rpartition(":")[0] for claim in case.claims),
        claims_categories=_listed(claim.category or "" for claim in case.claims),
        audited=max((finding.started.date() for finding in findings), default=None),
    )


@cache
def _findings() -> TypeAdapter[tuple[_Finding, ...]]:
    return TypeAdapter(tuple[_Finding, ...])


def _few(text: str) -> str:
    """What many packs say alike, kept once."""
    return sys.intern(visible(text))


def _listed(names: Iterable[str]) -> str:
    return sys.intern("; ".join(dict.fromkeys(visible(name) for name in names if name)))


def _read(path: Path) -> dict[str, bytes]:
    try:
        return {name: plain_file(path / name, _MOST_BYTES, f"{path.name}/{name}") for name in _RECORDS}
    except OSError as error:
        raise PackError(
            say("index.entries.cannot_read", name=path.name, filename=error.filename, strerror=error.strerror)
        ) from None
