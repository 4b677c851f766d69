"""The one JSON object that says what an audit found."""

from pathlib import Path
from typing import Any

from cases import Case
from evidence.pack import SCHEMA, archive_of, read_pack
from evidence.redaction import redact
from evidence.text import plain
from graph.verdict import Audit


def document(audit: Audit, pack: Path | None) -> dict[str, Any]:
    """The `--json` object of one task; secrets are masked as they are in the pack.

    With `pack`, findings name the artifacts' digests as they are in that pack.

    Raises:
        PackError: `pack` cannot be read.
    """
    clean = redact(audit).audit
    shown = clean if pack is None else read_pack(pack)
    return {
        "schema": SCHEMA,
        "case": _case(clean.case),
        "verdict": plain(shown.verdict),
        "hypotheses": plain(shown.hypotheses),
        "findings": plain(shown.findings),
        "pack": None if pack is None else str(pack),
        "archive": None if pack is None else str(archive_of(pack)),
    }


def _case(case: Case) -> dict[str, Any]:
    return {
        "benchmark": case.benchmark,
        "task_id": case.task_id,
        "prompt": case.task.prompt,
        "runs": [
            {
                "run_id": run.run_id,
                "agent": run.agent,
                "model": run.model,
                "date": run.date.isoformat() if run.date else None,
                "outcome": run.outcome.value,
                "score": plain(run.score),
                "source": run.source,
                "blocks": len(run.transcript.blocks) if run.transcript else 0,
            }
            for run in case.runs
        ],
        "claims": plain(case.claims),
    }
