"""Archived copies of a page on either side of a day, read as they were captured."""

import datetime as dt
from contextlib import suppress
from dataclasses import dataclass

from cases import patterns as re
from cases.answers.presence import Presence
from cases.sentences import Sentences
from probes.web.captures import Get, Listing, available, listed
from probes.web.gates import NOT_FOUND
from probes.web.judge import EMPTY_TEXT
from probes.web.ladder import ladder
from probes.web.plain import Plain
from probes.web.record import main_text
from probes.web.rules import Page, classify, visible_text
from sandboxes.browser.urls import host_of

say = Sentences(__name__)

_STAMP = re.compile(r"/web/(\d{14})")
_TITLE = re.compile(r"(?is)<title[^>]*>(.*?)</title>")
_ORIGINAL = "x-archive-orig-"


@dataclass(frozen=True)
class Copy:
    """One capture."""

    url: str
    """Of the page."""
    address: str
    """Of the copy."""
    day: dt.date
    near: bool
    """Whether it is of the task's time."""
    text: str = ""
    main: str = ""
    walled: str = ""
    """Why it is no copy of the page: a wall or an error page was captured."""
    problem: str = ""
    """Why it could not be read."""
    shows: Presence = "absent"
    """Of the expected answer, where it could be read."""

    @property
    def readable(self) -> bool:
        """Whether it says anything about the page."""
        return not self.walled and not self.problem


@dataclass(frozen=True)
class Captures:
    """What the archive has of one page."""

    url: str
    copies: tuple[Copy, ...] = ()
    problem: str = ""
    """Why there is no copy."""


async def captures_of(url: str, day: dt.date, get: Get) -> Captures:
    """The nearest copy on either side of a day, and the newest one."""
    archive = ladder().archive
    sides = {
        "before": await listed(url, get, to=f"{day:%Y%m%d}235959", limit="-1"),
        "after": await listed(url, get, **{"from": f"{day + dt.timedelta(days=1):%Y%m%d}", "limit": "1"}),
        "newest": await listed(url, get, limit="-1"),
    }
    stamps = {stamp for side in sides.values() for stamp in side.timestamps}
    trouble = next((side.problem for side in sides.values() if side.problem), "")
    if not stamps and trouble:
        return await _by_availability(url, day, get, trouble)
    if not stamps:
        return Captures(url, problem=say("copies.lists_no_capture", name=archive.name))
    return Captures(url, tuple([await _copy(url, stamp, day, get) for stamp in sorted(stamps)]))


async def _by_availability(url: str, day: dt.date, get: Get, trouble: str) -> Captures:
    found: Listing = await available(url, day, get)
    silent = say("copies.index_not_answer", trouble=trouble)
    if found.problem:
        return Captures(url, problem=say("copies.nor_availability_interface", silent=silent, problem=found.problem))
    if not found.timestamps:
        return Captures(url, problem=say("copies.empty_reply_availability", silent=silent))
    return Captures(url, tuple([await _copy(url, stamp, day, get) for stamp in found.timestamps]))


async def _copy(url: str, stamp: str, day: dt.date, get: Get) -> Copy:
    address = ladder().archive.raw.format(timestamp=stamp, url=url)
    answer = await get(address)
    led = _STAMP.search(answer.url)
    taken = _day(led[1] if led else stamp) or day
    near = abs((taken - day).days) <= ladder().archive.near_days
    copy = Copy(url, address, taken, near)
    if problem := _unread(answer, address):
        return Copy(url, address, taken, near, problem=problem)
    headers = {name.removeprefix(_ORIGINAL): value for name, value in answer.headers.items() if _ORIGINAL in name}
    walls = [match for match in classify(Page(url, url, 200, headers, (), answer.body)) if match.decisive]
    text, title = visible_text(answer.body), _TITLE.search(answer.body)
    if walls:
        return Copy(
            url, address, taken, near, walled=say("copies.copy_wall", vendor=walls[0].vendor, rule=walls[0].rule)
        )
    if title and NOT_FOUND.search(title[1]):
        return Copy(url, address, taken, near, walled=say("copies.copy_error_page"))
    if len(text) < EMPTY_TEXT:
        return Copy(url, address, taken, near, walled=say("copies.shows_no_text"))
    return Copy(url, copy.address, taken, near, text, main_text(answer.body))


def _unread(answer: Plain, address: str) -> str:
    if answer.error or answer.status != 200:
        return answer.error or f"status {answer.status}"
    if host_of(answer.url) != host_of(address):
        return say("copies.archive_led_another")
    return "" if answer.is_html else say("copies.no_page")


def _day(stamp: str) -> dt.date | None:
    with suppress(ValueError):
        return dt.datetime.strptime(stamp[:8], "%Y%m%d").date()  # noqa: DTZ007 - a day has no zone
    return None
