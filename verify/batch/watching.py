"""Packs asked again over time: which are due, what each said then and now, and their history."""

import errno
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Literal

from pydantic import ValidationError

from cases import InputError, Model
from cases.sentences import Sentences
from graph.verdict import Status
from probes import Answer, Question
from verify.terminal import warn

if TYPE_CHECKING:
    from evidence.checking import Checked
    from graph.verdict import Audit
    from verify.auditor import Auditor
    from verify.config import Configuration

say = Sentences(__name__)

HISTORY = "history.jsonl"


class State(Model):
    """What an audit found, as far as it may change."""

    at: datetime
    pack: str
    """Its folder, beside the history."""
    status: Status
    barrier: bool | None
    """Whether it was there; None where that stayed open."""
    passable: Answer | None
    """Whether a permitted way worked; None where that was not asked."""


class Seen(Model):
    """One task, asked again."""

    watch: Literal[1] = 1
    """The version of this form."""
    benchmark: str
    task_id: str
    root: str
    """The pack with which its history begins."""
    then: State
    now: State

    @property
    def changes(self) -> tuple[str, ...]:
        """What is different, in words; what could not be told this time is no change."""
        words = {True: "present", False: "gone"}
        ways = {Answer.YES: "passable", Answer.NO: say("batch.watching.not_passable")}
        found = []
        if None not in (self.then.barrier, self.now.barrier) and self.then.barrier is not self.now.barrier:
            found.append(f"{words[bool(self.then.barrier)]} → {words[bool(self.now.barrier)]}")
        before, after = (ways.get(one.passable) if one.passable else None for one in (self.then, self.now))
        if before and after and before != after:
            found.append(f"{before} → {after}")
        if self.then.status is not self.now.status and Status.INCONCLUSIVE not in (self.then.status, self.now.status):
            found.append(f"{self.then.status.value} → {self.now.status.value}")
        return tuple(found)

    @property
    def told(self) -> str:
        """In one line, with both days."""
        days = f"{self.then.at:%Y-%m-%d} → {self.now.at:%Y-%m-%d}"
        what = ", ".join(self.changes) or say("batch.watching.before", status=self.now.status.value.replace("_", " "))
        mark = "CHANGED" if self.changes else "same"
        return f"{mark} {self.task_id} of {self.benchmark}: {what} ({days}) {self.now.pack}"


@dataclass(frozen=True)
class Budget:
    """How much is asked again in one go."""

    age: timedelta = timedelta()
    """What was asked within it is not due."""
    most: int | None = None
    within: timedelta | None = None
    """After which nothing more is begun."""


@dataclass(frozen=True)
class Watch:
    """The packs of one folder."""

    path: Path
    configuration: "Configuration"
    budget: Budget
    show: Callable[[Seen], None]
    failed: Callable[[str, Exception], None]

    def run(self) -> int:
        """Ask what is due again, the oldest first; returns how many were left for another time.

        Raises:
            InputError: there is no pack.
            OSError: the disk is full.
        """
        from verify.auditor import Auditor

        began, auditor = monotonic(), Auditor(self.configuration, "quiet")
        lines = self._history()
        history = {line.root: line for line in lines}
        made = {line.now.pack for line in lines}
        due = sorted(self._due(history, made), key=lambda one: one[0])
        for number, (_, pack) in enumerate(due):
            spent = self.budget.within is not None and monotonic() - began >= self.budget.within.total_seconds()
            if spent or number == self.budget.most:
                return len(due) - number
            try:
                self._ask(auditor, pack, history.get(pack.name))
            except Exception as error:
                if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EROFS, errno.EDQUOT):
                    raise
                self.failed(pack.name, error)
        return 0

    def _due(self, history: dict[str, Seen], made: set[str]) -> Iterator[tuple[datetime, Path]]:
        now, found = datetime.now(UTC), False
        for pack in self._packs():
            found = True
            if pack.name in made:
                continue  # made by an earlier watch; its root stands for it
            known = history.get(pack.name)
            at = known.now.at if known else _written(pack)
            if now - at >= self.budget.age:
                yield at, pack
        if not found:
            raise InputError(say("batch.watching.no_pack_folder_verify", path=self.path))

    def _packs(self) -> list[Path]:
        """Of a ledger the newest of each task, of a folder all."""
        from verify.batch.ledger import Reading

        if self.path.is_file():
            return [pack for line in Reading(self.path).audits() if (pack := self.path.parent / line.pack).is_dir()]
        return sorted(one.parent for one in self.path.glob("*/verdict.json"))

    def _history(self) -> list[Seen]:
        """All lines, the newest last."""
        path, found = self.configuration.out / HISTORY, list[Seen]()
        for number, raw in enumerate(path.read_bytes().splitlines() if path.exists() else (), 1):
            try:
                found.append(Seen.model_validate_json(raw))
            except ValidationError:
                warn(say("batch.watching.line_no_line_history", path=path, number=number))
        return found

    def _ask(self, auditor: "Auditor", pack: Path, known: Seen | None) -> None:
        from evidence.checking import check
        from verify.rerun import of_this_machine

        earlier = check(pack)
        case = of_this_machine(earlier.audit.case, self.configuration)
        packed = auditor.repeat(earlier.audit.model_copy(update={"case": case}), earlier.digest)
        seen = Seen(
            benchmark=case.benchmark,
            task_id=case.task_id,
            root=pack.name,
            then=known.now if known else _state(earlier.audit, pack.name, _at(earlier, pack)),
            now=_state(packed.audit, packed.path.name, datetime.now(UTC)),
        )
        self._keep(seen)
        self.show(seen)

    def _keep(self, seen: Seen) -> None:
        path = self.configuration.out / HISTORY
        with path.open("ab+") as file:
            if file.tell() and (file.seek(-1, os.SEEK_END), file.read(1))[1] != b"\n":
                file.write(b"\n")
            file.write(seen.model_dump_json().encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())


def _state(audit: "Audit", pack: str, at: datetime) -> State:
    verdict, passable, barrier = audit.verdict, None, audit.verdict.barrier_now
    if barrier is None and _answers(audit, Question.PRESENT) == {Answer.NO}:
        barrier = False  # a verdict that speaks of none says nothing of it
    answers = _answers(audit, Question.PASSABLE) - {Answer.UNKNOWN}
    if answers:
        passable = Answer.YES if Answer.YES in answers else Answer.NO
    return State(at=at, pack=pack, status=verdict.status, barrier=barrier, passable=passable)


def _answers(audit: "Audit", question: Question) -> set[Answer]:
    return {one.valid_answer for one in audit.findings if one.question is question}


def _at(earlier: "Checked", pack: Path) -> datetime:
    return max((one.started for one in earlier.audit.findings), default=_written(pack))


def _written(pack: Path) -> datetime:
    return datetime.fromtimestamp((pack / "verdict.json").stat().st_mtime, UTC)
