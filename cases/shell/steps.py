"""The simple commands of a line in the order in which they run, each with what the line says about it."""

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from cases.remembered import remembered
from cases.shell.parsing import parse
from cases.shell.programs import detaches
from cases.shell.tree import Command, Group, Node, Script

Inside = Literal["line", "substitution", "document", "script", "found", "function"]
"""`document`: substituted in a here document; `script`: `bash -c`, `eval` or a shell's here document; `found`:
what `find` runs for each thing that it finds."""


@dataclass(frozen=True, slots=True)
class Step:
    """One simple command."""

    command: Command
    inside: Inside = "line"
    must: bool = False
    """Whether the line cannot end with exit code 0 unless this command did."""
    conditional: bool = False
    """Whether it stands in a branch, a loop, a function or behind `||`, where it may never run."""
    background: bool = False
    fed: bool = False
    """Whether its input comes out of a pipe."""
    feeds: bool = False
    """Whether its output goes into a pipe."""
    folder: str | None = ""
    """Where it runs, as seen from where the line begins; None where the line does not say."""

    def at(self, path: str, cwd: str = "") -> str | None:
        """A path as this command spells it, seen from where the line's own `cwd` is; None where that is not known."""
        if self.folder is None and not path.startswith("/"):
            return None
        return posixpath.normpath(posixpath.join(cwd, self.folder or "", path))


@remembered(1024)
def steps_of(text: str) -> tuple[Step, ...]:
    """None of a text that cannot be read as shell."""
    script = parse(text)
    if script.body is None:
        return ()
    walk = _Walk()
    return _until_exit(list(walk.visit(script.body, _Place(must=True))))


@dataclass(frozen=True, slots=True)
class _Place:
    """What holds for everything in a group."""

    must: bool
    inside: Inside = "line"
    conditional: bool = False
    background: bool = False
    fed: bool = False
    feeds: bool = False
    tested: bool = False
    """Whether `set -e` lets a failure pass there."""


