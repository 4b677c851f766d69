"""The replay probe: commands of failed runs tried again in containers."""

import asyncio
from contextlib import suppress
from dataclasses import replace

from probes.contract import FindingMaker, ProbeContext, ProbeTransientError, ProbeUnavailableError
from probes.model import Answer, Finding, Hypothesis, Question
from probes.replay.arms import run_arms
from probes.replay.deriving import subject_of
from probes.replay.findings import findings
from probes.replay.outcome import Outcome
from probes.replay.subject import Subject
from probes.replay.workshop import Workshop, workshop
from sandboxes import Bench, EngineUnavailable, ImageUnavailable, SandboxCancelled, SandboxError


class ReplayProbe:
    """Replay, escape and lifted arms for every kind of barrier in `kinds/`."""

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
        subject = subject_of(hypothesis, context)
        if isinstance(subject, str):
            return [make(Question.PRESENT, Answer.UNKNOWN, subject)]
        return await self.replayed(subject, context, make)

    async def replayed(self, subject: Subject, context: ProbeContext, make: FindingMaker) -> list[Finding]:
        """The findings about a subject; raises as a call does."""
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
        try:
            return await asyncio.to_thread(run_arms, context, shop, bench, subject, self.seconds - 60)
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
