"""One visit with a real browser: a fresh context, its own guarded way out, and everything a person would see.

That no context is used twice is deliberate: cookies, storage, caches and permissions of one visit must not colour the
next.
"""

import asyncio
import contextlib
import tempfile
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Literal

from playwright.async_api import BrowserContext, Error
from playwright.async_api import Page as Tab
from playwright.async_api import TimeoutError as LateError

from cases.sentences import Sentences
from probes.web.clocks import KEPT
from probes.web.conditions import Conditions
from probes.web.pointing import extent, point
from probes.web.pressing import SECONDS, UNUSABLE, press
from probes.web.rules import classify
from probes.web.settling import settle
from probes.web.snapshot import Manner, View
from sandboxes.browser.chromium import Started
from sandboxes.browser.har import without_secrets
from sandboxes.browser.listening import Tracker
from sandboxes.browser.shape import covering, measure
from sandboxes.browser.urls import host_of
from sandboxes.egress import EgressProxy

say = Sentences(__name__)

_NETWORK_CHANGES = 3
LEAVE_SECONDS = 5


class CrashError(Exception):
    """The browser or its page went away in mid visit."""


async def visit(started: Started, url: str, proxy: EgressProxy, manner: Manner) -> View:
    """Open `url` and read it.

    Raises:
        CrashError: the browser went away, or part of it had to be ended: what is left of a page then is not the page.
    """
    began = monotonic()
    try:
        view = await _recorded(started, url, proxy, manner)
    except CrashError as crash:
        raise CrashError(started.roof.since(began) or str(crash)) from crash
    if why := started.roof.since(began):
        raise CrashError(why)
    return view


async def _recorded(started: Started, url: str, proxy: EgressProxy, manner: Manner) -> View:
    with tempfile.TemporaryDirectory(prefix="impassable-har-") as folder:
        archive = Path(folder) / "visit.zip" if manner.har else None
        view = await _visit(started, url, proxy, manner, archive)
        if archive and archive.exists():
            view = replace(view, har=await asyncio.to_thread(without_secrets, archive))
    return view


