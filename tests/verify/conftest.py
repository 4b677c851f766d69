"""The real program, run as people run it, and small synthetic inputs for it."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.verify.forking import Forking
from tests.verify.synthetic import QUIET_RUN, Verify, environment, upload


@pytest.fixture(scope="session")
def forking() -> Iterator[Forking]:
    """The program, imported once."""
    server = Forking()
    yield server
    server.close()


@pytest.fixture
def verify(tmp_path: Path, forking: Forking) -> Verify:
    """Run `verify ARGUMENTS…` in an empty directory with no settings of this machine's user; returns what came out."""
    home = tmp_path / "home"
    work = tmp_path / "work"
    for directory in (home, work):
        directory.mkdir()

    def run(
        *arguments: object, env: dict[str, str] | None = None, timeout: float = 240, **how: Any
    ) -> subprocess.CompletedProcess[str]:
        return forking.run([*map(str, arguments)], work, environment(home) | (env or {}), timeout, **how)

    return run


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """The directory that `verify` runs in."""
    return tmp_path / "work"


@pytest.fixture
def two_tasks(tmp_path: Path) -> Path:
    """A directory with two runs whose task ids share the prefix `sum-of-t`."""
    directory = tmp_path / "runs"
    directory.mkdir()
    for task in ("sum-of-two", "sum-of-ten"):
        (directory / f"{task}_UPLOAD.json").write_text(json.dumps(upload(task, QUIET_RUN)), encoding="utf-8")
    return directory
