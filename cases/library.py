"""What is there to audit: every task that the given files speak of, with its runs and the claims about it."""

from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cases import benchmarks
from cases import patterns as re
from cases.errors import EnvironmentNotReady, InputError
from cases.merging import Entry, merged_task, with_tasks
from cases.model import Case, Outcome, Task
from cases.readers import ClaimRecord, Found, Graded, Problem, RunRecord, Spoken
from cases.reading import Inputs, read_all
from cases.sentences import Sentences, counted
from cases.sites import with_sites
from cases.tasks import load_tasks

say = Sentences(__name__)

__all__ = ["Inputs", "Library", "Problem", "TaskSummary"]

LISTED = 5
"""Candidates that a message names."""
SIMILAR = 60.0
"""How alike (of 100) an unknown id and a suggestion must be."""


@dataclass(frozen=True, slots=True)
class TaskSummary:
    """What is known of one task."""

    benchmark: str
    task_id: str
    runs: int
    failed: int
    passed: int
    claims: int
    impassable_claims: int
    disputed: bool
    """At least one claim says impassable, and either another says not, or some run passed."""
    transcripts: int
    """Runs whose transcript is there."""


@dataclass(frozen=True, slots=True)
class _Rows:
    """A task that only rows of one table speak of, as their numbers."""

    benchmark: str
    task_id: str
    rows: Sequence[Graded]
    numbers: "array[int]"

    @property
    def entry(self) -> Entry:
        records = [self.rows[number].record for number in self.numbers]
        return merged_task(self.benchmark, self.task_id, records, [], [])


