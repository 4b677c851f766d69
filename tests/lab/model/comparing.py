"""A world audited without a model, then with one: what decides must be the same, and what it took is counted.

The findings of the first audit stand for its probes in the second, so that only what the model adds is really tried.
"""

import asyncio
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evidence import read_pack
from graph import AuditOptions, audit
from graph.decide import decide
from graph.llm import ModelOptions
from graph.registry import PROBES
from graph.verdict import Assistance, Audit
from probes import ArtifactStore, Finding, Hypothesis, Probe, ProbeContext, Settings
from verify.labelled import Recording, World
from verify.labelled.running import judge

from .server import ModelServer, Script

SPOKEN = {"limits", "assistance", "existence_reasoning", "causation_reasoning", "against"}
"""What a model may word; all else in a verdict decides, or says why."""


@dataclass(frozen=True)
class Compared:
    """One world with one model."""

    world: str
    model: str
    status: str
    same: bool
    """Whether every deciding byte is."""
    computed: bool
    """Whether the verdict can be computed again from what the audit leaves."""
    assistance: Assistance
    again: int
    """Requests of a second audit."""


class Remembered:
    """A probe that gives what it found before, and asks reality about anything new."""

    def __init__(self, probe: Probe, findings: Sequence[Finding], known: frozenset[str]) -> None:
        self.name, self.ground, self.reads_records = probe.name, probe.ground, probe.reads_records
        self.slot, self.seconds, self.targets = probe.slot, probe.seconds, probe.targets
        self._probe, self._findings, self._known = probe, findings, known

    async def __call__(self, hypothesis: Hypothesis, context: ProbeContext) -> list[Finding]:
        if hypothesis.id in self._known:
            return [one for one in self._findings if one.hypothesis == hypothesis.id and one.probe == self.name]
        return await self._probe(hypothesis, context)


def compare(world: World, recording: Recording, image: str, models: dict[str, Script]) -> list[Compared]:
    """One world with each of the models."""
    with tempfile.TemporaryDirectory(prefix="compared-") as directory:
        folder = Path(directory)
        judge(world, recording, image, packs=folder / "packs")
        alone = read_pack(next(path for path in (folder / "packs").iterdir() if path.is_dir()))
        profile = folder / "profile.toml"
        profile.write_text(world.profile_toml(image), encoding="utf-8")
        return [_with(world, alone, profile, name, script, folder / name) for name, script in models.items()]


def _with(world: World, alone: Audit, profile: Path, name: str, script: Script, folder: Path) -> Compared:
    os.environ.setdefault("OPENAI_API_KEY", "lab")
    folder.mkdir()
    known = frozenset(hypothesis.id for hypothesis in alone.hypotheses)
    probes = tuple(Remembered(probe, alone.findings, known) for probe in PROBES)
    with ModelServer(script) as server:
        model = ModelOptions(name=name, server=server.url, memory=folder / "memory", rate=1000, calls=2)
        options = AuditOptions(profile=str(profile), settings=Settings(), model=model)
        told, more = (
            asyncio.run(audit(alone.case, options, ArtifactStore(folder / "store"), probes=probes)) for _ in range(2)
        )
        requests = server.calls
    assert told.verdict.assistance is not None
    assert more.verdict.assistance is not None
    return Compared(
        world=world.id,
        model=name,
        status=told.verdict.status.value,
        same=_deciding(told) == _deciding(alone),
        computed=decide(told.case, told.hypotheses, told.findings, told.basis) == told.verdict,
        assistance=told.verdict.assistance,
        again=requests - told.verdict.assistance.calls,
    )


def _deciding(one: Audit) -> tuple[str, list[str]]:
    decisive = [finding.model_dump_json() for finding in one.findings if finding.id in one.verdict.decisive]
    return one.verdict.model_dump_json(exclude=SPOKEN), decisive
