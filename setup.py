"""What pyproject.toml cannot say: a wheel remembers the commit that it was built from, for `verify --version`."""

import os
import subprocess
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent


def commit() -> str:
    """The checkout's commit; IMPASSABLE_COMMIT where it is built without its repository, as in a container."""
    if named := os.environ.get("IMPASSABLE_COMMIT"):
        return named
    if not (ROOT / ".git").exists():
        return ""
    command = ["git", "-C", str(ROOT), "describe", "--always", "--dirty=+changes", "--exclude=*", "--abbrev=12"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


class WithCommit(build_py):
    """Writes the commit beside the command line's code, but never into a checkout."""

    def run(self) -> None:
        """Build, then write it."""
        super().run()
        if not self.editable_mode and (found := commit()):
            Path(self.build_lib, "verify", "COMMIT").write_text(found + "\n", encoding="utf-8")


setup(cmdclass={"build_py": WithCommit})
