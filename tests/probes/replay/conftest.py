"""The probe on hand-made runs and the real engine."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from cases import CommandRun, Events, FileWrite
from probes import Finding, Hypothesis, Question, Settings
from probes.replay import ReplayProbe
from probes.replay.resources.shared import ReplayResources, replay_resources
from sandboxes import SandboxError
from tests.probes.replay.made import Replay, context

Shops = Callable[[Settings], Awaitable[dict[str, ReplayResources]]]


@pytest.fixture(scope="session")
def shops() -> Iterator[Shops]:
    """One workshop for the audits of all tests, by the cache of the moment; none where one has a way out of its own."""
    loop, stack, opened = asyncio.new_event_loop(), AsyncExitStack(), dict[str | None, ReplayResources]()

    async def shop(settings: Settings) -> dict[str, ReplayResources]:
        place = os.environ.get("XDG_CACHE_HOME")
        if settings.offline or settings.web.resolve or "DOCKER_HOST" in os.environ:
            return {}
        if place not in opened:
            opening = stack.enter_async_context(replay_resources(offline=False, tell=lambda _: None))
            try:
                opened[place] = await asyncio.to_thread(loop.run_until_complete, opening)
            except SandboxError:
                return {}  # the probe itself says why
        return {"replay": opened[place]}

    yield shop
    loop.run_until_complete(stack.aclose())
    loop.run_until_complete(loop.shutdown_default_executor())
    loop.close()


@pytest.fixture
async def replay(tmp_path: Path, shops: Shops) -> AsyncIterator[Replay]:
    """Runs the probe on hand-made commands; what it found by question."""
    async with AsyncExitStack() as stack:

        async def run(
            asked: Hypothesis,
            *commands: CommandRun,
            profile: str = "debian",
            settings: Settings | None = None,
            writes: tuple[FileWrite, ...] = (),
            prompt: str | None = None,
            known: tuple[Finding, ...] = (),
        ) -> dict[Question, Finding]:
            events, settings = Events(commands=commands, writes=writes), settings or Settings()
            made = context(tmp_path / "store", profile, events, stack, settings, prompt)
            made = replace(made, known=known, resources=dict[str, object](await shops(settings)))
            found = await ReplayProbe()(asked, made)
            for finding in found:
                failed = [f"{control.name}: {control.observed}" for control in finding.controls if not control.passed]
                sys.stdout.write(f"{finding.question.name}: {finding.answer}. {finding.summary} {failed}\n")
            return {finding.question: finding for finding in found}

        yield run
