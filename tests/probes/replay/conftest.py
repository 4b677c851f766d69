"""The probe on hand-made runs and the real engine."""

import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from cases import CommandRun, Events, FileWrite
from probes import Finding, Hypothesis, Question, Settings
from probes.replay import ReplayProbe
from tests.probes.replay.made import Replay, context


@pytest.fixture
async def replay(tmp_path: Path) -> AsyncIterator[Replay]:
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
            events = Events(commands=commands, writes=writes)
            made = context(tmp_path / "store", profile, events, stack, settings or Settings(), prompt)
            made = replace(made, known=known)
            found = await ReplayProbe()(asked, made)
            for finding in found:
                failed = [f"{control.name}: {control.observed}" for control in finding.controls if not control.passed]
                sys.stdout.write(f"{finding.question.name}: {finding.answer}. {finding.summary} {failed}\n")
            return {finding.question: finding for finding in found}

        yield run
