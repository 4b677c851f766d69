"""The task's own pages as they are now, seen with the browser as often as it takes to be sure."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from time import monotonic
from typing import Literal

from cases import Task
from cases.answers.presence import Presence, presence, telling_value
from cases.sentences import Sentences
from probes.model import Barrier, Control
from probes.web.differential import controlled
from probes.web.judge import agree
from probes.web.observe import look
from probes.web.politeness import pause_before
from probes.web.record import Record, main_text
from probes.web.records import Look, Outcome, Reading
from probes.web.rules import visible_text
from probes.web.web import Web
from sandboxes.browser.layers import Names

say = Sentences(__name__)

VISITS = 3
Now = Literal["shown", "maybe", "absent", "gone", "unknown"]


@dataclass(frozen=True)
class Live:
    """One page now."""

    url: str
    state: Now
    """`gone`: no such page any more; `unknown`: it could not be read."""
    detail: str
    texts: tuple[str, ...] = ()
    """Visible text of each visit."""
    status: int | None = None
    controls: tuple[Control, ...] = ()
    barred: bool = False
    """Whether a barrier stood there on every visit."""


@dataclass(frozen=True)
class Visitor:
    """Visits pages of one audit in search of one task's expected answer."""

    web: Web
    task: Task
    record: Record
    deadline: float
    control: Callable[[str], Awaitable[Control]]
    """The positive control of an address's world."""
    say: Callable[[str], None]
    backoff: tuple[float, ...]
    patience: tuple[float, float]

    async def see(self, url: str, known: tuple[str, ...] = ()) -> Live:
        """One visit where the page shows the expected answer or one of the `known` texts, three otherwise."""
        if not (await self.control(url)).passed:
            return Live(url, "unknown", say("live.not_visited_since"))
        gold = self.task.gold or ""
        needed = (gold,) if telling_value(gold, self.task, url) else ()
        looks: list[Look] = []
        for number in range(1, VISITS + 1):
            if monotonic() > self.deadline:
                looks.append(Look(url, Names(None), refused=say("live.not_visited_time")))
            elif number > 1 and not await pause_before(number, looks[-1], self.backoff, self.deadline):
                break
            else:
                self.say(say("live.visit", number=number, url=url))
                patience = self.patience[number > 1]
                looks.append(
                    await look(self.web, url, needed, self.record, number=number, patience=patience, with_sibling=True)
                )
            if looks[-1].refused or presence(_all_texts(looks[-1]), self.task, url) == "shown":
                break
            if _text(looks[-1]) in known:
                break
        return self._told(controlled(agree(url, tuple(looks), VISITS)), known)

    def _told(self, outcome: Outcome, known: tuple[str, ...]) -> Live:
        url, looks, reading = outcome.url, outcome.looks, outcome.reading
        states = [presence(_all_texts(one), self.task, url) for one in looks]
        texts = tuple(_text(one) for one in looks if one.view)
        status = looks[-1].view.status if looks and looks[-1].view else None

        state, detail = _state(reading, states, texts, known)
        return Live(url, state, detail, texts, status, outcome.controls, reading.kind == "barrier")


def _state(reading: Reading, states: list[Presence], texts: tuple[str, ...], known: tuple[str, ...]) -> tuple[Now, str]:
    if reading.kind == "barrier" and reading.barrier is Barrier.PAGE_GONE:
        return "gone", say("live.page_gone", detail=reading.detail)
    if reading.kind != "ok":
        barred = reading.kind == "barrier"
        return "unknown", say("live.could_not_read", detail=reading.detail) if barred else reading.detail
    if "shown" in states:
        return "shown", say("live.shows_expected_answer")
    if "maybe" in states:
        return "maybe", say("live.what_stands_there")
    if texts and texts[-1] in known:
        return "absent", say("live.leads_page_seen")
    enough = len(texts) == VISITS
    told = say("live.not_show_expected", visits=VISITS)
    return ("absent", told) if enough else ("unknown", say("live.seen_times_only", texts=len(texts), visits=VISITS))


def _text(seen: Look) -> str:
    return visible_text(seen.view.html) if seen.view else ""


def _all_texts(seen: Look) -> tuple[str, ...]:
    """Everything on the page that may hold the answer: as laid out, its own matter, its source, and without scripts."""
    plain = seen.plain.body if seen.plain and seen.plain.status == 200 and seen.plain.is_html else ""
    if seen.view is None:
        return (visible_text(plain),)
    html = seen.view.html
    return (seen.view.text, main_text(html), visible_text(html), visible_text(plain))
