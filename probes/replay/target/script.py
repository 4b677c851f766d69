"""The replay script: which of the run's earlier commands are repeated before the failing one."""

import posixpath
import shlex

from cases import CommandRun
from cases import patterns as re
from cases.shell import Command, steps_of
from cases.touches.installing import bare
from probes.replay.target.data import quiet
from probes.replay.target.model import ReplayTarget

MOST = 40
"""Commands; of a longer history the last ones are taken."""


def script(subject: ReplayTarget) -> tuple[list[CommandRun], int]:
    """The commands to repeat, in order, and how many were left out because there are too many."""
    steps = [step for step in subject.prior if replayable(step) and not step.only_looks]
    return steps[-MOST:], max(0, len(steps) - MOST)


def replayable(step: CommandRun) -> bool:
    """A shell command whose words are known; a transcript may show an output alone."""
    return step.kind == "shell" and bool(step.command.strip())


def in_its_place(step: CommandRun) -> str:
    """The command as it is to be run from anywhere."""
    return f"cd {shlex.quote(step.cwd)} || exit 1\n{step.command}" if step.cwd else step.command


def matters(line: str, subject: ReplayTarget) -> bool:
    """Whether what a line did can bear on the barrier: it installs something, or it names what is missing."""
    return bare(subject.about) in line or any(_matters(step.command) for step in steps_of(line))


def takes_away(line: str) -> bool:
    """Whether a line takes something away from the machine that the run found."""
    harm = quiet().takes_away
    return bool(re.search(harm.texts.code, line)) or any(_takes_away(step.command) for step in steps_of(line))


def _matters(command: Command) -> bool:
    file = posixpath.basename(command.file.text) if command.file else ""
    installs = command.code is not None and "install.packages" in command.code.text
    module = command.module.text if command.module else ""
    return bool({command.program, module} & quiet().matters) or file in quiet().scripts or installs


def _takes_away(command: Command) -> bool:
    harm = quiet().takes_away
    words = set(command.arguments)
    named = {
        posixpath.basename(word) for word in (*words, *(one.target.text for one in command.redirects if one.target))
    }
    verbs = harm.verbs["any"] | harm.verbs.get(command.program, frozenset())
    if command.module:
        verbs |= harm.verbs.get(command.module.text, frozenset())
    empties = command.program in {"", ":"} and any(one.writes and one.operator == ">" for one in command.redirects)
    return command.program in harm.programs or bool(words & verbs) or bool(named & harm.texts.files) or empties
