"""The task's own command of a failing line, without what the run put around it."""

import posixpath
from dataclasses import replace

from cases.failing.commands import IDLE
from cases.shell import Step, looks, steps_of
from cases.touches import canonical, installs
from probes.replay.target.model import ReplayTarget

_SETS = frozenset({"export", "source", "."})
"""Programs that change what the shell starts next."""


def alone(subject: ReplayTarget, *, but_installs: bool = False) -> ReplayTarget:
    """The subject with the task's own command in place of the line, where nothing else there changes anything.

    `but_installs` leaves out what was to bring something, too: where that did not come, it changed nothing.
    """
    asked = subject.asked
    if asked is None or not subject.attempts or asked.command == subject.attempts[0].command:
        return subject
    steps = steps_of(subject.attempts[0].command)
    mine = [step for step in steps if canonical(step.command) == asked.command]
    others = [step for step in steps if step not in mine and not _changes_nothing(step, but_installs)]
    if others or not mine or any(_is_given_more(step) or _fails_to_write(step, subject.output) for step in mine):
        return subject
    return replace(subject, attempts=(replace(subject.attempts[0], command=asked.line), *subject.attempts[1:]))


def _changes_nothing(step: Step, but_installs: bool) -> bool:
    brings = but_installs and installs(step.command) is not None
    return brings or looks(step.command) or step.command.program in IDLE - _SETS


def is_fed(step: Step) -> bool:
    """Whether the line gives it an input, without which it does other work."""
    return step.fed or any(one.operator.startswith("<") for one in step.command.redirects)


def _fails_to_write(step: Step, output: str) -> bool:
    """Whether the failure names the file into which the line puts what it prints."""
    return any(posixpath.basename(file) in output for file in step.command.outputs)


def _is_given_more(step: Step) -> bool:
    """Whether the line gives it an input or a setting, without which it may fail for want of that."""
    return is_fed(step) or bool(step.command.assignments)
