"""What the files of a pack are, for programs that read RO-Crates."""

from collections.abc import Mapping

from cases.sentences import Sentences
from evidence.bag import SCHEMA, moment
from evidence.text import dumps, visible
from graph.verdict import Audit

say = Sentences(__name__)

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


def described(content: Mapping[str, bytes], audit: Audit) -> dict[str, bytes]:
    """`content` with an RO-Crate 1.1 description of it."""
    verdict = audit.verdict
    at = moment(audit)
    task = visible(say("crate.task", task=audit.case.task_id, benchmark=audit.case.benchmark))
    root = {
        "@id": "./",
        "@type": "Dataset",
        "name": say("crate.pack", task=task),
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
        "name": say("crate.terms_name"),
        "description": say("crate.terms"),
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
        "name": say.table("member").get(path, path.rsplit("/", 1)[-1]),
        "encodingFormat": _TYPES.get(ending, "application/octet-stream"),
        "contentSize": str(len(data)),
    }
