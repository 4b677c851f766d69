"""The replay probe: commands of failed runs tried again in containers."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from time import monotonic
from typing import TypeVar

from cases import Run
from cases.sentences import Sentences
from probes.contract import (
    SUGGESTED,
    FindingMaker,
    ProbeContext,
    ProbeTransientError,
    ProbeUnavailableError,
)
from probes.model import Answer, Finding, Hypothesis, Question, Retraced
from probes.replay import ReplayProbe
from probes.replay.arms.retracing import retrace
from probes.replay.arms.running import run_arms
from probes.replay.deriving import subject_of
from probes.replay.findings import confirmed, doubtful, findings
from probes.replay.resources.shared import ReplayResources, replay_resources
from probes.replay.routes.judging import short
from probes.replay.routes.suggested import plans_of
from probes.replay.target.model import ReplayTarget
from sandboxes import ContainerPool, EngineUnavailable, ImageUnavailable, SandboxCancelled, SandboxError

say = Sentences(__name__)

T = TypeVar("T")

AUDIT_SECONDS = 270.0
"""For the replays of one audit together, unless thoroughness is asked."""
LEAST_SECONDS = 30.0
"""Less than which no replay begins."""
TOO_LATE = say("probe.not_tried_time")


class Working(ReplayProbe):
    """What does the work."""

    async def __call__(self, hypothesis: Hypothesis, context: ProbeContext) -> list[Finding]:
        """Answer PRESENT and PASSABLE.

        Raises:
            ProbeUnavailableError: no Docker engine, or no image; says what to do.
            ProbeTransientError: the engine failed in the middle.
        """
        subject = subject_of(hypothesis, context)
        if context.suggested:
            return [] if isinstance(subject, str) else await self._suggested(hypothesis, subject, context)
        make = FindingMaker(self, hypothesis)
        if isinstance(subject, str):
            return [make(Question.PRESENT, Answer.UNKNOWN, subject)]
        return await self._replayed(subject, context, make)

    async def retrace(self, run: Run, context: ProbeContext) -> Retraced:
        """The exit codes of what prints the same as in the run; the audit's time for replays begins with it."""
        context = _heard(context)
        _end(context)
        shop = await self._workshop(context)
        return await self._in_containers(shop, "", lambda containers: retrace(context, shop, containers, run))

    async def _suggested(self, hypothesis: Hypothesis, subject: ReplayTarget, context: ProbeContext) -> list[Finding]:
        """PASSABLE=yes where a suggested route passes; nothing otherwise: that these fail proves nothing."""
        plans = plans_of(context.suggested)
        if not plans:
            return []
        make = FindingMaker(self, hypothesis, name=SUGGESTED)
        found = await self._replayed(replace(subject, suggested=plans), context, make)
        return [one for one in found if one.question is Question.PASSABLE and one.valid_answer is Answer.YES]

    async def _replayed(self, subject: ReplayTarget, context: ProbeContext, make: FindingMaker) -> list[Finding]:
        """The findings about a subject; raises as a call does."""
        thread_safe = _heard(context)
        shop = await self._workshop(thread_safe)
        seconds = self.seconds - 60
        if not context.settings.thorough:
            seconds = min(seconds, _end(context) - monotonic())
        if seconds < LEAST_SECONDS:
            return [make(Question.PRESENT, Answer.UNKNOWN, f"`{short(subject.attempts[0].command)}` {TOO_LATE}.")]
        runtime = context.settings.runtime
        found = await self._asked(thread_safe, shop, subject, make, runtime, seconds)
        if not runtime or not doubtful(found):
            return found
        return confirmed(found, await self._asked(thread_safe, shop, subject, make, "", seconds), runtime)

    async def _asked(
        self,
        context: ProbeContext,
        shop: ReplayResources,
        subject: ReplayTarget,
        make: FindingMaker,
        runtime: str,
        seconds: float,
    ) -> list[Finding]:
        """The findings in one runtime; where another will be asked too, in half the time."""
        most = seconds / (2 if context.settings.runtime else 1)
        outcome, subject = await self._in_containers(
            shop, runtime, lambda containers: run_arms(context, shop, containers, subject, most)
        )
        return findings(subject, outcome, context.envelope, make)

    async def _workshop(self, context: ProbeContext) -> ReplayResources:
        offline, resolve = context.settings.offline, context.settings.web.resolve
        try:
            shop = await context.batched(
                "replay", lambda: replay_resources(offline=offline, tell=context.say, resolve=resolve)
            )
        except (EngineUnavailable, ImageUnavailable) as error:
            raise ProbeUnavailableError(str(error)) from error
        except SandboxError as error:
            raise ProbeTransientError(str(error)) from error
        assert isinstance(shop, ReplayResources)
        return shop

    async def _in_containers(self, shop: ReplayResources, runtime: str, work: Callable[[ContainerPool], T]) -> T:
        containers = ContainerPool(shop.engine, runtime)
        try:
            return await asyncio.to_thread(work, containers)
        except ImageUnavailable as error:
            raise ProbeUnavailableError(str(error)) from error
        except EngineUnavailable as error:
            raise ProbeTransientError(say("probe.docker_engine_went_away", error=error)) from error
        except SandboxCancelled as error:
            raise ProbeTransientError(str(error)) from error
        except SandboxError as error:
            raise ProbeTransientError(str(error)) from error
        finally:
            with suppress(SandboxError):
                await asyncio.shield(asyncio.to_thread(containers.close))


def _end(context: ProbeContext) -> float:
    """When the replays of this audit have had their time, on the monotonic clock; it begins with the first call."""
    end: float = context.resources.setdefault("replays' end", monotonic() + AUDIT_SECONDS)
    return end + sum(context.waited)


def _heard(context: ProbeContext) -> ProbeContext:
    """The same for a thread of its own, whose notes the loop passes on."""
    loop = asyncio.get_running_loop()

    def tell(text: str) -> None:
        with suppress(RuntimeError):  # the loop may have ended before a cancelled thread did
            loop.call_soon_threadsafe(context.say, text)

    return replace(context, say=tell)
