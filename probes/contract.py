"""The contract of a probe, and what it is given to work with.

A probe raises only when it could not run at all; whatever it learns about its subject, also a failure, goes into a
finding (after OONI's experiment contract).
"""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from time import monotonic
from typing import Any, ClassVar, Literal, Protocol, TypeVar, cast, runtime_checkable

from pydantic import Field, SecretStr

from cases import Case, Citation, Events, Model, Run
from probes.artifacts import ArtifactStore
from probes.model import (
    Answer,
    Artifact,
    Barrier,
    Control,
    Envelope,
    Exclusion,
    Finding,
    Ground,
    Hypothesis,
    Observation,
    Place,
    Question,
    Retraced,
    Route,
    Tier,
)
from sandboxes.browser.caps import WebCaps

T = TypeVar("T")
Slot = Literal["browser", "docker"]
SLOTS: Mapping[Slot, int] = {"browser": 1, "docker": 2}
"""How many probes of one audit may hold each at once."""
SLOTS_OF_ALL: Mapping[Slot, int] = {"browser": 2, "docker": 2}
"""How many of all audits of a batch together."""
SUGGESTED = "suggested"
"""Stands for the probe's name in findings about suggested commands."""


class ProbeTransientError(Exception):
    """The probe could not run this time and may be tried once more."""


class ProbeUnavailableError(Exception):
    """What the probe needs is not there; the message says what and the remedy."""


class WebSettings(Model):
    """How the web is reached."""

    resolve: dict[str, str] = Field(default_factory=dict)
    """HOST or `*.DOMAIN` to `ADDR:PORT`; the only way to reach an address that is not global."""
    lab_ca: Path | None = None
    """A PEM file trusted for mapped hosts only."""
    controls: tuple[str, ...] = ()
    """Positive control URLs that replace the defaults."""
    vantage: SecretStr | None = None
    """A proxy of the user's own, from which the same is visited again; its URL may hold a password."""
    caps: WebCaps = WebCaps()

    @property
    def lab(self) -> bool:
        """Whether anything here makes the evidence a laboratory's."""
        return bool(self.resolve or self.lab_ca or self.controls)


class Settings(Model):
    """The user's choices for one audit."""

    web: WebSettings = WebSettings()
    thorough: bool = False
    offline: bool = False
    """No probe may send anything over a network; containers then run without one."""
    workspace: Path | None = None
    runtime: str = ""
    """Of containers for replays, such as `runsc`; the engine's default one where it is empty."""


@dataclass
class Resources:
    """What is opened at first use and closed with its owner."""

    stack: AsyncExitStack = field(default_factory=AsyncExitStack)
    held: dict[str, Any] = field(default_factory=dict)
    opening: asyncio.Lock = field(default_factory=asyncio.Lock)
    slots: Mapping[Slot, asyncio.Semaphore] = field(
        default_factory=lambda: {name: asyncio.Semaphore(count) for name, count in SLOTS_OF_ALL.items()}
    )
    """Held besides an audit's own."""

    async def get(self, key: str, opener: Callable[[], AbstractAsyncContextManager[T]]) -> T:
        """The resource of this name, opened when it is asked for the first time; one name is of one type."""
        async with self.opening:
            if key not in self.held:
                self.held[key] = await self.stack.enter_async_context(opener())
        return cast("T", self.held[key])


@dataclass(frozen=True)
class ProbeContext:
    """Everything a probe may use besides its hypothesis."""

    case: Case
    envelope: Envelope
    store: ArtifactStore
    settings: Settings
    events: Mapping[str, Events]
    """Events by run id, for runs that have a transcript."""
    exclusions: tuple[Exclusion, ...] = ()
    """What the failed runs' logs show of agent errors."""
    suggested: tuple[tuple[str, ...], ...] = ()
    """Routes by their commands that somebody suggests: then a probe of `Ground.MACHINE` tries these alone."""
    known: tuple[Finding, ...] = ()
    """What other probes have found about the same hypothesis."""
    slots: Mapping[Slot, asyncio.Semaphore] = field(default_factory=dict)
    say: Callable[[str], None] = lambda _: None
    """Live progress: one short line."""
    stack: AsyncExitStack = field(default_factory=AsyncExitStack)
    resources: dict[str, Any] = field(default_factory=dict)
    opening: asyncio.Lock = field(default_factory=asyncio.Lock)
    waited: list[float] = field(default_factory=list)
    """Seconds for which this audit's probes stood aside for those of other audits."""
    batch: Resources | None = None
    """What the audits of one batch share; None when this audit is alone."""

    async def batched(self, key: str, opener: Callable[[], AbstractAsyncContextManager[T]]) -> T:
        """One resource for the whole batch, or for this audit when it is alone."""
        return await (self.batch.get(key, opener) if self.batch else self.shared(key, opener))

    async def shared(self, key: str, opener: Callable[[], AbstractAsyncContextManager[T]]) -> T:
        """One resource for the whole audit (a browser, an engine), opened at first use, closed with the audit."""
        async with self.opening:
            if key not in self.resources:
                self.resources[key] = await self.stack.enter_async_context(opener())
        return cast("T", self.resources[key])


