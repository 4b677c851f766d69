"""The masked audit and its masked artifacts, joined again by digest."""

import hashlib
from collections.abc import Mapping
from typing import Any

from evidence.artifacts import EvidenceFile, path_of
from evidence.members import with_texts
from evidence.redaction import Redacted
from evidence.text import plain
from graph.verdict import Audit
from probes import Artifact


def relinked(clean: Redacted, found: Mapping[str, EvidenceFile]) -> tuple[Audit, tuple[EvidenceFile, ...]]:
    """The masked audit and artifacts, with every digest naming the masked bytes."""
    renamed: dict[str, Artifact] = {}
    evidence: dict[str, EvidenceFile] = {}
    masked_names = {
        artifact.sha256: artifact.name
        for finding in reversed(clean.audit.findings)
        for artifact in reversed(finding.artifacts)
    }
    for digest, file in found.items():
        data = with_texts(file, {member: text for (one, member), text in clean.texts.items() if one == digest})
        name = masked_names.get(digest, file.artifact.name)
        own = file.artifact.model_copy(
            update={"sha256": hashlib.sha256(data).hexdigest(), "size": len(data), "name": name}
        )
        renamed[digest] = own
        evidence.setdefault(own.sha256, EvidenceFile(own, path_of(own, data), data))
    record = plain(clean.audit)
    record["findings"] = [_renamed(finding, renamed) for finding in record["findings"]]
    return Audit.model_validate(record), tuple(evidence.values())


def _renamed(finding: dict[str, Any], renamed: dict[str, Artifact]) -> dict[str, Any]:
    for artifact in finding["artifacts"]:
        own = renamed[artifact["sha256"]]
        artifact |= {"sha256": own.sha256, "size": own.size}
    for part in (*finding["observations"], *finding["routes"]):
        if part["artifact"]:
            part["artifact"] = renamed[part["artifact"]].sha256
    return finding
