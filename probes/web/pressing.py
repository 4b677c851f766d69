"""What a page shows besides, once its visitor scrolls to its end and presses what there is to press."""

import asyncio
import contextlib
from collections import Counter
from dataclasses import dataclass, field
from time import monotonic
from typing import NamedTuple

from playwright.async_api import Error, Locator, Request
from playwright.async_api import Page as Tab
from playwright.async_api import Route as Asked

from cases.answers.text_match import visible
from cases.sentences import Sentences
from probes.model import Barrier
from probes.web.clocks import due
from probes.web.links import links_in
from probes.web.listeners import mark
from probes.web.settling import snapshot
from probes.web.snapshot import Manner, Pressed
from sandboxes.browser.listening import Tracker
from sandboxes.browser.shape import covering
from sandboxes.browser.urls import action_like, host_of

say = Sentences(__name__)

SECONDS, STEPS, PRESSES, AGAIN, CHOICES, WAITING = 60.0, 40, 40, 15, 12, 30.0
"""For all of it; screens that are scrolled; presses, of one control and choices of one list; seconds for which what a
page has put off is waited for.
"""
_STEADY, _LONGEST, _CLICK = 0.8, 6.0, 800
"""Seconds without a change after which a page has come to rest, seconds until then, milliseconds for a click."""
_ANSWERED = ("status 4", "status 5")
"""How what a script asked for ends where the site says that it does not give it."""
UNUSABLE = frozenset({Barrier.PAGE_UNUSABLE, Barrier.JAVASCRIPT})
"""Barriers of pages on which something may be left to press; what checks or refuses its visitor is left alone."""
_READS = frozenset({"GET", "HEAD", "OPTIONS"})
_DATA = frozenset({"document", "fetch", "xhr"})

_SCROLL = """() => {
  const inner = [...document.querySelectorAll('*')].filter(one => one.scrollHeight > one.clientHeight + 20
    && /auto|scroll/.test(getComputedStyle(one).overflowY));
  let moved = false;
  for (const one of new Set([document.scrollingElement, ...inner])) {
    if (!one) continue;
    const before = one.scrollTop;
    one.scrollTop = before + Math.max(100, one.clientHeight * 0.9);
    moved = moved || one.scrollTop > before;
  }
  return moved;
}"""

CONTROLS = ", ".join(
    (
        "button",
        "select",
        "summary",
        "input[type=button]",
        "[role=button]",
        "[role=tab]",
        "[onclick]",
        "a[href^='javascript:' i]",
        "a[href^='#/']",
        "a[href^='#!']",
    )
)
# A control's place among all, its label, its choices, and whether it is part of what frames the page.
_LISTED = """found => found.map((one, place) => {
  const form = one.closest('form');
  const asks = form && [...form.elements].some(field => !['BUTTON', 'FIELDSET', 'OUTPUT'].includes(field.tagName)
    && !['hidden', 'submit', 'image', 'button'].includes(field.type));
  const label = one.getAttribute('aria-label') || one.value || one.innerText || one.getAttribute('title') || '';
  return {
    place: place,
    label: (one.tagName === 'SELECT' ? one.name || one.id : label).trim().replace(/\\s+/g, ' ').slice(0, 80),
    choices: one.tagName === 'SELECT' ? one.options.length : 0,
    frames: !!one.closest('header, nav, footer'),
    open: !asks && one.checkVisibility() && !one.disabled && !one.multiple,
  };
})"""


_KEYS = ("ArrowRight", "ArrowDown", "PageDown", "Space")
"""Keys that commonly turn to what comes next."""


class Control(NamedTuple):
    """Something to press, as it can be told from others after the page has changed."""

    label: str
    number: int
    """Of those with this label."""
    choice: int = -1
    """The place of a choice in a list."""


