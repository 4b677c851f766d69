"""Files that a run put there itself, with what it put into them."""

import posixpath
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from cases import patterns as re
from cases.model import CommandRun, FileWrite
from cases.shell import looks
from cases.touches.names import Thing
from cases.touches.promises import codes_of

_TELLING = frozenset({"cat", "echo", "printf", "tee"})
_WRITES = re.compile(r"""\bopen\(\s*['"]([^'"\n]+)['"]\s*,\s*(?:mode=)?['"][wx]""")
_NAMED = re.compile(r"""['"]([^'"\s]*[\w-]\.\w{1,8})['"]""")


class OwnFiles:
    """What the events of one run put into files, each with its place in the run."""

    def __init__(self, events: Sequence[object], wrote: Callable[[str], bool]) -> None:
        """`wrote` tells whether the run wrote a file of that name itself."""
        self._events, self._wrote = events, wrote

    def stands_in(self, thing: Thing, after: int) -> bool:
        """Whether the run later put something of its own making in the place of what it lacked."""
        name = thing.name.rpartition("/")[2]
        if thing.kind not in ("file", "program", "module") or name in _written_in(self._events[after]):
            return False
        return self._last_made.get(name, -1) > after

    @cached_property
    def puts(self) -> dict[str, list[tuple[int, str]]]:
        """What was put into files as their whole text, by their names: each time with its place in the run."""
        puts = defaultdict[str, list[tuple[int, str]]](list)
        for place, event in enumerate(self._events):
            for name, text in _put(event):
                puts[name].append((place, text))
        return puts

    @cached_property
    def _last_made(self) -> dict[str, int]:
        """The last event in which the run made a file of this name, of nothing but what it wrote itself."""
        made = dict[str, int]()
        for place, event in enumerate(self._events):
            made.update(dict.fromkeys((*_written_in(event), *self._made(event)), place))
        return made

    def _made(self, event: object) -> Iterator[str]:
        for code in codes_of(event) if isinstance(event, CommandRun) else ():
            written = {posixpath.basename(path) for path in _WRITES.findall(code)}
            read = {posixpath.basename(path) for path in _NAMED.findall(code)} - written
            yield from (name for name in written if all(map(self._wrote, read)))
        for step in event.steps if isinstance(event, CommandRun) else ():
            words = {word.rpartition("/")[2] for word in step.command.arguments if not word.startswith("-")}
            dotted = {word for word in words if "." in word}
            if not dotted or looks(step.command):
                continue
            strange = {word for word in dotted if not self._wrote(word)}
            yield from (word for word in words if strange <= {word} and len(dotted) > (word in dotted))


def _written_in(event: object) -> set[str]:
    """Names of the files into which an event puts text of its own."""
    if isinstance(event, FileWrite):
        return {event.path.rpartition("/")[2]} if event.how == "whole" else set()
    steps = event.steps if isinstance(event, CommandRun) else ()
    telling = (step.command for step in steps if step.command.program in _TELLING)
    return {posixpath.basename(file) for command in telling for file in command.outputs}


def _put(event: object) -> Iterator[tuple[str, str]]:
    """Names of the files into which an event puts text, as their whole text; of several into one the last counts."""
    if isinstance(event, FileWrite) and event.how == "whole":
        yield posixpath.basename(event.path), event.content
    for step in event.steps if isinstance(event, CommandRun) else ():
        told = next((one.heredoc.text for one in step.command.redirects if one.heredoc), None)
        names = {posixpath.basename(file) for file in step.command.outputs}
        yield from ((name, told) for name in names if told is not None)
