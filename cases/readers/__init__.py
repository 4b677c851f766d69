"""One reader for each file format, chosen by what a file holds and never by its name."""

from pathlib import Path

from cases.errors import InputError
from cases.readers.base import ClaimRecord, Found, Problem, Reader, RunRecord
from cases.readers.claims import JudgeReader, RubricReader
from cases.readers.hal import HalReader
from cases.readers.outcomes import OutcomesReader
from cases.readers.sniff import Head
from cases.readers.whowhen import WhoWhenReader

__all__ = ["READERS", "ClaimRecord", "ForeignError", "Found", "Problem", "Reader", "RunRecord", "read"]

READERS: tuple[Reader, ...] = (HalReader(), WhoWhenReader(), RubricReader(), JudgeReader(), OutcomesReader())


class ForeignError(InputError):
    """A file in a format that no reader knows."""

    def __init__(self, path: Path, looks_like: str) -> None:
        """Say what it looks like and what is known."""
        self.looks_like = looks_like
        known = ", ".join(reader.name for reader in READERS)
        super().__init__(f"{path}: this looks like {looks_like}, which is not read here; known formats are {known}.")


def read(path: Path) -> Found:
    """Everything in one file but its transcripts.

    Raises:
        ForeignError: no reader knows the format.
        InputError: the file is missing, unreadable or damaged.
    """
    head = Head.of(path)
    for reader in READERS:
        if reader.recognises(head):
            return reader.read(path)
    raise ForeignError(path, head.describe())