class Library:
    """All tasks of the inputs. Transcripts are read only by `case`."""

    def __init__(self, entries: Iterable[Entry], problems: Iterable[Problem]) -> None:
        """Take merged entries; use `open`."""
        self._entries: dict[TaskSummary, Entry | _Rows] = {}
        self._problems = list(problems)
        for entry in entries:
            self._hold(entry, entry)

    def _hold(self, entry: Entry, held: "Entry | _Rows") -> None:
        self._entries[_summary(entry)] = held

    @classmethod
    def open(cls, inputs: Inputs, benchmark: str | None = None) -> "Library":
        """Read all inputs.

        `benchmark` leaves the tasks of that benchmark only, and is the benchmark of tasks whose own is unknown.

        Raises:
            InputError: a file named one by one is missing, foreign or damaged, or nothing usable was found at all.
        """
        found = read_all(inputs)
        wanted = benchmarks.normalised(benchmark) if benchmark else None
        grouped = _grouped(found, wanted)
        problems = list(found.problems)
        library, entries = cls((), ()), list[Entry]()
        for (name, task_id), (runs, claims) in grouped:
            read = [one.read() if isinstance(one, Spoken) else one for one in runs]
            entry = merged_task(name, task_id, read, claims, problems)
            if inputs.tasks:
                entries.append(entry)
            else:
                library._hold(entry, _rows(entry, runs, claims) or entry)
        if inputs.tasks:
            problems += with_tasks(entries, load_tasks(inputs.tasks, offline=inputs.offline))
            return cls(entries, problems)
        library._problems = problems
        return library

    @classmethod
    def known(cls, tasks: str | None, benchmark: str | None = None, *, offline: bool = False) -> "Library":
        """Tasks alone, without any run: those of `tasks` (a file, or a benchmark's data set), or else all known ones.

        Known are the data sets on the hub as far as they can be had; what ships with the program stands in for one.

        Raises:
            InputError: `tasks` cannot be used.
            EnvironmentNotReady: `tasks` names a data set that cannot be had.
        """
        wanted = benchmarks.normalised(benchmark) if benchmark else None
        if tasks:
            named = benchmarks.normalised(tasks)
            name = wanted or (named if named in benchmarks.datasets() else benchmarks.UNKNOWN)
            source = load_tasks(tasks, offline=offline)
            name = source.benchmark if source.benchmark and not wanted else name
            return cls((Entry(name, key, task) for key, task in source.tasks.items()), source.problems)
        entries, problems = list[Entry](), list[Problem]()
        for one in benchmarks.known_tasks():
            if wanted in (None, one.name):
                entries += _known(one, problems, offline=offline)
        return cls(entries, problems)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What could not be used, though the rest could."""
        return tuple(self._problems)

    def tasks(self) -> list[TaskSummary]:
        """All tasks by benchmark and id, numbers in ids in their order."""
        return sorted(self._entries, key=_natural)

    def resolve(self, text: str) -> TaskSummary:
        """The one task whose id is `text`, or begins with it; `BENCHMARK/` before it says of which benchmark.

        Raises:
            InputError: no task, or more than one.
        """
        wanted = text.strip()
        if not self._entries:
            raise InputError(say("library.no_task_known_files"))
        if not wanted:
            raise InputError(say("library.task_id_empty_id"))
        tasks = self.tasks()
        exact = [task for task in tasks if task.task_id == wanted]
        found = exact or [task for task in tasks if task.task_id.lower().startswith(wanted.lower())]
        found = (found if len(found) == 1 else _of_benchmark(wanted, tasks)) or found
        if not found:
            known = say("library.task_known", tasks=counted(len(tasks), "task"))
            raise InputError(say("library.task_not_found", wanted=wanted, known=known, nearest=self._nearest(wanted)))
        if len(found) > 1:
            raise InputError(_ambiguous(wanted, found))
        return found[0]

    def case(self, summary: TaskSummary) -> Case:
        """Everything known of the task, with its runs' transcripts.

        Raises:
            InputError: the summary is not from this library, or a transcript cannot be read.
        """
        entry = self.entry(summary)
        return Case(
            benchmark=entry.benchmark,
            task_id=entry.task_id,
            task=with_sites(entry.task),
            runs=tuple(run.loaded() for run in entry.runs),
            claims=entry.claims,
        )

    def entry(self, summary: TaskSummary) -> Entry:
        """What is known of the task without its transcripts.

        Raises:
            InputError: the summary is not from this library.
        """
        entry = self._entries.get(summary)
        if entry is None:
            raise InputError(say("library.task_not_known_see", task_id=summary.task_id, benchmark=summary.benchmark))
        return entry.entry if isinstance(entry, _Rows) else entry

    def forget(self) -> None:
        """Let go of everything, where nothing more will be asked."""
        self._entries.clear()

    def _nearest(self, wanted: str) -> str:
        from rapidfuzz import fuzz  # noqa: PLC0415 - only bad input needs it

        def likeness(task_id: str) -> float:
            part = fuzz.partial_ratio(wanted, task_id) * 0.9 if len(task_id) >= len(wanted) else 0.0
            return max(fuzz.ratio(wanted, task_id), fuzz.ratio(wanted, task_id[: len(wanted)]), part)

        best = max((task.task_id for task in self.tasks()), key=likeness)
        if likeness(best) >= SIMILAR:
            return say("library.you_mean", best=best)
        if not any(task.runs or task.claims for task in self.tasks()):
            return say("library.files_run_claims_outcomes")
        return say("library.see_verify_cases")


def _known(one: benchmarks.KnownTasks, problems: list[Problem], *, offline: bool) -> list[Entry]:
    """The data set's tasks where it can be had, and what ships with the program beside or instead of it."""
    found: dict[str, Task] = {}
    try:
        found = load_tasks(one.name, offline=offline).tasks
    except (InputError, EnvironmentNotReady) as error:
        remedy = say("library.sites_tasks_known_all")
        problems.append(
            Problem(
                file=one.name,
                place="",
                message=str(error).removeprefix(f"--tasks {one.name}: ").rstrip("."),
                remedy=remedy,
            )
        )
    shipped = {key: Task(sites=sites) for key, sites in one.tasks.items() if key not in found}
    return [Entry(one.name, key, task) for key, task in {**shipped, **found}.items()]


Key = tuple[str, str]
Group = tuple[list[RunRecord | Spoken], list[ClaimRecord]]


