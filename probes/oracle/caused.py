"""Whether a run failed for what its benchmark's own solution fails for."""

import posixpath
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from cases import CommandRun, Events, Outcome, Run
from cases import patterns as re
from cases.model import Citation
from cases.sentences import Sentences
from probes.model import Answer
from probes.oracle.outcome import Outcome as Oracle

say = Sentences(__name__)

_NAMED = 3


class Told(NamedTuple):
    """An answer to CAUSED."""

    answer: Answer
    summary: str
    citations: tuple[Citation, ...] = ()


def caused(run: Run | None, events: Events, oracle: Oracle, prompt: str = "") -> Told:
    """By the checks that the run failed, or by the command that failed for the same thing, which the task names."""
    if run is None or run.outcome is not Outcome.FAILED:
        return Told(Answer.UNKNOWN, say("caused.no_failed_run"))
    if oracle.cause is None or oracle.cause.kind in {"unmarked", "unnamed"}:
        return Told(Answer.UNKNOWN, say("caused.whether_run_failed"))
    if oracle.cause.kind == "refused":
        return _by_checks(run, oracle)
    return _by_commands(run, events, oracle.cause.about, prompt)


def _by_checks(run: Run, oracle: Oracle) -> Told:
    if run.checks:
        return _compared(run.checks, oracle, say("caused.recorded", run_id=run.run_id))
    again = oracle.repeated
    if again is None:
        return Told(Answer.UNKNOWN, say("caused.record_not_say", run_id=run.run_id))
    told = say("caused.work_done_again", run_id=run.run_id)
    if again.mark.passed is not False or not again.mark.refused:
        return Told(Answer.UNKNOWN, say("caused.got_no_mark", told=told, mark=again.mark.told))
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
        return Told(Answer.UNKNOWN, say("caused.failed_no_check", who=who))
    if others:
        return Told(Answer.NO, say("caused.failed_reference_solution", who=who, others=_listed(others)))
    if not any(mine.get(name) for name, passed in theirs.items() if passed and not empty.get(name)):
        told = say("caused.no_check_passed")
        return Told(Answer.UNKNOWN, say("caused.failed_and", who=who, failed=_listed(failed), told=told))
    told = say("caused.passed_every_check")
    return Told(Answer.YES, say("caused.failed_reference_solution_2", who=who, failed=_listed(failed), told=told))


def _short(name: str) -> str:
    return name.rpartition("::")[2]


def _listed(names: list[str]) -> str:
    more = say("caused.more", number=len(names) - _NAMED) if len(names) > _NAMED else ""
    return f"{', '.join(names[:_NAMED])}{more}"


def _by_commands(run: Run, events: Events, about: str, prompt: str) -> Told:
    """A command that failed and printed the very name, which the task asks for, and none that worked later."""
    met = [event for event in events.commands if event.failed == "yes" and about in (event.output or "")]
    if not met:
        return Told(Answer.UNKNOWN, say("caused.no_command_failed", run_id=run.run_id, about=about))
    later = events.commands[events.commands.index(met[-1]) + 1 :]
    if any(event.failed == "no" and about in event.command and not event.only_looks for event in later):
        return Told(Answer.UNKNOWN, say("caused.what_failed_worked", run_id=run.run_id, about=about))
    if not re.search(rf"(?<![\w.-]){re.escape(posixpath.basename(about))}(?![\w-])", prompt):
        return Told(Answer.UNKNOWN, say("caused.task_text_not", about=about))
    told = say("caused.task_asks_failed", run_id=run.run_id, about=about)
    return Told(Answer.YES, told, tuple(_cited(run, met[-1], about)))


def _cited(run: Run, event: CommandRun, about: str) -> Iterable[Citation]:
    blocks = run.transcript.blocks if run.transcript else ()
    for index in reversed(event.blocks):
        start = blocks[index].text.rfind(about) if index < len(blocks) else -1
        if start >= 0:
            yield Citation(run_id=run.run_id, block=index, start=start, end=start + len(about), quote=about)
            return
