"""Small probes that honour the contract: what the workflow does with answers, crashes and kills is tested with them."""

import asyncio
import os
from pathlib import Path

from probes import (
    Answer,
    Control,
    FindingMaker,
    Hypothesis,
    ProbeContext,
    ProbeTransientError,
    ProbeUnavailableError,
    Question,
)

WORKS = Control(name="works", expected="yes", observed="yes", passed=True)


class Records:
    """A record probe that answers CAUSED as told."""

    slot = None
    seconds = 30.0

    def __init__(self, name: str, caused: Answer | None = None) -> None:
        self.name = name
        self.caused = caused

    async def __call__(self, hypothesis: Hypothesis, context: ProbeContext):
        if self.caused is None:
            return []
        return [FindingMaker(self.name, hypothesis)(Question.CAUSED, self.caused, "As told.", controls=(WORKS,))]


class Replay:
    """A live probe that writes down when it starts and ends, and may be slow, crash or be transient."""

    name = "replay"
    slot = "docker"
    seconds = 30.0

    def __init__(self, journal: Path, behaviour: dict[str, str] | None = None) -> None:
        self.journal = journal
        self.behaviour = behaviour or {}

    def note(self, event: str, hypothesis: Hypothesis) -> int:
        with self.journal.open("a", encoding="utf-8") as file:
            file.write(f"{event} {hypothesis.targets.modules[0]}\n")
            file.flush()
            os.fsync(file.fileno())
        return self.journal.read_text("utf-8").count(f"{event} {hypothesis.targets.modules[0]}\n")

    async def __call__(self, hypothesis: Hypothesis, context: ProbeContext):
        times = self.note("start", hypothesis)
        behaviour = self.behaviour.get(hypothesis.targets.modules[0], "")
        if behaviour == "crash":
            raise ZeroDivisionError("a bug")
        if behaviour == "once" and times == 1:
            raise ProbeTransientError("not now")
        if behaviour == "slow":
            await asyncio.sleep(600)
        self.note("end", hypothesis)
        make = FindingMaker(self.name, hypothesis)
        return [
            make(Question.PRESENT, Answer.YES, "It is there.", controls=(WORKS,)),
            make(Question.PASSABLE, Answer.NO, "No route works.", controls=(WORKS,)),
        ]


class Unable:
    """A probe that cannot run."""

    slot = None
    seconds = 30.0

    def __init__(self, name: str) -> None:
        self.name = name

    async def __call__(self, hypothesis: Hypothesis, context: ProbeContext):
        raise ProbeUnavailableError("there is no engine here; start one")
