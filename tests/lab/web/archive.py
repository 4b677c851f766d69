"""A web archive on loopback: CDX index, availability interface and `/web/<timestamp>[id_]/<url>`, with data as data."""

import json
import re
import tomllib
from functools import cache
from typing import Any
from urllib.parse import parse_qs, urlsplit

from pydantic import Field

from .scenarios import HERE, Answer, Record, Scenario

INDEX, AVAILABILITY = "web.archive.org", "archive.org"
_COPY = re.compile(r"/web/(\d{1,14})(?:[a-z]{2}_)?/(.+)", re.DOTALL)
_JSON = {"Content-Type": "application/json"}


class Capture(Record):
    """One copy."""

    at: str
    """14 digits."""
    status: int = 200
    page: str | None = None
    body: str = ""
    headers: dict[str, str] = Field(default_factory=dict)
    """As the site sent them then."""


class Archived(Record):
    """A page then and now, and a task about it with the true outcome of its audit."""

    id: str
    url: str
    now: Answer | None = None
    """None where another scenario plays the page, or none."""
    then: tuple[Capture, ...] = ()
    down: bool = False
    """Whether the index fails when it is asked for this page."""
    silent: bool = False
    """Whether the availability interface gives an empty reply all the same."""
    barrier: str = "outdated"
    prompt: str = ""
    gold: str = ""
    answer: str = ""
    """Of the failed run."""
    real: bool = False
    """Whether the probe visits it with Chromium in the tests."""
    truth: str = ""
    """The verdict's status; empty where the page belongs to no task."""
    says: str = ""
    """What some finding has to say."""


@cache
def archived() -> dict[str, Archived]:
    """All pages by id."""
    found = map(Archived.model_validate, tomllib.loads((HERE / "archive.toml").read_text("utf-8"))["page"])
    pages = {page.id: page for page in found}
    assert len({page.url for page in pages.values()}) == len(pages)
    return pages


def live_scenarios() -> dict[str, Scenario]:
    """What the pages show now."""
    playing = {}
    for page in archived().values():
        host, path = urlsplit(page.url)[1:3]
        if page.now:
            name = f"archived-{page.id}"
            playing[name] = Scenario(id=name, truth="ok", host=host, path=path, answers=(page.now,))
    return playing


def archive_answer(host: str, target: str) -> Answer | None:
    """The archive's answer; None for any other host or path."""
    path, _, query = target.partition("?")
    asked = {name: values[0] for name, values in parse_qs(query).items()}
    if host == INDEX and path == "/cdx/search/cdx":
        return _index(asked)
    if host == AVAILABILITY and path == "/wayback/available":
        return _available(asked)
    copy = _COPY.fullmatch(target) if host == INDEX else None
    return _replayed(copy[1], copy[2]) if copy else None


def _page(url: str) -> Archived | None:
    return next((page for page in archived().values() if page.url == url), None)


def _index(asked: dict[str, str]) -> Answer:
    page = _page(asked["url"])
    if page and page.down:
        return Answer(status=503, body="the index is overloaded")
    rows = [capture for capture in (page.then if page else ()) if _listed(capture, asked)]
    limit = int(asked.get("limit", "100000"))
    if asked.get("sort") == "closest":
        rows.sort(key=lambda capture: abs(int(capture.at) - int(asked["closest"].ljust(14, "0"))))
    else:
        rows.sort(key=lambda capture: capture.at)
    kept = rows[:limit] if limit >= 0 else rows[limit:]
    fields = asked["fl"].split(",")
    values = [{"timestamp": one.at, "original": asked["url"], "statuscode": str(one.status)} for one in kept]
    table: list[Any] = [fields, *([value[field] for field in fields] for value in values)] if kept else []
    return Answer(headers=_JSON, body=json.dumps(table))


def _listed(capture: Capture, asked: dict[str, str]) -> bool:
    field, _, pattern = asked.get("filter", "statuscode:.*").partition(":")
    within = asked.get("from", "").ljust(14, "0") <= capture.at <= asked.get("to", "").ljust(14, "9")
    return field == "statuscode" and re.fullmatch(pattern, str(capture.status)) is not None and within


def _available(asked: dict[str, str]) -> Answer:
    page = _page(asked["url"])
    day = int(asked.get("timestamp", "99999999").ljust(14, "0"))
    copies = sorted((one for one in (page.then if page else ())), key=lambda one: abs(int(one.at) - day))
    closest = {}
    if page and copies and not page.silent:
        address = f"http://{INDEX}/web/{copies[0].at}/{page.url}"
        given = {"available": True, "url": address, "timestamp": copies[0].at, "status": str(copies[0].status)}
        closest = {"closest": given}
    return Answer(headers=_JSON, body=json.dumps({"url": asked["url"], "archived_snapshots": closest}))


def _replayed(stamp: str, url: str) -> Answer:
    page = _page(url)
    copies = sorted((one for one in (page.then if page else ())), key=lambda one: abs(int(one.at) - int(stamp)))
    if page is None or not copies:
        return Answer(status=404, page="missing")
    copy = copies[0]
    if copy.at != stamp:
        return Answer(status=302, headers={"Location": f"https://{INDEX}/web/{copy.at}id_/{url}"})
    sent = {f"X-Archive-Orig-{name}": value for name, value in copy.headers.items()}
    return Answer(status=copy.status, headers=sent, page=copy.page, body=copy.body)
