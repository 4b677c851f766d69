"""One reader for each file format, chosen by what a file holds and never by its name."""

from collections.abc import Sequence
from pathlib import Path

from cases.errors import InputError
from cases.readers.base import ClaimRecord, Found, Graded, Problem, Reader, Report, RunRecord, Spoken
from cases.readers.registry import added, readers
from cases.readers.sniff import Head
from cases.sentences import Sentences

say = Sentences(__name__)

__all__ = [
    "ClaimRecord",
    "ForeignError",
    "Found",
    "Graded",
    "Problem",
    "Reader",
    "Report",
    "RunRecord",
    "Spoken",
    "added",
    "read",
    "reader_of",
    "readers",
]


class ForeignError(InputError):
    """A file in a format that no reader knows."""

    def __init__(self, path: Path, looks_like: str) -> None:
        """Say what it looks like and what is known."""
        self.looks_like = looks_like = " ".join(looks_like.split())
        known = ", ".join(reader.name for reader in readers())
        super().__init__(say("readers.looks_like_not_read", path=path, looks_like=looks_like, known=known))


def reader_of(path: Path, among: Sequence[Reader]) -> Reader:
    """The first of these readers that recognises the file.

    Raises:
        ForeignError: none does.
        InputError: the file is missing or unreadable.
    """
    head = Head.of(path)
    for reader in among:
        if reader.recognises(head):
            return reader
    raise ForeignError(path, head.describe())


def read(path: Path, among: Sequence[Reader] | None = None) -> Found:
    """Everything in one file but its transcripts.

    Raises:
        ForeignError: no reader knows the format.
        InputError: the file is missing, unreadable or damaged.
    """
    return reader_of(path, readers() if among is None else among).read(path)
