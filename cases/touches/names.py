"""What commands and errors name: the table of `things.toml`."""

import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from pydantic import BaseModel, ConfigDict

from cases import patterns as re
from cases.failing.forms import with_errors
from cases.loading import load
from cases.remembered import remembered
from cases.shell import ABOUT, Command, looks

Kind = Literal["command", "program", "file", "host", "page", "package", "module", "tool"]
_NAMING: tuple[Kind, ...] = ("program", "file", "host", "page", "package", "module")

SOURCE = re.compile(
    r"(?i)\.(?:py|r|rmd|pl|pm|rb|sh|bash|js|mjs|ts|jl|lua|php|sql|awk|jq|ipynb|tcl|m|scala|java|go|rs|c|cc|cpp)$"
)
"""What names of programs' texts end with."""


@dataclass(frozen=True, slots=True)
class Thing:
    """Something that a run can touch, under one of its names."""

    kind: Kind
    name: str


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    source: str


class Named(_Entry):
    """A form in which a tool names what its failure is about; the pattern's groups are kinds of things."""

    pattern: str
    catches: dict[str, str]
    misses: tuple[str, ...]


class Verbs(_Entry):
    """Programs, with the words that make a command of theirs one of this sort; none for all their commands."""

    programs: frozenset[str]
    verbs: frozenset[str]
    values: frozenset[str] = frozenset()
    """Options whose value is the next word."""

    def covers(self, command: Command) -> bool:
        """Whether a command is of this sort, be the program a script or a module that Python runs."""
        words = (command.program, *command.arguments)
        if command.program.startswith("python"):
            words = tuple(word for word in words[1:] if word != "-m")
        named = bool(words) and posixpath.basename(words[0]) in self.programs
        return named and (not self.verbs or not self.verbs.isdisjoint(words[1:]))


class Programs(_Entry):
    """Programs of one sort."""

    programs: frozenset[str]


class Options(_Entry):
    """Options of one sort."""

    options: frozenset[str]


class Folders(_Entry):
    """Where a machine's own files lie."""

    folders: tuple[str, ...]
    within: tuple[str, ...]


class Words(_Entry):
    """Words of one sort."""

    words: frozenset[str]


class Tools(_Entry):
    """Tools of one sort."""

    tools: frozenset[str]


class Patterns(_Entry):
    """Forms of words."""

    patterns: tuple[str, ...]


class Endings(_Entry):
    """What files of some forms end with, without the dot."""

    endings: frozenset[str]


class Things(BaseModel):
    """`things.toml`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    named: tuple[Named, ...]
    installer: tuple[Verbs, ...]
    preparer: tuple[Verbs, ...]
    inquiry: tuple[Verbs, ...]
    mender: tuple[Verbs, ...]
    tester: tuple[Verbs, ...]
    fetchers: Programs
    texts: Programs
    asks: Options
    pip: Options
    open_forms: Endings
    system: Folders
    ordinary: Words
    shows: Tools
    hedges: Patterns
    ruled_out: Patterns
    any_means: Patterns
    tests_asked: Patterns
    free: Patterns
    bound: Patterns
    software: Patterns
    doubles: Words
    articles: Words
    demanding: Words
    developers: Patterns
    compilers: Programs
    builders: Programs


def things() -> Things:
    """The shipped table."""
    return load(Things, __package__, "things.toml")


@remembered(256)
def named_in(line: str) -> tuple[Thing, ...]:
    """What one line of a tool's word for its failure is about: the first form that fits tells."""
    return tuple(_named_in(line))


def _named_in(line: str) -> Iterator[Thing]:
    for pattern in _patterns():
        if match := pattern.search(line):
            for group, name in match.groupdict().items():
                kind = group.rstrip("0123456789")
                if name and kind in _NAMING:
                    yield Thing(_NAMING[_NAMING.index(kind)], name)
            return


def installs(command: Command) -> Verbs | None:
    """The sort of installer that a command is, if it is one."""
    return next((entry for entry in things().installer if entry.covers(command)), None)


def prepares(command: Command) -> bool:
    """Whether a command only makes ready what others need: it installs something, or chooses an environment."""
    return installs(command) is not None or any(entry.covers(command) for entry in things().preparer)


def inquires(command: Command) -> bool:
    """Whether a command only has a program tell of itself, of packages, or of the machine."""
    arguments = command.arguments
    if len(arguments) == 1 and arguments[0] in things().asks.options:
        return True
    return any(entry.covers(command) for entry in things().inquiry)


def idle(command: Command) -> bool:
    """Whether a command does no work: it looks, asks, prepares, or only has a program tell of itself."""
    return looks(command) or inquires(command) or prepares(command) or bool(ABOUT.intersection(command.arguments))


def mends(command: Command) -> bool:
    """Whether a command only changes who may do what."""
    return any(entry.covers(command) for entry in things().mender)


def tests(command: Command) -> bool:
    """Whether a command runs tests."""
    return any(entry.covers(command) for entry in things().tester)


def runs_tests(name: str) -> bool:
    """Whether a program or a package of this name does nothing but run tests."""
    return any(name in entry.programs and not entry.verbs for entry in things().tester)


def shows_text(tool: str) -> bool:
    """Whether a tool of this name answers with texts that it shows."""
    lower = tool.lower()
    return lower in things().shows.tools or re.split(r"[./:]|__", lower)[-1] in things().shows.tools


def of_the_system(path: str) -> bool:
    """Whether a file of this path came with the machine rather than with the task."""
    known = things().system
    return any(path == folder or path.startswith(f"{folder}/") for folder in known.folders) or any(
        f"/{part}/" in f"/{path}" for part in known.within
    )


def stands_in(path: str, beside: str = "") -> bool:
    """Whether a part of a path that `beside` has not says that what lies there stands in for the real thing."""
    parts = [part for part in path.split("/") if part and part not in beside.split("/")]
    words = (word for part in parts for word in re.split(r"[^a-z]+", part.lower()))
    return not path.startswith("/dev/") and any(word in things().doubles.words for word in words)


def plain_words(command: Command, values: frozenset[str]) -> Iterator[str]:
    """Its words behind the program that are no options and no values of options."""
    words: Sequence[str] = command.arguments
    for before, word in zip(("", *words), words, strict=False):
        if not word.startswith("-") and before not in values:
            yield word


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(with_errors(form.pattern)) for form in things().named)
