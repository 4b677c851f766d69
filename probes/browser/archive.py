"""The archived copies nearest to the task's date, and the first, as a route: index, then the copy in the browser."""

from collections.abc import AsyncIterator

from cases.answers.text_match import telling
from cases.sentences import Sentences
from probes.barriers import Trait, having
from probes.model import Route
from probes.web.captures import archive_control, listed
from probes.web.ladder import Ways, ladder, route
from probes.web.records import Outcome
from sandboxes.browser.urls import host_of, reserved

say = Sentences(__name__)

_KIND = "archived-copy"


async def archived_copies(urls: tuple[str, ...], ways: Ways) -> AsyncIterator[Route]:
    """One route an address; an address without a capture has failed only where the archive's control passed."""
    archive, caps = ladder().archive, ladder().caps
    nobodys = [url for url in urls if ways.mapped(url) and reserved(host_of(url)) and not ways.mapped(archive.index)]
    for url in nobodys:
        yield route(_KIND, url, "not_applicable", say("archive.reserved_name"))
    urls = tuple(url for url in urls if url not in nobodys)
    if not urls:
        return
    control = await archive_control(ways.get)
    for url in urls[caps.archived :]:
        yield route(_KIND, url, "not_tried", say("archive.more_addresses_looked"))
    for url in urls[: caps.archived]:
        if not control.passed:
            yield route(_KIND, url, "not_tried", say("archive.archive_not_answer", observed=control.observed))
            continue
        found = await listed(url, ways.get, **_nearest(ways))
        if found.problem:
            yield route(_KIND, url, "not_tried", say("archive.archive_not_answer_2", problem=found.problem))
        elif not found.timestamps:
            ways.control(control)
            yield route(_KIND, url, "failed", say("archive.no_capture_status", name=archive.name))
        else:
            ways.control(control)
            first = await listed(url, ways.get, limit="1")
            stamps = dict.fromkeys((*found.timestamps[: caps.captures], *first.timestamps[:1]))
            yield await _copies(url, tuple(stamps), ways)


def _nearest(ways: Ways) -> dict[str, str]:
    """Asks for the captures nearest to the task's date first, or for the latest where it has none."""
    most = ladder().caps.captures
    if ways.date is None:
        return {"limit": str(-most)}
    return {"sort": "closest", "closest": f"{ways.date:%Y%m%d}", "limit": str(most)}


async def _copies(url: str, timestamps: tuple[str, ...], ways: Ways) -> Route:
    """The copies in turn, up to the first that shows what is needed."""
    copy, notes = "", list[str]()
    for timestamp in timestamps:
        copy = ladder().archive.replay.format(timestamp=timestamp, url=url)
        outcome = await ways.examine(copy)
        judged = _judged(url, copy, timestamp, outcome, ways)
        if judged.result != "failed":
            return judged
        notes.append(judged.note)
    return route(_KIND, copy, "failed", "; ".join(notes))


def _judged(url: str, copy: str, timestamp: str, outcome: Outcome, ways: Ways) -> Route:
    reading = outcome.reading
    when = say("archive.copy", year=timestamp[:4], month=timestamp[4:6], day=timestamp[6:8])
    texts = [look.view.said for look in outcome.looks if look.view and reading.kind == "ok"]
    states = {ways.says(text, url) for text in texts}
    if any(look.seen for look in outcome.looks) or "shown" in states:
        return route(_KIND, copy, "passed", say("archive.shows_needed_text", when=when))
    if "maybe" in states:
        return route(_KIND, copy, "not_tried", say("archive.may_show", when=when))
    if reading.kind == "ok" and telling(ways.needed, url):
        return route(_KIND, copy, "failed", say("archive.opens_but_needed", when=when))
    if reading.kind == "ok":
        return route(_KIND, copy, "not_tried", say("archive.opens_but_what", when=when))
    walled = reading.kind == "barrier" and reading.barrier not in having(Trait.OUTAGE) and _answered(copy, outcome)
    return route(_KIND, copy, "failed" if walled else "not_tried", f"{when}: {reading.detail}")


def _answered(copy: str, outcome: Outcome) -> bool:
    """Whether the archive itself handed the copy out each time, be it the copy of a wall."""
    answers = [look.view if look.view and look.view.status else look.plain for look in outcome.looks]
    return all(one and one.status == 200 and host_of(one.url) == host_of(copy) for one in answers)
