"""What the nodes work with: one case, one envelope, the probes' resources."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NotRequired, TypedDict

from cases import Case, Model
from cases.events import events_of
from graph.model import ModelOptions
from graph.rubric import RubricChoice
from probes import ArtifactStore, Envelope, ProbeContext, Resources, Settings
from probes.envelope import envelope_for, load_profile
from probes.exclusions import exclusions_of

SLOTS = {"browser": 1, "docker": 2}


class AuditOptions(Model):
    """The user's choices that bear on the verdict."""

    rubric: RubricChoice = "auto"
    profile: str | None = None
    """A shipped profile's name or a TOML file; None takes the benchmark's."""
    settings: Settings = Settings()
    model: ModelOptions | None = None
    """A language model that may help; None for rules alone."""
    review: bool = False
    """Whether a person is asked before the verdict becomes final."""


class Progress(Model):
    """One line of live progress."""

    probe: str
    hypothesis: str | None
    state: Literal["started", "finished", "failed", "note"]
    text: str
    seconds: float | None = None


class Request(TypedDict):
    """What a server that has no context of its own is sent: where the inputs are, and which task."""

    task_id: str
    runs: NotRequired[list[str]]
    claims: NotRequired[list[str]]
    outcomes: NotRequired[list[str]]
    tasks: NotRequired[str]
    """A jsonl file of tasks, or a benchmark whose data set the hub has."""
    benchmark: NotRequired[str]
    trust_pickle: NotRequired[bool]
    store: NotRequired[str]
    options: NotRequired[dict[str, object]]


@dataclass(frozen=True)
class AuditContext:
    """The runtime context of the workflow."""

    probe: ProbeContext
    options: AuditOptions
    progress: Callable[[Progress], None]


def silent(_: Progress) -> None:
    """No progress."""


@asynccontextmanager
async def open_context(
    case: Case,
    options: AuditOptions,
    store: ArtifactStore,
    progress: Callable[[Progress], None] = silent,
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
        envelope = envelope_for(case, events, load_profile(options.profile, case.benchmark))
    async with AsyncExitStack() as stack:
        probe = ProbeContext(
            case=case,
            envelope=envelope,
            store=store,
            settings=options.settings,
            events=events,
            exclusions=exclusions_of(case, events),
            slots={name: asyncio.Semaphore(count) for name, count in SLOTS.items()},
            say=lambda text: progress(Progress(probe="", hypothesis=None, state="note", text=text)),
            stack=stack,
            batch=batch,
        )
        yield AuditContext(probe=probe, options=options, progress=progress)


@asynccontextmanager
async def open_batch() -> AsyncIterator[Resources]:
    """What several audits in one event loop share, such as a browser; closed with the last of them."""
    async with AsyncExitStack() as stack:
        yield Resources(stack)


@asynccontextmanager
async def requested_context(request: Request | None) -> AsyncIterator[AuditContext]:
    """The context for a graph that was started with a request only, as a development server does.

    Raises:
        InputError: the request is missing, or its inputs cannot be used.
    """
    from cases import InputError  # noqa: PLC0415 - only servers come this way
    from cases.library import Inputs, Library  # noqa: PLC0415

    if not request:
        raise InputError('The input has no `request`: give {"request": {"task_id": …, "runs": […]}}.')
    options = AuditOptions.model_validate(request.get("options", {}))
    inputs = Inputs(
        runs=tuple(map(Path, request.get("runs", []))),
        claims=tuple(map(Path, request.get("claims", []))),
        outcomes=tuple(map(Path, request.get("outcomes", []))),
        tasks=request.get("tasks"),
        offline=options.settings.offline,
        trust_pickle=request.get("trust_pickle", False),
    )
    library = await asyncio.to_thread(Library.open, inputs, request.get("benchmark"))
    case = library.case(library.resolve(request["task_id"]))
    async with open_context(case, options, ArtifactStore(Path(request.get("store", ".verify/artifacts")))) as context:
        yield context
