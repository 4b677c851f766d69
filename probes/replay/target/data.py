"""The data this probe works by: edited by people, checked when loaded."""

from functools import cache

from pydantic import Field

from cases import Model
from cases.loading import Expression, load


class Interpreter(Model):
    """A version of the restricted interpreter, and the words that only it and its like say."""

    version: str = Field(pattern=r"^\d+\.\d+(\.\d+)?$")
    pattern: Expression | None = None
    """None for the one to take when nothing tells."""
    source: str


class Canary(Model):
    """A tool that is asked whether the network is there."""

    id: str
    there: str
    """A command that succeeds where the tool is installed."""
    command: str
    source: str


class Placeholder(Model):
    """What stands in place of a value in samples."""

    pattern: Expression
    source: str


class Trouble(Model):
    """Words that mean that something on our side was in the way."""

    kind: str
    pattern: Expression
    network: bool = False
    """Counts only for what needs a network."""
    source: str


class HarmfulTexts(Model):
    """What takes something away by being named."""

    files: frozenset[str]
    code: Expression


class Harmful(Model):
    """What takes something away."""

    programs: frozenset[str]
    verbs: dict[str, frozenset[str]]
    texts: HarmfulTexts


class Quiet(Model):
    """Which earlier commands always matter, and which may have brought a failure about."""

    matters: frozenset[str]
    scripts: frozenset[str]
    takes_away: Harmful
    source: str


class Anew(Model):
    """How any user starts a known program with a folder of data of its own, and its clients find it."""

    program: str
    """What makes the folder; the others lie beside it, or on the path."""
    given: str
    """That no data lie elsewhere which the task may mean, or that it brings its own to be loaded."""
    commands: str
    """With PROGRAM in the place of its path, FOLDER of that in which it lies, and AT_PORT of the port that is asked."""
    answers: str
    """What works once it answers."""


class Known(Model):
    """A place at which a known program listens by itself."""

    place: Expression
    starts: tuple[str, ...]
    anew: "Anew | None" = None
    source: str


class Servers(Model):
    """What among a task's files may be a server."""

    source: str
    serves: Expression
    """In source code."""
    opens: Expression
    """In source code that certainly is a server's."""
    clients: frozenset[str]
    """Programs by which a dump of a database is read in."""
    runs: dict[str, str]
    """What runs a script, by the ending of its name."""
    known: tuple[Known, ...]


@cache
def interpreters() -> tuple[Interpreter, ...]:
    """In the order to ask them; the last one asks nothing.

    Raises:
        ValueError: the last entry asks something.
    """
    found = load(tuple[Interpreter, ...], __package__, "names/interpreters.toml", "interpreter")
    if found[-1].pattern is not None:
        raise ValueError("names/interpreters.toml: the last entry must be the one without a pattern")
    return found


def canaries() -> tuple[Canary, ...]:
    """In their order."""
    return load(tuple[Canary, ...], __package__, "names/canaries.toml", "canary")


@cache
def placeholders() -> tuple[str, ...]:
    """Patterns of hosts that cannot exist."""
    found = load(tuple[Placeholder, ...], __package__, "names/placeholders.toml", "placeholder")
    return tuple(one.pattern for one in found)


def reaching() -> frozenset[str]:
    """Modules and functions that reach the machine."""
    return load(frozenset[str], __package__, "names/reaching.toml", "names")


def harmless() -> frozenset[str]:
    """Modules that only reckon."""
    return load(frozenset[str], __package__, "names/reaching.toml", "harmless")


def troubles() -> tuple[Trouble, ...]:
    """In their order."""
    return load(tuple[Trouble, ...], __package__, "trouble.toml", "trouble")


def quiet() -> Quiet:
    """quiet.toml."""
    return load(Quiet, __package__, "quiet.toml")


@cache
def servers() -> Servers:
    """servers.toml."""
    return load(Servers, __package__, "servers.toml")
