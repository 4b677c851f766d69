"""Where a task's own files lie, and which layout they have."""

from pathlib import Path
from typing import Any

from cases.errors import InputError
from cases.folders.layouts import harbor, terminal_bench
from cases.folders.model import Part, TaskFolder
from cases.folders.swebench import is_row, of_row
from cases.links import leads_out
from cases.model import Reference
from cases.readers.fields import trimmed
from cases.readers.records import Place, records
from cases.sentences import Sentences

say = Sentences(__name__)

MOST = 20_000
"""Folders that are looked through."""
_USERS = "/oracle/given"


def is_task(folder: Path) -> bool:
    """Whether a folder is a task in a known layout."""
    if (folder / "task.toml").is_file() or (folder / "task.yaml").is_file():
        return True
    solved = (folder / "solution.sh").is_file() or (folder / "solution.yaml").is_file()
    return solved and ((folder / "run-tests.sh").is_file() or (folder / "tests").is_dir())


def tasks_below(folder: Path) -> dict[str, Path]:
    """Folders of tasks by their names: the folder itself, or those in it."""
    if is_task(folder):
        return {folder.resolve().name: folder}
    inside = sorted(path for path in folder.iterdir() if path.is_dir() and not leads_out(path, folder))[:MOST]
    return {path.name: path for path in inside if is_task(path)}


def read_folder(folder: Path) -> TaskFolder:
    """A task's folder.

    Raises:
        InputError: it is none, a file of it cannot be read, or a part of it is a link to another place.
    """
    for part in (*_listed(folder), *_listed(folder / "steps")):
        if leads_out(part, folder):
            raise InputError(say("folders.parsing.link_leads_out_task", path=part))
    if (folder / "task.toml").is_file():
        return harbor(folder)
    if is_task(folder):
        return terminal_bench(folder)
    raise InputError(say("folders.reading.no_task_terminal_bench", folder=folder))


def _listed(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.is_dir() else []


def read_reference(reference: Reference, task_id: str) -> TaskFolder:
    """The solution and the checks that a case names.

    Raises:
        InputError: they are not there any more, or cannot be read.
    """
    place = Path(reference.place)
    found = read_folder(place) if place.is_dir() else _row(place, task_id)
    if reference.script is None:
        return found
    seconds = found.solution.seconds if found.solution else Part(command="").seconds
    script = Path(reference.script)
    if not script.is_file():
        raise InputError(say("folders.reading.oracle_no_file_script", script=script))
    given = Part(places=((script, _USERS),), command=_run_by(script), seconds=seconds)
    return found.model_copy(update={"solution": given, "lacks": "" if found.checks else found.lacks})


def _run_by(script: Path) -> str:
    return f"python3 {_USERS}" if script.suffix == ".py" else f"bash {_USERS}"


def _row(path: Path, task_id: str) -> TaskFolder:
    found: list[dict[str, Any]] = []

    def take(data: dict[str, Any], _: Place) -> None:
        if trimmed(data.get("instance_id")) == task_id and is_row(data):
            found.append(data)

    records(path, take)
    if not found:
        raise InputError(say("folders.reading.no_row_patch_test", path=path, task_id=task_id))
    return of_row(path, found[0])
