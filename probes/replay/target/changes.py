"""Which files a run changed, at any time."""

import posixpath
from collections.abc import Iterable

from cases import Events
from cases import patterns as re
from cases.shell import Command, Step, looks, only_looks, steps_of

_MAY_CHANGE = frozenset({"sed", "perl"})
_CHANGE = frozenset({"ed", "ex", "cp", "mv", "rm", "ln", "install", "patch", "truncate", "dd", "tee"})


def changed(names: Iterable[str], events: Events) -> set[str]:
    """Those of the names, without folders, of files that the run wrote, or gave to a program that changes files."""
    written = {posixpath.basename(write.path) for write in events.writes}
    steps = [step for one in events.commands for step in one.steps]
    return {name for name in names if name in written or any(_edits(step, name) for step in steps)}


def _edits(step: Step, name: str) -> bool:
    words = {posixpath.basename(word) for word in step.command.arguments}
    targets = {posixpath.basename(file) for file in step.command.outputs}
    in_place = any(word.startswith(("-i", "--in-place")) for word in step.command.arguments)
    edits = step.command.program in _CHANGE or (step.command.program in _MAY_CHANGE and in_place)
    return name in targets or (edits and name in words)


def works_on(name: str, line: str) -> bool:
    """Whether a line does more with a file than to look at it or to run it."""
    spoken = re.compile(rf"(?<![\w.-]){re.escape(name)}(?![\w-])")
    if only_looks(line) or not spoken.search(line):
        return False
    steps = steps_of(line)
    return not steps or any(spoken.search(_without_its_file(step.command)) for step in steps if not looks(step.command))


def _without_its_file(command: Command) -> str:
    words = (*command.words, *(one.target for one in command.redirects if one.target))
    documents = (one.heredoc.text for one in command.redirects if one.heredoc)
    return " ".join((*(word.text for word in words if word is not command.file), *documents))
