"""What a Harbor trial's folder tells beside its result: its checks one by one, and the exception that ended it."""

from pathlib import Path
from typing import Any

from cases import patterns as re
from cases.errors import InputError
from cases.readers.fields import listed, mapping, text_of, trimmed
from cases.readers.streams import load_json

_REPORT = "verifier/ctrf.json"
_PRINTED = "verifier/test-stdout.txt"
_EXCEPTION = "exception.txt"
_CONFIG = "config.json"
_LONGEST = 4_000_000
"""Bytes of a text that are read, from its end."""
_SUMMARY = re.compile(r"(?m)^(PASSED|FAILED|ERROR) (\S+)")
_SAID = {"passed": True, "failed": False}


def checks_of(trial: Path) -> dict[str, bool] | None:
    """Its checks as the report in the Common Test Report Format has them, or else as pytest's summary does."""
    tests = listed(mapping(_object(trial / _REPORT).get("results")).get("tests"))
    rows = [(text_of(mapping(one).get("name")), text_of(mapping(one).get("status"))) for one in tests]
    if found := {name: _SAID[status] for name, status in rows if name and status in _SAID}:
        return found
    printed = _text(trial / _PRINTED)
    return {name: state == "PASSED" for state, name in _SUMMARY.findall(printed)} or None


def exception_of(trial: Path) -> str:
    """The traceback that Harbor left; empty where nothing was raised."""
    return _text(trial / _EXCEPTION).strip()


def task_folder(trial: Path) -> Path | None:
    """The task's own folder on this machine, as the trial's configuration names it, where it is there.

    Args:
        trial: The trial's folder.
    """
    task = mapping(_object(trial / _CONFIG).get("task"))
    named = trimmed(task.get("path"))
    if named is None or task.get("git_url"):
        return None
    folder = Path(named).expanduser()
    return folder.resolve() if folder.is_dir() else None


def _object(path: Path) -> dict[str, Any]:
    try:
        return mapping(load_json(path)) if path.is_file() else {}
    except InputError:
        return {}


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - _LONGEST))
            return file.read().decode("utf-8", "replace")
    except OSError:
        return ""
