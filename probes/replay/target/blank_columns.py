"""Tables of one kind of which one has a column with nothing in it: what was left out of that one, measured."""

import csv
import posixpath
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cases import Events
from cases import patterns as re
from cases.shell import steps_of
from cases.touches.names import tests
from cases.touches.promises import made_by_run
from probes.replay.target.changes import changed
from probes.replay.target.data_parts import programs
from sandboxes import Session
from sandboxes.tracing import Fact
from sandboxes.tracing.minimal import MinimalLift

BLANK = "blank column "
"""What stands for the form of such a file, before the column's number."""
ENDINGS = (".csv", ".tsv", ".tab", ".txt", ".dat")
NOTHING = frozenset({"", "na", "nan", "null", "none"})
MOST = 12
"""Files that are read."""
LENGTH = 400_000
"""Characters of each."""
LEAST = 3
"""Rows."""
SECONDS = 60
_SEPARATORS = (",", "\t", ";", "|")


@dataclass(frozen=True)
class _Table:
    head: tuple[str, ...]
    blank: frozenset[int]
    """Columns without a value."""


def blank_columns(session: Session, command: str, opened: Sequence[str], events: Events, prompt: str) -> list[Fact]:
    """A fact for each table that the failing program opened with a column that is blank in it and filled in another one
    with the same head, which was opened as well. One that the run wrote, or that the task's text names, is there to be
    filled in; a program that the run changed, or a suite of tests, is to cope with it.
    """
    own = changed(map(posixpath.basename, programs(opened)), events)
    if own or any(tests(one.command) for one in steps_of(command)):
        return []
    paths = [path for path in opened if path.endswith(ENDINGS)][:MOST]
    tables = {path: table for path in paths if (table := _read(session, path))}
    found = []
    for path, table in tables.items():
        kin = [one for other, one in tables.items() if other != path and one.head == table.head]
        told = posixpath.basename(path) in prompt or made_by_run(path, "", events.commands, events.writes)
        lost = sorted(number for number in table.blank if any(number not in one.blank for one in kin))
        if lost and not told:
            found.append(Fact(kind="data damaged", subject=path, process=f"{BLANK}{lost[0] + 1}", named=True))
    return found


def filled(fact: Fact) -> MinimalLift | None:
    """A value in each cell of the blank column; None for a fact of another kind."""
    if not fact.process.startswith(BLANK):
        return None
    path, column = shlex.quote(fact.subject), fact.process.removeprefix(BLANK)
    separator = f"\"$(head -1 {path} | tr -dc ',;|\\t' | head -c 1)\""
    fill = f"awk -v FS={separator} -v OFS={separator} 'NR > 1 {{ ${column} = 1 }} 1' {path}"
    return MinimalLift(fact, (f"{fill} > /tmp/.filled && cat /tmp/.filled > {path}",))


def _read(session: Session, path: str) -> _Table | None:
    """A plain table whose rows are as long as its head; None for any other file, and for one with quotation marks."""
    ask = f"head -c {LENGTH} {shlex.quote(path)}"
    text = session.run(ask, seconds=SECONDS, looks=True).output
    lines = text.splitlines()[: -1 if len(text) >= LENGTH else None]
    separator = next((one for one in lines[0] if one in _SEPARATORS), "") if lines else ""
    if not separator or '"' in text or not re.search(r"[^\W\d_]", lines[0]):
        return None
    rows = list(csv.reader(lines, delimiter=separator))
    head, body = tuple(rows[0]), [row for row in rows[1:] if row]
    if len(body) < LEAST or any(len(row) != len(head) for row in body):
        return None
    return _Table(head, frozenset(_blank(body, len(head))))


def _blank(body: Sequence[Sequence[str]], width: int) -> Iterator[int]:
    for number in range(width):
        if all(row[number].strip().lower() in NOTHING for row in body):
            yield number
