"""What brings a module, a program or a header: names that no index spells."""

from functools import cache

from cases import Model
from cases.loading import Expression, load


class ModuleName(Model):
    """A module and the package that brings it."""

    module: str
    package: str
    source: str


class ProgramName(Model):
    """A program and what brings it."""

    program: str
    package: str | None = None
    apt: str | None = None
    module: str | None = None
    """`python3 -m MODULE` is the same program."""
    builds: bool = False
    """Whether it only has compilers do their work."""
    source: str


class HeaderName(Model):
    """A header and the Debian package that has it."""

    header: str
    apt: str
    source: str


class CondaName(Model):
    """A conda package and the same in the Python index."""

    conda: str
    package: str
    module: str
    source: str


class Ornaments(Model):
    """Modules without which a program does the same work."""

    modules: frozenset[str]
    source: str


class Conveniences(Model):
    """Packages whose work can be done by a language itself, or cannot."""

    python: frozenset[str]
    """Modules, by their top name, whose work cannot be done by Python itself."""
    parts: dict[str, frozenset[str]]
    """The same of parts of modules."""
    r: frozenset[str]
    """Packages whose work R does by itself."""
    languages: dict[str, Expression]
    """What a short program of a language holds that is not soon said in another; languages by the names of their
    interpreters in `cases.shell`.
    """
    drawing: frozenset[str]
    """Modules of Python's, by their top name."""
    drawn: Expression
    """What a prompt holds that may ask for what they draw."""
    source: str


@cache
def conveniences() -> Conveniences:
    """What stands in the place of packages, and for which nothing does."""
    return load(Conveniences, __package__, "conveniences.toml")


@cache
def ornaments() -> frozenset[str]:
    """Modules that only show progress or colours, or take notes."""
    return load(Ornaments, __package__, "ornaments.toml").modules


@cache
def modules() -> dict[str, ModuleName]:
    """By module."""
    return {one.module: one for one in load(tuple[ModuleName, ...], __package__, "modules.toml", "module")}


@cache
def programs() -> dict[str, ProgramName]:
    """By program."""
    return {one.program: one for one in load(tuple[ProgramName, ...], __package__, "programs.toml", "program")}


@cache
def headers() -> dict[str, HeaderName]:
    """By header."""
    return {one.header: one for one in load(tuple[HeaderName, ...], __package__, "headers.toml", "header")}


@cache
def conda_packages() -> dict[str, CondaName]:
    """By conda's name."""
    return {one.conda: one for one in load(tuple[CondaName, ...], __package__, "conda.toml", "package")}
