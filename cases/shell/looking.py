"""Which commands only show what is there."""

from collections.abc import Iterator
from functools import cache

from pydantic import BaseModel, ConfigDict

from cases import patterns as re
from cases.loading import load
from cases.remembered import remembered
from cases.shell.parsing import parse
from cases.shell.steps import steps_of
from cases.shell.tree import Command

ABOUT = frozenset({"--version", "-V", "--help"})
"""Options with which nearly every program only tells of itself."""
_STRING = re.compile(r'"(?:\\.|[^"\\])*"')
_STATEMENT = re.compile(r"[;{}\n]")
_PRINT = re.compile(r"\bprintf?\b")


class Looks(BaseModel):
    """Programs that show things."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    names: frozenset[str]
    unless: tuple[re.Pattern[str], ...] = ()
    needs: re.Pattern[str] | None = None
    values: frozenset[str] = frozenset()
    only: re.Pattern[str] | None = None
    then: re.Pattern[str] | None = None
    source: str

    def covers(self, arguments: tuple[str, ...]) -> bool:
        """Whether a command of these words does no more."""
        if any(pattern.search(word) for pattern in self.unless for word in arguments):
            return False
        if self.needs and not any(self.needs.search(word) for word in arguments):
            return False
        if self.only is None:
            return True
        behind = list(_behind_options(arguments, self.values))
        if not behind or not self.only.fullmatch(behind[0]):
            return False
        return self.then is None or self.then.fullmatch(" ".join(behind[1:])) is not None


@remembered(1024)
def only_looks(text: str) -> bool:
    """Whether every command of a line only shows what is there; False where it cannot be read."""
    return parse(text).body is not None and all(looks(step.command) for step in steps_of(text))


def looks(command: Command) -> bool:
    """Whether a command changes nothing but the shell it runs in; what it has run by others is judged by itself."""
    if any(redirect.writes for redirect in command.redirects):
        return False
    if not command.words or (command.code and command.code.language == "shell"):
        return True
    if "awk" in command.program and any(_awk_writes(word) for word in command.arguments):
        return False
    name, arguments = command.program, command.arguments
    if command.module:
        name, arguments = command.module.text, arguments[arguments.index(command.module.text) + 1 :]
    if command.file is None and len(arguments) == 1 and arguments[0] in ABOUT:
        return True
    return any(entry.covers(arguments) for entry in _table().get(name, ()))


def _awk_writes(program: str) -> bool:
    """Whether a print of an awk program goes into a file or a pipe."""
    for statement in _STATEMENT.split(_STRING.sub("", program)):
        printed = _PRINT.split(statement, maxsplit=1)[1:]
        if printed and re.search(r"[>|]", printed[0]):
            return True
    return False


def _behind_options(arguments: tuple[str, ...], values: frozenset[str]) -> Iterator[str]:
    place = 0
    while place < len(arguments) and arguments[place].startswith("-"):
        place += 2 if arguments[place] in values else 1
    yield from arguments[place:]


@cache
def _table() -> dict[str, list[Looks]]:
    found: dict[str, list[Looks]] = {}
    for entry in load(tuple[Looks, ...], __package__, "looks.toml", "looks"):
        for name in entry.names:
            found.setdefault(name, []).append(entry)
    return found
