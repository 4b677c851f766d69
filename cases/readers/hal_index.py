"""Where each task's part of a HAL result file stands, found in one pass and kept among this program's caches.

What is kept is task ids and places, nothing else of what the file says, and it holds for a file of the same path, size,
time of change and beginning.
"""

import hashlib
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import platformdirs
from pydantic import ValidationError

from cases.errors import InputError
from cases.model import Model
from cases.readers.entries import Entry, entries
from cases.readers.hal_calls import shows_messages, talk_of, task_of
from cases.readers.messages import clean
from cases.readers.seekable import gzipped, seekable
from cases.readers.streams import Opener, opened, parsed, read_text
from cases.sentences import Sentences

say = Sentences(__name__)

LOG = "raw_logging_results"
KEPT = frozenset({"config", "results", "raw_eval_results", "task_prompts"})
KEPT_FROM = 4 << 20
"""Bytes of a file from which on its index is kept; a smaller one is read again as fast."""
MOST_KEPT = 200
"""Files that are kept, the last ones."""
LARGEST_KEPT = 64 << 20
"""Bytes of an index that is read."""
FORM = 1
"""Of what is kept; any other is not read."""

Place = tuple[int, int]
"""Where something starts, and how long it is, in bytes of the unpacked file."""


class Logged(Model):
    """What the log has of one task."""

    messages: bool
    """Whether it shows at least one message."""
    places: tuple[Place, ...]


class Stamp(Model):
    """By what a file is known again."""

    path: str
    """A digest of it: a path may be no text, and is nobody's business."""
    size: int
    changed: int
    head: str

    @classmethod
    def of(cls, path: Path) -> "Stamp":
        """Of the file as it is now.

        Raises:
            InputError: it is gone, or cannot be read.
        """
        try:
            state = path.stat()
            with path.open("rb") as file:
                head = hashlib.sha256(file.read(1 << 16)).hexdigest()
        except OSError as error:
            raise InputError(say("hal_index.file_cannot_read_check", path=path, strerror=error.strerror)) from error
        named = hashlib.sha256(os.fsencode(path.resolve())).hexdigest()
        return cls(path=named, size=state.st_size, changed=state.st_mtime_ns, head=head)


class Index(Model):
    """A file's small parts and its log, by where they stand."""

    form: int = FORM
    stamp: Stamp
    points: str = ""
    """A digest of the points from which a packed file can be unpacked, which are kept too."""
    parts: dict[str, Place]
    logged: dict[str, Logged]
    loose: Logged
    """The calls that name no task."""
    listed: bool
    """Whether the log is a list of calls (generation 1)."""


def index_of(path: Path, opener: Opener | None) -> tuple[Index, dict[str, Any]]:
    """The index and the small parts themselves; as it was kept where the file is the same, else from one pass.

    Raises:
        InputError: the file is damaged.
    """
    stamp = Stamp.of(path)
    if opener is None and stamp.size >= KEPT_FROM:
        kept = _kept(stamp)
        if known := _known(kept, stamp):
            return known, dict(zip(known.parts, values(path, known, known.parts.values()), strict=True))
        with suppress(OSError):  # a full disk, or a home without a place for caches: it is read again next time
            kept.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            return _packed(path, stamp, kept) if gzipped(path) else _plain(path, stamp, kept)
    return read_text(path, partial(_read, stamp), opener)


def values(path: Path, index: Index, places: Iterable[Place], opener: Opener | None = None) -> Iterator[Any]:
    """What stands at these places of the file, one at a time in memory.

    Raises:
        InputError: the file has become another one.
    """
    if Stamp.of(path) != index.stamp:
        raise _changed(path)
    kept = _points(_kept(index.stamp))
    if opener is None and index.points and index.points == _digest(kept):
        opener = partial(seekable, path, kept)
    with opener() if opener else opened(path) as stream:
        for start, length in places:
            stream.seek(start)
            raw = stream.read(length)
            try:
                value = parsed(raw.decode("utf-8"))
            except (ValueError, RecursionError) as error:
                raise _changed(path) from error
            yield value


