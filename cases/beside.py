"""What lies beside a run and speaks of it: reports of how it ended, and a folder that has its task's name."""

import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

from pydantic import Field

from cases import benchmarks
from cases.files import Source
from cases.links import leads_out
from cases.loading import load
from cases.merging import merged_runs
from cases.model import RULED, Model, Outcome
from cases.readers import Graded, Problem, Report, RunRecord, Spoken
from cases.readers.fields import stem_of
from cases.sentences import Sentences

say = Sentences(__name__)

UNRESOLVED = "not among those that the report beside it lists"
_HIGHEST = 3
"""Folders above a file that may bear its task's name."""


class Names(Model):
    """Names of files or folders, as patterns."""

    names: tuple[str, ...] = Field(min_length=1)
    source: str = Field(min_length=1)

    def match(self, name: str) -> bool:
        """Whether one of them fits."""
        return any(fnmatch(name.lower(), pattern) for pattern in self.names)


class Beside(Model):
    """The content of `beside.toml`."""

    reports: Names
    folders: Names
    unspeaking: Names


@cache
def _beside() -> Beside:
    return load(Beside, "cases", "beside.toml")


def placed(record: RunRecord, source: Source) -> RunRecord:
    """A record whose task was called by its file's name, with the id that a folder above bears where that says more."""
    stem = stem_of(source.path)
    if record.task_id != stem or benchmarks.of_task_id(stem):
        return record
    above = Path(_whole(source.path)).parents[:_HIGHEST]
    own = source.path.parent
    named = next((folder.name for folder in above if benchmarks.of_task_id(folder.name)), "")
    if not named and _beside().unspeaking.match(stem) and own != source.origin:
        named = own.name
    if not named:
        return record
    benchmark = record.benchmark or benchmarks.of_task_id(named)
    return replace(record, task_id=named, benchmark=benchmark)


def neighbours(paths: Iterable[Path]) -> list[Path]:
    """Files that may say how the runs in `paths` ended: in their folders, and in folders of reports beside them."""
    listed: dict[Path, list[Path]] = {}
    found: dict[Path, None] = {}
    for path in paths:
        own = path.parent.name == stem_of(path) or benchmarks.of_task_id(path.parent.name)
        for folder in path.parents[: 3 if own else 2]:
            inner = [one for one in _listed(folder, listed) if _beside().folders.match(one.name) and one.is_dir()]
            named = [one / name for one in inner for name in (stem_of(path), path.parent.name)]
            for place in (folder, *inner, *named):
                found |= dict.fromkeys(one for one in _listed(place, listed) if _beside().reports.match(one.name))
    return [path for path in found if path.is_file()]


def _listed(folder: Path, known: dict[Path, list[Path]]) -> list[Path]:
    if folder not in known:
        try:
            known[folder] = sorted(path for path in folder.iterdir() if not leads_out(path, folder))
        except OSError:
            known[folder] = []
    return known[folder]


