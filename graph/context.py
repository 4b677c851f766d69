"""What the nodes work with: one case, one envelope, the probes' resources."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from typing import Literal

from langgraph.config import get_stream_writer

from cases import Case, Model
from cases.events import events_of
from cases.folders import read_reference
from cases.masking import Mask
from graph.llm import ModelOptions
from graph.rubric import RubricChoice
from probes import SLOTS, ArtifactStore, Envelope, ProbeContext, Reached, Resources, Retraced, Settings
from probes.agent_errors import exclusions_of
from probes.envelope import Profile, envelope_for, load_profile, reaching, task_profile


class AuditOptions(Model):
    """The user's choices that bear on the verdict."""

    rubric: RubricChoice = "auto"
    profile: str | None = None
    """A shipped profile's name or a TOML file; None takes the benchmark's."""
    network: Reached | None = None
    """What the run's machine reached, where somebody says it; None takes the profile's."""
    settings: Settings = Settings()
    model: ModelOptions | None = None
    """A language model that may help; None for rules alone."""
    review: bool = False
    """Whether a person is asked before the verdict becomes final."""


class Progress(Model):
    """One line of live progress, as the nodes write it into the workflow's custom stream."""

    probe: str
    hypothesis: str | None
    state: Literal["started", "finished", "failed", "note"]
    text: str
    seconds: float | None = None


@dataclass(frozen=True)
class AuditContext:
    """The runtime context of the workflow."""

    probe: ProbeContext
    options: AuditOptions
    mask: Mask
    """Of whatever this audit shows or sends before it is in a pack."""

    def knowing(self, retraced: Sequence[Retraced]) -> ProbeContext:
        """What probes and classifier work with once it is measured how commands ended."""
        if not retraced:
            return self.probe
        events = dict(self.probe.events)
        for one in retraced:
            events[one.run_id] = events[one.run_id].ended(dict(one.codes))
        return replace(self.probe, events=events, exclusions=exclusions_of(self.probe.case, events))


def note(text: str, probe: str = "") -> Progress:
    """Progress that is neither a beginning nor an end."""
    return Progress(probe=probe, hypothesis=None, state="note", text=text)


def tell(progress: Progress) -> None:
    """Write it into the stream of the node that is running."""
    get_stream_writer()(progress)


def profile_of(case: Case, chosen: str | None, network: Reached | None = None) -> Profile:
    """The profile that was chosen, the machine that the task itself brings to be built, or its benchmark's own.

    A `network` that somebody chose takes the place of the one that it states.

    Raises:
        InputError: the profile is unknown or cannot be read.
    """
    if chosen is None and case.task.reference:
        task = read_reference(case.task.reference, case.task_id)
        if task.machine.dockerfile and not task.machine.refused:
            return reaching(task_profile(task), network)
    return load_profile(chosen, case.benchmark, network)


@asynccontextmanager
async def open_context(
    case: Case,
    options: AuditOptions,
    store: ArtifactStore,
    batch: Resources | None = None,
    envelope: Envelope | None = None,
) -> AsyncIterator[AuditContext]:
    """The context of one audit; closes what the probes opened (containers), but not what belongs to the `batch`.

    Without an `envelope` it is the one that the profile and the case's records give.

    Raises:
        InputError: the profile is unknown or cannot be read.
    """
    events = {run.run_id: events_of(run.transcript) for run in case.runs if run.transcript}
    if envelope is None:
        envelope = envelope_for(case, events, profile_of(case, options.profile, options.network))
    async with AsyncExitStack() as stack:
        probe = ProbeContext(
            case=case,
            envelope=envelope,
            store=store,
            settings=options.settings,
            events=events,
            exclusions=exclusions_of(case, events),
            slots={name: asyncio.Semaphore(count) for name, count in SLOTS.items()},
            stack=stack,
            batch=batch,
        )
        yield AuditContext(probe=probe, options=options, mask=Mask(case))


@asynccontextmanager
async def open_batch() -> AsyncIterator[Resources]:
    """What several audits in one event loop share, such as a browser; closed with the last of them."""
    async with AsyncExitStack() as stack:
        yield Resources(stack)
