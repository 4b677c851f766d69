"""The masked audit and its masked artifacts, joined again by digest."""

import hashlib
from collections.abc import Mapping
from typing import Any

from evidence.artifacts import EvidenceFile, laid_out
from evidence.members import with_texts
from evidence.redaction import Redacted
from evidence.text import plain
from graph.verdict import Audit


def relinked(clean: Redacted, found: Mapping[str, EvidenceFile]) -> tuple[Audit, tuple[EvidenceFile, ...]]:
    """The masked audit and artifacts, with every digest naming the masked bytes.

    Raises:
        PackError: an artifact is a zip that is not safe to open.
    """
    renamed: dict[str, tuple[str, int]] = {}
    held: dict[str, bytes] = {}
    for digest, file in found.items():
        data = with_texts(file, {member: text for (one, member), text in clean.texts.items() if one == digest})
        own = hashlib.sha256(data).hexdigest()
        renamed[digest], held[own] = (own, len(data)), data
    record = plain(clean.audit)
    record["findings"] = [_renamed(finding, renamed) for finding in record["findings"]]
    audit = Audit.model_validate(record)
    return audit, laid_out(audit, held)


def _renamed(finding: dict[str, Any], renamed: Mapping[str, tuple[str, int]]) -> dict[str, Any]:
    for artifact in finding["artifacts"]:
        artifact["sha256"], artifact["size"] = renamed[artifact["sha256"]]
    for part in (*finding["observations"], *finding["routes"]):
        if part["artifact"]:
            part["artifact"] = renamed[part["artifact"]][0]
    return finding