class Joining:
    """Runs as files hold them, and what reports say of how they ended."""

    def __init__(self, runs: Sequence[RunRecord]) -> None:
        """Know where each run lies."""
        self._runs = list(runs)
        self._alone: list[RunRecord] = []
        self.spoken: list[Spoken] = []
        """Runs that no file holds, of reports whose rows are read anew whenever they are asked for."""
        self.problems: list[Problem] = []
        self._of_task: dict[str, list[int]] = defaultdict(list)
        self._below: dict[str, set[int]] = defaultdict(set)
        for number, record in enumerate(runs):
            self._of_task[record.task_id].append(number)
            if record.load:
                for folder in Path(_whole(record.run.source)).parents:
                    self._below[str(folder)].add(number)

    @property
    def runs(self) -> list[RunRecord]:
        """The runs with what was said of them, and then those that are only spoken of."""
        return [*self._runs, *self._alone]

    def take(self, reports: Iterable[Report], *, alone: bool = True) -> None:
        """Give every run what reports say of it; `alone`, what they say of a run that no file holds is a run, too."""
        for report in sorted(reports, key=lambda one: any(graded.folder is None for graded in one.graded)):
            for at in range(len(report.graded)):
                if (self._runs and self._take(report.graded[at], report)) or not alone:
                    continue
                if report.keys is None:
                    self._alone.append(report.graded[at].record)
                else:
                    self.spoken.append(Spoken(*report.keys[at], report.graded, at))
            if report.rest:
                self._take_rest(report)

    def _take(self, graded: Graded, report: Report) -> bool:
        """Whether some run is meant."""
        found = self._meant(graded, report)
        if graded.folder is None and len({self._named(one) for one in found}) > 1:
            task, message = graded.record.task_id, say("beside.runs_may_meant", number=len(found))
            remedy = say("beside.their_outcomes_stay_they")
            self.problems.append(Problem(file=str(report.path), place=task, message=message, remedy=remedy))
        else:
            for one in found:
                self._runs[one] = _joined(self._runs[one], graded, self.problems)
        return bool(found)

    def _meant(self, graded: Graded, report: Report) -> list[int]:
        said = graded.record
        if graded.folder is not None:
            return sorted(self._below[_whole(report.path.parent / graded.folder)])
        of_task = [one for one in self._of_task[said.task_id] if _agree(self._runs[one], said)]
        if said.own_id:
            return [one for one in of_task if said.run.run_id in _names(self._runs[one])]
        if report.anywhere:
            return [one for one in of_task if self._runs[one].load]
        near = (sorted(self._below[folder].intersection(of_task)) for folder in _scope(report.path, said.task_id))
        return next((found for found in near if found), [])

    def _named(self, one: int) -> str:
        """What tells a run from others of its task."""
        record = self._runs[one]
        return record.run.run_id if record.own_id else _whole(record.run.source)

    def _take_rest(self, report: Report) -> None:
        listed = {graded.record.task_id for graded in report.graded}
        known = {benchmarks.of_task_id(task) for task in listed} - {None}
        near = (self._below[folder] for folder in _scope(report.path, ""))
        found = sorted(next((found for found in near if found), ()))
        runs = Counter(task for task, _ in {(self._runs[one].task_id, self._named(one)) for one in found})
        if runs and max(runs.values()) > 1:
            return
        for one in found:
            record = self._runs[one]
            alike = record.task_id not in listed and benchmarks.of_task_id(record.task_id) in known
            if alike and record.run.outcome is Outcome.UNKNOWN and report.rest:
                said = {"outcome": report.rest, "environment": {**record.run.environment, RULED: UNRESOLVED}}
                self._runs[one] = replace(record, run=record.run.model_copy(update=said))


def _joined(record: RunRecord, graded: Graded, problems: list[Problem]) -> RunRecord:
    said = graded.record
    run = merged_runs(record.run, said.run, problems)
    benchmark, guessed = record.benchmark, record.guessed
    if said.benchmark and (guessed or benchmark is None):
        benchmark, guessed = said.benchmark, said.guessed
    task = record.task if record.task.prompt else said.task
    own_id = record.own_id
    if graded.folder is not None:
        run, own_id = run.model_copy(update={"run_id": said.run.run_id}), said.own_id
    task_id = record.task_id if graded.folder is None else said.task_id
    return replace(record, run=run, task_id=task_id, task=task, benchmark=benchmark, guessed=guessed, own_id=own_id)


def _names(record: RunRecord) -> set[str]:
    """What others may call a run: its id, or where that was made from its file's name, the file."""
    path = Path(record.run.source)
    return {record.run.run_id} if record.own_id else {record.run.run_id, path.name, stem_of(path)}


def _agree(record: RunRecord, said: RunRecord) -> bool:
    return not (record.benchmark and said.benchmark) or benchmarks.alike(record.benchmark, said.benchmark)


def _scope(path: Path, task_id: str) -> list[str]:
    """The folders in which runs are meant, the nearest first."""
    folder = Path(_whole(path)).parent
    if task_id and folder.name == task_id:
        folder = folder.parent
    return [str(folder), *([str(folder.parent)] if _beside().folders.match(folder.name) else [])]


@cache
def _whole(path: Path | str) -> str:
    return os.path.normpath(os.path.abspath(path))  # noqa: PTH100 - links are not followed, so that names stay
