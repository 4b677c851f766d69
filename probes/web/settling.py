"""Reading a page until it has come to rest: text as laid out, of frames and shadow trees too."""

import asyncio
from time import monotonic

from playwright.async_api import Error, Frame
from playwright.async_api import Page as Tab

from cases import patterns as re
from cases.answers.text_match import visible
from cases.sentences import Sentences
from probes.web.rules import HTML_LIMIT, Page, classify, refreshes
from probes.web.snapshot import Manner, View
from sandboxes.browser.listening import Tracker

say = Sentences(__name__)

ENOUGH_TEXT = 200
"""Characters of visible text after which a page counts as filled."""
BRIEF, LONGER = 1500, 1.5
"""Characters of visible text of a page that may do no more than check its visitor and move on by itself, and how many
times as long as another it is given.
"""
_CHECKING = frozenset({403, 429, 503})
"""Statuses with which such pages come."""
STEADY = 0.4
"""Seconds without a change after which a page counts as come to rest."""
_REFRESHED = 2.0
"""Seconds within which a page that sends its readers on by itself must have gone."""
_UNREAD = 6.0
"""Seconds for which a page of which nothing could be read yet is asked again: it moves on, or the machine is busy."""
_MOVES = re.compile(
    r"(?i)<(script|i?frame|object|embed|portal)|\bon(load|error|animation\w+|transition\w+)\s*=|\brefresh\b"
)
"""What may change a page after it has come: scripts, frames and sendings-on."""
_ANSWERS = 3.0
"""Seconds within which a page or a frame must say what it shows."""
TEXT_LIMIT = 300_000
FRAMES = 20
_ERROR_PAGE = "chrome-error:"

# Text as laid out, of this document and of every open shadow root in it.
_TEXT = """() => {
  const parts = [document.body ? document.body.innerText : ''];
  const walk = (root, depth) => {
    if (depth > 8) return;
    for (const element of root.querySelectorAll('*')) {
      if (!element.shadowRoot) continue;
      for (const child of element.shadowRoot.children) if (child.innerText) parts.push(child.innerText);
      walk(element.shadowRoot, depth + 1);
    }
  };
  walk(document, 0);
  return parts.join('\\n').slice(0, 300000);
}"""

# Words of neighbours in one line that only their margins keep apart.
_APART = """() => {
  const inline = one => getComputedStyle(one).display.startsWith('inline');
  const found = [];
  for (const one of [...document.querySelectorAll('body *')].slice(0, 6000)) {
    const next = one.nextSibling;
    if (!next || next.nodeType !== 1 || !inline(one) || !inline(next)) continue;
    const before = (one.innerText || '').trim().slice(-200), after = (next.innerText || '').trim().slice(0, 200);
    if (before && after) found.push(before + ' ' + after);
  }
  return found.join('\\n').slice(0, 100000);
}"""

_OWN_TEXT = "() => (document.body ? document.body.innerText : '').slice(0, 300000)"

# Source, title and text of one and the same moment: a page that moves on lets nobody ask it three times.
_WHOLE = """() => [
  ((document.doctype ? new XMLSerializer().serializeToString(document.doctype) + '\\n' : '')
    + (document.documentElement ? document.documentElement.outerHTML : '')).slice(0, %d),
  document.title || '',
  (%s)(),
  (%s)(),
]"""


async def settle(tab: Tab, tracker: Tracker, url: str, manner: Manner, patience: float) -> View:
    """Read the page until it is filled, holds what is needed, or patience ends."""
    needed, frames, patient = manner.needed, manner.conditions.frames, manner.conditions.patient
    began = changed = monotonic()
    before = (-1, -1)
    limit = patience
    view = View(url, error=say("settling.page_could_not"))
    while True:
        view = await snapshot(tab, frames=frames) or view
        waited = monotonic() - began
        lost = tab.url.startswith(_ERROR_PAGE)
        ends = max(limit, _UNREAD) if view.error and patience else limit
        if visible(needed, view.said, url) or waited >= ends or lost or tracker.crashed.is_set():
            return view
        size = (len(view.text), len(tracker.answers))
        if size != before:
            before, changed, limit = size, monotonic(), patience
        elif patient and monotonic() - changed >= STEADY:
            limit = await _limit(view, tracker, url, needed, patience)
        await asyncio.sleep(0.15)


async def _limit(view: View, tracker: Tracker, url: str, needed: tuple[str, ...], patience: float) -> float:
    """How long a page that has come to rest is still worth waiting for."""
    status = tracker.answers[-1].status if tracker.answers else None
    headers = tracker.answers[-1].headers if tracker.answers else {}
    page = Page(view.url, url, status, headers, html=view.html, text=view.text, title=view.title)
    walls = [match for match in await asyncio.to_thread(classify, page) if match.decisive]
    if walls:
        return patience if any(match.may_clear for match in walls) else 0.0
    if status and status >= 400:
        waits = status in _CHECKING and len(view.text) < BRIEF and not await _still(view, tracker)
        return LONGER * patience if waits else 0.0
    if (delay := refreshes(view.html, view.url)) is not None and delay < patience:
        return min(patience, delay + _REFRESHED)
    if len(view.text) >= ENOUGH_TEXT:
        return patience / 2 if needed else 0.0
    return 0.0 if await _still(view, tracker) else patience


async def _still(view: View, tracker: Tracker) -> bool:
    """Whether nothing on the page, nor in the source that it came from, could change it."""
    if _MOVES.search(view.html) or not tracker.answers:
        return False
    try:
        async with asyncio.timeout(2):
            source = await tracker.answers[-1].text()
    except (Error, TimeoutError, UnicodeDecodeError):
        return False
    return not _MOVES.search(source[:HTML_LIMIT])


async def snapshot(tab: Tab, *, frames: bool) -> View | None:
    """Source and text of this moment, those of frames too where these are read; None while the page moves on."""
    try:
        async with asyncio.timeout(_ANSWERS):
            asked = _WHOLE % (HTML_LIMIT, _TEXT if frames else _OWN_TEXT, _APART)
            html, title, main, apart = map(str, await tab.evaluate(asked))
    except (Error, TimeoutError):
        return None  # it is navigating, or busy; the next look sees more
    if tab.url.startswith(_ERROR_PAGE):
        main = ""
    others = [frame for frame in tab.frames[1:FRAMES] if frames and frame != tab.main_frame]
    texts = [main, *[await _frame_text(frame) or "" for frame in others]]
    joined = "\n".join(text for text in texts if text)[:TEXT_LIMIT]
    return View(tab.url, title=title[:500], html=html, text=joined, main_text=main, apart=apart)


async def _frame_text(frame: Frame) -> str | None:
    """What a frame shows, None when that could not be read; hidden frames and Chromium's error pages show nothing."""
    if frame.url.startswith(_ERROR_PAGE):
        return ""
    try:
        async with asyncio.timeout(_ANSWERS):
            if not await (await frame.frame_element()).is_visible():
                return ""
            return str(await frame.evaluate(_TEXT))
    except (Error, TimeoutError):
        return None
