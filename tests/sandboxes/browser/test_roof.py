"""A browser has a roof over its memory and processes, is nobody's but its own user's, and ends when it is told to."""

import asyncio
import os
import shutil
import signal
from pathlib import Path

import pytest
from playwright.async_api import BrowserContext, async_playwright

from probes import ArtifactStore, WebCaps
from probes.web import browser_visit
from probes.web.judge import read
from probes.web.observe import look
from probes.web.record import Record
from probes.web.web import open_web
from sandboxes.browser import chromium
from sandboxes.browser.chromium import BrowserPool, launch
from tests.lab.web import Lab
from tests.probes.browser.test_crash import children
from tests.probes.conftest import SILENT, in_lab

pytestmark = [pytest.mark.browser]


async def browsers() -> dict[int, str]:
    """Every process of a Chromium below this one, with its command line."""
    listed = await asyncio.to_thread(children, os.getpid())
    return {pid: command for pid, command in listed if "chrom" in command and "playwright" not in command.split()[0]}


def owner(pid: int) -> int:
    return Path(f"/proc/{pid}").stat().st_uid


def environment(pid: int) -> str:
    return Path(f"/proc/{pid}/environ").read_text()


def memory(pids) -> int:
    """In megabytes, without files."""
    total = 0
    for pid in pids:
        try:
            told = Path(f"/proc/{pid}/status").read_text().splitlines()
        except OSError:
            continue
        total += sum(int(line.split()[1]) for line in told if line.startswith(("RssAnon", "RssShmem")))
    return total // 1000


async def most_memory(until: asyncio.Event, spared: set[int]) -> int:
    most = 0
    while not until.is_set():
        most = max(most, memory(set(await browsers()) - spared))
        await asyncio.sleep(0.1)
    return most


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("scenario", "caps", "told"),
    [
        ("greedy", WebCaps(memory_mb=700), "MB, may take at most 700 MB"),
        ("crowd", WebCaps(processes=15), "processes, may take at most 3000 MB and 15 processes"),
    ],
)
async def test_a_page_that_takes_too_much_is_stopped_and_told_and_the_next_one_is_read(tmp_path, scenario, caps, told):
    record, over, spared = Record(ArtifactStore(tmp_path)), asyncio.Event(), set(await browsers())
    hosts = {"greedy.test": scenario, "calm.test": "article"} | {f"f{n}.test": "article" for n in range(20)}
    async with (
        Lab(hosts=hosts) as lab,
        BrowserPool(caps) as pool,
        open_web(in_lab(lab, caps=caps), (SILENT,), pool=pool) as web,
    ):
        watching = asyncio.create_task(most_memory(over, spared))
        seen = await look(web, "https://greedy.test/page", (), record, patience=6.0, neighbours=False)
        over.set()
        most = await watching
        calm = await look(web, "https://calm.test/page", (), record, patience=0.5, neighbours=False)
    assert read(seen).kind == "unknown"
    assert told in read(seen).detail
    assert most < caps.memory_mb + 1_000
    assert read(calm).kind == "ok"


@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("setpriv"), reason="only root can make it another user")
async def test_root_s_browser_is_another_user_s_and_knows_none_of_our_secrets(monkeypatch):
    monkeypatch.setenv("SOME_SERVICE_KEY", "canary")
    spared = set(await browsers())
    async with async_playwright() as playwright:
        started = await launch(playwright)
        mine = set(await browsers()) - spared
        assert mine
        assert not [pid for pid in mine if owner(pid) == 0]
        assert not [pid for pid in mine if "canary" in environment(pid)]
        assert "as a user of its own" in started.sandbox
        await started.close()
    assert set(await browsers()) <= spared


async def test_a_page_that_does_not_let_go_is_read_all_the_same_and_its_browser_gets_no_other(tmp_path, monkeypatch):
    async def never(_: BrowserContext) -> None:
        await asyncio.sleep(60)

    monkeypatch.setattr(browser_visit, "LEAVE_SECONDS", 0.3)
    record = Record(ArtifactStore(tmp_path))
    async with (
        Lab() as lab,
        BrowserPool() as pool,
        open_web(in_lab(lab), (SILENT,), pool=pool) as web,
    ):
        with monkeypatch.context() as stuck:
            stuck.setattr(BrowserContext, "close", never)
            seen = await look(web, "https://article.lab.example/page", (), record, patience=0.5, neighbours=False)
        after = await look(web, "https://sensors.lab.example/page", (), record, patience=0.5, neighbours=False)
        assert [read(one).kind for one in (seen, after)] == ["ok", "ok"]
        assert pool.started == 2


async def test_a_browser_that_does_not_answer_any_more_ends_all_the_same(monkeypatch):
    monkeypatch.setattr(chromium, "CLOSE_SECONDS", 0.5)
    spared = set(await browsers())
    async with async_playwright() as playwright:
        started = await launch(playwright)
        for pid in set(await browsers()) - spared:
            os.kill(pid, signal.SIGSTOP)
        await started.close()
        await asyncio.sleep(0.2)
        assert set(await browsers()) <= spared
