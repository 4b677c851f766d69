"""What names say, and what the system has several of: `words.toml`."""

import shlex
from collections.abc import Iterable
from importlib.resources import files

from pydantic import Field

from cases import Model
from cases import patterns as re
from cases.loading import Expression, load
from probes.names import conveniences


class Words(Model):
    """Words of one sort."""

    words: frozenset[str]
    source: str


class Means(Model):
    """Names of options that say by what other means the same work is done."""

    pattern: Expression
    source: str


class Places(Model):
    """Names of variables that stand for a file or a folder."""

    last: frozenset[str]
    never: frozenset[str]
    secret: frozenset[str]
    source: str


class Same(Model):
    """Programs that do the same from the same words."""

    names: tuple[str, ...] = Field(min_length=2)
    source: str


class Written(Model):
    """A program whose work a few lines of another language do, under its name."""

    name: str
    by: str
    """The program that they need."""
    source: str
    hook: str = ""
    """The file of the lines, where it has another name."""

    @property
    def text(self) -> str:
        """The lines."""
        return _hook(self.hook or self.name)


class OtherTool(Model):
    """A tool that reads the same file where another one, or a module, is refused or missing."""

    programs: frozenset[str] = frozenset()
    modules: frozenset[str] = frozenset()
    """Of Python's."""
    packages: frozenset[str] = frozenset()
    """Of R's."""
    suffixes: tuple[str, ...] = ()
    """Of the files that it can read where a library reads more than those; none for all."""
    plain: bool = False
    """Whether such files are text, which any code can write as well."""
    unless_told: Expression | None = None
    """Where the task's own text holds this, another tool does not do."""
    tool: str
    command: str
    """With `{file}`, the folder `{to}` that it fills, and the `{key}` that the run's code spells."""
    privileged: bool = False
    """Whether an ordinary user is refused those programs."""
    reads: bool = False
    """Whether it only reads the file, for code of the agent's own: no way where the task asks for the program."""
    source: str


class Compiler(Model):
    """Options of a compiler with which it takes what it refuses by default; each is tried alone."""

    programs: frozenset[str]
    """What fails, as a trace names it."""
    drivers: tuple[str, ...]
    """What starts it."""
    options: tuple[str, ...]
    source: str


class Accelerator(Model):
    """Names of what computes beside the processor, as settings spell them."""

    pattern: Expression
    """Without groups."""
    instead: str
    source: str


class Remedy(Model):
    """What a program's manual offers where it refuses or does not find something: the same work, otherwise set up."""

    programs: frozenset[str]
    """Those that the command uses, or in which it ends."""
    given: str = "true"
    """What must succeed on the machine for it to mean anything."""
    unless_told: Expression | None = None
    """Where the task's own text holds this, it is not the same work."""
    unless_drawn: bool = False
    """The same where the task's own text may ask for something drawn (`conveniences.toml`)."""
    set_up: str
    """Exports, as a shell has them, with `{hook}` for the lines of the file of that name."""
    hook: str = ""
    source: str

    def is_other_work(self, prompt: str) -> bool:
        """Whether the task's own text asks for what it leaves out."""
        patterns = (self.unless_told, conveniences().drawn if self.unless_drawn else None)
        return any(pattern and re.search(pattern, prompt) for pattern in patterns)

    @property
    def line(self) -> str:
        """What a shell is given."""
        return self.set_up.replace("{hook}", shlex.quote(_hook(self.hook))) if self.hook else self.set_up


class Runner(Model):
    """Programs that do no work of their own but run what a file of the task's, or their own words, tell them."""

    programs: frozenset[str]
    files: tuple[str, ...] = ()
    """What tells them, below where they are started."""
    named: str = ""
    """How the word ends that names it, where a word of the command does."""
    read: str = ""
    """How that is read; empty where only a person can."""
    short: dict[str, str] = Field(default_factory=dict)
    """Words that call a script of the file by themselves, each with that script's name."""
    source: str


class Generator(Model):
    """A program that configures a build by the build's own files."""

    programs: frozenset[str]
    works: tuple[str, ...] = ()
    """Beginnings of words with which it does something else."""
    files: tuple[str, ...]
    declared: Expression
    """How they declare a `name` that is on or off, with the `value` that it has by itself."""
    sets: str
    """How one is given: `{name}` and `{value}`."""
    opposite: dict[str, str]
    fetched: Expression | None = None
    """How they say the `name` of what is fetched."""
    copy_of: str = ""
    """How a copy of that is given: `{name}` in capitals and `{place}`."""
    always: tuple[str, ...] = ()
    """Options of its own with which it takes what the machine has."""
    source: str


class Versions(Model):
    """Programs of which a machine may have several versions; each is called by any of its names."""

    names: tuple[tuple[str, ...], ...]
    source: str


class Table(Model):
    """The file."""

    other_work: Words
    subject: Words
    how: Words
    means: Means
    places: Places
    runtime: Words
    system: Words
    harmful: Words
    caches: Words
    documents: Words
    same: tuple[Same, ...]
    written: tuple[Written, ...]
    other_tool: tuple[OtherTool, ...]
    compiler: tuple[Compiler, ...]
    versions: Versions
    accelerator: Accelerator
    remedy: tuple[Remedy, ...]
    runner: tuple[Runner, ...]
    generator: tuple[Generator, ...]


def table() -> Table:
    """The shipped one."""
    return load(Table, __package__, "words.toml")


def _hook(name: str) -> str:
    """The lines of a file that is written where a way needs it."""
    return files(__package__).joinpath("hooks", name).read_text(encoding="utf-8")


def words_in(name: str) -> list[str]:
    """A name's parts between anything but letters, in lower case."""
    return [word for word in re.split(r"[^a-z]+", name.lower()) if word]


def other_work(*names: str) -> bool:
    """Whether one of the names says that less or something else is done."""
    known = table().other_work.words
    return any(word in known for name in names for word in words_in(name))


def other_subject(name: str) -> bool:
    """Whether a name says what is worked on."""
    return any(word in table().subject.words for word in words_in(name))


def says_how(option: str, value: str) -> bool:
    """Whether an option, or the value that is chosen, says how the same work is done."""
    return any(word in table().how.words for word in words_in(option)) or other_means(f"--{value}")


def other_means(option: str) -> bool:
    """Whether an option says by what other means the same work is done."""
    return re.fullmatch(table().means.pattern, option) is not None


def places(variable: str) -> bool:
    """Whether a variable may stand for a file or a folder that somebody has to name."""
    known, words = table().places, words_in(variable)
    if not words or variable.lower() in known.never or known.secret.intersection(words):
        return False
    return words[-1] in known.last


def same_as(program: str) -> Iterable[str]:
    """The others that do the same work."""
    return dict.fromkeys(name for one in table().same if program in one.names for name in one.names if name != program)
