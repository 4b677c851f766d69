"""The replay probe: commands of failed runs tried again in containers."""

import asyncio
from contextlib import suppress
from dataclasses import replace

from probes.contract import FindingMaker, ProbeContext, ProbeTransientError, ProbeUnavailableError
from probes.model import Answer, Barrier, Finding, Hypothesis, Question
from probes.replay.arms import Arms
from probes.replay.data import ladders
from probes.replay.findings import findings
from probes.replay.outcome import Outcome
from probes.replay.subject import Subject, subject_of
from probes.replay.workshop import Workshop, workshop
from sandboxes import Bench, EngineUnavailable, ImageUnavailable, SandboxCancelled, SandboxError

ELSEWHERE = {
    Barrier.NETWORK: "network claims",
    Barrier.IMPORT_BAN: "the interpreter's import list",
    Barrier.CONDA: "conda",
    Barrier.CONDA_TOS: "conda",
    Barrier.R_PACKAGE: "R packages",
    Barrier.CRASH: "crashes and memory",
    Barrier.DISK_FULL: "full disks",
    Barrier.MISSING_DATA: "missing data",
    Barrier.HARNESS: "the harness",
}


class ReplayProbe:
    """Replay, escape and lifted arms for modules, pip, programs, headers and permissions."""

    name = "replay"
    slot: str | None = "docker"
    seconds = 900.0

    async def __call__(self, hypothesis: Hypothesis, context: ProbeContext) -> list[Finding]:
        """Answer PRESENT and PASSABLE.

        Raises:
            ProbeUnavailableError: no Docker engine, or no image; says what to do.
            ProbeTransientError: the engine failed in the middle.
        """
        make = FindingMaker(self.name, hypothesis)
        if hypothesis.barrier not in ladders():
            kind = ELSEWHERE.get(hypothesis.barrier)
            words = f"replays of {kind}" if kind else f"barriers of the kind {hypothesis.barrier.value}"
            text = f"This probe does not replay this barrier yet: {words} are not part of it."
            return [make(Question.PRESENT, Answer.UNKNOWN, text)]
        subject = subject_of(hypothesis, context)
        if isinstance(subject, str):
            return [make(Question.PRESENT, Answer.UNKNOWN, subject)]
        loop = asyncio.get_running_loop()

        def say(text: str) -> None:
            with suppress(RuntimeError):  # the loop may have ended before a cancelled thread did
                loop.call_soon_threadsafe(context.say, text)

        thread_safe = replace(context, say=say)
        shop = await self._workshop(thread_safe)
        outcome, subject = await self._work(thread_safe, shop, subject)
        return findings(subject, outcome, context.envelope, make)

    async def _workshop(self, context: ProbeContext) -> Workshop:
        offline = context.settings.offline
        try:
            shop = await context.shared("replay", lambda: workshop(offline=offline, say=context.say))
        except (EngineUnavailable, ImageUnavailable) as error:
            raise ProbeUnavailableError(str(error)) from error
        except SandboxError as error:
            raise ProbeTransientError(str(error)) from error
        assert isinstance(shop, Workshop)
        return shop

    async def _work(self, context: ProbeContext, shop: Workshop, subject: Subject) -> tuple[Outcome, Subject]:
        bench = Bench(shop.engine)
        arms = Arms(context, shop, bench, subject, self.seconds - 60)
        try:
            outcome = await asyncio.to_thread(arms.run)
        except ImageUnavailable as error:
            raise ProbeUnavailableError(str(error)) from error
        except EngineUnavailable as error:
            raise ProbeTransientError(f"the Docker engine went away during the replay: {error}") from error
        except SandboxCancelled as error:
            raise ProbeTransientError(str(error)) from error
        except SandboxError as error:
            raise ProbeTransientError(str(error)) from error
        finally:
            with suppress(SandboxError):
                await asyncio.shield(asyncio.to_thread(bench.close))
        return outcome, arms.subject
