"""What an index says of each pack in a folder."""

import datetime as dt
from functools import lru_cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter

from cases import ImpassableError, InputError, Model, PackError
from evidence.archive import opened, plain_file
from evidence.checking import check
from evidence.recomputing import recompute
from evidence.text import loads, visible
from graph.verdict import Status, Verdict

_RECORDS = ("verdict.json", "case.json", "findings.json")
_MOST_BYTES = 256 * 2**20


class Entry(Model):
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

    @property
    def zipped(self) -> bool:
        """Whether only the zip is there."""
        return self.pack.endswith(".zip")


class Unreadable(Model):
    """Something that looks like a pack and is none."""

    pack: str
    problem: str


class Listing(Model):
    """The packs of a folder."""

    folder: str
    entries: tuple[Entry, ...]
    """By benchmark, task and day."""
    unreadable: tuple[Unreadable, ...]

    @property
    def counts(self) -> dict[Status, int]:
        """How many packs have which status."""
        return {status: sum(entry.status is status for entry in self.entries) for status in Status}


class _Loose(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class _Case(_Loose):
    benchmark: str
    task_id: str


class _Finding(_Loose):
    started: dt.datetime


def packs_in(folder: Path) -> list[Path]:
    """Packs directly in a folder; a zip beside its own folder counts once.

    Raises:
        InputError: the folder cannot be read.
    """
    try:
        found = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    except OSError as error:
        raise InputError(f"{folder}: {error.strerror}; name a pack or a folder of packs") from None
    folders = [path for path in found if (path / "verdict.json").is_file()]
    names = {path.name for path in folders}
    return [*folders, *(path for path in found if path.suffix == ".zip" and path.stem not in names and path.is_file())]


def listing(folder: Path, *, compared: bool = False) -> Listing:
    """What the packs of a folder say; one that cannot be read is listed with the reason.

    With `compared`, so is one that is not what this program writes of its own records.

    Raises:
        InputError: the folder cannot be read.
    """
    entries: list[Entry] = []
    unreadable: list[Unreadable] = []
    for path in packs_in(folder):
        if not path.name.isprintable():
            problem = "its name holds characters that cannot be shown; rename it"
            unreadable.append(Unreadable(pack=ascii(path.name), problem=problem))
            continue
        try:
            if compared:
                recompute(check(path))
            entries.append(_entry(path, stamp(path)))
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


@lru_cache(maxsize=4096)
def _entry(path: Path, _: tuple[int, ...]) -> Entry:
    records = opened(path).content if path.suffix == ".zip" else _read(path)
    try:
        verdict = Verdict.model_validate(loads(records["verdict.json"]))
        case = _Case.model_validate(loads(records["case.json"]))
        findings = TypeAdapter(tuple[_Finding, ...]).validate_python(loads(records["findings.json"]))
    except (KeyError, ValueError) as error:
        raise PackError(f"{path.name} is no pack of this version: {str(error).splitlines()[0]}") from None
    return Entry(
        pack=path.name,
        benchmark=visible(case.benchmark),
        task_id=visible(case.task_id),
        status=verdict.status,
        score=verdict.score,
        category=visible(verdict.deficiency_type),
        locus=verdict.locus.value if verdict.locus else "",
        reason=visible(verdict.reason),
        barrier_then=verdict.barrier_then,
        barrier_now=verdict.barrier_now,
        lab=verdict.lab,
        audited=max((finding.started.date() for finding in findings), default=None),
    )


def _read(path: Path) -> dict[str, bytes]:
    try:
        return {name: plain_file(path / name, _MOST_BYTES, f"{path.name}/{name}") for name in _RECORDS}
    except OSError as error:
        raise PackError(f"{path.name}: {error.filename} cannot be read: {error.strerror}") from None
