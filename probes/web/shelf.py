"""What the audits of a batch share of what they saw: a wall that many runs met is visited once."""

import asyncio
from collections import OrderedDict, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any, TypeVar

from cases.sentences import Sentences
from probes.artifacts import ArtifactStore
from probes.model import Artifact, Control, Observation
from probes.web.control_response import Beside
from probes.web.plain import Plain
from probes.web.record import Record
from probes.web.records import Look

say = Sentences(__name__)

TTL = 600.0
"""Seconds for which a control speaks for later audits of the same batch."""
_MOST = 400
"""Visits that are kept at most; the oldest go first."""
Seen = TypeVar("Seen", Look, Plain)


@dataclass(frozen=True)
class _Kept:
    """One visit, and what was written down of it."""

    at: float
    """On the monotonic clock."""
    seen: Any
    observations: tuple[Observation, ...]
    artifacts: tuple[Artifact, ...]


@dataclass
class Shelf:
    """What was seen, for a while, and never between vantages."""

    store: ArtifactStore | None = None
    """Keeps the artifacts of visits; without it visits are not shared."""
    controls: dict[str, tuple[float, Control, tuple[Observation, ...]]] = field(default_factory=dict)
    """Positive controls by vantage: when (monotonic), the control, and what was seen."""
    beside: dict[tuple[str, str], tuple[float, Beside]] = field(default_factory=dict)
    """Same-host controls by vantage and address."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    hosts: defaultdict[str, asyncio.Lock] = field(default_factory=lambda: defaultdict(asyncio.Lock))
    """One visit at a time to a host, whichever audit asks."""
    _visits: OrderedDict[Hashable, _Kept] = field(default_factory=OrderedDict)

    def find(self, vantage: str, url: str) -> Beside | None:
        """A same-host control that still speaks."""
        at, kept = self.beside.get((vantage, url), (0.0, None))
        return kept if kept is not None and monotonic() - at <= TTL else None

    def keep(self, vantage: str, url: str, answer: Beside) -> None:
        """Remember an answer; silence and trouble may pass, and are asked for again."""
        if not answer.trouble:
            self.beside[vantage, url] = (monotonic(), answer)

    async def once(
        self,
        key: Hashable,
        record: Record,
        seconds: float,
        visit: Callable[[Record], Awaitable[Seen]],
        fitting: Callable[[Seen], Seen | None],
    ) -> Seen:
        """What a visit of this key shows: one of at most `seconds` ago where that is `fitting`, else a new one.

        Both leave in `record` what was observed, when, and its artifacts. Called by who holds the host's lock.
        """
        kept = self._visits.get(key)
        recent = kept is not None and monotonic() - kept.at <= seconds
        if self.store and kept and recent and (known := fitting(kept.seen)) is not None:
            for artifact in kept.artifacts:
                record.artifacts.append(record.store.put_file(self.store.path(artifact.sha256), artifact))
            record.observations += kept.observations
            record.note("shared visit", say("shelf.shared"))
            return known
        own = Record(record.store)
        seen = await visit(own)
        record.observations += own.observations
        record.artifacts += own.artifacts
        if self.store and _telling(seen):
            for artifact in own.artifacts:
                self.store.put_file(record.store.path(artifact.sha256), artifact)
            self._visits[key] = _Kept(monotonic(), _light(seen), tuple(own.observations), tuple(own.artifacts))
            self._visits.move_to_end(key)
            while len(self._visits) > _MOST:
                self._visits.popitem(last=False)
        return seen


@asynccontextmanager
async def open_shelf() -> AsyncIterator[Shelf]:
    """One whose artifacts lie in a folder that goes with it."""
    with TemporaryDirectory(prefix="impassable-seen-") as folder:
        yield Shelf(ArtifactStore(Path(folder)))


def _telling(seen: Look | Plain) -> bool:
    """Whether it says something of the page: our guard and a crash of our browser do not."""
    return not seen.denied if isinstance(seen, Plain) else not (seen.refused or seen.crashed)


def _light(seen: Look | Plain) -> Look | Plain:
    """Without the pictures, which are artifacts."""
    if isinstance(seen, Plain) or seen.view is None:
        return seen
    return replace(seen, view=replace(seen.view, screenshot=b"", lossless=b"", aria="", har=b""))
