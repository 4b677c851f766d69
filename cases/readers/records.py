"""Files of one JSON object a line; also a file of one object, or one list of them, over many lines."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from cases.errors import InputError
from cases.readers.base import MOST_PROBLEMS, MOST_RUNS, Problem
from cases.readers.streams import WHOLE_LIMIT, load_json, loads, opened
from cases.sentences import Sentences

say = Sentences(__name__)

T = TypeVar("T")
WHOLE = -1
"""In place of an offset: the file is one JSON value over many lines."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where one object stands, so that it can be read again without the others."""

    path: Path
    line: int
    """From 1 on; in a list over many lines, the number of the item."""
    offset: int
    """Bytes before the line, counted after unpacking, or WHOLE."""

    def read(self) -> dict[str, Any]:
        """The object.

        Raises:
            InputError: the file has changed, or can no longer be read.
        """
        if self.offset == WHOLE:
            found = list(_of_whole(self.path))
            data = found[self.line - 1] if self.line <= len(found) else None
        else:
            with opened(self.path) as stream:
                stream.seek(self.offset)
                data = loads(self.path, stream.readline(WHOLE_LIMIT + 1), self.line)
        if not isinstance(data, dict):
            raise InputError(say("records.line_file_changed_run", path=self.path, line=self.line))
        return data


def records(path: Path, take: Callable[[dict[str, Any], Place], None]) -> list[Problem]:
    """Give each object with its place to `take`; what could not be read is returned.

    Raises:
        InputError: nothing of the file can be read.
    """
    problems: list[Problem] = []
    taken = broken = 0
    for place, data, fault in _lines(path):
        if not fault:
            taken += 1
            _check_runs(path, taken)
            take(data, place)
            continue
        if not taken and not broken and (found := _of_whole(path)):
            for number, item in enumerate(found, 1):
                take(item, Place(path, number, WHOLE))
            return []
        broken += 1
        problems.append(_problem(path, f"line {place.line}", fault))
        if broken >= MOST_PROBLEMS:
            raise InputError(say("records.more_than_lines_no", path=path, most_problems=MOST_PROBLEMS))
    if broken and not taken:
        said = problems[0].message
        raise InputError(f"{path}, {problems[0].place}: {said}{'' if ';' in said else '; fetch the file again'}.")
    return problems


def _check_runs(path: Path, runs: int) -> None:
    if runs > MOST_RUNS:
        raise InputError(say("records.file_holds_more_than", path=path, most_runs=MOST_RUNS))


def _problem(path: Path, place: str, fault: str) -> Problem:
    return Problem(file=str(path), place=place, message=fault, remedy=say("records.correct_line_all_others"))


def _lines(path: Path) -> Iterator[tuple[Place, Any, str]]:
    """Each line that is not empty: where it is, its value, and what is wrong with it."""
    with opened(path) as stream:
        number, offset = 0, stream.tell()
        while line := stream.readline(WHOLE_LIMIT + 1):
            number += 1
            place = Place(path, number, offset)
            offset += len(line)
            if not line.strip():
                continue
            try:
                data = loads(path, line, number)
            except InputError as error:
                yield place, None, str(error).removeprefix(f"{path}, line {number}").lstrip(" :,").rstrip(".")
                continue
            yield place, data, "" if isinstance(data, dict) else say("records.line_holds_no_json")


def _of_whole(path: Path) -> list[dict[str, Any]]:
    """The objects of a file that is one JSON value; none where it is not."""
    try:
        data = load_json(path)
    except InputError:
        return []
    items = data if isinstance(data, list) else [data]
    _check_runs(path, len(items))
    return [item for item in items if isinstance(item, dict)]
