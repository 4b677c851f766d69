"""Whether the expected answer can still be had: from the pages themselves, other spellings, or the archive."""

from dataclasses import dataclass

from probes.archive.copies import Copy
from probes.archive.judge import Facts, contradiction, successor
from probes.archive.live import Live, Visitor
from probes.browser.ladder import ladder, route
from probes.browser.words import route_told
from probes.model import Answer, Barrier, Route

_AS_OF = "The task names a time, so that an archived copy of that time counts as a source for its answer."


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
        return Passing(Answer.YES, f"the expected answer stands on {facts.shown[0].url} now", own)
    routes = (*own, *(_copy(facts, copy) for copy in facts.held))
    if facts.held and facts.asked == "past":
        where = facts.held[0]
        words = f"the task asks for a past state, and the copy of {where.url} of {where.day} shows the expected answer"
        return Passing(Answer.YES, words, routes, (_AS_OF,))
    said = contradiction(facts) if facts.barrier is Barrier.WRONG_GOLD else successor(facts)
    doubts = (
        (not facts.absent, "not every page of the task could be read, or stands where it stood"),
        (
            facts.held and facts.asked == "unclear",
            "whether the task asks for a past state, which an archived copy shows, a person must say",
        ),
        (said is None, "no page says what has taken its place, so that the expected answer may stand elsewhere"),
    )
    doubt = next((words for holds, words in doubts if holds), None)
    return Passing(Answer.UNKNOWN, doubt, routes) if doubt else Passing(Answer.NO, route_told(routes), routes)


async def _elsewhere(facts: Facts, visitor: Visitor, known: Passing) -> Passing:
    spelt = dict.fromkeys(other for live in facts.lives for other in visitor.web.spellings(live.url))
    others = [url for url in spelt if url not in {live.url for live in facts.lives}]
    most = ladder().caps.variants
    seen = tuple(text for live in facts.lives for text in live.texts if text)
    found = [_page("variant", await visitor.see(url, seen)) for url in others[:most]]
    found += [route("variant", url, "not_tried", "more spellings than are tried in one audit") for url in others[most:]]
    routes = (*known.routes, *found)
    works = next((one for one in found if one.result == "passed"), None)
    if works:
        return Passing(Answer.YES, f"the expected answer stands on {works.commands[0]} now", routes)
    answer = Answer.UNKNOWN if any(one.result == "not_tried" for one in routes) else Answer.NO
    return Passing(answer, route_told(routes), routes)


def _page(kind: str, live: Live) -> Route:
    results = {"shown": "passed", "absent": "failed", "gone": "failed"}
    otherwise = "failed" if live.barred else "not_tried"
    return route(kind, live.url, results.get(live.state, otherwise), live.detail)


def _copy(facts: Facts, copy: Copy) -> Route:
    day = copy.day
    notes = {
        "past": ("passed", f"the copy of {day} shows the expected answer, and the task asks for a past state"),
        "today": ("not_permitted", f"the copy of {day} shows it, but the task asks for the state of today"),
        "unclear": ("not_tried", f"the copy of {day} shows it; whether the task asks for a past state is unclear"),
    }
    result, note = notes[facts.asked]
    return route("archived-copy", copy.address, result, note)
