"""CSV files read so that one broken record costs only itself."""

import csv
import io
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import Generic, TypeVar, overload

from cases.errors import InputError
from cases.readers.base import MOST_PROBLEMS, Problem
from cases.readers.sniff import columns_of
from cases.readers.streams import WHOLE_LIMIT, opened
from cases.sentences import Sentences

say = Sentences(__name__)

T = TypeVar("T")
Row = dict[str, str]
FIELD_LIMIT = 1 << 30
MOST_LINES = 2_000_000
LONGEST_HEADER = 1_000_000
LONGEST = 2_000
"""Lines of one quoted record within which the next good one is looked for after a broken quote."""


class BadRowError(Exception):
    """A row that cannot be used; the message says what is wrong with it."""


@dataclass(slots=True)
class Table(Generic[T]):
    """The rows that could be read, and what is to be said of the others."""

    rows: list[T] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


class Rows(Sequence[T]):
    """Rows of a table, made anew whenever they are asked for: what is held is their text and where each stands."""

    def __init__(self, text: str, columns: Sequence[str], delimiter: str, parse: Callable[[Row, int], T]) -> None:
        """Hold none yet."""
        self._text, self._columns, self._delimiter, self._parse = text, columns, delimiter, parse
        self._lines, self._begins, self._ends = array("I"), array("I"), array("I")

    def hold(self, line: int, begin: int, end: int) -> None:
        """One more, which begins in a line, and where in the text it stands."""
        self._lines.append(line)
        self._begins.append(begin)
        self._ends.append(end)

    def __len__(self) -> int:
        """How many."""
        return len(self._lines)

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[T]: ...
    def __getitem__(self, at: int | slice) -> T | Sequence[T]:
        """The row of that number, read once more."""
        if isinstance(at, slice):
            return [self[one] for one in range(*at.indices(len(self)))]
        text = io.StringIO(self._text[self._begins[at] : self._ends[at]], newline="")
        values = next(csv.reader(text, delimiter=self._delimiter, strict=True))
        return self._parse(dict(zip(self._columns, values, strict=False)), self._lines[at])


def read_rows(path: Path, parse: Callable[[Row, int], T], told: Callable[[T], None]) -> tuple[Rows[T], list[Problem]]:
    """As `read_table`, for tables of which more is read than memory should hold; `told` of each row as it is read.

    Raises:
        InputError: the file cannot be read at all.
    """
    table: Table[T] = Table()
    text, columns, delimiter = _opened(path, table)
    rows = Rows(text, columns, delimiter, parse)
    lines = list(io.StringIO(text, newline=""))
    begins = array("I", accumulate(map(len, lines), initial=0))
    for number, end, row, broken in _read(lines, columns, delimiter):
        fault = broken or _parsed(table, parse, row, number)
        _note(table, path, number, fault)
        if not fault:
            rows.hold(number, begins[number - 1], begins[end])
            told(table.rows.pop())
    return rows, table.problems


def read_table(path: Path, parse: Callable[[Row, int], T]) -> Table[T]:
    """All rows as `parse` makes them of a row (column names in lower case) and its line; what it refuses is a problem.

    Raises:
        InputError: the file cannot be read at all.
    """
    table: Table[T] = Table()
    text, columns, delimiter = _opened(path, table)
    for number, _, row, broken in _read(list(io.StringIO(text, newline="")), columns, delimiter):
        _note(table, path, number, broken or _parsed(table, parse, row, number))
    return table


def _opened(path: Path, table: Table[T]) -> tuple[str, Sequence[str], str]:
    """The text, its columns in lower case, and what stands between them."""
    csv.field_size_limit(FIELD_LIMIT)
    text = _decoded(path, table)
    if text.count("\n") + text.count("\r") > MOST_LINES:
        raise InputError(say("tables.table_more_than_lines", path=path, most_lines=MOST_LINES))
    return text, *columns_of(text[:LONGEST_HEADER])


def _read(lines: list[str], columns: Sequence[str], delimiter: str) -> Iterator[tuple[int, int, Row, str]]:
    """Each row but the heading, with its first and last line, and what is wrong with it."""
    records = iter(_Records(lines, delimiter, len(columns)))
    next(records, None)
    for number, end, values, broken in records:
        yield number, end, dict(zip(columns, values, strict=False)), broken


def _note(table: Table[T], path: Path, number: int, fault: str) -> None:
    if fault and len(table.problems) < MOST_PROBLEMS:
        remedy = say("tables.correct_row_all_others")
        table.problems.append(Problem(file=str(path), place=f"line {number}", message=fault, remedy=remedy))


def _parsed(table: Table[T], parse: Callable[[Row, int], T], row: Row, line: int) -> str:
    """Add the row; what is wrong with it, else nothing."""
    try:
        table.rows.append(parse(row, line))
    except BadRowError as error:
        return str(error)
    return ""


def _decoded(path: Path, table: Table[T]) -> str:
    with opened(path) as stream:
        raw = stream.read(WHOLE_LIMIT + 1)
    if len(raw) > WHOLE_LIMIT:
        raise InputError(say("tables.table_larger_than_bytes", path=path, whole_limit=WHOLE_LIMIT))
    encoding = "utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8"
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        message = say("tables.text_not_byte", encoding=encoding.upper(), start=error.start)
        remedy = say("tables.save_file_utf_unreadable")
        table.problems.append(Problem(file=str(path), place=f"line {line}", message=message, remedy=remedy))
        return raw.decode(encoding, "replace")


class _Records:
    """Records with the lines they begin and end at; after a broken one, reading resumes where a good one begins."""

    def __init__(self, lines: list[str], delimiter: str, width: int) -> None:
        self._lines = lines
        self._delimiter = delimiter
        self._width = width

    def __iter__(self) -> Iterator[tuple[int, int, list[str], str]]:
        start = 0
        while start < len(self._lines):
            reader = csv.reader(_From(self._lines, start), delimiter=self._delimiter, strict=True)
            at = start
            try:
                for values in reader:
                    if any(value.strip() for value in values):
                        yield at + 1, start + reader.line_num, values, self._fault(values)
                    at = start + reader.line_num
                start = len(self._lines)
            except csv.Error as error:
                yield at + 1, at + 1, [], say("tables.row_cannot_parsed", error=error)
                start = self._next_good(at + 1, max(start + reader.line_num, at + 1))

    def _fault(self, values: list[str]) -> str:
        return (
            ""
            if len(values) == self._width
            else say("tables.row_columns_instead", number=len(values), width=self._width)
        )

    def _next_good(self, start: int, end: int) -> int:
        """The first line from `start` on, before `end`, that begins a whole record."""
        for at in range(start, min(end, start + LONGEST)):
            try:
                values = next(csv.reader(_From(self._lines, at), delimiter=self._delimiter, strict=True), [])
            except csv.Error:
                continue
            if len(values) == self._width:
                return at
        return end


class _From:
    """Iterates over a list from an index without copying it."""

    def __init__(self, lines: list[str], at: int) -> None:
        self._lines = lines
        self._at = at

    def __iter__(self) -> "_From":
        return self

    def __next__(self) -> str:
        if self._at >= len(self._lines):
            raise StopIteration
        self._at += 1
        return self._lines[self._at - 1]
