"""Finding and starting Chromium, and one browser for a whole batch of audits."""

import asyncio
import os
import shutil
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from playwright.async_api import Browser, Error, Playwright, async_playwright

from cases import EnvironmentNotReady
from cases.sentences import Sentences
from sandboxes.browser.caps import WebCaps
from sandboxes.browser.roof import Roof
from sandboxes.browser.starting import attempts

say = Sentences(__name__)

REMEDY = "run `playwright install chromium`, or install the system's `chromium` package"
_SYSTEM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

# The browser may speak to the proxy of its context only: a dead proxy by default, no resolver of its own, no
# datagrams beside the proxy, nothing in the background.
_ARGUMENTS = (
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--disable-quic",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-sync",
    "--dns-prefetch-disable",
    "--no-pings",
    "--no-first-run",
)
OFF = (
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades", "MediaRouter"),
    *("HttpsFirstBalancedModeAutoEnable", "LensOverlay", "PaintHolding", "ThirdPartyStoragePartitioning"),
    *("AvoidCorsURLLoaderRestartOnRedirect", "TcpPortRandomizationWin", "OptimizationHints", "PreconnectToSearch"),
    *("NetworkTimeServiceQuerying", "AimEnabled", "msForceBrowserSignIn", "msEdgeUpdateLaunchServicesPreferredVersion"),
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup"),
)
"""Chromium's features that are switched off: Playwright's own list, which a second one replaces, and the pages of the
address bar, which nobody sees here and which took two thirds of the work of a visit."""
SHARED = Path("/dev/shm")  # noqa: S108 - where Chromium shares memory between its processes, unless told otherwise
SHARED_BYTES = 1_000_000_000
"""With less there, as in an ordinary container, what is shared becomes files, which no limit of memory counts."""
CLOSE_SECONDS = 15
_NOWHERE = "http://127.0.0.1:9"
_ENVIRONMENT = ("PATH", "HOME", "TMPDIR", "LANG", "LANGUAGE", "LC_ALL", "TZ", "LD_LIBRARY_PATH", "FONTCONFIG_FILE")
"""All that a browser gets to know of ours: no keys, no proxies, no passwords."""


def find_chromium(playwright: Playwright) -> Path:
    """Playwright's own Chromium if it is there, else the system's.

    Raises:
        EnvironmentNotReady: neither is there.
    """
    own = Path(playwright.chromium.executable_path)
    if own.exists():
        return own
    for name in _SYSTEM:
        if found := shutil.which(name):
            return Path(found)
    raise EnvironmentNotReady(say("chromium.no_chromium_found_run"))


def _shared() -> tuple[str, ...]:
    roomy = SHARED.is_dir() and shutil.disk_usage(SHARED).free >= SHARED_BYTES
    return () if roomy else ("--disable-dev-shm-usage",)


@dataclass
class Started:
    """A running browser and how it is guarded."""

    browser: Browser
    sandbox: str
    """A few words on Chromium's own sandbox, and on whose process it is."""
    roof: Roof
    stuck: bool = False
    """Whether a page of it does not let go, so that it must not be given another."""

    @property
    def sandboxed(self) -> bool:
        """Whether Chromium's own sandbox is on."""
        return self.sandbox.startswith("on")

    async def close(self) -> None:
        """End it, whether or not it wants to."""
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                await self.browser.close()
        except (Error, TimeoutError):
            pass  # it is gone already, or does not answer
        await asyncio.to_thread(self.roof.close)


