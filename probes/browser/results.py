"""Pages on other sites that a run was shown, by a search engine or by a link: the answer may stand there."""

from collections.abc import Callable, Collection, Iterator, Mapping
from http import HTTPStatus
from itertools import islice

from cases import Case, Events, Transcript
from cases import patterns as re
from cases.answers.forms import in_answer
from cases.answers.places import content
from cases.answers.presence import Presence
from cases.answers.text_match import telling, visible
from cases.answers.values import tokens
from cases.failing import exception_in
from cases.hosts import host_of, is_neutral, own_machine, page_key
from cases.sentences import Sentences
from probes.browser.openings import has_more_than_text
from probes.model import Route
from probes.web.documents import document_of
from probes.web.ladder import Ways, route
from probes.web.likeness import said
from probes.web.links import after_a_pause, readable
from probes.web.plain import Plain

say = Sentences(__name__)

KIND = "shown-in-the-run"
MOST, VISITED, ABOUT, LOOKED_AT, ECHO = 20, 3, 2, 3_000, 400
"""Pages that are read, and that are visited where a plain client could not read them; words of the task that must
stand beside an address, addresses that are looked at, and characters of an answer that may do no more than repeat one.
"""
THIN = 200
"""What a page says, in letters of an alphabet, below which scripts may draw the rest."""
_ADDRESS = re.compile(
    r"https?://[^\s\"'`<>\\\])}{|]+|(?<![\w@/.:-])www\.(?:[a-z0-9-]+\.)+[a-z]{2,}/[\w./-]+"
    r"|(?m:^[ \t]*(?:[a-z0-9-]+\.)+[a-z]{2,}/[\w./-]+[ \t]*$)"
)
"""Also without a scheme: with `www`, or alone in its line, as results of searches have it."""
_AROUND = " \t[](){}<>*_\"'`:-0123456789."
"""What stands around a title in a list."""
_BEFORE, _BEHIND = 160, 240
"""Characters beside an address that say what it is about."""


def shown_in(case: Case, events: Mapping[str, Events], but: Collection[str]) -> tuple[str, ...]:
    """Addresses on hosts other than `but` that runs were shown beside words of the task, at most `MOST`.

    Those with most of these words come first.
    """
    asked, score = content(tokens(case.task.prompt or "")), dict[str, int]()
    for url, beside in islice(_shown(case, events), LOOKED_AT):
        common = len(content(tokens(beside.replace("-", " "))) & asked)
        host = host_of(url)
        if common >= ABOUT and host not in but and not is_neutral(host) and not own_machine(host) and readable(url):
            score[url] = max(score.get(url, 0), common)
    keys = {page_key(url): url for url in sorted(score, key=lambda url: (score[url], url))}
    return tuple(sorted(keys.values(), key=lambda url: (-score[url], url))[:MOST])


def _shown(case: Case, events: Mapping[str, Events]) -> Iterator[tuple[str, str]]:
    """Addresses in what runs were told, with what stands beside each; not those that only come back from the call."""
    for run in case.runs:
        record = run.transcript if run.run_id in events else None
        called: set[str] = set()
        for block in record.blocks if record else ():
            named = [(_whole(match[0]), match) for match in _ADDRESS.finditer(block.text)]
            if block.kind == "call" or (record and block.role in record.agents):
                called = {page_key(url) for url, _ in named}
                continue
            for url, match in named:
                if page_key(url) not in called or not (len(block.text) < ECHO or exception_in(block.text)):
                    yield url, block.text[max(0, match.start() - _BEFORE) : match.end() + _BEHIND]


def titles_of(host: str, record: Transcript) -> tuple[str, ...]:
    """What lists of results and links that a run was shown call the pages of a host: in front of an address, or in the
    line above it.
    """
    found = list[str]()
    for block in record.blocks:
        if block.kind == "call" or block.role in record.agents:
            continue
        for match in _ADDRESS.finditer(block.text):
            if host_of(_whole(match[0])) == host:
                above, _, here = block.text[max(0, match.start() - _BEFORE) : match.start()].rpartition("\n")
                told = here if re.search(r"\w", here) else above.rstrip().rpartition("\n")[2]
                found.append(told.strip(_AROUND))
    return tuple(dict.fromkeys(filter(None, found)))


def _whole(place: str) -> str:
    place = place.strip().rstrip(".,;:!?*")
    return place if place.startswith("http") else f"https://{place}"


async def by_what_was_shown(shown: Callable[[], tuple[str, ...]], ways: Ways) -> Route | None:
    """The route to one of these pages that shows what is needed, or may; None where they were read in vain.

    What a plain client cannot read is visited, and so are a few pages that scripts may draw.
    """
    maybe, unread, drawn = "", dict[str, bool](), list[str]()
    asked = content(tokens(ways.task.prompt or ""))
    for url in shown() if ways.needed or ways.task.gold else ():
        page = await _opened(url, ways)
        document = await document_of(page)
        state = _state(document.text, url, ways)
        if state == "shown":
            return route(KIND, url, "passed", say("results.says_what_is_needed"))
        maybe = maybe or (url if state == "maybe" else "")
        meant = content(tokens(url.replace("-", " ").replace("/", " "))) & asked and page.status not in (404, 410)
        scripted, hides = "<script" in page.body.lower(), not document.whole or has_more_than_text(page)
        if meant and (not document.whole or (said(document.text) < THIN and (scripted or hides))):
            unread[url] = hides
        elif scripted and page.status == HTTPStatus.OK:
            drawn.append(url)
    if len(unread) > VISITED:
        return route(KIND, maybe or next(iter(unread)), "not_tried", say("results.could_not_be_read"))
    visits = unread | dict.fromkeys(drawn[: VISITED - len(unread)], False)
    found = await _visited(visits, ways)
    if found is None and maybe:
        return route(KIND, maybe, "not_tried", say("results.may_say"))
    return found


async def _visited(pages: Mapping[str, bool], ways: Ways) -> Route | None:
    """The same of pages in the browser, each with whether it may hide something even there."""
    maybe = None
    for url, hides in pages.items():
        outcome = await ways.examine(url)
        texts = [look.view.said for look in outcome.looks if look.view]
        states = {_state(text, url, ways) for text in texts}
        if "shown" in states:
            return route(KIND, url, "passed", say("results.says_what_is_needed"))
        if "maybe" in states:
            maybe = maybe or route(KIND, url, "not_tried", say("results.may_say"))
        elif outcome.reading.kind != "barrier" and (not texts or (hides and said(texts[-1]) < THIN)):
            maybe = maybe or route(KIND, url, "not_tried", say("results.could_not_be_read"))
    return maybe


def _state(text: str, url: str, ways: Ways) -> Presence:
    """Whether a text shows what is needed, among words of the task."""
    wanted = telling(ways.needed, url)
    if not visible(wanted, text, url):
        return ways.says(text, url)
    meant = not ways.task.gold or any(in_answer(value, text, ways.task, ()) for value in wanted)
    return "shown" if meant else "maybe"


async def _opened(url: str, ways: Ways) -> Plain:
    """The page at an address, by HTTP where it has no HTTPS."""
    page = await after_a_pause(url, ways.get)
    plain = "http://" + url.removeprefix("https://")
    return page if not page.error or plain == url else await after_a_pause(plain, ways.get)
