"""Audits of planted cases, and what an attacker would want to move in them."""

from pathlib import Path

from cases import Case
from graph import AuditOptions, audit
from graph.llm import ModelOptions
from graph.registry import PROBES
from graph.verdict import Audit, Verdict
from probes import ArtifactStore, Settings
from tests.graph.small_probes import Unable

FROM_RECORDS = tuple(Unable(probe) if probe.slot else probe for probe in PROBES)
"""Probes that need an engine or a browser cannot run, so that only records and rules speak."""


async def audited(case: Case, store: Path, model: ModelOptions | None = None) -> Audit:
    options = AuditOptions(settings=Settings(offline=True), model=model)
    return await audit(case, options, ArtifactStore(store), probes=FROM_RECORDS)


def deciding(verdict: Verdict) -> dict[str, object]:
    rubric = ("score", "deficiency_exists", "deficiency_caused_failure", "deficiency_type")
    return {field: getattr(verdict, field) for field in (*rubric, "status", "locus", "leading", "decisive")}
