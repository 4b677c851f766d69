"""One visit with a real browser: a fresh context, its own guarded way out, and everything a person would see."""

import asyncio
import contextlib
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic
from typing import Literal

from playwright.async_api import Browser, BrowserContext, Error, Frame
from playwright.async_api import Page as Tab
from playwright.async_api import TimeoutError as LateError

from probes.browser.conditions import Conditions
from probes.browser.har import without_secrets
from probes.browser.listening import Tracker
from probes.browser.oracle import visible
from probes.browser.rules import HTML_LIMIT, Page, classify
from sandboxes.egress import EgressProxy

GOTO_SECONDS = 25.0
PATIENCE = 8.0
"""How long a page may take, after it has loaded, to show its text or to let a challenge clear by itself."""
ENOUGH_TEXT = 200
"""Characters of visible text after which a page counts as filled."""
STEADY = 0.4
"""Seconds without a change after which a page counts as come to rest."""
TEXT_LIMIT = 300_000
FRAMES = 20
PATIENT = Conditions(id="patient", width=1280, height=900, timeout=GOTO_SECONDS, patient=True, source="this program")
"""How this program looks at a page: with scripts, frames read, and time to come to rest."""

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

_OWN_TEXT = "() => (document.body ? document.body.innerText : '').slice(0, 300000)"


class CrashError(Exception):
    """The browser or its page went away in mid visit."""


@dataclass(frozen=True)
class View:
    """What the browser saw."""

    url: str
    status: int | None = None
    headers: dict[str, str] = field(default_factory=dict)
    cookies: tuple[str, ...] = ()
    title: str = ""
    html: str = ""
    text: str = ""
    """Visible text of the page and of its frames."""
    main_text: str = ""
    """Visible text of the main frame alone."""
    chain: tuple[str, ...] = ()
    """`status address` of every main-frame answer."""
    error: str = ""
    """Chromium's error name when the navigation failed."""
    denied: bool = False
    """Our own guard refused the main frame."""
    console_errors: int = 0
    closed: tuple[str, ...] = ()
    """Dialogs, popups and downloads that were dismissed."""
    screenshot: bytes = b""
    aria: str = ""
    har: bytes = b""
    """The zipped HTTP archive without secrets, where it was asked for."""
    seconds: float = 0.0
    """From the start of the navigation until the page was read for the last time."""

    def page(self, asked: str) -> Page:
        """For the rules."""
        return Page(self.url, asked, self.status, self.headers, self.cookies, self.html, self.text, self.title)


@dataclass(frozen=True)
class Manner:
    """How a page is looked at."""

    needed: tuple[str, ...] = ()
    patience: float = PATIENCE
    conditions: Conditions = PATIENT
    har: bool = False
    pictures: bool = True
    """Whether screenshot and outline are taken."""


async def visit(browser: Browser, url: str, proxy: EgressProxy, manner: Manner = Manner()) -> View:
    """Open `url` and read it.

    Raises:
        CrashError: the browser went away.
    """
    with tempfile.TemporaryDirectory(prefix="impassable-har-") as folder:
        archive = Path(folder) / "visit.zip" if manner.har else None
        view = await _visit(browser, url, proxy, manner, archive)
        if archive and archive.exists():
            view = replace(view, har=await asyncio.to_thread(without_secrets, archive))
    return view


async def _visit(browser: Browser, url: str, proxy: EgressProxy, manner: Manner, archive: Path | None) -> View:
    conditions = manner.conditions
    try:
        async with asyncio.timeout(conditions.timeout + manner.patience + 30):
            context = await browser.new_context(
                proxy={"server": f"http://{proxy.address}", "bypass": "<-loopback>"},
                service_workers="block",
                accept_downloads=False,
                permissions=[],
                viewport={"width": conditions.width, "height": conditions.height},
                java_script_enabled=conditions.scripts,
                locale="en-US",
                record_har_path=archive,
                record_har_content="attach" if archive else None,
                record_har_mode="minimal" if archive else None,
            )
            try:
                return await _read(context, url, proxy, manner)
            finally:
                with contextlib.suppress(Error):
                    await context.close()
    except TimeoutError:
        return View(url, error="the visit took too long")
    except LateError:
        return View(url, error="the page did not answer in time")
    except Error as error:
        raise CrashError(_first_line(error)) from error


