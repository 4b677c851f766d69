"""What the tests of this room share: a store."""

from pathlib import Path

import pytest

from probes import ArtifactStore


@pytest.fixture
def store(tmp_path: Path) -> ArtifactStore:
    """An empty store."""
    return ArtifactStore(tmp_path / "store")
