"""Which version of the program this is, and of which commit."""

import subprocess
from importlib.metadata import version
from pathlib import Path

_HERE = Path(__file__).resolve().parent


def told() -> str:
    """The version, with the commit where it is known."""
    commit = _commit()
    return f"impassable {version('impassable')}" + (f" (commit {commit})" if commit else "")


def _commit() -> str:
    """As a wheel remembers it, or as git says it of a checkout."""
    kept = _HERE / "COMMIT"
    if kept.is_file():
        return kept.read_text(encoding="utf-8").strip()
    if not (_HERE.parent / ".git").exists():
        return ""
    command = ["git", "-C", str(_HERE.parent), "describe", "--always", "--dirty=+changes", "--exclude=*", "--abbrev=12"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=10).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""
