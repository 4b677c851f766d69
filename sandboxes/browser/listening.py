"""What a page says while it is open: answers to navigations, errors, dialogs, popups and downloads."""

import asyncio
import contextlib
from typing import Any

from playwright.async_api import Dialog, Download, Error, Page, Request, Response

from cases.sites import of_one_site
from sandboxes.browser.urls import host_of

_DATA = frozenset({"fetch", "xhr"})
_REFUSED = 400


class Tracker:
    """Listens to one page: main-frame answers, console errors, and what has to be dismissed."""

    def __init__(self, tab: Page) -> None:
        """Listen from now on."""
        self.tab = tab
        self.answers: list[Response] = []
        self.failed: list[str] = []
        """Addresses that the main frame set out for in vain."""
        self.asked: dict[str, str] = {}
        """What scripts of the page asked its own site for and did not get, by address: its end, or nothing yet."""
        self.pictures: set[str] = set()
        """Addresses of the pictures that the page and its frames loaded, whatever shows them; `data:` ones too."""
        self.console_errors = 0
        self.closed: list[str] = []
        self.crashed = asyncio.Event()
        tab.on("request", self._request)
        tab.on("response", self._response)
        tab.on("requestfinished", self._came)
        tab.on("requestfailed", self._request_failed)
        tab.on("console", lambda message: self._console(message.type))
        tab.on("pageerror", lambda _: self._console("error"))
        tab.on("crash", lambda _: self.crashed.set())
        tab.on("dialog", self._dialog)
        tab.on("download", self._download)
        tab.context.on("page", self._popup)

    async def hear_pictures(self) -> None:
        """Hear of pictures within style sheets and documents, of which Playwright does not tell.

        Source: Chrome DevTools Protocol, Network.requestWillBeSent.
        """
        client = await self.tab.context.new_cdp_session(self.tab)
        client.on("Network.requestWillBeSent", self._picture)
        await client.send("Network.enable")

    def _picture(self, asked: dict[str, Any]) -> None:
        if asked.get("type") == "Image":
            self.pictures.add(asked["request"]["url"])

    def _request(self, request: Request) -> None:
        with contextlib.suppress(Error):
            if request.resource_type == "image":
                self.pictures.add(request.url)
            if request.resource_type in _DATA and of_one_site(host_of(request.url), host_of(self.tab.url)):
                self.asked[request.url] = ""

    def _response(self, response: Response) -> None:
        with contextlib.suppress(Error):
            if response.request.is_navigation_request() and response.frame == self.tab.main_frame:
                self.answers.append(response)
            elif response.url in self.asked and response.status >= _REFUSED:
                self.asked[response.url] = f"status {response.status}"

    def _came(self, request: Request) -> None:
        if self.asked.get(request.url) == "":
            del self.asked[request.url]

    def _request_failed(self, request: Request) -> None:
        with contextlib.suppress(Error):
            gave_way = "ABORTED" in (request.failure or "")
            if request.is_navigation_request() and request.frame == self.tab.main_frame and not gave_way:
                self.failed.append(request.url)
            elif request.url in self.asked:
                self.asked[request.url] = request.failure or "failed"

    def _console(self, kind: str) -> None:
        self.console_errors += kind == "error"

    def unanswered(self) -> tuple[str, ...]:
        """What the page's own scripts asked its site for in vain, each with how that ended."""
        return tuple(f"{url}: {how or 'no answer'}" for url, how in self.asked.items())

    async def _dialog(self, dialog: Dialog) -> None:
        self.closed.append(f"dialog ({dialog.type})")
        with contextlib.suppress(Error):
            await dialog.dismiss()

    async def _download(self, download: Download) -> None:
        self.closed.append("download")
        with contextlib.suppress(Error):
            await download.cancel()

    async def _popup(self, tab: Page) -> None:
        if tab != self.tab:
            self.closed.append("popup")
            with contextlib.suppress(Error):
                await tab.close()
