"""The three forms of an index."""

import csv
import io
from pathlib import Path
from tempfile import NamedTemporaryFile
from urllib.parse import quote

from cases import EnvironmentNotReady
from cases.sentences import Sentences
from evidence.bag import SCHEMA
from evidence.index.entries import Entry, Listing
from evidence.report.page import page
from evidence.report.words import VERDICTS
from evidence.text import dumps, plain

say = Sentences(__name__)

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for the beginning of a formula."""


def as_html(found: Listing, *, served: bool) -> str:
    """The page; `served` says that reports inside zips can be opened by path."""
    filters = {
        name: sorted({str(plain(getattr(entry, name))) for entry in found.entries})
        for name in ("status", "benchmark", "category")
    }
    return page(
        "index/index.html.j2",
        ("report/report.css", "index/index.css"),
        "index/index.js",
        found=found,
        filters=filters,
        charts={name: found.groups(name) for name in ("benchmark", "category")},
        words=VERDICTS,
        links={entry.pack: _link(entry, served=served) for entry in found.entries},
    )


def as_csv(found: Listing) -> str:
    """One line a pack; no cell can be taken for a formula."""
    written = io.StringIO()
    table = csv.writer(written)
    names = list(Entry.model_fields)
    table.writerow(names)
    for entry in found.entries:
        row = plain(entry)
        table.writerow([cell(row[name]) for name in names])
    return written.getvalue()


def as_json(found: Listing) -> str:
    """One object with every pack and what could not be read."""
    return dumps({"schema": SCHEMA, "packs": list(found.entries), "unreadable": list(found.unreadable)})


def write(found: Listing, folder: Path) -> Path:
    """Write `index.html`, `index.csv` and `index.json` into a folder; returns the page's path.

    Raises:
        EnvironmentNotReady: the folder cannot be written.
    """
    forms = {"index.csv": as_csv(found), "index.json": as_json(found), "index.html": as_html(found, served=False)}
    for name, text in forms.items():
        try:
            _place(folder / name, text.encode())
        except OSError as error:
            raise EnvironmentNotReady(
                say("index.writing.cannot_written_make_room", folder=folder / name, strerror=error.strerror)
            ) from None
    return folder / "index.html"


def _place(path: Path, data: bytes) -> None:
    """Write a file anew: where a stranger's folder has a link of that name, the link goes and not what it points at."""
    with NamedTemporaryFile(dir=path.parent, prefix=".", delete=False) as file:
        file.write(data)
    Path(file.name).chmod(0o644)
    Path(file.name).replace(path)


def _link(entry: Entry, *, served: bool) -> str:
    return quote(entry.pack) if entry.zipped and not served else f"{quote(entry.pack)}/report.html"


def cell(value: object) -> str:
    """A value as a table's cell, which no spreadsheet takes for a formula."""
    text = "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
    return f"'{text}" if isinstance(value, str) and text.startswith(_FORMULA) else text