async def launch(
    playwright: Playwright, trusted_keys: frozenset[str] = frozenset(), caps: WebCaps | None = None
) -> Started:
    """Start headless Chromium, with its sandbox wherever the platform allows it, and never as root where it need not.

    `trusted_keys` are base64 SHA-256 digests of public keys whose certificates are accepted: those of laboratory
    servers that the caller has verified.

    Raises:
        EnvironmentNotReady: no Chromium, or it does not start.
    """
    executable = find_chromium(playwright)
    caps, mark = caps or WebCaps(), f"--impassable={uuid.uuid4().hex}"
    arguments = [*_ARGUMENTS, f"--disable-features={','.join(OFF)}", mark, *_shared()]
    if trusted_keys:
        arguments.append(f"--ignore-certificate-errors-spki-list={','.join(sorted(trusted_keys))}")
    problem = ""
    for attempt in attempts():
        with attempt.begun(executable) as begun:
            try:
                browser = await playwright.chromium.launch(
                    executable_path=begun,
                    args=arguments,
                    chromium_sandbox=attempt.sandbox,
                    proxy={"server": _NOWHERE, "bypass": "<-loopback>"},
                    timeout=60_000,
                    env={name: os.environ[name] for name in _ENVIRONMENT if name in os.environ},
                )
            except Error as error:
                problem = str(error).strip().splitlines()[0][:200]
                continue
        roof = await asyncio.to_thread(Roof, mark, caps.memory_mb, caps.processes)
        return Started(browser, attempt.told, roof)
    raise EnvironmentNotReady(say("chromium.not_start_run_playwright", executable=executable, problem=problem))


async def check_browser() -> tuple[str, bool]:
    """Start Chromium once: its version, where it is and how it is guarded, and whether its own sandbox is on.

    Raises:
        EnvironmentNotReady: no Chromium, or it does not start; the message holds the remedy.
    """
    async with async_playwright() as playwright:
        started = await launch(playwright)
        try:
            where = f"Chromium {started.browser.version} ({find_chromium(playwright)})"
            return f"{where}, {started.roof.told}, sandbox {started.sandbox}", started.sandboxed
        finally:
            await started.close()


class _Lease:
    """One running browser and who uses it."""

    def __init__(self, started: Started, keys: frozenset[str]) -> None:
        self.started = started
        self.keys = keys
        self.pages = 0
        self.users = 0
        self.retired = False


class BrowserPool:
    """One Chromium for a whole batch; replaced when it crashed, was used often, or must trust a further key."""

    def __init__(self, caps: WebCaps | None = None) -> None:
        """Start nothing yet; `caps` say how many pages may be open at once and how many one browser opens."""
        caps = caps or WebCaps()
        self._manager = async_playwright()
        self._playwright: Playwright | None = None
        self._lease: _Lease | None = None
        self._all: list[_Lease] = []
        self._lock = asyncio.Lock()
        self._pages = asyncio.Semaphore(caps.pages_at_once)
        self._caps = caps
        self._open = 0
        self.started = 0
        """Browsers so far."""
        self.most_open = 0
        """Pages at once, at most, so far."""

    async def __aenter__(self) -> Self:
        """Start the driver; Chromium itself starts with the first visit."""
        self._playwright = await self._manager.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End every browser and the driver."""
        for lease in self._all:
            await lease.started.close()
        await self._manager.__aexit__(kind, error, trace)

    @asynccontextmanager
    async def browser(self, trusted_keys: frozenset[str] = frozenset()) -> AsyncIterator[Started]:
        """A running browser that accepts the certificates with these keys.

        Raises:
            EnvironmentNotReady: no Chromium, or it does not start.
        """
        async with self._pages:
            async with self._lock:
                if self._lease is None or not self._serves(self._lease, trusted_keys):
                    await self._replace(trusted_keys)
                lease = self._lease
                assert lease is not None
                lease.pages += 1
                lease.users += 1
            self._open += 1
            self.most_open = max(self.most_open, self._open)
            try:
                yield lease.started
            finally:
                self._open -= 1
                lease.users -= 1
                if lease.retired and not lease.users:
                    await self._drop(lease)

    def _serves(self, lease: _Lease, keys: frozenset[str]) -> bool:
        fresh = not (lease.retired or lease.started.stuck) and lease.pages < self._caps.pages_per_browser
        return fresh and keys <= lease.keys and lease.started.browser.is_connected()

    async def _replace(self, keys: frozenset[str]) -> None:
        old = self._lease
        if old:
            keys |= old.keys
            old.retired = True
            if not old.users:
                await self._drop(old)
        assert self._playwright is not None
        self._lease = _Lease(await launch(self._playwright, keys, self._caps), keys)
        self.started += 1
        self._all.append(self._lease)

    async def _drop(self, lease: _Lease) -> None:
        if lease in self._all:
            self._all.remove(lease)
        await lease.started.close()
