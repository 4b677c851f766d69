"""What every reader takes and gives."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, runtime_checkable

from cases.model import Claim, Model, Outcome, Run, Task, Transcript
from cases.readers.sniff import Head

MOST_RUNS = 50_000
"""Runs of one file."""
MOST_PROBLEMS = 1_000
"""Problems of one file that are told one by one."""


class Problem(Model):
    """Something that could not be used, though the rest could; as text it is one sentence."""

    file: str
    place: str
    """Where in the file, such as `line 12`; empty for the whole file."""
    message: str
    remedy: str
    refused: bool = False
    """Whether it is a path that the user named, of which nothing could be used."""

    def __str__(self) -> str:
        """File, place, what is wrong, and what to do."""
        where = f"{self.file}, {self.place}" if self.place else self.file
        return f"{where}: {self.message}; {self.remedy}."


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One run of one task as a file has it, its transcript not yet loaded."""

    benchmark: str | None
    task_id: str
    run: Run
    task: Task = field(default_factory=Task)
    load: Callable[[], Transcript | None] | None = None
    """Reads the transcript, which is None when the log turns out to hold nothing; raises InputError."""
    own_id: bool = True
    """Whether the run's id comes from the source; one made from a file's name may clash with another."""
    guessed: bool = False
    """Whether the benchmark was only guessed, so that what others say of the task counts for more."""


@dataclass(frozen=True, slots=True)
class ClaimRecord:
    """One claim about one task."""

    benchmark: str | None
    task_id: str
    claim: Claim
    hint: str | None = None
    """The benchmark that the file's name speaks of."""


@dataclass(frozen=True, slots=True)
class Graded:
    """How one run ended, told by a file that does not hold the run."""

    record: RunRecord
    """What is said, as a run of its own; `own_id` tells whether its id is the one by which others know the run."""
    folder: str | None = None
    """Where below the file's folder the run lies, whatever it is called there; None where only its task is known."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A run that only a row of a report speaks of, which is read whenever it is asked for: there may be many."""

    benchmark: str | None
    task_id: str
    rows: Sequence[Graded]
    at: int

    def read(self) -> RunRecord:
        """What the row says."""
        return self.rows[self.at].record


@dataclass(frozen=True, slots=True)
class Report:
    """A file that says how runs ended."""

    path: Path
    graded: Sequence[Graded]
    rest: Outcome | None = None
    """How those ended that lie beside it and that it does not list; None where that is not said."""
    anywhere: bool = False
    """Whether it speaks of runs wherever they lie."""
    keys: Sequence[tuple[str | None, str]] | None = None
    """Benchmark and task of each row, where these are read anew whenever they are asked for."""


@dataclass(slots=True)
class Found:
    """Everything one file gave."""

    runs: list[RunRecord] = field(default_factory=list)
    claims: list[ClaimRecord] = field(default_factory=list)
    reports: list[Report] = field(default_factory=list)
    spoken: list[Spoken] = field(default_factory=list)
    """Runs that only rows speak of which are read anew whenever they are asked for."""
    problems: list[Problem] = field(default_factory=list)


@runtime_checkable
class Reader(Protocol):
    """One file format; packages add theirs by an entry point of the group `impassable.readers`."""

    name: str
    """As messages to the user call it."""
    signs: str
    """What it is recognised by, as the end of "recognised by …"."""
    omits: str
    """What of the format does not enter the case; empty for nothing."""

    def recognises(self, head: Head) -> bool:
        """Whether the content is of this format; never looks at the file's name."""
        ...

    def read(self, path: Path) -> Found:
        """Read all but the transcripts.

        Raises:
            InputError: the file is damaged.
        """
        ...
