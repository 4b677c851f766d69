"""A cheap look at a file's beginning: what it holds, and what to call it when no reader wants it."""

import csv
import io
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from cases.errors import InputError
from cases.loading import load
from cases.model import Model
from cases.readers import archives
from cases.readers.shape import Value, first_keys, shape_of, shape_of_small, shape_of_text
from cases.readers.streams import opened
from cases.sentences import Sentences

say = Sentences(__name__)

HEAD_BYTES = 65_536


class _Keys(Model):
    keys: tuple[str, ...]
    name: str
    source: str


class _Magic(Model):
    start: str
    """The first bytes in hexadecimal."""
    name: str
    source: str


class _Foreign(Model):
    keyed: tuple[_Keys, ...]
    magic: tuple[_Magic, ...]


@cache
def _foreign() -> _Foreign:
    return load(_Foreign, __package__, "foreign.toml")


@dataclass(frozen=True)
class Head:
    """The beginning of a file, gunzipped, and an outline of what follows."""

    path: Path
    start: bytes

    @classmethod
    def of(cls, path: Path) -> "Head":
        """Look at `path`.

        Raises:
            InputError: the file is missing or unreadable.
        """
        with opened(path) as stream:
            return cls(path, stream.read(HEAD_BYTES))

    @cached_property
    def text(self) -> str | None:
        """The beginning as text, or None for binary data."""
        for encoding in _encodings(self.start):
            try:
                text = self.start.decode(encoding, "strict" if len(self.start) < HEAD_BYTES else "ignore")
            except UnicodeDecodeError:
                continue
            return text if encoding != "utf-8" or self.start.count(0) * 20 <= len(self.start) else None
        sample = self.start.decode("utf-8", "replace")
        return sample if sample.count("\ufffd") * 20 < len(sample) else None

    @cached_property
    def shape(self) -> dict[str, Value]:
        """The outline of the (first) JSON object, as far as it is sound; empty for anything else."""
        if not self.start.lstrip().startswith(b"{"):
            return {}
        with opened(self.path) as stream:
            if (small := shape_of_small(stream)) is not None:
                return small
        with opened(self.path) as stream:
            found = shape_of(stream)
        if len(self.start) < HEAD_BYTES and (b"NaN" in self.start or b"Infinity" in self.start):
            return shape_of_text(self.text or "") or found
        return found

    @cached_property
    def json_keys(self) -> frozenset[str]:
        """The top-level keys of the (first) JSON object, those before any damage; empty for anything else."""
        return frozenset(self.shape)

    def item_keys(self, name: str) -> frozenset[str]:
        """Keys of the maps in a top-level array, or of a top-level map; empty where there is none."""
        return frozenset(self.shape[name].keys) if name in self.shape else frozenset()

    @cached_property
    def listed_keys(self) -> frozenset[str]:
        """Keys of the first object in a JSON list; empty for anything else."""
        if not self.start.lstrip().startswith(b"["):
            return frozenset()
        with opened(self.path) as stream:
            return first_keys(stream)

    @cached_property
    def members(self) -> tuple[str, ...]:
        """The names in a zip archive; empty for anything else, and for a damaged one."""
        if not self.start.startswith((archives.ZIP_MAGIC, archives.EMPTY_ZIP_MAGIC)):
            return ()
        try:
            with archives.opened_zip(self.path) as archive:
                return archive.names
        except InputError:
            return ()

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The column names of a CSV file in lower case; empty for anything else."""
        if self.text is None or self.text.lstrip()[:1] in ("{", "["):
            return ()
        return columns_of(self.text)[0]

    def describe(self) -> str:  # noqa: PLR0911 - one answer a kind of content
        """What the content looks like, for a file that no reader knows."""
        if not self.start:
            return say("sniff.empty_file")
        if binary := next((m.name for m in _foreign().magic if self.start.startswith(bytes.fromhex(m.start))), None):
            return _archive(self) if binary == say("sniff.zip_archive") else binary
        if self.text is None:
            return say("sniff.binary_data")
        match self.text.lstrip()[:1]:
            case "":
                return say("sniff.file_white_space")
            case "{":
                return self._describe_json()
            case "[":
                return say("sniff.json_list", listed=_listed(self.listed_keys)) if self.listed_keys else "a JSON list"
            case "<":
                return say("sniff.html_xml_page")
        table = len(self.columns) > 1 and all(name and len(name) < 40 for name in self.columns)
        return say("sniff.table_columns", columns=", ".join(self.columns[:8])) if table else say("sniff.plain_text")

    def _describe_json(self) -> str:
        if not self.json_keys:
            return say("sniff.json_breaks_off_malformed")
        return _known_by(self.json_keys) or f"JSON {_with_keys(self.json_keys)}"


def _known_by(keys: frozenset[str]) -> str | None:
    return next((entry.name for entry in _foreign().keyed if set(entry.keys) <= keys), None)


def _listed(keys: frozenset[str]) -> str:
    return _known_by(keys) or f"objects {_with_keys(keys)}"


def _with_keys(keys: frozenset[str]) -> str:
    return say("sniff.keys", keys=", ".join(sorted(keys)[:8]))


def columns_of(text: str) -> tuple[tuple[str, ...], str]:
    """The first record's column names in lower case and the delimiter, the one that gives the most columns."""
    best: tuple[tuple[str, ...], str] = ((), ",")
    for delimiter in (",", ";", "\t"):
        try:
            row = next(csv.reader(io.StringIO(text.lstrip("\ufeff\r\n "), newline=""), delimiter=delimiter), [])
        except csv.Error:
            continue
        if len(row) > len(best[0]):
            best = (tuple(name.strip().strip("\0").lower() for name in row), delimiter)
    return best


def _encodings(start: bytes) -> tuple[str, ...]:
    return ("utf-16",) if start[:2] in (b"\xff\xfe", b"\xfe\xff") else ("utf-8",)


def _archive(head: Head) -> str:
    return say("sniff.zip_archive") if head.members else say("sniff.damaged_empty_zip_archive")