def _grouped(found: Found, wanted: str | None) -> list[tuple[Key, Group]]:
    """Records by task; a record without a benchmark joins the one benchmark that others know the task of."""
    records: list[RunRecord | Spoken | ClaimRecord] = [*found.runs, *found.spoken, *found.claims]
    known: dict[str, set[str]] = defaultdict(set)
    for stated in records:
        if stated.benchmark and not (isinstance(stated, RunRecord) and stated.guessed):
            known[stated.task_id].add(stated.benchmark)
    groups: dict[Key, Group] = {}
    for record in records:
        name = _benchmark(record, known[record.task_id], wanted)
        if wanted and name != wanted:
            continue
        runs, claims = groups.setdefault((name, record.task_id), ([], []))
        if isinstance(record, ClaimRecord):
            claims.append(record)
        else:
            runs.append(record)
    return list(groups.items())


def _rows(entry: Entry, runs: list[RunRecord | Spoken], claims: list[ClaimRecord]) -> _Rows | None:
    """The task as rows that are read anew whenever it is asked for; None where something else speaks of it too."""
    spoken = [one for one in runs if isinstance(one, Spoken)]
    if claims or len(spoken) < len(runs) or len({id(one.rows) for one in spoken}) != 1:
        return None
    return _Rows(entry.benchmark, entry.task_id, spoken[0].rows, array("I", [one.at for one in spoken]))


def _benchmark(record: RunRecord | Spoken | ClaimRecord, known: set[str], wanted: str | None) -> str:
    """What the record says, else its file's name, else the only benchmark that others say, else a guess by its id."""
    guessed = isinstance(record, RunRecord) and record.guessed
    if record.benchmark and not guessed:
        return _narrowed(record.benchmark, known)
    hint = record.hint if isinstance(record, ClaimRecord) else None
    if hint and (not known or hint in known):
        return hint
    if len(known) == 1:
        return next(iter(known))
    return hint or wanted or benchmarks.of_task_id(record.task_id) or record.benchmark or benchmarks.UNKNOWN


def _narrowed(name: str, known: set[str]) -> str:
    """The one choice of a benchmark's tasks that others name, where a record knows the whole only."""
    parts = {one for one in known if one != name and benchmarks.alike(one, name)}
    return next(iter(parts)) if len(parts) == 1 and benchmarks.has_parts(name) else name


def _summary(entry: Entry) -> TaskSummary:
    outcomes = [run.record.outcome for run in entry.runs]
    scores = [claim.score for claim in entry.claims if claim.score is not None]
    impassable = sum(score >= 0.5 for score in scores)
    passed = outcomes.count(Outcome.PASSED)
    return TaskSummary(
        benchmark=entry.benchmark,
        task_id=entry.task_id,
        runs=len(outcomes),
        failed=outcomes.count(Outcome.FAILED),
        passed=passed,
        claims=len(entry.claims),
        impassable_claims=impassable,
        disputed=impassable > 0 and (impassable < len(scores) or passed > 0),
        transcripts=sum(run.has_transcript for run in entry.runs),
    )


def _of_benchmark(wanted: str, tasks: list[TaskSummary]) -> list[TaskSummary]:
    """The tasks that `BENCHMARK/ID` means; the id alone may have a `/` too."""
    name, named, task_id = wanted.partition("/")
    if not named or not task_id:
        return []
    own = [task for task in tasks if task.benchmark in (name, benchmarks.normalised(name))]
    exact = [task for task in own if task.task_id == task_id]
    return exact or [task for task in own if task.task_id.lower().startswith(task_id.lower())]


def _ambiguous(wanted: str, found: list[TaskSummary]) -> str:
    ids = list(dict.fromkeys(task.task_id for task in found))
    if len(ids) == 1:
        names = " or ".join(f"{task.benchmark}/{task.task_id}" for task in found)
        return say("library.task_exists_benchmarks_say", task=ids[0], number=len(found), names=names)
    more = say("library.more", number=len(ids) - LISTED) if len(ids) > LISTED else ""
    return say("library.task_ambiguous_more_id", wanted=wanted, ids=", ".join(ids[:LISTED]), more=more)


def _natural(task: TaskSummary) -> tuple[str, list[tuple[int, int, str]]]:
    parts = re.findall(r"\d+|\D+", task.task_id)
    return task.benchmark, [
        (0, int(part), "") if part.isdecimal() and len(part) < 19 else (1, 0, part) for part in parts
    ]
