"""The artifacts of an audit on their way into a pack: fetched, checked, masked and safely named."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from cases import EnvironmentNotReady, PackError
from cases.sentences import Sentences
from evidence.text import safe_name
from graph.verdict import Audit
from probes import Artifact, ArtifactStore

say = Sentences(__name__)

EVIDENCE = "data/evidence/"
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
        return self.data.decode("utf-8", "surrogateescape") if is_text(self.artifact.media_type, self.data) else None

    @property
    def image(self) -> str | None:
        """The media type that its first bytes show, for PNG and JPEG."""
        return next((kind for magic, kind in _IMAGES.items() if self.data.startswith(magic)), None)


def named(audit: Audit) -> dict[str, Artifact]:
    """Every artifact that a finding names, by its SHA-256: the described ones first, then those only pointed at."""
    described: dict[str, Artifact] = {}
    for finding in audit.findings:
        for artifact in finding.artifacts:
            described.setdefault(artifact.sha256, artifact)
    pointed = {entry.artifact for finding in audit.findings for entry in finding.observations}
    pointed |= {route.artifact for finding in audit.findings for route in finding.routes}
    for digest in sorted(filter(None, pointed - described.keys())):
        described[digest] = Artifact(sha256=digest, name="evidence", media_type="application/octet-stream", size=0)
    return described


def collect(audit: Audit, store: ArtifactStore) -> dict[str, EvidenceFile]:
    """Every artifact that a finding names, by its SHA-256.

    Raises:
        EnvironmentNotReady: the store cannot be read.
        PackError: an artifact is missing or its bytes are not those of its digest.
    """
    return {digest: _fetch(artifact, store) for digest, artifact in named(audit).items()}


def laid_out(audit: Audit, held: Mapping[str, bytes]) -> tuple[EvidenceFile, ...]:
    """The artifacts that an audit names as they lie in a pack, from all their bytes by SHA-256."""
    files = []
    for digest, artifact in named(audit).items():
        own = artifact.model_copy(update={"size": len(held[digest])})
        files.append(EvidenceFile(own, path_of(own, held[digest]), held[digest]))
    return tuple(files)


def _fetch(artifact: Artifact, store: ArtifactStore) -> EvidenceFile:
    path = store.path(artifact.sha256)
    try:
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise PackError(say("artifacts.artifact_missing_store_run", name=artifact.name, path=path)) from error
    except OSError as error:
        raise EnvironmentNotReady(
            say("artifacts.artifact_cannot_read", name=artifact.name, path=path, strerror=error.strerror)
        ) from error
    if hashlib.sha256(data).hexdigest() != artifact.sha256:
        raise PackError(say("artifacts.artifact_altered_store_run", name=artifact.name, path=path))
    return EvidenceFile(artifact, path_of(artifact, data), data)


def is_text(media_type: str, data: bytes) -> bool:
    """Whether bytes are text: by their type, or because they read as it."""
    if media_type.startswith(_TEXT_TYPES) or media_type.endswith(("+json", "+xml")):
        return True
    try:
        return b"\0" not in data and bool(data.decode())
    except UnicodeDecodeError:
        return False


def path_of(artifact: Artifact, data: bytes) -> str:
    """Where an artifact lies in a pack: named by its digest, and as nothing that a browser would run."""
    name = safe_name(artifact.name, 60, "artifact")
    if PurePosixPath(name).suffix.lower() not in _INERT:
        name += ".txt" if is_text(artifact.media_type, data) else ".bin"
    return f"{EVIDENCE}{artifact.sha256[:12]}-{name}"
