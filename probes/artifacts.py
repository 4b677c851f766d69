"""The content-addressed store that every piece of evidence goes to before anything speaks of it."""

import hashlib
import tempfile
from pathlib import Path

from probes.model import Artifact


class ArtifactStore:
    """Files named by their SHA-256 in one directory, written at once or not at all."""

    def __init__(self, directory: Path) -> None:
        """Use `directory`, made when the first artifact is put."""
        self.directory = directory

    def put(self, data: bytes | str, name: str, media_type: str = "text/plain", *, private: bool = False) -> Artifact:
        """Store `data` and return its record; what is `private` stays out of public packs.

        Raises:
            OSError: the disk is full or the directory cannot be written.
        """
        raw = data.encode("utf-8", "backslashreplace") if isinstance(data, str) else data
        digest = hashlib.sha256(raw).hexdigest()
        self.directory.mkdir(parents=True, exist_ok=True)
        target = self.path(digest)
        if not target.exists():
            with tempfile.NamedTemporaryFile(dir=self.directory, delete=False) as part:
                partial = Path(part.name)
                try:
                    part.write(raw)
                    part.close()
                    partial.replace(target)
                except OSError:
                    partial.unlink(missing_ok=True)
                    raise
        return Artifact(sha256=digest, name=name, media_type=media_type, size=len(raw), private=private)

    def put_file(self, path: Path, artifact: Artifact) -> Artifact:
        """Store what another store keeps at `path`.

        Raises:
            OSError: it is not there, the disk is full or the directory cannot be written.
        """
        if not self.path(artifact.sha256).exists():
            self.put(path.read_bytes(), artifact.name, artifact.media_type, private=artifact.private)
        return artifact

    def path(self, sha256: str) -> Path:
        """Where the artifact's bytes are."""
        return self.directory / sha256