async def _read(context: BrowserContext, url: str, proxy: EgressProxy, manner: Manner) -> View:
    tab = await context.new_page()
    tracker = Tracker(tab)
    began = monotonic()
    problem = await _go(tab, url, manner.conditions)
    settled = View(url)
    if not problem or tab.url.startswith("http"):  # otherwise the text is Chromium's own error page
        settled = await _settle(tab, tracker, url, manner, 0 if problem else manner.patience)
    settled = replace(settled, seconds=round(monotonic() - began, 1))
    if tracker.crashed.is_set() or not context.browser or not context.browser.is_connected():
        raise CrashError("the page crashed")
    status, headers = await _last_answer(tracker)
    seen = replace(
        settled,
        url=_final(tab, tracker, url),
        status=status,
        headers=headers,
        cookies=tuple(dict.fromkeys(cookie["name"] for cookie in await context.cookies())),
        chain=tuple(f"{answer.status} {answer.url}" for answer in tracker.answers),
        error=problem or settled.error,
        console_errors=tracker.console_errors,
        closed=tuple(tracker.closed),
    )
    if seen.error or headers.get(proxy.mark_header.lower()) == proxy.mark:
        return _explain(seen, proxy)
    if not manner.pictures:
        return seen
    return replace(seen, screenshot=await _picture(tab), aria=await _outline(tab))


async def _go(tab: Tab, url: str, conditions: Conditions) -> str:
    """Chromium's error name, or nothing when the document was committed."""
    until: Literal["domcontentloaded", "load"] = "domcontentloaded" if conditions.patient else "load"
    try:
        await tab.goto(url, wait_until=until, timeout=conditions.timeout * 1000)
    except LateError:
        return "timed out"
    except Error as error:
        line = _first_line(error)
        if "crashed" in line or "closed" in line:
            raise
        return line.partition(" at http")[0].removeprefix("Page.goto: ").removeprefix("net::")
    with contextlib.suppress(Error):
        await tab.wait_for_load_state("load", timeout=5_000)
    return ""


async def _settle(tab: Tab, tracker: Tracker, url: str, manner: Manner, patience: float) -> View:
    """Read the page until it is filled, holds what is needed, or patience ends."""
    needed, frames, patient = manner.needed, manner.conditions.frames, manner.conditions.patient
    began = changed = monotonic()
    before = (-1, -1)
    limit = patience
    view = View(url, error="the page could not be read")
    while True:
        view = await _snapshot(tab, frames=frames) or view
        waited = monotonic() - began
        if visible(needed, view.text, url) or waited >= limit or tracker.crashed.is_set():
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
        return 0.0
    if len(view.text) >= ENOUGH_TEXT:
        return patience / 2 if needed else 0.0
    return patience


async def _snapshot(tab: Tab, *, frames: bool) -> View | None:
    try:
        html = (await tab.content())[:HTML_LIMIT]
        title = await tab.title()
    except Error:
        return None  # it is navigating; the next look sees more
    main = await _frame_text(tab.main_frame, _TEXT if frames else _OWN_TEXT)
    if main is None:
        return None
    others = [frame for frame in tab.frames[1:FRAMES] if frames and frame != tab.main_frame]
    texts = [main, *[await _frame_text(frame) or "" for frame in others]]
    joined = "\n".join(text for text in texts if text)[:TEXT_LIMIT]
    return View(tab.url, title=title[:500], html=html, text=joined, main_text=main)


async def _frame_text(frame: Frame, script: str = _TEXT) -> str | None:
    """What a frame shows, None when that could not be read; hidden frames and Chromium's error pages show nothing."""
    if frame.url.startswith("chrome-error:"):
        return ""
    try:
        async with asyncio.timeout(3):
            if frame.parent_frame and not await (await frame.frame_element()).is_visible():
                return ""
            return str(await frame.evaluate(script))
    except (Error, TimeoutError):
        return None


async def _last_answer(tracker: Tracker) -> tuple[int | None, dict[str, str]]:
    if not tracker.answers:
        return None, {}
    last = tracker.answers[-1]
    try:
        async with asyncio.timeout(3):
            return last.status, await last.all_headers()
    except (Error, TimeoutError):
        return last.status, dict(last.headers)


def _final(tab: Tab, tracker: Tracker, asked: str) -> str:
    if tab.url.startswith(("http://", "https://")):
        return tab.url
    return tracker.answers[-1].url if tracker.answers else asked


def _explain(view: View, proxy: EgressProxy) -> View:
    """What the proxy knows of an address that Chromium could not get to; its own answers are not the site's."""
    ours = view.headers.get(proxy.mark_header.lower()) == proxy.mark
    if not ours and "TUNNEL" not in view.error:
        return view
    bare = replace(view, status=None, headers={}, html="", text="", main_text="", title="") if ours else view
    if proxy.denials and view.status not in {502, 504}:
        denial = proxy.denials[-1]
        return replace(bare, error=f"denied by our guard: {denial.host}: {denial.reason}", denied=True)
    if proxy.failures:
        return replace(bare, error=proxy.failures[-1].reason)
    return replace(bare, error=bare.error or "no connection")


async def _picture(tab: Tab) -> bytes:
    try:
        return await tab.screenshot(type="jpeg", quality=55, timeout=6_000, animations="disabled")
    except Error:
        return b""


async def _outline(tab: Tab) -> str:
    try:
        return await tab.locator("body").aria_snapshot(timeout=3_000)
    except Error:
        return ""


def _first_line(error: Error) -> str:
    return (error.message.strip().splitlines() or [type(error).__name__])[0][:200]
