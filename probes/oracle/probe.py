"""The oracle probe: once an audit it runs the reference solution, and says of every hypothesis what follows."""

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass, field, replace

from cases import Case, Events, InputError, Run
from cases.folders import TaskFolder, read_reference
from cases.sentences import Sentences
from probes.barriers import Trait, having
from probes.contract import FindingMaker, ProbeContext, ProbeTransientError, ProbeUnavailableError
from probes.model import Finding, Hypothesis
from probes.oracle import OracleProbe
from probes.oracle.findings import findings, passable
from probes.oracle.machine import box_of, engine_for
from probes.oracle.outcome import Outcome
from probes.oracle.running import run_all
from sandboxes import ContainerPool, Engine, EngineUnavailable, ImageUnavailable, SandboxError

say = Sentences(__name__)


@dataclass
class _Held:
    """What the first hypothesis has found out for all."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    outcome: Outcome | None = None
    unable: str = ""
    """Why it could not run, which will not change."""


class Working(OracleProbe):
    """What does the work."""

    async def __call__(self, hypothesis: Hypothesis, context: ProbeContext) -> list[Finding]:
        """PRESENT, PASSABLE and CAUSED of its own hypothesis; PASSABLE=yes of others, where the solution passes.

        Raises:
            ProbeUnavailableError: no engine, no image, or nothing that could be run; says why.
            ProbeTransientError: the engine failed in the middle.
        """
        if context.case.task.reference is None:
            return []
        run = _run_of(hypothesis, context.case)
        make = FindingMaker(self, hypothesis)
        held: _Held = context.resources.setdefault("oracle outcome", _Held())
        async with held.lock:
            if held.unable:
                raise ProbeUnavailableError(held.unable)
            try:
                held.outcome = held.outcome or await self._outcome(context, run)
            except ProbeUnavailableError as error:
                held.unable = str(error)
                raise
        if hypothesis.barrier not in having(Trait.REFERENCE):
            return passable(held.outcome, context.envelope, make)
        events = context.events.get(run.run_id, Events()) if run else Events()
        return findings(held.outcome, context.envelope, run, events, make, context.case.task.prompt or "")

    async def _outcome(self, context: ProbeContext, run: Run | None) -> Outcome:
        task = _task(context)
        loop = asyncio.get_running_loop()

        def tell(text: str) -> None:
            with suppress(RuntimeError):  # the loop may have ended before a cancelled thread did
                loop.call_soon_threadsafe(context.say, text)

        threaded = replace(context, say=tell)
        offline = context.settings.offline
        try:
            engine = await context.shared("oracle", lambda: engine_for(offline=offline, tell=tell))
            return await self._ran(threaded, engine, task, run)
        except (EngineUnavailable, ImageUnavailable) as error:
            raise ProbeUnavailableError(str(error)) from error
        except SandboxError as error:
            raise ProbeTransientError(str(error)) from error

    async def _ran(self, context: ProbeContext, engine: Engine, task: TaskFolder, run: Run | None) -> Outcome:
        containers = ContainerPool(engine)
        end = time.monotonic() + self.seconds - 60

        def work() -> Outcome:
            return run_all(box_of(context, engine, containers, task, end), run)

        try:
            return await asyncio.to_thread(work)
        finally:
            with suppress(SandboxError):
                await asyncio.shield(asyncio.to_thread(containers.close))


def _task(context: ProbeContext) -> TaskFolder:
    reference = context.case.task.reference
    assert reference
    try:
        task = read_reference(reference, context.case.task_id)
    except InputError as error:
        raise ProbeUnavailableError(str(error).rstrip(".")) from error
    if task.lacks or not task.solution or not task.checks:
        raise ProbeUnavailableError(say("probe.task_cannot_solved_checked", lacks=task.lacks))
    if task.machine.refused:
        raise ProbeUnavailableError(say("probe.task_machine_cannot_made", refused=task.machine.refused))
    return task


def _run_of(hypothesis: Hypothesis, case: Case) -> Run | None:
    return next((run for run in case.runs if run.run_id == hypothesis.run_id), None)