async def _visit(started: Started, url: str, proxy: EgressProxy, manner: Manner, archive: Path | None) -> View:
    conditions, pressing = manner.conditions, 2 * SECONDS if manner.pressing else 0
    try:
        async with asyncio.timeout(
            conditions.timeout * (2 if manner.entrance else 1) + manner.patience + 30 + pressing
        ):
            context = await started.browser.new_context(
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
                if manner.recorded:
                    await context.route_from_har(manner.recorded, not_found="abort")
                return await _read(context, url, proxy, manner)
            finally:
                await _leave(started, context)
    except TimeoutError:
        return View(url, error=say("browser_visit.visit_took_too"))
    except LateError:
        return View(url, error=say("browser_visit.page_not_answer"))
    except Error as error:
        raise CrashError(_first_line(error)) from error


async def _leave(started: Started, context: BrowserContext) -> None:
    """What was read stays read, also where a page does not let go: its archive waits for ever for some plug-ins."""
    try:
        async with asyncio.timeout(LEAVE_SECONDS):
            await context.close()
    except TimeoutError:
        started.stuck = True
    except Error:
        pass


async def _read(context: BrowserContext, url: str, proxy: EgressProxy, manner: Manner) -> View:
    if manner.pressing:
        await context.add_init_script(KEPT)
    tab = await context.new_page()
    tracker = Tracker(tab)
    await tracker.hear_pictures()
    if manner.entrance:
        await _go(tab, manner.entrance, manner.conditions)
        tracker.answers.clear()
    began = monotonic()
    problem = await _go(tab, url, manner.conditions)
    settled = View(url)
    if not problem or tab.url.startswith("http"):  # otherwise the text is Chromium's own error page
        settled = await settle(tab, tracker, url, manner, 0 if problem else manner.patience)
    settled = replace(settled, seconds=round(monotonic() - began, 1))
    if tracker.crashed.is_set() or not context.browser or not context.browser.is_connected():
        raise CrashError(say("browser_visit.page_crashed"))
    status, headers = await _last_answer(tracker)
    lost = not problem and tab.url.startswith("chrome-error:")
    seen = replace(
        settled,
        shape=await measure(tab, frames=manner.conditions.frames, pictures=tracker.pictures),
        onward=_onward(tracker, url, headers, proxy) if problem or lost or _ours(headers, proxy) else "",
        url=_final(tab, tracker, url),
        status=status,
        headers=headers,
        cookies=tuple(dict.fromkeys(cookie["name"] for cookie in await context.cookies())),
        chain=tuple(f"{answer.status} {answer.url}" for answer in tracker.answers),
        error=problem or settled.error or ("ERR_TUNNEL_CONNECTION_FAILED" if lost else ""),
        console_errors=tracker.console_errors,
        closed=tuple(tracker.closed),
        covered=await covering(tab),
        unanswered=tracker.unanswered(),
    )
    if seen.error or _ours(headers, proxy):
        return _explain(seen, proxy)
    return await _pictured(tab, tracker, url, manner, seen) if manner.pictures else seen


async def _pictured(tab: Tab, tracker: Tracker, url: str, manner: Manner, seen: View) -> View:
    """The same with its pictures and, where that is asked for, what came of pressing its controls."""
    walls = await asyncio.to_thread(classify, seen.page(url))
    box = await point(tab, seen.page(url), manner.needed, walls)
    reaching = await extent(tab)
    shot, outline = await _picture(tab), await _outline(tab)
    exact = await _exact_picture(tab) if manner.har and any(wall.decisive for wall in walls) else b""
    seen = replace(seen, screenshot=shot, aria=outline, box=box, extent=reaching, lossless=exact)
    if manner.pressing and UNUSABLE.issuperset(wall.barrier for wall in walls):
        return replace(seen, pressed=await press(tab, tracker, manner, url, seen.said))
    return seen


async def _go(tab: Tab, url: str, conditions: Conditions) -> str:
    """Chromium's error name, or nothing when the document was committed.

    A container that starts or ends on this machine changes its interfaces, and Chromium then drops what it was doing.
    """
    problem = ""
    for _ in range(_NETWORK_CHANGES + 1):
        problem = await _goto(tab, url, conditions)
        if "NETWORK_CHANGED" not in problem:
            break
    return problem


async def _goto(tab: Tab, url: str, conditions: Conditions) -> str:
    until: Literal["domcontentloaded", "load"] = "domcontentloaded" if conditions.patient else "load"
    try:
        await tab.goto(url, wait_until=until, timeout=conditions.timeout * 1000)
    except LateError:
        return say("browser_visit.timed_out")
    except Error as error:
        line = _first_line(error)
        if "crashed" in line or "closed" in line:
            raise
        return line.partition(" at http")[0].removeprefix("Page.goto: ").removeprefix("net::")
    with contextlib.suppress(Error):
        await tab.wait_for_load_state("load", timeout=5_000)
    return ""


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


def _ours(headers: dict[str, str], proxy: EgressProxy) -> bool:
    """Whether an answer is the proxy's own."""
    return headers.get(proxy.mark_header.lower()) == proxy.mark


def _onward(tracker: Tracker, asked: str, headers: dict[str, str], proxy: EgressProxy) -> str:
    """The address at another host where a visit that began well was lost."""
    last = tracker.answers[-1].url if tracker.answers and _ours(headers, proxy) else ""
    there = tracker.failed[-1] if tracker.failed else last
    return there if host_of(there) not in {"", host_of(asked)} else ""


def _explain(view: View, proxy: EgressProxy) -> View:
    """What the proxy knows of an address that Chromium could not get to; its own answers are not the site's."""
    ours = _ours(view.headers, proxy)
    if not ours and "TUNNEL" not in view.error:
        return view
    bare = replace(view, status=None, headers={}, html="", text="", main_text="", title="") if ours else view
    there = host_of(view.onward)
    denials = [denial for denial in proxy.denials if there in {"", denial.host}]
    failures = [failure for failure in proxy.failures if there in {"", failure.host}]
    if denials and view.status not in {502, 504}:
        denial = denials[-1]
        return replace(
            bare, error=say("browser_visit.denied_our_guard", host=denial.host, reason=denial.reason), denied=True
        )
    if failures:
        return replace(bare, error=failures[-1].reason)
    return replace(bare, error=bare.error or say("browser_visit.no_connection"))


async def _picture(tab: Tab) -> bytes:
    try:
        return await tab.screenshot(type="jpeg", quality=55, timeout=6_000, animations="disabled")
    except Error:
        return b""


async def _exact_picture(tab: Tab) -> bytes:
    try:
        return await tab.screenshot(type="png", timeout=6_000, animations="disabled")
    except Error:
        return b""


async def _outline(tab: Tab) -> str:
    try:
        return await tab.locator("body").aria_snapshot(timeout=3_000)
    except Error:
        return ""


def _first_line(error: Error) -> str:
    return (error.message.strip().splitlines() or [type(error).__name__])[0][:200]
