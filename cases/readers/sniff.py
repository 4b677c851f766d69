"""A cheap look at a file's beginning: what it holds, and what to call it when no reader wants it."""

import csv
import io
import itertools
import tomllib
import zipfile
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import ijson

from cases.model import Model
from cases.readers.streams import opened

HEAD_BYTES = 65_536
MOST_EVENTS = 1_000_000
"""JSON events after which the search for top-level keys ends."""


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
    return _Foreign.model_validate(tomllib.loads(Path(__file__).with_name("foreign.toml").read_text("utf-8")))


@dataclass(frozen=True)
class Head:
    """The beginning of a file, gunzipped."""

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
    def json_keys(self) -> frozenset[str]:
        """The top-level keys of the (first) JSON object, those before any damage; empty for anything else."""
        if not self.start.lstrip().startswith(b"{"):
            return frozenset()
        keys: set[str] = set()
        depth = 0
        try:
            with opened(self.path) as stream:
                for event, value in itertools.islice(ijson.basic_parse(stream), MOST_EVENTS):
                    if event == "map_key" and depth == 1:
                        keys.add(value)
                        if {"config", "results"} <= keys or "raw_logging_results" in keys:
                            break
                    depth += event in ("start_map", "start_array")
                    depth -= event in ("end_map", "end_array")
        except (ijson.JSONError, ValueError, OverflowError):
            pass
        return frozenset(keys)

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The column names of a CSV file in lower case; empty for anything else."""
        if self.text is None or self.text.lstrip()[:1] in ("{", "["):
            return ()
        return columns_of(self.text)[0]

    def describe(self) -> str:  # noqa: PLR0911 - one answer a kind of content
        """What the content looks like, for a file that no reader knows."""
        if not self.start:
            return "an empty file"
        if binary := next((m.name for m in _foreign().magic if self.start.startswith(bytes.fromhex(m.start))), None):
            return _archive(self.path) if binary == "a zip archive" else binary
        if self.text is None:
            return "binary data"
        match self.text.lstrip()[:1]:
            case "":
                return "a file of white space"
            case "{":
                return self._describe_json()
            case "[":
                return "a JSON list"
            case "<":
                return "an HTML or XML page"
        table = len(self.columns) > 1 and all(name and len(name) < 40 for name in self.columns)
        return f"a table with the columns {', '.join(self.columns[:8])}" if table else "plain text"

    def _describe_json(self) -> str:
        known = next((entry.name for entry in _foreign().keyed if set(entry.keys) <= self.json_keys), None)
        if known:
            return known
        if not self.json_keys:
            return "JSON that breaks off or is malformed at its beginning, or an empty object"
        return f"JSON with the keys {', '.join(sorted(self.json_keys)[:8])}"


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


def _archive(path: Path) -> str:
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, OSError, ValueError):
        return "a damaged zip archive"
    if any(name in ("header.json", "_journal/start.json") for name in names):
        return "an Inspect AI .eval log"
    return "a zip archive, perhaps an encrypted HAL upload" if len(names) == 1 else "a zip archive"
