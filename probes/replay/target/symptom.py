"""Whether two failures are the same one: by what they say, not by an exit code."""

import os.path
from typing import NamedTuple

from cases import patterns as re
from cases.failing import exception_in, telling_lines
from probes.barriers import entry, subject_of
from probes.model import Barrier
from probes.replay.target.data import troubles

LAST_LINE = "last line"
EXIT = "exit code"
ANY = "not 0"
_END = 6
"""Lines of two programs that fail side by side may change places."""


class Symptom(NamedTuple):
    """How a failure shows: its kind and what it is about."""

    kind: str
    subject: str

    def __str__(self) -> str:
        """In words."""
        return f"{self.kind}: {self.subject}" if self.subject else self.kind


def symptoms(barrier: Barrier, text: str) -> list[Symptom]:
    """All failures of this barrier's kind that the text shows, the most specific first."""
    found: dict[Symptom, None] = {}
    for pattern in entry(barrier).signature:
        for match in pattern.pattern.finditer(text) if pattern.failure else ():
            found[Symptom(pattern.failure, normalised(barrier, subject_of(match)))] = None
    return list(found)


def normalised(barrier: Barrier, subject: str) -> str:
    """One spelling for one thing."""
    if barrier is Barrier.CRASH:
        return "memory"
    subject = subject.strip().strip("'\"‘’`").rstrip(".")
    if barrier is Barrier.PIP:
        return re.sub(r"[-_.]+", "-", re.split(r"[\[<>=!~;@ ]", subject)[0]).lower()
    if entry(barrier).about == "paths" and subject:
        return os.path.normpath(subject)
    return subject


def last_line(text: str) -> Symptom | None:
    """The last line that tells anything, without what changes from run to run; None for an empty text.

    Of a traceback the exception's own: what a program prints beside it comes before or behind as it happens.
    """
    told = exception_in(text) or next(reversed(telling_lines(text)), None)
    return Symptom(LAST_LINE, without_changes(told)) if told else None


def without_changes(line: str) -> str:
    """A line without what changes from run to run."""
    line = re.sub(r"0x[0-9a-f]+|\b[0-9a-f]{8,}\b|\d+", "#", line.strip().lower())
    return re.sub(r"(/[\w.#-]+)+/", "/", line)[:200]


def ends_with(expected: Symptom, text: str) -> bool:
    """Whether the expected line is among the last ones."""
    lines = [line for line in text.splitlines() if line.strip()]
    return expected.subject in {without_changes(line) for line in lines[-_END:]}


def shows(barrier: Barrier, expected: Symptom, text: str) -> bool:
    """Whether the text shows the expected failure."""
    if expected.kind == LAST_LINE:
        return last_line(text) == expected
    return expected in symptoms(barrier, text)


def refused_by_us(text: str) -> bool:
    """Whether a terminal shows the words of our own proxy."""
    return re.search(r"Egress refused|CONNECT tunnel failed, response 403", text) is not None


def trouble_in(text: str, *, network: bool) -> str | None:
    """What on our side was in the way, if the text says so; `network` when one was needed and allowed."""
    entries = [entry for entry in troubles() if network or not entry.network]
    return next((entry.kind for entry in entries if re.search(entry.pattern, text)), None)
