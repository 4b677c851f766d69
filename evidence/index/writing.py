"""The three forms of an index."""

import csv
import io
import json
from collections.abc import Iterable, Iterator
from dataclasses import fields
from itertools import chain
from pathlib import Path
from tempfile import NamedTemporaryFile
from urllib.parse import quote

from cases import EnvironmentNotReady
from cases.sentences import Sentences
from evidence.bag import SCHEMA
from evidence.index.entries import Entry, Listing, Unreadable
from evidence.report.page import parts_of_page
from evidence.report.words import VERDICTS
from evidence.text import dumps, plain

say = Sentences(__name__)

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for the beginning of a formula."""


def as_html(found: Listing, *, served: bool) -> Iterator[str]:
    """The page, bit by bit; `served` says that reports inside zips can be opened by path."""
    filters = {
        name: sorted({str(plain(getattr(entry, name))) for entry in found.entries})
        for name in ("status", "benchmark", "category")
    }
    return parts_of_page(
        "index/index.html.j2",
        ("report/report.css", "index/index.css"),
        "index/index.js",
        found=found,
        filters=filters,
        charts={name: found.groups(name) for name in ("benchmark", "category")},
        words=VERDICTS,
        link=lambda entry: _link(entry, served=served),
    )


def as_csv(found: Listing) -> Iterator[str]:
    """One line a pack; no cell can be taken for a formula."""
    names = [one.name for one in fields(Entry)]
    for row in chain([names], ([cell(value) for value in plain(entry).values()] for entry in found.entries)):
        line = io.StringIO()
        csv.writer(line).writerow(row)
        yield line.getvalue()


def as_json(found: Listing) -> Iterator[str]:
    """One object with every pack and what could not be read, a line each."""
    yield f'{{"schema": {json.dumps(SCHEMA)},\n "packs": ['
    yield from _items(found.entries)
    yield '],\n "unreadable": ['
    yield from _items(found.unreadable)
    yield "]}\n"


def _items(values: Iterable[Entry | Unreadable]) -> Iterator[str]:
    for number, value in enumerate(values):
        yield f"{',' if number else ''}\n  {dumps(value, indent=None).rstrip()}"


def write(found: Listing, folder: Path) -> Path:
    """Write `index.html`, `index.csv` and `index.json` into a folder; returns the page's path.

    Raises:
        EnvironmentNotReady: the folder cannot be written.
    """
    forms = {"index.csv": as_csv(found), "index.json": as_json(found), "index.html": as_html(found, served=False)}
    for name, texts in forms.items():
        try:
            placed(folder / name, texts)
        except OSError as error:
            raise EnvironmentNotReady(
                say("index.writing.cannot_written_make_room", folder=folder / name, strerror=error.strerror)
            ) from None
    return folder / "index.html"


def placed(path: Path, texts: Iterable[str]) -> str:
    """Write a file anew or not at all; where a link of that name is, the link goes and not what it points at.

    Returns the file's name.

    Raises:
        OSError: it cannot be written.
    """
    with NamedTemporaryFile(
        "w", dir=path.parent, prefix=f".{path.name}.", encoding="utf-8", newline="", delete=False
    ) as file:
        try:
            file.writelines(texts)
        except BaseException:
            Path(file.name).unlink()
            raise
    Path(file.name).chmod(0o644)
    Path(file.name).replace(path)
    return path.name


def _link(entry: Entry, *, served: bool) -> str:
    return quote(entry.pack) if entry.zipped and not served else f"{quote(entry.pack)}/report.html"


def cell(value: object) -> str:
    """A value as a table's cell, which no spreadsheet takes for a formula."""
    text = "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
    return f"'{text}" if isinstance(value, str) and text.startswith(_FORMULA) else text