@dataclass(slots=True)
class _Walk:
    """One shell on its way through a script."""

    folder: str | None = ""
    stops: bool = False
    """`set -e`."""
    pipes: bool = False
    """`set -o pipefail`."""

    def visit(self, node: Node, place: _Place) -> Iterator[Step]:
        if isinstance(node, Command):
            yield from self._command(node, place)
            return
        for word in node.words:
            for script in word.scripts:
                yield from self._aside(script, replace(place, must=False, inside="substitution"))
        visits = {
            "list": self._list,
            "chain": self._chain,
            "pipeline": self._pipeline,
            "not": self._negated,
            "subshell": self._subshell,
            "braces": self._braces,
            "function": self._function,
        }
        yield from visits.get(node.kind, self._branching)(node, place)

    def _negated(self, node: Group, place: _Place) -> Iterator[Step]:
        yield from self.visit(node.parts[0], replace(place, must=False, tested=True))

    def _subshell(self, node: Group, place: _Place) -> Iterator[Step]:
        yield from replace(self).visit(node.parts[0], place)

    def _braces(self, node: Group, place: _Place) -> Iterator[Step]:
        yield from self.visit(node.parts[0], place)

    def _function(self, node: Group, place: _Place) -> Iterator[Step]:
        inner = replace(place, must=False, conditional=True, inside="function", tested=True)
        yield from replace(self, folder=None).visit(node.parts[0], inner)

    def _list(self, node: Group, place: _Place) -> Iterator[Step]:
        for number, (part, joint) in enumerate(zip(node.parts, node.joints, strict=True)):
            last = number == len(node.parts) - 1
            if joint == "&":
                yield from replace(self).visit(part, replace(place, must=False, background=True))
            else:
                stops = self.stops and not place.tested and not place.conditional and place.inside == "line"
                yield from self.visit(part, replace(place, must=(last and place.must) or stops))

    def _chain(self, node: Group, place: _Place) -> Iterator[Step]:
        """All behind its last `||` and the one thereafter have to succeed; without one, all."""
        last = len(node.parts) - 1
        spared = max((number for number, joint in enumerate(node.joints, 1) if joint == "||"), default=-1)
        for number, part in enumerate(node.parts):
            instead = number > 0 and node.joints[number - 1] == "||"
            inner = replace(
                place,
                must=place.must and number > spared,
                conditional=place.conditional or instead,
                tested=place.tested or number < last,
            )
            yield from self._perhaps(part, inner) if instead else self.visit(part, inner)

    def _pipeline(self, node: Group, place: _Place) -> Iterator[Step]:
        for number, part in enumerate(node.parts):
            last = number == len(node.parts) - 1
            inner = replace(place, must=place.must and (last or self.pipes), fed=number > 0 or place.fed)
            yield from replace(self).visit(part, replace(inner, feeds=not last or place.feeds))

    def _branching(self, node: Group, place: _Place) -> Iterator[Step]:
        for number, part in enumerate(node.parts):
            if number < node.sure:
                yield from self.visit(part, replace(place, must=False, tested=True))
            else:
                yield from self._perhaps(part, replace(place, must=False, conditional=True))

    def _perhaps(self, node: Node, place: _Place) -> Iterator[Step]:
        """Where it went elsewhere, nobody knows where the shell is afterwards."""
        before = replace(self)
        yield from self.visit(node, place)
        if self.folder != before.folder:
            self.folder = None
        self.stops, self.pipes = before.stops, before.pipes

    def _aside(self, script: Script, place: _Place) -> Iterator[Step]:
        """In a shell of its own."""
        if script.body:
            yield from replace(self).visit(script.body, place)

    def _command(self, command: Command, place: _Place) -> Iterator[Step]:
        aside = list(command.scripts)
        documents = {id(one) for doc in command.redirects if doc.heredoc for one in doc.heredoc.scripts}
        assigns = not command.words and bool(command.assignments)
        for number, script in enumerate(aside):
            last = assigns and number == len(aside) - 1
            inside: Inside = "document" if id(script) in documents else "substitution"
            yield from self._aside(script, replace(place, must=place.must and last, inside=inside))
        must = place.must and not any(detaches(name) for name in command.wrappers)
        yield Step(
            command,
            inside=place.inside,
            must=must,
            conditional=place.conditional,
            background=place.background,
            fed=place.fed,
            feeds=place.feeds,
            folder=self.folder,
        )
        found = command.program == "find"
        inner = (
            replace(place, inside="found", must=False, conditional=True) if found else replace(place, inside="script")
        )
        for script in command.inner:
            yield from self._aside(script, inner) if found else self._aside(script, replace(inner, must=must))
        self._change(command)

    def _change(self, command: Command) -> None:
        """What a builtin changes in the shell itself."""
        if set(command.wrappers) - {"builtin", "command"}:
            return
        if command.program in {"cd", "pushd", "popd"}:
            places = [word for word in command.words[1:] if word.text == "-" or not word.text.startswith("-")]
            known = len(places) == 1 and places[0].literal and places[0].text not in {"-", ""}
            known = known and command.program != "popd" and not places[0].text.startswith("+")
            absolute = known and places[0].text.startswith("/")
            reached = known and (self.folder is not None or absolute)
            self.folder = posixpath.normpath(posixpath.join(self.folder or "", places[0].text)) if reached else None
        if command.program == "set":
            self._set(command.arguments)

    def _set(self, options: tuple[str, ...]) -> None:
        for place, option in enumerate(options):
            on, name = option.startswith("-"), options[place + 1 : place + 2]
            if not option.startswith(("-", "+")) or option.startswith("--"):
                continue
            if "e" in option or ("o" in option and name == ("errexit",)):
                self.stops = on
            if "o" in option and name == ("pipefail",):
                self.pipes = on


def _until_exit(steps: list[Step]) -> tuple[Step, ...]:
    """Behind an `exit` that may have ended the line well, nothing has to have run."""
    left = False
    for place, step in enumerate(steps):
        if left:
            steps[place] = replace(step, must=False)
        if step.command.program in {"exit", "return"} and step.inside in {"line", "function"}:
            status = step.command.arguments[:1]
            left = left or not (status and status[0].isdigit() and int(status[0]) % 256)
    return tuple(steps)
