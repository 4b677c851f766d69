"""What a Harbor trial's folder tells beside its result: its steps, its checks one by one, and what ended it."""

from pathlib import Path
from typing import Any

from cases import patterns as re
from cases.errors import InputError
from cases.links import leads_out
from cases.readers.fields import listed, mapping, text_of, trimmed
from cases.readers.streams import load_json

_REPORT = "verifier/ctrf.json"
_PRINTED = "verifier/test-stdout.txt"
_EXCEPTION = "exception.txt"
_CONFIG = "config.json"
_STEPS = "steps"
_MOST = 1_000
"""Steps of a trial that are read."""
TRAJECTORY = "agent/trajectory.json"
_LONGEST = 4_000_000
"""Bytes of a text that are read, from its end."""
_SUMMARY = re.compile(r"(?m)^(PASSED|FAILED|ERROR) (\S+)")
_SAID = {"passed": True, "failed": False}


def checks_of(trial: Path) -> dict[str, bool] | None:
    """Its checks as reports in the Common Test Report Format have them, or else as pytest's summaries do.

    Those of a trial in several steps have the step's name before their own.
    """
    if (found := _checks_in(trial)) is not None:
        return found
    told = ((name, _checks_in(folder) or {}) for name, folder in steps_of(trial).items())
    return {f"{name}: {check}": passed for name, checks in told for check, passed in checks.items()} or None


def steps_of(trial: Path, told: object = None) -> dict[str, Path]:
    """The folders of a trial's steps by their names, in the order in which they ran; none where it has but one.

    Args:
        trial: The trial's folder.
        told: The results of its steps as the trial's own result has them, in order.
    """
    place = trial / _STEPS
    if not place.is_dir() or leads_out(place, trial):
        return {}
    known = {
        path.name: path for path in sorted(place.iterdir())[:_MOST] if path.is_dir() and not leads_out(path, place)
    }
    names = [name for one in listed(told) if (name := trimmed(mapping(one).get("step_name"))) in known]
    return {name: known[name] for name in dict.fromkeys((*names, *known)) if name}


def of_step(path: Path) -> Path | None:
    """The trial's folder, where the path is the trajectory of one of its steps."""
    parts = path.resolve().parents
    inside = len(parts) > 3 and parts[0].name == "agent" and parts[2].name == _STEPS
    return parts[3] if inside else None


def _checks_in(trial: Path) -> dict[str, bool] | None:
    tests = listed(mapping(_object(trial, _REPORT).get("results")).get("tests"))
    rows = [(text_of(mapping(one).get("name")), text_of(mapping(one).get("status"))) for one in tests]
    if found := {name: _SAID[status] for name, status in rows if name and status in _SAID}:
        return found
    printed = _text(trial, _PRINTED)
    return {name: state == "PASSED" for state, name in _SUMMARY.findall(printed)} or None


def exception_of(trial: Path) -> str:
    """The traceback that Harbor left; empty where nothing was raised."""
    return _text(trial, _EXCEPTION).strip()


def task_folder(trial: Path) -> Path | None:
    """The task's own folder on this machine, as the trial's configuration names it, where it is there.

    Args:
        trial: The trial's folder.
    """
    task = mapping(_object(trial, _CONFIG).get("task"))
    named = trimmed(task.get("path"))
    if named is None or task.get("git_url"):
        return None
    folder = Path(named).expanduser()
    return folder.resolve() if folder.is_dir() else None


def _object(trial: Path, name: str) -> dict[str, Any]:
    path = trial / name
    try:
        return mapping(load_json(path)) if path.is_file() and not leads_out(path, trial) else {}
    except InputError:
        return {}


def _text(trial: Path, name: str) -> str:
    path = trial / name
    if leads_out(path, trial):
        return ""
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - _LONGEST))
            return file.read().decode("utf-8", "replace")
    except OSError:
        return ""
