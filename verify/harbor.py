"""`verify harbor`: the failed trials of a job of Harbor's, each with its verdict beside its result."""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cases.sentences import Sentences
from verify.options import AsJson, Benchmark, Network, Offline, Quiet, Verbose

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cases.library import Library, TaskSummary
    from evidence import Packed
    from verify.progress import Loudness

say = Sentences(__name__)

VERDICT = "impassable.json"
"""What is written into a trial's folder."""


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command()(harbor)


def harbor(
    job: Annotated[Path, typer.Argument(metavar="JOB_DIR", help="A job's folder, which holds its trials.")],
    *,
    trial: Annotated[
        list[str] | None, typer.Option("--trial", metavar="NAME", help="Only this trial. Repeatable.")
    ] = None,
    tasks: Annotated[
        Path | None,
        typer.Option("--tasks", metavar="DIR", help="The tasks' folders (default: where the trials say they are)."),
    ] = None,
    profile: Annotated[
        str | None,
        typer.Option(
            "--profile", metavar="NAME|PATH", help="The run's machine: a profile's name, a file, or a task's folder."
        ),
    ] = None,
    network: Network = None,
    benchmark: Benchmark = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Where packs go (default: packs).")] = None,
    as_json: AsJson = False,
    offline: Offline = None,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Audit a Harbor job's failed trials in our own containers; each verdict goes into its trial's folder."""
    from cases.readers.atif import RESULT
    from cases.readers.harbor_trial import TRAJECTORY
    from verify.batch.course import Course
    from verify.batch.selection import Selection, selected
    from verify.config import load
    from verify.inputs import open_library
    from verify.several import PassedOver

    trials = _trials(job)
    wanted = set(trials if trial is None else _known(trial, trials, job))
    failed = PassedOver(alone=False, as_json=as_json)
    loudness: Loudness = "quiet" if quiet else "verbose" if verbose else "normal"
    files = [job / "*" / name for name in (RESULT, TRAJECTORY) if any(job.glob(f"*/{name}"))]
    flags = {"run": files, "benchmark": benchmark, "profile": profile, "network": network, "out": out}
    for folder, names in _by_tasks(trials, tasks).items():
        configuration = load(flags | {"offline": offline, "tasks": folder})
        library = open_library(configuration)
        kept = _Beside({name: trials[name] for name in names}, library)
        found = [task for task in library.tasks() if kept.trials_of(task) & wanted]
        found = selected(library, found, Selection().of_failures()) if found else []
        course = Course(configuration, library, failed, None, loudness, "json" if as_json else "text", kept)
        course.many(found, None, again=False, whole=False)
    failed.leave()


def _trials(job: Path) -> dict[str, Path]:
    """The trials that have ended, by name."""
    from cases import InputError
    from cases.links import leads_out
    from cases.readers.atif import RESULT, TRIAL
    from cases.readers.streams import load_json

    if not job.is_dir():
        raise InputError(say("harbor.no_folder_job_harbor", job=job))
    found = {}
    for path in sorted(job.glob(f"*/{RESULT}")):
        if leads_out(path, job):
            continue
        told = load_json(path)
        if isinstance(told, dict) and told.keys() >= TRIAL:
            found[str(told["trial_name"])] = path.parent
    if not found:
        raise InputError(say("harbor.no_trial_ended_job", job=job, result=RESULT))
    return found


def _known(asked: list[str], trials: dict[str, Path], job: Path) -> list[str]:
    from cases import InputError

    if lost := [name for name in asked if name not in trials]:
        raise InputError(say("harbor.trial_no_trial_ended", trial=lost[0], job=job, known=next(iter(trials))))
    return asked


def _by_tasks(trials: dict[str, Path], given: Path | None) -> dict[str | None, set[str]]:
    """Trials by the folder that holds their tasks' folders; None where it is not on this machine."""
    from cases.folders import is_task
    from cases.readers.harbor_trial import task_folder

    found: dict[str | None, set[str]] = {}
    for name, place in trials.items():
        own = task_folder(place) if given is None else None
        folder = str(given) if given else str(own.parent) if own and is_task(own) else None
        found.setdefault(folder, set()).add(name)
    return found


class _Beside:
    """Writes each verdict beside the results of the trials that it is about."""

    def __init__(self, trials: dict[str, Path], library: "Library") -> None:
        self._trials, self._library = trials, library
        self._tasks = {(one.benchmark, one.task_id): one for one in library.tasks()}

    def trials_of(self, task: "TaskSummary") -> set[str]:
        """Names of its trials."""
        runs: Iterable[str] = (one.record.run_id for one in self._library.entry(task).runs)
        return self._trials.keys() & set(runs)

    def __call__(self, packed: "Packed") -> None:
        from cases import Outcome
        from evidence import document

        case = packed.audit.case
        told = document(packed) | {"pack": str(packed.path.resolve())}
        told |= {"archive": str(packed.path.with_name(f"{packed.path.name}.zip").resolve())}
        for run in case.runs:
            if run.outcome is not Outcome.PASSED and run.run_id in self._trials:
                _write(self._trials[run.run_id] / VERDICT, json.dumps(told, indent=2, ensure_ascii=True) + "\n")


def _write(path: Path, text: str) -> None:
    from cases import EnvironmentNotReady

    partial = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        partial.write_text(text, encoding="utf-8")
        partial.replace(path)
    except OSError as error:
        raise EnvironmentNotReady(say("harbor.pack_written_copy_not", path=path, strerror=error.strerror)) from None
