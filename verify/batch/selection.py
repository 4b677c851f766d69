"""Which tasks a command is about: those that are named, or those that a selection leaves."""

import hashlib
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from cases import InputError, Outcome
from cases.sentences import Sentences

if TYPE_CHECKING:
    from cases.library import Library, TaskSummary

say = Sentences(__name__)

STDIN = "-"
LISTED = 5
"""Agents that a message names."""


@dataclass(frozen=True)
class Shard:
    """One of several machines' shares of the tasks."""

    number: int
    of: int

    @classmethod
    def parse(cls, text: str) -> "Shard":
        """`i/n`, from 1/n to n/n.

        Raises:
            InputError: it is none.
        """
        number, _, of = text.partition("/")
        if not (number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of)):
            raise InputError(say("batch.selection.shard_not_share_job", text=text))
        return cls(int(number), int(of))

    def has(self, task: "TaskSummary") -> bool:
        """Whether the task is in this share, wherever and of whatever list that is asked."""
        return int(_rank("shard", task), 16) % self.of == self.number - 1


@dataclass(frozen=True)
class Selection:
    """What every selected task must be."""

    all_failed: bool = False
    disputed: bool = False
    agents: tuple[str, ...] = ()
    """Names or patterns of agents or models, one of whose runs failed."""
    claimed: float | None = None
    """Of which some claim gives at least this score."""
    sample: int | None = None
    seed: int = 0
    shard: Shard | None = None

    @property
    def given(self) -> bool:
        """Whether it says by itself which tasks are meant."""
        return self.all_failed or self.disputed or bool(self.agents) or self.claimed is not None or bool(self.sample)

    def of_failures(self) -> "Selection":
        """The same where no id is named: what nobody failed is not meant, unless somebody disputes it."""
        return self if self.disputed else replace(self, all_failed=True)


def named(texts: Iterable[str]) -> list[str]:
    """The ids of a command line; `-` stands for those on stdin, one a line."""
    found: list[str] = []
    for text in texts:
        found += [line.strip() for line in sys.stdin] if text == STDIN else [text]
    return [text for text in dict.fromkeys(found) if text and not text.startswith("#")]


def resolved(
    library: "Library", texts: Sequence[str], failed: Callable[[str, Exception], object]
) -> "list[TaskSummary]":
    """The tasks of these ids, each once; `failed` is told of those that name none."""
    found: dict[TaskSummary, None] = {}
    for text in texts:
        try:
            found[library.resolve(text)] = None
        except InputError as error:
            failed("", error)
    return list(found)


def selected(library: "Library", tasks: "Sequence[TaskSummary]", selection: Selection) -> "list[TaskSummary]":
    """Those of the tasks that are all that the selection asks for, in their order.

    Raises:
        InputError: none of them is; says what there is.
    """
    kept = [task for task in tasks if _is(library, task, selection)]
    if not kept:
        raise InputError(_none(library, tasks, selection))
    if selection.sample is not None:
        drawn = set(sorted(kept, key=lambda task: _rank(str(selection.seed), task))[: selection.sample])
        kept = [task for task in kept if task in drawn]
    return [task for task in kept if selection.shard is None or selection.shard.has(task)]


def _is(library: "Library", task: "TaskSummary", selection: Selection) -> bool:
    if selection.disputed and not task.disputed:
        return False
    if selection.all_failed and not _failed(task):
        return False
    if selection.claimed is not None:
        scores = (claim.score for claim in library.entry(task).claims)
        if not any(score is not None and score >= selection.claimed for score in scores):
            return False
    return not selection.agents or any(_meets(one, selection.agents) for one in agents_of(library, task))


def _failed(task: "TaskSummary") -> bool:
    """Whether some run of it is not known to have passed."""
    return task.runs > task.passed


def agents_of(library: "Library", task: "TaskSummary") -> list[str]:
    """The agents and models whose runs of the task are not known to have passed."""
    runs = (run.record for run in library.entry(task).runs if run.record.outcome is not Outcome.PASSED)
    return sorted({name for run in runs for name in (run.agent, run.model) if name})


def _meets(name: str, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(name.casefold(), pattern.casefold()) for pattern in patterns)


def _none(library: "Library", tasks: "Sequence[TaskSummary]", selection: Selection) -> str:
    failed = selection.all_failed and not selection.agents
    asked = [("disputed", selection.disputed), (say("batch.selection.failed_anybody"), failed)]
    words = [word for word, given in asked if given]
    words += [say("batch.selection.claimed_more", claimed=selection.claimed)] if selection.claimed is not None else []
    words += [say("batch.selection.failed", agents=" or ".join(selection.agents))] if selection.agents else []
    known = sorted({name for task in tasks for name in agents_of(library, task)}) if selection.agents else []
    more = say("batch.selection.more", number=len(known) - LISTED) if len(known) > LISTED else ""
    there = (
        say("batch.selection.agents", known=", ".join(known[:LISTED]), more=more)
        if known
        else say("batch.selection.see_verify_cases")
    )
    return say("batch.selection.none_tasks", number=len(tasks), words=" and ".join(words) or "left", there=there)


def _rank(seed: str, task: "TaskSummary") -> str:
    """A number that is the task's own, so that others more or less change nothing for it."""
    return hashlib.sha256(f"{seed}\n{task.benchmark}\n{task.task_id}".encode("utf-8", "surrogatepass")).hexdigest()
