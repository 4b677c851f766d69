"""One command over many tasks: what is finished is not done again, and what fails does not keep the others from it."""

import gc
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from cases import InputError
from cases.masking import Mask
from cases.sentences import Sentences
from verify.auditor import Auditor, clear
from verify.batch.distributed import hand_out, recovered
from verify.batch.ledger import Ledger, ledger_in
from verify.batch.lines import Failed, Finished, Unaudited, claimed, finished, key_of, version
from verify.batch.live import Live
from verify.batch.selection import Shard
from verify.progress import Loudness
from verify.several import PassedOver
from verify.shutdown import Drain
from verify.terminal import warn

if TYPE_CHECKING:
    from cases import Case
    from cases.library import Library, TaskSummary
    from evidence import Packed
    from verify.config import Configuration
    from verify.review import Reviewer

say = Sentences(__name__)


TIDY = 200
"""Audits after which memory is tidied."""


@dataclass(frozen=True)
class Batch:
    """The tasks of one command, its settings, and what is done with each."""

    configuration: "Configuration"
    library: "Library"
    load: "Callable[[TaskSummary], Case]"
    tell: "Callable[[Finished, Packed | None], None]"
    """Prints the answer; without what is in its pack where an earlier command finished it and that is not read."""
    passed_over: PassedOver
    loudness: Loudness
    reviewer: "Reviewer | None" = None
    shard: Shard | None = None
    again: bool = False
    """Whether what is finished is done again."""
    whole: bool = False
    """Whether the answers are told in full, also those of packs that are finished."""
    keys: "dict[TaskSummary, str]" = field(default_factory=dict)

    def run(self, tasks: "Sequence[TaskSummary]") -> "Outcome":
        """Audit what is not finished.

        Raises:
            EnvironmentNotReady: another command writes the same ledger, or it cannot be written.
            OSError: the disk is full.
        """

        self.keys.update({task: sys.intern(key_of(self.library.entry(task), self.configuration)) for task in tasks})
        with ExitStack() as stack:
            ledger = stack.enter_context(Ledger(ledger_in(self.configuration.out, self.shard)))
            for problem in ledger.problems:
                warn(problem)
            recovered(ledger)
            clear(self.configuration, lambda: {line.pack for line in ledger.audits()})
            self._note_claims(ledger, tasks)
            left = {task: None for task in tasks if self.again or self.keys[task] not in ledger.done}
            for task in tasks:
                if task not in left:
                    line = ledger.audit(self.keys[task])
                    self.tell(line, self.packed(line) if self.whole else None)
            live = Live(self.loudness, len(tasks), len(tasks) - len(left))
            drain = Drain(_draining)
            work = _Work(self, ledger, live)
            gc.freeze()  # what is there now stays to the end
            with live:
                work.all_of(sorted(left, key=_cost), live, drain)
            undone = [task for task in tasks if self.keys[task] not in ledger.done]
        return Outcome(drain.asked and bool(len(undone) - work.errors), work.errors, len(undone))

    def _note_claims(self, ledger: Ledger, tasks: "Sequence[TaskSummary]") -> None:
        asked, mask = set(tasks), Mask()
        others = [
            mask.model(Unaudited(benchmark=one.benchmark, task_id=one.task_id, claims=claimed(claims)))
            for one in self.library.tasks()
            if one not in asked and one.claims and (self.shard is None or self.shard.has(one))
            if not ledger.speaks_of(one.benchmark, one.task_id) and (claims := self.library.entry(one).claims)
        ]
        if others:
            ledger.add(*others)

    def packed(self, line: Finished) -> "Packed | None":
        """What is in the pack of a finished audit; None, with a warning, where it cannot be read."""
        from cases import ImpassableError
        from evidence import Packed, read_pack

        path = self.configuration.out / line.pack
        try:
            return Packed(read_pack(path), path)
        except ImpassableError as error:
            warn(say("batch.running.finished_according_ledger_but", task_id=line.task_id, error=error))
            return None


@dataclass(frozen=True)
class Outcome:
    """How a batch ended."""

    interrupted: bool
    errors: int
    left: int
    """Tasks that are not finished."""


class _Work:
    """What is done with each task on its way."""

    def __init__(self, batch: Batch, ledger: Ledger, live: Live) -> None:
        self._batch, self._ledger, self._live = batch, ledger, live
        self._kept: dict[Path, Finished] = {}
        self._told = 0
        self.errors = 0

    def all_of(self, tasks: "Sequence[TaskSummary]", live: Live, drain: Drain) -> None:
        """Audit them, here or on a cluster's workers.

        Raises:
            InputError: a person is to review, which only one audit at a time allows.
        """
        batch = self._batch
        if batch.configuration.engine == "here":
            auditor = Auditor(batch.configuration, batch.loudness, batch.reviewer, live.reporter)
            auditor.audit_all(tasks, self.tell, self.failed, load=self.load, kept=self.kept, drain=drain)
            return
        if batch.reviewer:
            raise InputError(say("batch.running.review_asks_person_audit"))
        hand_out(tasks, batch.keys, batch.configuration, self._done_elsewhere, self._failed_elsewhere, drain)

    def _done_elsewhere(self, task: "TaskSummary", line: Finished) -> None:
        del task
        self._ledger.add(line)
        self._live.finished(line.status)
        with self._live.apart():
            self._batch.tell(line, self._batch.packed(line) if self._batch.whole else None)

    def _failed_elsewhere(self, task: "TaskSummary", error: Exception, own: bool) -> None:
        self._failed(task, error, own=own)

    def load(self, task: "TaskSummary") -> "Case | None":
        try:
            return self._batch.load(task)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is in the inputs of this task alone
            self._failed(task, error, own=True)
            return None

    def kept(self, task: "TaskSummary", packed: "Packed", seconds: float) -> None:
        line = finished(packed, self._batch.keys[task], seconds, offline=self._batch.configuration.offline)
        self._ledger.add(line)
        self._kept[packed.path] = line

    def tell(self, packed: "Packed") -> None:
        line = self._kept.pop(packed.path)
        self._told += 1
        if self._told % TIDY == 0:
            gc.collect()  # what refers to itself would wait for as much again as there is of everything
        self._live.finished(line.status)
        with self._live.apart():
            self._batch.tell(line, packed)

    def failed(self, task: "TaskSummary", error: Exception) -> None:
        self._failed(task, error)

    def _failed(self, task: "TaskSummary", error: Exception, *, own: bool = False) -> None:
        message, code = self._batch.passed_over(task.task_id, error, own=own)
        self.errors += 1
        self._live.failed()
        line = Failed(
            benchmark=task.benchmark,
            task_id=task.task_id,
            key=self._batch.keys[task],
            message=message,
            exit_code=code,
            version=version("impassable"),
            at=datetime.now(UTC),
        )
        self._ledger.add(Mask().model(line))


def _cost(task: "TaskSummary") -> tuple[bool, bool]:
    """Cheapest first: what some run passed, then what has no logs to replay."""
    return not task.passed, bool(task.transcripts)


def _draining() -> None:
    sys.stderr.write("verify: ending after the audits that are running; ask once more to end now\n")
