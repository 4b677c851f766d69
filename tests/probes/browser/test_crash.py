"""A browser that goes away in mid visit, and what is left of one afterwards."""

import asyncio
import os
import signal
from pathlib import Path

import pytest

from probes import ArtifactStore
from probes.browser import BrowserProbe
from probes.web.judge import read
from probes.web.observe import look
from probes.web.record import Record
from probes.web.web import open_web
from tests.lab.web import Lab
from tests.probes.conftest import CONTROL, SILENT, audit, hypothesis, in_lab

pytestmark = [pytest.mark.browser]


def children(of: int) -> list[tuple[int, str]]:
    """Descendants of a process with their command lines."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text()
                command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except OSError:
                continue
            parents[int(entry.name)] = (int(stat.rpartition(")")[2].split()[1]), command)
    found, queue = [], [of]
    while queue:
        parent = queue.pop()
        for pid, (above, command) in parents.items():
            if above == parent:
                found.append((pid, command))
                queue.append(pid)
    return found


async def browser_processes() -> list[int]:
    listed = await asyncio.to_thread(children, os.getpid())
    return [pid for pid, command in listed if "--remote-debugging-pipe" in command and "--type=" not in command]


async def kill_when_asked(lab: Lab, host: str, times: int, spared: list[int]) -> int:
    killed = 0
    while killed < times:
        await asyncio.sleep(0.05)
        if lab.visits(host) > killed:
            for pid in set(await browser_processes()) - set(spared):
                os.kill(pid, signal.SIGKILL)
            killed += 1
    return killed


@pytest.mark.exhaustive
@pytest.mark.parametrize(("times", "kind"), [(1, "ok"), (2, "unknown")])
async def test_a_browser_killed_in_mid_visit_is_started_once_more(tmp_path, times, kind):
    record, before = Record(ArtifactStore(tmp_path)), await browser_processes()
    async with Lab(hosts={"slow.test": "slow"}) as lab, open_web(in_lab(lab), (SILENT,)) as web:
        killer = asyncio.create_task(kill_when_asked(lab, "slow.test", times, before))
        seen = await look(web, "https://slow.test/page", (), record, patience=1.0)
        killer.cancel()
        await asyncio.gather(killer, return_exceptions=True)
    assert read(seen).kind == kind
    assert sum("crashed (attempt" in item.value for item in record.observations) == times
    assert await browser_processes() == before


async def test_an_audit_leaves_no_process_behind(lab, tmp_path):
    before = await browser_processes()
    async with audit(tmp_path, in_lab(lab), fresh=True) as context:
        await BrowserProbe(resolvers=(SILENT, SILENT))(hypothesis(CONTROL), context)
        assert set(await browser_processes()) > set(before)
    assert await browser_processes() == before
