"""Where pages open now: how a run that did not get one could have come to it, by what our own visits saw."""

from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Sequence
from http import HTTPStatus
from typing import NamedTuple

from cases import PageVisit, Task
from cases import patterns as re
from cases.answers.presence import traced
from cases.fetched import pages_of
from cases.hosts import host_of, page_key
from cases.sentences import Sentences
from probes.browser.visits import Visits
from probes.model import Answer, Control, Finding, Question, Tier
from probes.web.ladder import route
from probes.web.plain import Plain
from probes.web.records import Outcome
from probes.web.words import sentence

say = Sentences(__name__)

ANSWERED = 2
"""Pages of a site that a run was given before it was too fast."""


class Passage(NamedTuple):
    """How a page can be come to."""

    kind: str
    url: str
    told: str


async def passages(visits: Visits, outcomes: tuple[Outcome, ...], used: tuple[Control, ...]) -> list[Finding]:
    """PASSABLE, where a page shows what is needed, or is the benchmark's own and may, and the run could have had it.

    One that was refused for its pace comes first, one that failed once asks again, one that was no browser is one, one
    that went on waits.
    """
    own, task = visits.context.events.get(visits.hypothesis.run_id or ""), visits.context.case.task
    opened = pages_of(task, own) if own else ()
    shown = [item for item in outcomes if item.looks and (item.looks[0].seen or _is_its_own(item, task))]
    found = (
        _slower(outcomes, opened)
        or await _asked_again(shown, opened, visits.fetched)
        or await _in_a_browser(shown, opened, visits.fetched)
        or _waited_for(shown, opened)
    )
    if found is None:
        return []
    way = route(found.kind, found.url, "passed", found.told, Tier.T1)
    summary = sentence(say("passages.works", told=f"{way.id}: {found.told}"))
    return [visits.make(Question.PASSABLE, Answer.YES, summary, tier=way.tier, routes=(way,), controls=used)]


def _is_its_own(item: Outcome, task: Task) -> bool:
    """Whether a page of the benchmark's own may show what is expected."""
    look = item.looks[0]
    return look.named and look.view is not None and traced(look.view.said, task, item.url) != "absent"


def _slower(outcomes: Sequence[Outcome], opened: Sequence[PageVisit]) -> Passage | None:
    """The run was refused a page for its pace once, though its site answered it more than once.

    Source: RFC 6585, status 429.
    """
    shown = {page_key(item.url): item.url for item in outcomes if any(look.seen for look in item.looks)}
    answered, refused = Counter[str](), defaultdict[str, set[int]](set)
    for visit in opened:
        answered[host_of(visit.url)] += visit.shows
        if _met(visit, HTTPStatus.TOO_MANY_REQUESTS):
            refused[page_key(visit.url)].add(visit.blocks[-1])
    for visit in opened:
        once = refused[page_key(visit.url)] == {visit.blocks[-1]}
        if once and answered[host_of(visit.url)] >= ANSWERED and page_key(visit.url) in shown:
            return Passage("slower", shown[page_key(visit.url)], say("passages.at_a_slower_pace"))
    return None


async def _asked_again(
    shown: Sequence[Outcome], opened: Sequence[PageVisit], get: Callable[[str], Awaitable[Plain]]
) -> Passage | None:
    """A page failed at its first request now as it did at the run's only one, and a second of the same kind got it.

    That a page which failed then opens now would prove nothing by itself.
    """
    for item in shown:
        status, then = _status(item), _of(item, opened)
        alike = len(then) == 1 and status >= HTTPStatus.INTERNAL_SERVER_ERROR and _met(then[0], status)
        if alike and (await get(item.url)).status == HTTPStatus.OK:
            return Passage("asked-again", item.url, say("passages.asked_again", status=status))
    return None


async def _in_a_browser(
    shown: Sequence[Outcome], opened: Sequence[PageVisit], get: Callable[[str], Awaitable[Plain]]
) -> Passage | None:
    """A plain client is refused a page now as the run was each time, before a browser got it and after."""
    for item in shown:
        status, then = _status(item), _of(item, opened)
        alike = status >= HTTPStatus.BAD_REQUEST and then and all(_met(visit, status) for visit in then)
        if alike and (await get(item.url)).status == status:
            return Passage("in-a-browser", item.url, say("passages.in_a_browser", status=status))
    return None


def _waited_for(shown: Sequence[Outcome], opened: Sequence[PageVisit]) -> Passage | None:
    """A page that the run asked for answers with an error and moves on by itself."""
    for item in shown:
        view = item.looks[0].view
        first = view.chain[0].partition(" ")[0] if view and view.chain else ""
        failed = first.isdigit() and int(first) >= HTTPStatus.BAD_REQUEST
        if view and failed and view.status == HTTPStatus.OK and _of(item, opened):
            return Passage("waited-for", item.url, say("passages.waited_for", status=first))
    return None


def _status(item: Outcome) -> int:
    """Of the first request of a plain client; 0 where there was none."""
    plain = item.looks[0].plain
    return (plain.status if plain else None) or 0


def _of(item: Outcome, opened: Sequence[PageVisit]) -> list[PageVisit]:
    """The run's visits of a page."""
    return [visit for visit in opened if page_key(visit.url) == page_key(item.url)]


def _met(visit: PageVisit, status: int) -> bool:
    """Whether a page was refused the run with a status."""
    phrase = re.escape(HTTPStatus(status).phrase) if status in set(HTTPStatus) else "$"
    told = rf"(?i)^{status}\b|\bstatus(?: code)?(?: of)?:? {status}\b|\b{status} {phrase}"
    return re.search(told, visit.error or "") is not None
