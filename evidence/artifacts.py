"""The artifacts of an audit on their way into a pack: fetched, checked, masked and safely named."""

import hashlib
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from cases import EnvironmentNotReady, PackError
from evidence.redaction import Redacted
from evidence.text import plain, safe_name
from graph.verdict import Audit
from probes import Artifact, ArtifactStore

_TEXT_TYPES = (
    "text/",
    "application/json",
    "application/xml",
    "application/xhtml",
    "application/javascript",
    "image/svg",
)
_INERT = frozenset({".txt", ".json", ".png", ".jpg", ".jpeg", ".webp", ".gif", ".zip", ".gz"})
"""Endings that a browser shows or saves without running anything; every other name gets `.txt` or `.bin`."""
_IMAGES = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg"}


@dataclass(frozen=True)
class EvidenceFile:
    """One artifact as it lies in the pack."""

    artifact: Artifact
    path: str
    data: bytes

    @property
    def text(self) -> str | None:
        """What it says; None for what is not text."""
        return self.data.decode("utf-8", "surrogateescape") if _is_text(self.artifact, self.data) else None

    @property
    def image(self) -> str | None:
        """The media type that its first bytes show, for PNG and JPEG."""
        return next((kind for magic, kind in _IMAGES.items() if self.data.startswith(magic)), None)


def collect(audit: Audit, store: ArtifactStore) -> dict[str, EvidenceFile]:
    """Every artifact that a finding names, by its SHA-256.

    Raises:
        EnvironmentNotReady: the store cannot be read.
        PackError: an artifact is missing or its bytes are not those of its digest.
    """
    described: dict[str, Artifact] = {}
    for finding in audit.findings:
        for artifact in finding.artifacts:
            described.setdefault(artifact.sha256, artifact)
    pointed = {entry.artifact for finding in audit.findings for entry in finding.observations}
    pointed |= {route.artifact for finding in audit.findings for route in finding.routes}
    for digest in sorted(filter(None, pointed - described.keys())):
        described[digest] = Artifact(sha256=digest, name="evidence", media_type="application/octet-stream", size=0)
    return {digest: _fetch(artifact, store) for digest, artifact in described.items()}


def relinked(clean: Redacted, found: dict[str, EvidenceFile]) -> tuple[Audit, tuple[EvidenceFile, ...]]:
    """The masked audit and artifacts, with every digest naming the masked bytes."""
    renamed: dict[str, Artifact] = {}
    evidence: dict[str, EvidenceFile] = {}
    masked_names = {
        artifact.sha256: artifact.name
        for finding in reversed(clean.audit.findings)
        for artifact in reversed(finding.artifacts)
    }
    for digest, file in found.items():
        data = clean.texts[digest].encode("utf-8", "surrogateescape") if digest in clean.texts else file.data
        name = masked_names.get(digest, file.artifact.name)
        own = file.artifact.model_copy(
            update={"sha256": hashlib.sha256(data).hexdigest(), "size": len(data), "name": name}
        )
        renamed[digest] = own
        evidence.setdefault(own.sha256, EvidenceFile(own, _path(own, data), data))
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


def _fetch(artifact: Artifact, store: ArtifactStore) -> EvidenceFile:
    path = store.path(artifact.sha256)
    try:
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise PackError(f"Artifact {artifact.name} ({path}) is missing from the store; run the audit again.") from error
    except OSError as error:
        raise EnvironmentNotReady(f"Artifact {artifact.name} ({path}) cannot be read: {error.strerror}.") from error
    if hashlib.sha256(data).hexdigest() != artifact.sha256:
        raise PackError(f"Artifact {artifact.name} ({path}) was altered in the store; run the audit again.")
    return EvidenceFile(artifact, _path(artifact, data), data)


def _is_text(artifact: Artifact, data: bytes) -> bool:
    if artifact.media_type.startswith(_TEXT_TYPES) or artifact.media_type.endswith(("+json", "+xml")):
        return True
    try:
        return b"\0" not in data and bool(data.decode())
    except UnicodeDecodeError:
        return False


def _path(artifact: Artifact, data: bytes) -> str:
    name = safe_name(artifact.name, 60, "artifact")
    if PurePosixPath(name).suffix.lower() not in _INERT:
        name += ".txt" if _is_text(artifact, data) else ".bin"
    return f"data/evidence/{artifact.sha256[:12]}-{name}"
