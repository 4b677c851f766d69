"""The ledger: what is finished, a line each, on the disk before anything else is begun; the truth for going on."""

import errno
import fcntl
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from pydantic import ValidationError

from cases import EnvironmentNotReady, InputError
from cases.sentences import Sentences
from verify.batch.lines import LINES, Failed, Finished, Unaudited, written
from verify.batch.selection import Shard
from verify.state import WITHOUT_LOCKS, make_directory

say = Sentences(__name__)

PREFIX = "ledger"
T = TypeVar("T")


def ledger_in(out: Path, shard: Shard | None = None) -> Path:
    """The ledger of a folder of packs, or a share's own."""
    return out / (f"{PREFIX}-{shard.number}-of-{shard.of}.jsonl" if shard else f"{PREFIX}.jsonl")


class Reading:
    """The lines of a ledger; in memory is only where each of them stands."""

    def __init__(self, path: Path) -> None:
        """Read it through.

        Raises:
            InputError: it cannot be read.
        """
        self.path = path
        self.problems: list[str] = []
        """Lines that cannot be read: what they said is not known, so that it is done again."""
        self.done: dict[str, int] = {}
        """Where the audit of each key stands."""
        self._claims: dict[tuple[str, str], int] = {}
        self._latest: dict[tuple[str, str], int] = {}
        self._errors: dict[tuple[str, str], int] = {}
        try:
            with path.open("rb") as file:
                place = 0
                for number, raw in enumerate(file, 1):
                    self._take(raw, place, number)
                    place += len(raw)
        except OSError as error:
            raise InputError(say("batch.ledger.ledger_folder_holds", path=path, strerror=error.strerror)) from None

    def _take(self, raw: bytes, place: int, number: int) -> None:
        if not raw.strip():
            return
        try:
            line = LINES.validate_json(raw)
        except ValidationError as error:
            why = error.errors(include_url=False)[0]["msg"]
            self.problems.append(say("batch.ledger.line_no_line_ledger", path=self.path, number=number, why=why))
            return
        self.placed(line, place)

    def placed(self, line: Finished | Failed | Unaudited, place: int) -> None:
        """Remember that a line stands at `place`, counted in bytes from the file's beginning."""
        task = (sys.intern(line.benchmark), sys.intern(line.task_id))
        if isinstance(line, Finished):
            self.done[sys.intern(line.key)] = self._latest[task] = place
            self._errors.pop(task, None)
        elif isinstance(line, Failed):
            self._errors[task] = place
        elif isinstance(line, Unaudited):
            self._claims[task] = place

    def audit(self, key: str) -> Finished:
        """The finished audit of this key."""
        return next(self._at([self.done[key]], Finished))

    def audits(self, keys: set[str] | None = None) -> Iterator[Finished]:
        """The newest finished audit of every task, or those of these keys."""
        places = self._latest.values() if keys is None else (self.done[key] for key in keys if key in self.done)
        return self._at(sorted(places), Finished)

    def unaudited(self) -> Iterator[Unaudited]:
        """Tasks that only claims speak of, but for those that were audited."""
        return self._at(sorted(place for task, place in self._claims.items() if task not in self._latest), Unaudited)

    def errors(self) -> Iterator[Failed]:
        """The newest error of every task that could not be audited and was not audited since."""
        return self._at(sorted(self._errors.values()), Failed)

    def speaks_of(self, benchmark: str, task_id: str) -> bool:
        """Whether the claims about a task are here already."""
        return (benchmark, task_id) in self._claims or (benchmark, task_id) in self._latest

    def _at(self, places: list[int], kind: type[T]) -> Iterator[T]:
        with self.path.open("rb") as file:
            for place in places:
                file.seek(place)
                line = LINES.validate_json(file.readline())
                assert isinstance(line, kind)
                yield line


class Ledger(Reading):
    """One that is being written, by one process at a time."""

    def __init__(self, path: Path) -> None:
        """Open it, and keep everybody else from writing it.

        Raises:
            EnvironmentNotReady: another process writes it, or it cannot be written.
        """
        make_directory(path.parent, "--out")
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW, 0o644)
        except OSError as error:
            raise EnvironmentNotReady(
                say("batch.ledger.another_folder_out", path=path, strerror=error.strerror)
            ) from None
        try:
            self._hold(path)
            super().__init__(path)
            self._size = os.fstat(self._file).st_size
            if self._size and os.pread(self._file, 1, self._size - 1) != b"\n":
                self._write(b"\n")  # a kill, or a full disk, has cut the last line off
            directory = os.open(path.parent, os.O_RDONLY)
            os.fsync(directory)
            os.close(directory)
        except BaseException:
            os.close(self._file)
            raise

    def _hold(self, path: Path) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno == errno.EWOULDBLOCK:
                raise EnvironmentNotReady(say("batch.ledger.being_written_another_audit", path=path)) from None
            if error.errno not in WITHOUT_LOCKS:
                raise

    def __enter__(self) -> Self:
        """Hold it."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        """Let it go."""
        os.close(self._file)

    def add(self, *lines: Finished | Failed | Unaudited) -> None:
        """Write lines; they are on the disk when this returns, or nothing of them is.

        Raises:
            OSError: the disk is full.
        """
        texts = [written(line) for line in lines]
        place = self._size
        self._write(b"".join(texts))
        for line, text in zip(lines, texts, strict=True):
            self.placed(line, place)
            place += len(text)

    def _write(self, data: bytes) -> None:
        left = memoryview(data)
        try:
            while left:
                left = left[os.write(self._file, left) :]
            os.fsync(self._file)
        except OSError as error:
            os.ftruncate(self._file, self._size)
            error.filename = str(self.path)
            raise
        self._size += len(data)
