"""What the tests of this room share: a store, and one real Chromium."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from probes import ArtifactStore


@pytest.fixture
def store(tmp_path: Path) -> ArtifactStore:
    """An empty store."""
    return ArtifactStore(tmp_path / "store")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """The system's Chromium where there is one, Playwright's own otherwise."""
    system = Path("/usr/bin/chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=system if system.exists() else None, args=["--no-sandbox"])
        yield browser
        browser.close()