@dataclass
class _Hand:
    """What presses, and what came of it so far."""

    tab: Tab
    tracker: Tracker
    manner: Manner
    url: str
    text: str
    ends: float
    """By the monotonic clock."""
    known: set[str] = field(default_factory=set)
    shown: list[tuple[str, str]] = field(default_factory=list)
    links: dict[str, None] = field(default_factory=dict)
    pending: set[Request] = field(default_factory=set)
    """What the page has asked for and not got yet."""
    withheld: int = 0
    """Requests for more than reading, and what could not be pressed."""
    refused: int = 0
    """Of these the requests: what a page shows after one may be no more than what it shows where that fails."""

    excused: int = 0
    """Errors that a console showed while the page was opened again: it had shown them before."""
    turns: bool = False
    """Whether the page listens to keys, to the wheel or to dragging."""
    covered: bool = True
    """Whether something has lain over most of the page all the time."""
    touched: bool = False
    """Whether something was pressed: Playwright's own hands then listen to the page, too."""

    def listen(self) -> None:
        """To what the page asks for from now on."""
        self.tab.on("request", self._asked)
        self.tab.on("requestfinished", self._ended)
        self.tab.on("requestfailed", self._ended)

    def _asked(self, request: Request) -> None:
        if request.resource_type in _DATA:
            self.pending.add(request)

    def _ended(self, request: Request) -> None:
        self.pending.discard(request)

    @property
    def found(self) -> bool:
        return self.at_home and bool(visible(self.manner.needed, self.text, self.url))

    @property
    def at_home(self) -> bool:
        """Whether a page of the same host stands there, and was refused nothing."""
        return host_of(self.tab.url) == host_of(self.url) and not self.refused

    @property
    def over(self) -> bool:
        return monotonic() > self.ends or self.tracker.crashed.is_set()

    async def only_reading(self, asked: Asked) -> None:
        request = asked.request
        if request.method in _READS and not action_like(request.url):
            await asked.fallback()
            return
        wanted = request.resource_type in _DATA
        self.withheld, self.refused = self.withheld + wanted, self.refused + wanted
        await asked.abort()

    async def read(self) -> str:
        """The text that can be seen now."""
        view = await snapshot(self.tab, frames=self.manner.conditions.frames)
        if view and view.said not in self.known:
            self.links |= dict.fromkeys(links_in(view.html, view.url))
        return view.said if view else self.text

    async def rest(self, done: str) -> bool:
        """Wait until the page has come to rest; whether it then shows what it has not shown before."""
        began = changed = monotonic()
        before, new = self.text, False
        while monotonic() - began < _LONGEST:
            await asyncio.sleep(0.1)
            text = await self.read()
            if text != before:
                before, changed = text, monotonic()
                new = self._keep(done, before) or new
            elif not self.pending and monotonic() - changed >= _STEADY:
                break
        self.withheld += bool(self.pending)
        self.text = before
        self.covered = self.covered and self.at_home and bool(await covering(self.tab))
        return self._keep(done, before) or new

    def _keep(self, done: str, text: str) -> bool:
        """Whether it was not shown before; another host's page is one to which this one leads."""
        new = text not in self.known
        if new and self.at_home:
            self.known.add(text)
            self.shown.append((done, text))
        elif new and not self.refused:
            self.links[self.tab.url] = None
        return new and self.at_home

    async def scrolled(self) -> bool:
        """Whether the end was reached, a screen at a time."""
        for _ in range(STEPS):
            if self.over:
                return False
            if await self.tab.evaluate(_SCROLL):
                text = await self.read()
                if text not in self.known:
                    self.text = text
                    await self.rest(say("pressing.scrolled"))
            elif not await self.rest(say("pressing.scrolled")):
                return True
            if self.found:
                return True
        return False

    async def waited(self) -> None:
        """For what the page itself has put off by now, where that is soon."""
        soon = [left for left in await due(self.tab) if left <= WAITING]
        ends = monotonic() + max(soon, default=0.0)
        while soon and not self.over and not self.found:
            await self.rest(say("pressing.waited"))
            if monotonic() > ends:
                break

    async def turned(self) -> bool:
        """Whether keys and wheel, where the page listens to them, were used as often as they showed something new."""
        heard = await mark(self.tab, touched=self.touched)
        self.turns = bool(heard.turns)
        ways = list(_KEYS) if any(kind.startswith("key") for kind in heard.turns) else []
        ways += [say("pressing.wheel")] if heard.turns & {"wheel", "mousewheel"} else []
        for way in ways:
            for _ in range(AGAIN):
                if self.over:
                    return False
                await (self.tab.keyboard.press(way) if way in _KEYS else self.tab.mouse.wheel(0, 300))
                if not await self.rest(say("pressing.turned", by=way)) or self.found:
                    break
        return True

    async def controls(self) -> dict[Control, int]:
        """What can be pressed, each with its place among all; what frames the page comes last."""
        self.withheld += (await mark(self.tab, touched=self.touched)).others
        rows = await self.tab.locator(CONTROLS).evaluate_all(_LISTED)
        found, count = dict[Control, int](), Counter[str]()
        for row in sorted(rows, key=lambda row: row["frames"]):
            count[row["label"]] += 1
            one = Control(row["label"], count[row["label"]])
            if row["open"]:
                choices = [one._replace(choice=choice) for choice in range(row["choices"])]
                found |= dict.fromkeys(choices or [one], row["place"])
                self.withheld += len(choices) > CHOICES
        return {one: place for one, place in found.items() if one.choice < CHOICES}

    async def press(self, one: Control, place: int) -> bool:
        """Whether the page shows something new after it."""
        self.touched, target = True, self.tab.locator(CONTROLS).nth(place)
        here = len(self.tracker.answers), self.tab.url.partition("#")[0]
        try:
            if one.choice >= 0:
                await target.select_option(index=one.choice, timeout=_CLICK, force=True)
            else:
                await _click(target)
        except Error:
            self.withheld += 1
            return False
        new = await self.rest(say("pressing.pressed", label=one.label))
        moved = (len(self.tracker.answers), self.tab.url.partition("#")[0]) != here
        if self.refused or (moved and not self.found):
            await self.begin_anew()
        return new

    async def begin_anew(self) -> None:
        """Open the page again."""
        errors = self.tracker.console_errors
        await self.tab.goto(self.url, wait_until="domcontentloaded")
        self.refused = 0
        await self.rest(say("pressing.back"))
        self.excused += self.tracker.console_errors - errors

    async def all_pressed(self) -> bool:
        """Whether everything was pressed, as often as it showed something new."""
        done = Counter[Control]()
        settled, seen = set[Control](), set[Control]()
        while not self.found:
            left = {one: place for one, place in (await self.controls()).items() if one not in settled}
            if not left and (lost := seen - done.keys()):
                await self.begin_anew()
                left = {one: place for one, place in (await self.controls()).items() if one in lost}
            if not left:
                return True
            seen |= left.keys()
            if self.over or done.total() == PRESSES:
                return False
            one, place = next(iter(left.items()))
            done[one] += 1
            new = await self.press(one, place)
            if done[one] == AGAIN and new:
                self.withheld += 1
            if not new or one.choice >= 0 or done[one] == AGAIN:
                settled.add(one)
        return True


