"""What a web archive lists of an address: its CDX index, and the availability interface where the index is silent.

Asked through the guarded GET: the libraries for it (wayback, cdx_toolkit) bring sessions of their own past the guard.
"""

import datetime as dt
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from urllib.parse import urlencode

from cases.sentences import Sentences
from probes.model import Control
from probes.web.ladder import ladder
from probes.web.plain import Plain
from sandboxes.browser.urls import normalise_url

say = Sentences(__name__)

Get = Callable[[str], Awaitable[Plain]]


@dataclass(frozen=True)
class Listing:
    """An answer of the archive."""

    timestamps: tuple[str, ...] = ()
    """Of captures with status 200, 14 digits each."""
    problem: str = ""
    """Why the answer says nothing."""


async def listed(url: str, get: Get, **asked: str) -> Listing:
    """Captures with status 200 that the index lists; `asked` are further parameters of its interface."""
    fixed = {"url": url, "output": "json", "fl": "timestamp,original,statuscode", "filter": "statuscode:200"}
    answer = await get(f"{ladder().archive.index}?{urlencode(fixed | asked)}")
    if answer.error or answer.status != 200:
        return Listing(problem=answer.error or f"status {answer.status}")
    try:
        rows = json.loads(answer.body or "[]")
        stamps = tuple(str(row[0]) for row in rows[1:])
    except (ValueError, TypeError, IndexError, KeyError):
        return Listing(problem=say("captures.answer_not_json"))
    if not all(map(_stamp, stamps)):
        return Listing(problem=say("captures.answer_not_json"))
    return Listing(stamps)


async def available(url: str, day: dt.date, get: Get) -> Listing:
    """The one capture that the availability interface gives for a day; an empty answer of it says nothing."""
    answer = await get(f"{ladder().archive.availability}?{urlencode({'url': url, 'timestamp': f'{day:%Y%m%d}'})}")
    if answer.error or answer.status != 200:
        return Listing(problem=answer.error or f"status {answer.status}")
    try:
        closest = json.loads(answer.body)["archived_snapshots"].get("closest") or {}
        stamp, found = str(closest.get("timestamp", "")), closest.get("available") and closest.get("status") == "200"
    except (ValueError, TypeError, KeyError, AttributeError):
        return Listing(problem=say("captures.answer_not_json_availability"))
    return Listing((stamp,)) if found and _stamp(stamp) else Listing()


async def archive_control(get: Get) -> Control:
    """Whether the archive knows a page that is known to be captured."""
    archive = ladder().archive
    known = await listed(normalise_url(archive.control), get, limit="1")
    told = known.problem or (say("captures.lists_capture") if known.timestamps else say("captures.lists_no_capture"))
    return Control(
        name=f"archive control ({archive.name})",
        expected=say("captures.index_lists_capture", control=archive.control),
        observed=told,
        passed=bool(known.timestamps),
    )


def _stamp(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) == 14
