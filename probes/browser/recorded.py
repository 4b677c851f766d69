"""A visit once more from its own HTTP archive: no network, the same browser, the same reading."""

import asyncio
import json
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from cases import patterns as re
from cases.sentences import Sentences
from probes.artifacts import ArtifactStore
from probes.model import Artifact, Finding, Hypothesis
from probes.web.browser_visit import CrashError, visit
from probes.web.record import Record
from probes.web.rules import classify
from probes.web.snapshot import Manner
from sandboxes.browser.chromium import BrowserPool
from sandboxes.egress import EgressProxy, HostsPolicy

say = Sentences(__name__)

_ARCHIVE = re.compile(r"^(?P<stem>.+-(?P<number>\d+))\.har\.zip$")
_MOST = 64 * 2**20
"""Bytes of an exchange that are read; a stream may hold far more than its archive says."""
_CAPTURED = {
    ".text.txt": "visible text",
    ".aria.txt": "accessibility outline",
    ".dom.txt": "document after scripts",
    ".main.txt": "main text",
}
_CONSOLE = re.compile(r"; \d+ console errors")
"""What a page's scripts complain of hangs on what was not recorded."""


class Compared(NamedTuple):
    """One observation of a finding, then and from the archive."""

    finding: str
    what: str
    then: str
    now: str

    @property
    def agrees(self) -> bool:
        """Whether both are the same."""
        return self.then == self.now


async def from_archives(
    findings: tuple[Finding, ...], hypotheses: tuple[Hypothesis, ...], read: Callable[[str], bytes]
) -> list[Compared]:
    """Every visit of these findings whose archive was kept, compared observation by observation.

    Args:
        findings: The browser's are taken.
        hypotheses: What they are about.
        read: The bytes of an artifact by its SHA-256.

    Raises:
        ProbeUnavailableError: there is no Chromium.
    """
    needed = {entry.id: entry.targets.needed_text for entry in hypotheses}
    kept = [
        (finding, artifact, match)
        for finding in findings
        if finding.probe == "browser"
        for artifact in finding.artifacts
        if (match := _ARCHIVE.match(artifact.name))
    ]
    if not kept:
        return []
    rows: dict[tuple[str, str], list[Compared]] = {}
    async with BrowserPool() as pool:
        for finding, artifact, match in kept:
            if (finding.id, artifact.name) not in rows:
                manner = Manner(needed=needed.get(finding.hypothesis, ()))
                seen = await _again(pool, read(artifact.sha256), manner, int(match["number"]))
                rows[finding.id, artifact.name] = list(_compared(finding, match["stem"], seen))
    return [row for found in rows.values() for row in found]


async def _again(pool: BrowserPool, archive: bytes, manner: Manner, number: int) -> "Record | str":
    """What the visit leaves behind this time, or why there was none."""
    with tempfile.TemporaryDirectory(prefix="impassable-recorded-") as folder:
        path = Path(folder) / "visit.zip"
        path.write_bytes(archive)
        url = asked(path)
        if not url:
            return say("recorded.archive_holds_no")
        record = Record(ArtifactStore(Path(folder) / "store"))
        async with EgressProxy(HostsPolicy(())) as proxy, pool.browser() as started:
            try:
                view = await visit(started, url, proxy, replace(manner, recorded=path))
            except CrashError as error:
                return say("recorded.browser_crashed", error=error)
        matches = await asyncio.to_thread(classify, view.page(url)) if view.status or view.html else ()
        await asyncio.to_thread(record.view, url, view, matches, 0.0, number)
        return record


def asked(archive: Path) -> str:
    """The address that the visit began with."""
    try:
        with zipfile.ZipFile(archive) as source:
            name = next(name for name in source.namelist() if name.endswith(".har"))
            with source.open(name) as exchange:
                return str(json.loads(exchange.read(_MOST))["log"]["entries"][0]["request"]["url"])
    except (zipfile.BadZipFile, zlib.error, StopIteration, ValueError, LookupError, TypeError, RecursionError):
        return ""


def _compared(finding: Finding, stem: str, seen: "Record | str") -> Iterator[Compared]:
    if isinstance(seen, str):
        yield Compared(finding.id, stem, "a visit", seen)
        return
    [now] = [_plain(entry.value) for entry in seen.observations if entry.name == "browser"]
    told = [_plain(entry.value) for entry in finding.observations if entry.name == "browser"]
    yield Compared(finding.id, f"{stem}: browser", now if now in told else "; or ".join(told) or "nothing", now)
    then, again = (_captured(artifacts, stem) for artifacts in (finding.artifacts, tuple(seen.artifacts)))
    for ending, what in _CAPTURED.items():
        if ending in then or ending in again:
            yield Compared(finding.id, f"{stem}: {what}", then.get(ending, "none"), again.get(ending, "none"))


def _plain(value: str) -> str:
    return _CONSOLE.sub("", value)


def _captured(artifacts: tuple[Artifact, ...], stem: str) -> dict[str, str]:
    """Digests by ending."""
    return {
        artifact.name.removeprefix(stem): f"sha256 {artifact.sha256}"
        for artifact in artifacts
        if artifact.name.startswith(stem) and artifact.name.removeprefix(stem) in _CAPTURED
    }
