"""What the files of a pack are, for programs that read RO-Crates."""

from collections.abc import Mapping

from evidence.bag import SCHEMA, moment
from evidence.text import dumps, visible
from graph.verdict import Audit

METADATA = "ro-crate-metadata.json"
_LICENSE = "#records"
_TYPES = {
    ".json": "application/json",
    ".txt": "text/plain",
    ".html": "text/html",
    ".md": "text/markdown",
    ".sh": "text/x-shellscript",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".webp": "image/webp",
    ".gif": "image/gif",
    ".zip": "application/zip",
    ".gz": "application/gzip",
}
_MEANINGS = {
    "report.html": "The audit as a page for people",
    "case.json": "What was audited: the task, its runs and what others said of them",
    "envelope.json": "What the agent's machine was",
    "hypotheses.json": "What might have been impassable",
    "findings.json": "What the probes answered",
    "basis.json": "What the judge is told besides",
    "issue.md": "A text for the benchmark's maintainers",
    "verdict.json": "The verdict, which follows from case, hypotheses, findings and basis",
}


def described(content: Mapping[str, bytes], audit: Audit) -> dict[str, bytes]:
    """`content` with an RO-Crate 1.1 description of it."""
    verdict = audit.verdict
    at = moment(audit)
    task = visible(f"{audit.case.task_id} of {audit.case.benchmark}")
    root = {
        "@id": "./",
        "@type": "Dataset",
        "name": f"Evidence pack: {task}",
        "description": f"{verdict.status.value} (score {verdict.score}): {visible(verdict.reason)}",
        "datePublished": at.date().isoformat() if at else "1980-01-01",
        "license": {"@id": _LICENSE},
        "version": SCHEMA,
        "hasPart": [{"@id": path} for path in sorted(content)],
    }
    descriptor = {
        "@id": METADATA,
        "@type": "CreativeWork",
        "conformsTo": {"@id": "https://w3id.org/ro/crate/1.1"},
        "about": {"@id": "./"},
    }
    records = {
        "@id": _LICENSE,
        "@type": "CreativeWork",
        "name": "Terms of the sources",
        "description": "Quoted records, pages and logs stay under the terms of those who made them.",
    }
    files = [_file(path, data) for path, data in sorted(content.items())]
    graph = [descriptor, root, records, *files]
    crate = dumps({"@context": "https://w3id.org/ro/crate/1.1/context", "@graph": graph})
    return {**content, METADATA: crate.encode()}


def _file(path: str, data: bytes) -> dict[str, str]:
    ending = path[path.rfind(".") :]
    return {
        "@id": path,
        "@type": "File",
        "name": _MEANINGS.get(path, path.rsplit("/", 1)[-1]),
        "encodingFormat": _TYPES.get(ending, "application/octet-stream"),
        "contentSize": str(len(data)),
    }
