"""The one JSON object that says what an audit found."""

import datetime as dt
from typing import Any, Literal

from pydantic import Field

from cases import Case, Claim, Model, Outcome, Run
from evidence.pack import Packed, archive_of
from evidence.text import plain
from graph.verdict import Verdict
from probes import Finding, Hypothesis


class RunTold(Model):
    """A run without its transcript."""

    run_id: str
    agent: str | None
    model: str | None
    date: dt.date | None
    outcome: Outcome
    score: float | None
    source: str
    blocks: int
    """How many blocks its transcript has; 0 where there is none."""

    @classmethod
    def of(cls, run: Run) -> "RunTold":
        """What is told of a run."""
        kept = {name: getattr(run, name) for name in cls.model_fields if name != "blocks"}
        return cls(**kept, blocks=len(run.transcript.blocks) if run.transcript else 0)


class CaseTold(Model):
    """What was audited."""

    benchmark: str
    task_id: str
    prompt: str | None
    runs: tuple[RunTold, ...]
    claims: tuple[Claim, ...]


class Document(Model):
    """What one audit found, and where its pack is."""

    version: Literal["impassable/1"] = Field("impassable/1", alias="schema")
    case: CaseTold
    verdict: Verdict
    hypotheses: tuple[Hypothesis, ...]
    findings: tuple[Finding, ...]
    pack: str
    """The pack's folder."""
    archive: str
    """The pack's zip."""


def document(packed: Packed) -> dict[str, Any]:
    """The `--json` object of one task; findings name the artifacts' digests as they are in the pack."""
    audit, pack = packed
    told = Document(
        case=_case(audit.case),
        verdict=audit.verdict,
        hypotheses=audit.hypotheses,
        findings=audit.findings,
        pack=str(pack),
        archive=str(archive_of(pack)),
    )
    written: dict[str, Any] = plain(told.model_dump(mode="json", by_alias=True))
    return written


def _case(case: Case) -> CaseTold:
    return CaseTold(
        benchmark=case.benchmark,
        task_id=case.task_id,
        prompt=case.task.prompt,
        runs=tuple(map(RunTold.of, case.runs)),
        claims=case.claims,
    )
