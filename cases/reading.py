"""From the paths that the user names to all that their files hold, with what lies beside runs joined to them."""

import os
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from cases.beside import Joining, neighbours, placed
from cases.errors import CredentialsError, InputError
from cases.files import Source, sources
from cases.model import Model, Outcome
from cases.readers import ForeignError, Found, Problem, Reader, Report, added, read, readers
from cases.sentences import Sentences

say = Sentences(__name__)

LISTED = 5
"""Files of one folder that are told one by one."""
LEFT_OUT = "the file is left out"
MOST_BESIDE = 64 * 2**20
"""Bytes of a file that was not named and may say how a run ended."""


class Inputs(Model):
    """Files, directories or globs; each file is read for what it holds, whichever of the three names it."""

    runs: tuple[Path, ...] = ()
    claims: tuple[Path, ...] = ()
    outcomes: tuple[Path, ...] = ()
    tasks: str | None = None
    """A jsonl file of tasks, or a benchmark whose data set the hub has."""
    offline: bool = False
    """Whether tasks come from files and caches only."""
    trust_pickle: bool = False
    """Whether pickles in the inputs may be opened."""


def read_all(inputs: Inputs) -> Found:
    """All files, each once, and what lies beside those that are named one by one; what cannot be used is a problem.

    Raises:
        InputError: a path does not exist, nothing usable was found at all, or a file cannot be used that says who
            passed: without it a verdict could be wrong.
    """
    known = readers(trust_pickle=inputs.trust_pickle)
    total = Found(problems=list(added()[1]))
    refused: dict[Path, InputError] = {}
    lost: dict[Path, Problem] = {}
    seen: dict[Path, Source] = {}
    used: set[Path] = set()
    asked = (*inputs.runs, *inputs.claims, *inputs.outcomes)
    for source in sources(asked, refused):
        seen[source.path.resolve()] = source
        try:
            found = read(source.path, known)
        except (InputError, CredentialsError) as error:
            if source.named:
                if len(asked) == 1 or source.origin in inputs.outcomes or isinstance(error, CredentialsError):
                    raise
                refused[source.origin] = error
                continue
            total.problems.append(_left_out(source.path, error))
            lost.setdefault(source.origin, total.problems[-1])
            continue
        used.add(source.origin)
        _add(total, found, source, anywhere=source.named and source.origin in inputs.outcomes)
    refused |= {origin: _unusable(origin, problem) for origin, problem in lost.items() if origin not in used}
    if refused and not used:
        raise next(iter(refused.values()))
    joining = Joining(total.runs)
    joining.take(total.reports)
    joining.take(_beside(seen, total, known), alone=False)
    total.runs, total.spoken = joining.runs, joining.spoken
    told = [_refused(origin, error) for origin, error in refused.items()]
    total.problems[:] = [*_gathered(total.problems), *told, *joining.problems]
    return total


def _add(total: Found, found: Found, source: Source, *, anywhere: bool) -> None:
    runs = [placed(record, source) for record in found.runs]
    moved = {before.task_id: after.task_id for before, after in zip(found.runs, runs, strict=True)}
    total.runs += runs
    total.claims += [replace(one, task_id=moved.get(one.task_id, one.task_id)) for one in found.claims]
    total.reports += [replace(one, anywhere=True) if anywhere else one for one in found.reports]
    total.problems += found.problems


def _beside(seen: dict[Path, Source], total: Found, known: Sequence[Reader]) -> Iterable[Report]:
    """Reports that nobody named, beside runs that were named and whose outcome is not known."""
    open_ones = {one.run.source for one in total.runs if one.load and one.run.outcome is Outcome.UNKNOWN}
    named = [source.path for source in seen.values() if source.named and str(source.path) in open_ones]
    for path in neighbours(named):
        if path.resolve() in seen or path.stat().st_size > MOST_BESIDE:
            continue
        try:
            yield from read(path, known).reports
        except (InputError, CredentialsError):
            continue


def _unusable(origin: Path, first: Problem) -> InputError:
    why = str(first).rstrip(".")
    return InputError(say("reading.no_file_can_used", origin=origin, why=why))


def _refused(origin: Path, error: InputError) -> Problem:
    whole = str(error).removeprefix(str(origin)).lstrip(":, ").rstrip(".")
    said = whole.rpartition(";")[0] or whole
    return Problem(file=str(origin), place="", message=said, remedy=say("reading.other_paths_used"), refused=True)


def _gathered(problems: list[Problem]) -> list[Problem]:
    """One problem instead of many that say the same of files."""
    groups: dict[tuple[int, str], list[Problem]] = defaultdict(list)
    for number, problem in enumerate(problems):
        alike = problem.remedy == LEFT_OUT and not problem.place
        groups[(-1 if alike else number, problem.message)].append(problem)
    return [one for group in groups.values() for one in (group if len(group) <= LISTED else [_all(group)])]


def _all(group: list[Problem]) -> Problem:
    folder = Path(os.path.commonpath([Path(problem.file).parent for problem in group]))
    first = Path(group[0].file).relative_to(folder)
    message = say("reading.files_others", number=len(group), first=first, message=group[0].message)
    return Problem(file=str(folder), place="", message=message, remedy=say("reading.these_files_left_out"))


def _left_out(path: Path, error: InputError | CredentialsError) -> Problem:
    if isinstance(error, ForeignError):
        return Problem(
            file=str(path), place="", message=say("reading.looks_like", looks_like=error.looks_like), remedy=LEFT_OUT
        )
    said = str(error).removeprefix(str(path)).lstrip(":, ").rstrip(".")
    return Problem(file=str(path), place="", message=said, remedy=LEFT_OUT)