class Probe(Protocol):
    """One way of questioning reality."""

    name: str
    ground: Ground
    """What its findings stand on."""
    reads_records: bool
    """Whether it reads only how runs went; then every hypothesis is put to it before anything is touched."""
    slot: Slot | None
    """What it holds while it runs."""
    seconds: float
    """The time it may take, once it has its slot, before it counts as unable to run."""

    def targets(self, hypothesis: Hypothesis, case: Case) -> tuple[str, ...]:
        """The commands or addresses that it acts on; none for one that only reads."""
        ...

    async def __call__(self, hypothesis: Hypothesis, context: ProbeContext) -> list[Finding]:
        """Answer what can be answered about `hypothesis`.

        Raises:
            ProbeTransientError: could not run now; tried once more.
            ProbeUnavailableError: cannot run on this machine.
        """
        ...


@runtime_checkable
class Retracing(Protocol):
    """A probe that can go through a run again."""

    slot: Slot | None

    async def retrace(self, run: Run, context: ProbeContext) -> Retraced:
        """What the run's commands end with, as far as they can be run again.

        Raises:
            ProbeTransientError: the engine failed in the middle.
            ProbeUnavailableError: it cannot be done on this machine.
        """
        ...


class ReadingProbe:
    """What probes have in common that touch nothing."""

    reads_records = False
    slot: Slot | None = None
    seconds = 60.0

    def targets(self, hypothesis: Hypothesis, case: Case) -> tuple[str, ...]:
        """None."""
        del hypothesis, case
        return ()


class Later:
    """A probe that says at once what it is, and is imported when it is first asked: few audits ask every one."""

    reads_records = False
    home: ClassVar[str]
    """The module whose `Working` does the work."""

    def __init__(self, **given: Any) -> None:  # noqa: ANN401 - as `Working` takes it
        """What is `given` is for whatever does the work."""
        self._given = given
        self._working: Probe | None = None

    async def __call__(self, hypothesis: Hypothesis, context: ProbeContext) -> list[Finding]:
        """What the probe finds; raises as it does."""
        found: list[Finding] = await self.working()(hypothesis, context)
        return found

    def working(self) -> Any:  # noqa: ANN401 - its module is named, and imported only now
        """Whatever does the work."""
        if self._working is None:
            self._working = import_module(self.home).Working(**self._given)
        return self._working


class FindingMaker:
    """Makes the findings of one probe about one hypothesis, timed from its creation."""

    def __init__(self, probe: Probe, hypothesis: Hypothesis, *, name: str = "", lab: bool = False) -> None:
        """Start the clock; `name` stands in the findings instead of the probe's own."""
        self._probe = name or probe.name
        self._ground = probe.ground
        self._hypothesis = hypothesis
        self._lab = lab
        self._started = datetime.now(UTC)
        self._clock = monotonic()

    def __call__(
        self,
        question: Question,
        answer: Answer,
        summary: str,
        *,
        tier: Tier | None = None,
        observations: tuple[Observation, ...] = (),
        controls: tuple[Control, ...] = (),
        routes: tuple[Route, ...] = (),
        citations: tuple[Citation, ...] = (),
        artifacts: tuple[Artifact, ...] = (),
        limits: tuple[str, ...] = (),
        locus: Place | None = None,
        measured: tuple[Barrier, str] | None = None,
    ) -> Finding:
        """One finding; `measured` are the barrier and what it is about, where a measurement names them."""
        barrier, about = measured or (None, "")
        return Finding(
            id=f"{self._hypothesis.id}/{self._probe}/{question.value}",
            hypothesis=self._hypothesis.id,
            probe=self._probe,
            ground=self._ground,
            question=question,
            answer=answer,
            tier=tier,
            summary=summary,
            observations=observations,
            controls=controls,
            routes=routes,
            citations=citations,
            artifacts=artifacts,
            limits=limits,
            locus=locus,
            barrier=barrier,
            about=about,
            lab=self._lab,
            started=self._started,
            seconds=round(monotonic() - self._clock, 3),
        )
