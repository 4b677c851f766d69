"""Whether a run failed for what its benchmark's own solution fails for."""

import posixpath
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from cases import CommandRun, Events, Outcome, Run
from cases import patterns as re
from cases.model import Citation
from probes.model import Answer
from probes.oracle.outcome import Outcome as Oracle

_NAMED = 3


class Told(NamedTuple):
    """An answer to CAUSED."""

    answer: Answer
    summary: str
    citations: tuple[Citation, ...] = ()


def caused(run: Run | None, events: Events, oracle: Oracle, prompt: str = "") -> Told:
    """By the checks that the run failed, or by the command that failed for the same thing, which the task names."""
    if run is None or run.outcome is not Outcome.FAILED:
        return Told(Answer.UNKNOWN, "No failed run is known that these checks have marked.")
    if oracle.cause is None or oracle.cause.kind in {"unmarked", "unnamed"}:
        return Told(Answer.UNKNOWN, "Whether the run failed for the same is not known.")
    if oracle.cause.kind == "refused":
        return _by_checks(run, oracle)
    return _by_commands(run, events, oracle.cause.about, prompt)


def _by_checks(run: Run, oracle: Oracle) -> Told:
    if run.checks:
        return _compared(run.checks, oracle, f"As recorded, {run.run_id}")
    again = oracle.repeated
    if again is None:
        return Told(Answer.UNKNOWN, f"The record does not say which of the checks {run.run_id} failed.")
    told = f"The work of {run.run_id}, done again in the task's machine,"
    if again.mark.passed is not False or not again.mark.refused:
        return Told(Answer.UNKNOWN, f"{told} got no mark that could be compared ({again.mark.told}).")
    found = _compared(again.mark.tests, oracle, told)
    return found if found.answer is Answer.YES else found._replace(answer=Answer.UNKNOWN)


def _compared(checks: Mapping[str, bool], oracle: Oracle, who: str) -> Told:
    """Yes where it failed only what refuses the reference solution too, and got as far as that beyond an empty run."""
    mine = {_short(name): passed for name, passed in checks.items()}
    theirs = {_short(name): passed for name, passed in oracle.trials[-1].mark.tests.items()}
    empty = {_short(name): passed for name, passed in oracle.empty.mark.tests.items()} if oracle.empty else {}
    failed = sorted(name for name, passed in mine.items() if not passed)
    others = [name for name in failed if theirs.get(name, True)]
    if not failed:
        return Told(Answer.UNKNOWN, f"{who} failed no check that has a name.")
    if others:
        return Told(Answer.NO, f"{who} failed {_listed(others)}, which the reference solution passes.")
    if not any(mine.get(name) for name, passed in theirs.items() if passed and not empty.get(name)):
        told = "and no check that it passed tells its work from an empty run's"
        return Told(Answer.UNKNOWN, f"{who} failed {_listed(failed)}, {told}.")
    told = "and passed every check that the reference solution passes and an empty run does not"
    return Told(Answer.YES, f"{who} failed {_listed(failed)}, as the reference solution does, {told}.")


def _short(name: str) -> str:
    return name.rpartition("::")[2]


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{', '.join(names[:_NAMED])}{more}"


def _by_commands(run: Run, events: Events, about: str, prompt: str) -> Told:
    """A command that failed and printed the very name, which the task asks for, and none that worked later."""
    met = [event for event in events.commands if event.failed == "yes" and about in (event.output or "")]
    if not met:
        return Told(Answer.UNKNOWN, f"No command of {run.run_id} that failed names `{about}`.")
    later = events.commands[events.commands.index(met[-1]) + 1 :]
    if any(event.failed == "no" and about in event.command and not event.only_looks for event in later):
        return Told(Answer.UNKNOWN, f"What had failed in {run.run_id} for `{about}` worked later.")
    if not re.search(rf"(?<![\w.-]){re.escape(posixpath.basename(about))}(?![\w-])", prompt):
        return Told(Answer.UNKNOWN, f"The task's text does not name `{about}`, and another way may do without.")
    told = f"The task asks for it, {run.run_id} failed for `{about}` too, and nothing of that name worked later."
    return Told(Answer.YES, told, tuple(_cited(run, met[-1], about)))


def _cited(run: Run, event: CommandRun, about: str) -> Iterable[Citation]:
    blocks = run.transcript.blocks if run.transcript else ()
    for index in reversed(event.blocks):
        start = blocks[index].text.rfind(about) if index < len(blocks) else -1
        if start >= 0:
            yield Citation(run_id=run.run_id, block=index, start=start, end=start + len(about), quote=about)
            return
