"""Whether the expected answer can still be had: from the pages themselves, other spellings, or the archive."""

from dataclasses import dataclass

from cases.sentences import Sentences
from probes.archive.copies import Copy
from probes.archive.judge import Facts, contradiction, successor
from probes.archive.live import Live, Visitor
from probes.model import Answer, Barrier, Route
from probes.web.ladder import ladder, route
from probes.web.words import route_told

say = Sentences(__name__)

_AS_OF = say("passing.task_names_time")


@dataclass(frozen=True)
class Passing:
    """An answer to PASSABLE with its routes."""

    answer: Answer
    words: str
    routes: tuple[Route, ...] = ()
    limits: tuple[str, ...] = ()


async def passing(facts: Facts, visitor: Visitor) -> Passing:
    """The pages themselves first; other spellings only where all else leads to a no."""
    known = known_ways(facts)
    return known if known.answer is not Answer.NO else await _elsewhere(facts, visitor, known)


def known_ways(facts: Facts) -> Passing:
    """What was seen of the pages and their copies; a no still needs other spellings to be tried."""
    own = tuple(_page("gold-url", live) for live in facts.lives)
    if facts.shown:
        return Passing(Answer.YES, say("passing.expected_answer_stands", url=facts.shown[0].url), own)
    routes = (*own, *(_copy(facts, copy) for copy in facts.held))
    if facts.held and facts.asked == "past":
        where = facts.held[0]
        words = say("passing.task_asks_past", url=where.url, day=where.day)
        return Passing(Answer.YES, words, routes, (_AS_OF,))
    said = contradiction(facts) if facts.barrier is Barrier.WRONG_GOLD else successor(facts)
    doubts = (
        (not facts.absent, say("passing.not_every_page")),
        (
            facts.held and facts.asked == "unclear",
            say("passing.whether_task_asks"),
        ),
        (said is None, say("passing.no_page_says")),
    )
    doubt = next((words for holds, words in doubts if holds), None)
    return Passing(Answer.UNKNOWN, doubt, routes) if doubt else Passing(Answer.NO, route_told(routes), routes)


async def _elsewhere(facts: Facts, visitor: Visitor, known: Passing) -> Passing:
    spelt = dict.fromkeys(other for live in facts.lives for other in visitor.web.spellings(live.url))
    others = [url for url in spelt if url not in {live.url for live in facts.lives}]
    most = ladder().caps.variants
    seen = tuple(text for live in facts.lives for text in live.texts if text)
    found = [_page("variant", await visitor.see(url, seen)) for url in others[:most]]
    found += [route("variant", url, "not_tried", say("passing.more_spellings_tried")) for url in others[most:]]
    routes = (*known.routes, *found)
    works = next((one for one in found if one.result == "passed"), None)
    if works:
        return Passing(Answer.YES, say("passing.expected_answer_stands_now", commands=works.commands[0]), routes)
    answer = Answer.UNKNOWN if any(one.result == "not_tried" for one in routes) else Answer.NO
    return Passing(answer, route_told(routes), routes)


def _page(kind: str, live: Live) -> Route:
    results = {"shown": "passed", "absent": "failed", "gone": "failed"}
    otherwise = "failed" if live.barred else "not_tried"
    return route(kind, live.url, results.get(live.state, otherwise), live.detail)


def _copy(facts: Facts, copy: Copy) -> Route:
    day = copy.day
    notes = {
        "past": ("passed", say("passing.copy_shows_expected", day=day)),
        "today": ("not_permitted", say("passing.copy_shows_but", day=day)),
        "unclear": ("not_tried", say("passing.copy_shows_whether", day=day)),
    }
    result, note = notes[facts.asked]
    return route("archived-copy", copy.address, result, note)