async def _click(target: Locator) -> None:
    """As a hand does, or where something lies over it, as a script does."""
    try:
        await target.click(timeout=_CLICK)
    except Error:
        await target.dispatch_event("click", timeout=_CLICK)


async def press(tab: Tab, tracker: Tracker, manner: Manner, url: str, text: str) -> Pressed:
    """Scroll and press, and read what comes of it; nothing but reading is asked of any site.

    Args:
        tab: An open page that has come to rest.
        tracker: What listens to it.
        manner: What is needed, which ends it.
        url: The address it was opened at, to which it returns where a press leads elsewhere.
        text: What it shows now.
    """
    hand = _Hand(tab, tracker, manner, url, text, monotonic() + SECONDS, {text})
    closed, errors, whole = len(tracker.closed), tracker.console_errors, False
    still = False
    hand.listen()
    with contextlib.suppress(Error):
        await tab.route("**/*", hand.only_reading)
        whole = await hand.scrolled()
        await hand.waited()
        whole = whole and await hand.turned() and await hand.all_pressed()
        still = not hand.turns and not await due(tab)
    unanswered = [how for how in tracker.asked.values() if not how.startswith(_ANSWERED)]
    failed = tracker.console_errors - hand.excused > errors and not tracker.asked
    others = len(tracker.closed) > closed or failed or bool(unanswered)
    done = whole and not hand.withheld and not others
    return Pressed(tuple(hand.shown), tuple(hand.links), done, still, hand.covered and bool(await covering(tab)))
