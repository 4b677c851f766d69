"""Hand-made runs for the replay probe; all of it is synthetic."""

from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

from cases import Case, CommandRun, Events, Outcome, Run, Task
from cases.sites import with_sites
from probes import ArtifactStore, Barrier, Envelope, Finding, Hypothesis, ProbeContext, Question, Settings, Targets
from probes.envelope import envelope_for, load_profile

Replay = Callable[..., Awaitable[dict[Question, Finding]]]


def hypothesis(barrier: Barrier, *, event: int | None = 0, **targets: tuple[str, ...]) -> Hypothesis:
    return Hypothesis(
        id=f"{barrier.value}-1",
        rubric="environmental_barrier",
        category="x",
        barrier=barrier,
        statement="synthetic",
        targets=Targets(**targets),
        citations=(),
        proposer="rules",
        run_id="r1",
        event=event,
    )


def context(
    store: Path, profile: str, events: Events, stack: AsyncExitStack, settings: Settings, prompt: str | None = None
) -> ProbeContext:
    run = Run(run_id="r1", outcome=Outcome.FAILED, source="synthetic")
    case = Case(benchmark="synthetic", task_id="t", task=with_sites(Task(prompt=prompt)), runs=(run,))
    envelope: Envelope = envelope_for(case, {"r1": events}, load_profile(profile, "synthetic"))
    return ProbeContext(
        case=case,
        envelope=envelope,
        store=ArtifactStore(store),
        settings=settings,
        events={"r1": events},
        stack=stack,
    )


def shell(command: str, output: str = "", exit_code: int = 0) -> CommandRun:
    return CommandRun(kind="shell", command=command, tool="execute_bash", output=output, exit_code=exit_code, blocks=())


def python(code: str, output: str) -> CommandRun:
    return CommandRun(kind="python", command=code, tool="Computer_terminal", output=output, exit_code=1, blocks=())
