"""Which files a run changed, at any time."""

import posixpath
from collections.abc import Iterable

from cases import Events
from cases import patterns as re
from cases.shell import Command, looks, only_looks, steps_of


def changed(names: Iterable[str], events: Events) -> set[str]:
    """Those of the names, without folders, of files that the run wrote, or did more with than look at or run them."""
    written = {posixpath.basename(write.path) for write in events.writes}
    shell = [one.command for one in events.commands if one.kind == "shell"]
    return {name for name in names if name in written or any(_works_on(name, line) for line in shell)}


def _works_on(name: str, line: str) -> bool:
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
