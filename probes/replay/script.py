"""The replay script: which of the run's earlier commands are repeated before the failing one."""

import re
import shlex

from cases import CommandRun
from probes.replay.data import quiet
from probes.replay.installs import bare
from probes.replay.subject import Subject

MOST = 40
"""Commands; of a longer history the last ones are taken."""


_CHANGING = frozenset({"-delete", "-exec", "-execdir", "-ok", "-okdir", "-fprint", "-fprintf"})


def script(subject: Subject) -> tuple[list[CommandRun], int]:
    """The commands to repeat, in order, and how many were left out because there are too many."""
    steps = [step for step in subject.prior if replayable(step) and not only_looks(step.command)]
    return steps[-MOST:], max(0, len(steps) - MOST)


def replayable(step: CommandRun) -> bool:
    """A shell command whose words are known; a transcript may show an output alone."""
    return step.kind == "shell" and bool(step.command.strip())


def only_looks(command: str) -> bool:
    """Whether a command changes nothing: programs that print, joined by pipes, without redirection."""
    if re.search(r"[<>`]|\$\(", command.replace("2>&1", "").replace("2>/dev/null", "")):
        return False
    parts = re.split(r"\|\||&&|[|;\n]", command)
    programs: list[str] = []
    for part in parts:
        try:
            words = shlex.split(part, comments=True)
        except ValueError:
            return False
        programs += words[:1]
        runs = words[:1] == ["env"] and len(words) > 1
        if runs or not _CHANGING.isdisjoint(words) or (words[:1] == ["sort"] and "-o" in words):
            return False
    return all(program in quiet().only_look for program in programs)


def matters(command: str, subject: Subject) -> bool:
    """Whether what a command did can bear on the barrier: it installs something, or it names what is missing."""
    return bool(re.search(quiet().installs, command)) or bare(subject.about) in command
