"""The wheel, installed where nothing of this checkout is, and folders as users have them."""

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from impassable.rooms import ROOMS
from tests.verify.conftest import forking, two_tasks, verify, work
from tests.verify.synthetic import environment

__all__ = ["forking", "two_tasks", "verify", "work"]

ROOT = Path(__file__).parents[2]
COMMIT = "0123456789ab"


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout, built in a copy of it."""
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    for room in ROOMS:
        shutil.copytree(ROOT / room, source / room, ignore=shutil.ignore_patterns("__pycache__"))
    build = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", out, source]
    subprocess.run(build, check=True, capture_output=True, env=os.environ | {"IMPASSABLE_COMMIT": COMMIT})
    [made] = out.glob("*.whl")
    return made


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of an environment with the wheel; other packages are lent to it, this checkout is not."""
    home = tmp_path_factory.mktemp("clean")
    venv.create(home, symlinks=True)
    programs = home / "bin"
    command = [sys.executable, "-m", "pip", "--python", programs / "python", "install", "-q", "--no-deps", wheel]
    subprocess.run(command, check=True, capture_output=True)
    [site] = home.glob("lib/python*/site-packages")
    (site / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return programs


@pytest.fixture
def alone(tmp_path: Path) -> dict[str, str]:
    """The environment of a user whose own folder is on the path of every Python."""
    return environment(tmp_path / "home") | {"PYTHONPATH": "."}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder in which the user has modules of every room's name."""
    place = tmp_path / "mine"
    place.mkdir()
    for room in ("cases", "evidence", "graph", "probes", "sandboxes", "verify"):
        (place / f"{room}.py").write_text("OWNER = 'the user'\n", encoding="utf-8")
    return place