def _changed(path: Path) -> InputError:
    return InputError(say("hal_index.file_changed_run_command", path=path))


@dataclass(slots=True)
class _Found:
    messages: bool = False
    places: list[Place] = field(default_factory=list)

    def add(self, entry: Entry, *, messages: bool) -> None:
        self.messages |= messages
        self.places.append((entry.start, entry.length))

    def logged(self) -> Logged:
        return Logged(messages=self.messages, places=tuple(self.places))


def _read(stamp: Stamp, stream: BinaryIO) -> tuple[Index, dict[str, Any]]:
    """One pass that holds on to nothing large."""
    parts: dict[str, Any] = {}
    places: dict[str, Place] = {}
    logged: dict[str, _Found] = {}
    loose, listed = _Found(), False
    for entry in entries(stream, lambda key: key not in KEPT):
        if entry.key in KEPT:
            parts[entry.key], places[entry.key] = entry.exact(), (entry.start, entry.length)
        elif entry.key != LOG or not entry.inside:
            continue
        elif entry.inner is not None:
            logged.setdefault(clean(entry.inner), _Found()).add(entry, messages=bool(talk_of(entry.rough)))
        elif isinstance(entry.rough, dict):
            listed, task_id = True, _task_of(entry)
            into = loose if task_id is None else logged.setdefault(task_id, _Found())
            into.add(entry, messages=shows_messages(entry.rough))
    by_task = {task_id: found.logged() for task_id, found in logged.items()}
    return Index(stamp=stamp, parts=places, logged=by_task, loose=loose.logged(), listed=listed), parts


def _task_of(entry: Entry) -> str | None:
    found = task_of(entry.rough)
    return found if found is None or found.isascii() else task_of(entry.exact())


def _kept(stamp: Stamp) -> Path:
    """Where the index of the file at this path is kept."""
    return Path(platformdirs.user_cache_dir("impassable", appauthor=False), "indexes", f"{stamp.path[:32]}.json")


def _points(kept: Path) -> Path:
    return kept.with_suffix(".points")


def _digest(points: Path) -> str:
    try:
        return hashlib.sha256(points.read_bytes()).hexdigest()
    except OSError:
        return ""


def _known(kept: Path, stamp: Stamp) -> Index | None:
    try:
        with kept.open("rb") as file:
            found = Index.model_validate_json(file.read(LARGEST_KEPT))
    except (OSError, ValidationError):
        return None
    same = found.form == FORM and found.stamp == stamp
    return found if same and found.points in ("", _digest(_points(kept))) else None


def _plain(path: Path, stamp: Stamp, kept: Path) -> tuple[Index, dict[str, Any]]:
    index, parts = read_text(path, partial(_read, stamp))
    _keep(kept, index)
    return index, parts


def _packed(path: Path, stamp: Stamp, kept: Path) -> tuple[Index, dict[str, Any]]:
    points = _part_of(_points(kept))
    try:
        index, parts = read_text(path, partial(_read, stamp), partial(seekable, path, points, fresh=True))
        index = index.model_copy(update={"points": _digest(points)})
        points.replace(_points(kept))
    except InputError:
        return read_text(path, partial(_read, stamp))  # says what is wrong with it, as any other reader would
    finally:
        points.unlink(missing_ok=True)
    _keep(kept, index)
    return index, parts


def _part_of(file: Path) -> Path:
    return file.with_name(f"{file.name}.{os.getpid()}")


def _keep(kept: Path, index: Index) -> None:
    part = _part_of(kept)
    try:
        part.write_text(index.model_dump_json(), "utf-8")
        part.replace(kept)
    finally:
        part.unlink(missing_ok=True)
    others = sorted(kept.parent.iterdir(), key=lambda one: one.stat().st_mtime, reverse=True)
    for other in others[MOST_KEPT:]:
        other.unlink(missing_ok=True)
