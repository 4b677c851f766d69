"""What a browser visit with all layers and evidence costs, against raw Playwright on the same lab in the same run.

`python benchmarks/browser.py [--urls 40] [--memory]` from the repository's root; prints one line a measurement, and
leaves with 1 when a bar is missed. Both sides use the same Chromium, a fresh context and a proxy for each URL.
"""

import argparse
import asyncio
import os
import statistics
import sys
import tempfile
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from time import monotonic, sleep

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from playwright.async_api import Browser

from probes import ArtifactStore, WebCaps, WebSettings
from probes.web.judge import read
from probes.web.observe import look
from probes.web.record import Record
from probes.web.web import Web, open_web
from sandboxes.browser.chromium import BrowserPool
from sandboxes.egress import Resolution
from tests.lab.web import Lab

RATIO = 1.5
GROWTH = 1.1
NEEDED = ("1148 Wheeler Avenue",)


class Silence:
    """Knows no names: everything is mapped."""

    name = "silent"

    async def resolve(self, _: str) -> Resolution:
        """Nothing."""
        return Resolution(self.name, "nxdomain")


async def raw(browser: Browser, web: Web, url: str, folder: Path) -> None:
    """Goto, screenshot and HAR, and nothing else."""
    async with web.proxy() as proxy:
        context = await browser.new_context(
            proxy={"server": f"http://{proxy.address}", "bypass": "<-loopback>"},
            record_har_path=folder / f"{abs(hash(url))}.zip",
            record_har_content="attach",
            viewport={"width": 1280, "height": 900},
        )
        page = await context.new_page()
        await page.goto(url)
        await page.screenshot(type="jpeg", quality=55)
        await context.close()


async def timed(urls: list[str], one: Callable[[str], Awaitable[None]], at_once: int) -> list[float]:
    """Seconds that each URL took."""
    gate, taken = asyncio.Semaphore(at_once), list[float]()

    async def single(url: str) -> None:
        async with gate:
            began = monotonic()
            await one(url)
            taken.append(monotonic() - began)

    await asyncio.gather(*(single(url) for url in urls))
    return taken


async def speed(urls: list[str], web: Web, folder: Path, lab: Lab) -> bool:
    """Ratios at concurrency 1 and 4, the two sides in alternating blocks so that a busy machine hits both."""
    keys = await web.lab_keys()
    fine = True

    async def ours(url: str) -> None:
        seen = await look(web, url, NEEDED, Record(ArtifactStore(folder / "store")))
        assert read(seen).kind == "ok", read(seen).detail

    async with web.pool.browser(keys) as started:

        async def bare(url: str) -> None:
            await raw(started.browser, web, url, folder)

        await bare(urls[0])
        await ours(urls[0])
        before = len(lab.asked)
        for at_once in (1, 4):
            mine, theirs = list[float](), list[float]()
            for start in range(0, len(urls), 8):
                block = urls[start : start + 8]
                theirs += await timed(block, bare, at_once)
                mine += await timed(block, ours, at_once)
            a, b = statistics.median(mine), statistics.median(theirs)
            told = f"{len(mine)} URLs, {at_once} at once: visit {a:.3f} s, raw {b:.3f} s, ratio {a / b:.2f}"
            fine &= a / b <= RATIO
            say(f"{told} (bar {RATIO})")
    pages = sum("upgrade-insecure-requests" in headers for _, _, headers in lab.asked[before:])
    say(f"browser page requests a visit: {pages / (len(urls) * 4):.2f} (bar 1)")
    return fine and pages == len(urls) * 4


class Memory(threading.Thread):
    """Peak of the proportional set size of this process's Chromium processes and of itself, in MB."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.peak = 0.0
        self.going = True

    def run(self) -> None:
        while self.going:
            self.peak = max(self.peak, sum(map(_pss, _family())))
            sleep(0.25)

    def end(self) -> float:
        self.going = False
        self.join()
        return self.peak


def _family() -> list[int]:
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    family, queue = [os.getpid()], [os.getpid()]
    while queue:
        above = queue.pop()
        below = [pid for pid, parent in parents.items() if parent == above]
        family += below
        queue += below
    return family


def _pss(pid: int) -> float:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return next((float(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:")), 0.0)


async def memory(urls: list[str], settings: WebSettings, folder: Path) -> float:
    """Peak MB of visits to the URLs with a pool of their own, four at once."""
    sampler = Memory()
    sampler.start()
    async with BrowserPool() as pool, open_web(settings, (Silence(),), pool=pool) as web:

        async def ours(url: str) -> None:
            await look(web, url, NEEDED, Record(ArtifactStore(folder / "store")))

        await timed(urls, ours, 4)
    return sampler.end()


def say(text: str) -> None:
    """One line of the result."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


async def main(count: int, *, with_memory: bool) -> bool:
    """Measure on one lab."""
    hosts = {f"bench{number}.test": "article" for number in range(200 if with_memory else count)}
    with tempfile.TemporaryDirectory(prefix="impassable-bench-") as name:
        folder = Path(name)
        async with Lab(hosts=hosts) as lab:
            settings = WebSettings(resolve=lab.resolve, lab_ca=lab.ca, caps=WebCaps(visits=10_000))
            urls = [f"https://{host}/page" for host in hosts]
            fine = True
            if with_memory:
                await memory(urls[:4], settings, folder)  # what is loaded once
                small = await memory(urls[:40], settings, folder)
                large = await memory(urls, settings, folder)
                fine &= large <= small * GROWTH
                say(f"peak memory: 40 URLs {small:.0f} MB, 200 URLs {large:.0f} MB, {large / small:.2f} (bar {GROWTH})")
            else:
                async with open_web(settings, (Silence(),)) as web:
                    fine &= await speed(urls, web, folder, lab)
    return fine


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--urls", type=int, default=40)
    parser.add_argument("--memory", action="store_true", help="measure peak memory instead of time")
    given = parser.parse_args()
    sys.exit(0 if asyncio.run(main(given.urls, with_memory=given.memory)) else 1)
