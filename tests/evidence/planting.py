"""Audits with a text or a file planted in them, and every text that a file opens into."""

import io
import zipfile
from collections.abc import Iterator

from cases import Block, Citation, Transcript
from graph.verdict import Audit
from probes import Artifact
from tests.evidence.synthetic_audits import judged


def planted(audit: Audit, text: str, **block: object) -> Audit:
    """`audit` with one more block, cited whole by a finding and by the verdict."""
    run = audit.case.runs[0]
    assert run.transcript
    index = len(run.transcript.blocks)
    added = Block(index=index, role="tool", kind="result", text=text, **block)
    run = run.model_copy(update={"transcript": Transcript(blocks=(*run.transcript.blocks, added))})
    citation = Citation(run_id=run.run_id, block=index, start=3, end=len(text), quote=text[3:])
    first = audit.findings[0].model_copy(update={"citations": (citation,)})
    thought = audit.hypotheses[0].model_copy(update={"citations": (citation, *audit.hypotheses[0].citations)})
    case = audit.case.model_copy(update={"runs": (run, *audit.case.runs[1:])})
    findings = (first, *audit.findings[1:])
    return judged(case, (thought, *audit.hypotheses[1:]), findings, audit.envelope, *audit.basis.notes)


def with_artifacts(audit: Audit, *artifacts: Artifact) -> Audit:
    first = audit.findings[0]
    first = first.model_copy(update={"artifacts": (*first.artifacts, *artifacts)})
    return audit.model_copy(update={"findings": (first, *audit.findings[1:])})


def opened_bytes(data: bytes) -> Iterator[bytes]:
    """Bytes, and what a zip or a gzip in them holds."""
    yield data
    if data.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for name in archive.namelist():
                yield from opened_bytes(archive.read(name))
