"""Pages on other sites that a run was shown, by a search engine or by a link: the answer may stand there."""

from collections.abc import Collection, Iterator, Mapping

from cases import Case, Events
from cases import patterns as re
from cases.answers.places import content
from cases.answers.text_match import telling, visible
from cases.answers.values import tokens
from cases.hosts import host_of, is_neutral, page_key, urls_of
from cases.sentences import Sentences
from probes.model import Route
from probes.web.documents import text_of
from probes.web.ladder import Ways, route
from probes.web.links import after_a_pause, readable
from probes.web.plain import Plain

say = Sentences(__name__)

KIND = "shown-in-the-run"
MOST, ABOUT = 8, 2
"""Pages that are read, and words of the task that must stand beside an address."""
_WITHOUT_SCHEME = re.compile(r"(?<![\w@/.:-])(?:[a-z0-9-]+\.)+[a-z]{2,}/[\w./-]+")
_BEFORE, _BEHIND = 160, 240
"""Characters beside an address that say what it is about."""


def shown_in(case: Case, events: Mapping[str, Events], but: Collection[str]) -> tuple[str, ...]:
    """Addresses on hosts other than `but` that runs were shown beside words of the task, those with most first."""
    asked, score = content(tokens(case.task.prompt or "")), dict[str, int]()
    for run in case.runs:
        record = run.transcript if run.run_id in events else None
        for block in record.blocks if record else ():
            if block.kind == "call" or (record and block.role in record.agents):
                continue
            for url, place in _addresses(block.text):
                beside = block.text[max(0, place - _BEFORE) : place + len(url) + _BEHIND]
                common = len(content(tokens(beside.replace("-", " "))) & asked)
                if common >= ABOUT and host_of(url) not in but and not is_neutral(host_of(url)) and readable(url):
                    score[url] = max(score.get(url, 0), common)
    keys = {page_key(url): url for url in sorted(score, key=lambda url: (score[url], url))}
    return tuple(sorted(keys.values(), key=lambda url: (-score[url], url))[:MOST])


def _addresses(text: str) -> Iterator[tuple[str, int]]:
    """Addresses in a text and where they stand, those without a scheme, too."""
    for url in urls_of(text):
        yield url, text.find(url)
    for match in _WITHOUT_SCHEME.finditer(text):
        yield f"https://{match[0].rstrip('.')}", match.start()


async def _opened(url: str, ways: Ways) -> Plain:
    """The page at an address, by HTTP where it has no HTTPS."""
    page = await after_a_pause(url, ways.get)
    plain = "http://" + url.removeprefix("https://")
    return page if not page.error or plain == url else await after_a_pause(plain, ways.get)


async def by_what_was_shown(ways: Ways) -> Route | None:
    """The route to one of these pages that shows what is needed, or may; None where none does."""
    maybe = ""
    for url in ways.shown:
        text = await text_of(await _opened(url, ways))
        state = ways.says(text, url)
        if visible(telling(ways.needed, url), text, url) or state == "shown":
            return route(KIND, url, "passed", say("results.says_what_is_needed"))
        maybe = maybe or (url if state == "maybe" else "")
    return route(KIND, maybe, "not_tried", say("results.may_say")) if maybe else None
