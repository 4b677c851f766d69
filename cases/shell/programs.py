"""Programs that run others, or source code that they are given."""

import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from pydantic import BaseModel, ConfigDict

from cases import patterns as re
from cases.loading import load
from cases.shell.tree import Assignment, Code, Redirect, Word

ASSIGNS = re.compile(r"(?P<name>[A-Za-z_]\w*)=(?P<value>.*)", re.DOTALL)
MOST = 9
"""Wrappers around one program."""
EXECS = {"-exec", "-execdir", "-ok", "-okdir"}


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    values: frozenset[str] = frozenset()
    source: str


class Wrapper(_Entry):
    """A program that runs another one."""

    verb: str | None = None
    operands: int = 0
    assigns: bool = False
    asks: frozenset[str] = frozenset()
    detaches: bool = False


class Interpreter(_Entry):
    """A program that runs source code."""

    names: re.Pattern[str]
    option: re.Pattern[str]
    modules: frozenset[str] = frozenset()
    verbs: re.Pattern[str] | None = None

    def runs(self, name: str) -> bool:
        """Whether its first word that is no option is the file that it runs."""
        return self.verbs is None or not self.verbs.fullmatch(name)


class Scripted(_Entry):
    """A program that takes what it does from a file only where an option names that."""

    names: re.Pattern[str]
    option: re.Pattern[str]


class Programs(BaseModel):
    """`programs.toml`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    wrapper: dict[str, Wrapper]
    interpreter: dict[str, Interpreter]
    scripted: dict[str, Scripted]


@dataclass(frozen=True, slots=True)
class Seen:
    """What stands behind the wrappers."""

    words: tuple[Word, ...]
    wrappers: tuple[str, ...]
    assignments: tuple[Assignment, ...]


@cache
def programs() -> Programs:
    """The shipped table."""
    return load(Programs, __package__, "programs.toml")


def name_of(words: Sequence[Word]) -> str:
    """The name of the program, without its directory; empty where the shell has to find it out."""
    return posixpath.basename(words[0].text) if words and words[0].literal else ""


def seen_through(words: tuple[Word, ...]) -> Seen:
    """The program that does the work, behind all that only run it."""
    names: list[str] = []
    assignments: list[Assignment] = []
    while len(names) < MOST and (wrapper := programs().wrapper.get(name_of(words))):
        behind = _behind(words, wrapper)
        if behind is None:
            break
        names.append(name_of(words))
        words, given = behind
        assignments += given
    return Seen(words, tuple(names), tuple(assignments))


def _behind(words: tuple[Word, ...], wrapper: Wrapper) -> tuple[tuple[Word, ...], list[Assignment]] | None:
    place, operands = 1, wrapper.operands
    given: list[Assignment] = []
    if wrapper.verb:
        if len(words) < 2 or words[1].text != wrapper.verb:
            return None
        place = 2
    while place < len(words):
        text = words[place].text
        assigned = ASSIGNS.match(text) if wrapper.assigns else None
        if text in wrapper.asks:
            return None
        if text == "--":
            place += 1
            break
        if text.startswith("-") and len(text) > 1:
            place += 2 if text in wrapper.values else 1
        elif assigned:
            word = words[place]
            value = Word(assigned["value"], word.literal, word.start, word.end, word.scripts)
            given.append(Assignment(assigned["name"], value))
            place += 1
        elif operands:
            operands -= 1
            place += 1
        else:
            break
    return (words[place:], given) if place < len(words) else None


@dataclass(frozen=True, slots=True)
class Interpreted:
    """What an interpreter is given to run: code in a word, a file, a module, or (none of these) its input."""

    language: str
    code: Word | None = None
    file: Word | None = None
    module: Word | None = None


def code_of(words: Sequence[Word], redirects: Sequence[Redirect]) -> Code | None:
    """What a command has an interpreter run that stands in the command itself."""
    if name_of(words) == "eval":
        return Code("shell", " ".join(word.text for word in words[1:]), all(word.literal for word in words))
    given = _interpreted(words)
    if given is None or given.file or given.module:
        return None
    if given.code:
        return Code(given.language, given.code.text, given.code.literal)
    return next(_fed(given.language, redirects), None)


def file_of(words: Sequence[Word]) -> Word | None:
    """The file that a command runs: an interpreter's script, or a program that is named with a directory."""
    given = _interpreted(words)
    if given:
        return given.file
    if name_of(words) in {"source", "."}:
        return next(iter(words[1:2]), None)
    if named := _behind_its_option(words):
        return named
    return words[0] if words and "/" in words[0].text else None


def _behind_its_option(words: Sequence[Word]) -> Word | None:
    scripted = next((one for one in programs().scripted.values() if one.names.fullmatch(name_of(words))), None)
    places = [place for place, word in enumerate(words[1:-1], 1) if scripted and scripted.option.fullmatch(word.text)]
    return words[places[0] + 1] if places else None


def module_of(words: Sequence[Word]) -> Word | None:
    """The module that a command runs."""
    given = _interpreted(words)
    return given.module if given else None


def language_of(program: str) -> str | None:
    """The language of an interpreter, as `programs.toml` calls it; None of any other program."""
    return next((one for one, known in programs().interpreter.items() if known.names.fullmatch(program)), None)


def _interpreted(words: Sequence[Word]) -> Interpreted | None:
    name = name_of(words)
    language = language_of(name)
    if language is None:
        return None
    interpreter, place = programs().interpreter[language], 1
    while place < len(words):
        text = words[place].text
        following = words[place + 1] if place + 1 < len(words) else None
        if interpreter.option.fullmatch(text):
            return Interpreted(language, code=following) if following else None
        if text in interpreter.modules:
            return Interpreted(language, module=following) if following else None
        if text == "-" or not text.startswith(("-", "+")):
            break
        place += 2 if text in interpreter.values else 1
    if place == len(words) or words[place].text == "-":
        return Interpreted(language)
    return Interpreted(language, file=words[place]) if interpreter.runs(name) else None


def _fed(language: str, redirects: Sequence[Redirect]) -> Iterator[Code]:
    for redirect in reversed(redirects):
        if redirect.heredoc:
            literal = redirect.heredoc.quoted or not re.search(r"[$`\\]", redirect.heredoc.text)
            yield Code(language, redirect.heredoc.text, literal)
        elif redirect.operator == "<<<" and redirect.target:
            yield Code(language, redirect.target.text, redirect.target.literal)


def found_things(words: Sequence[Word]) -> Iterator[tuple[Word, ...]]:
    """The commands that `find` runs for what it finds."""
    if name_of(words) != "find":
        return
    place = 1
    while place < len(words):
        if words[place].text in EXECS:
            end = next((at for at in range(place, len(words)) if words[at].text in {";", "+"}), len(words))
            if end > place + 1:
                yield tuple(words[place + 1 : end])
            place = end
        place += 1


def detaches(wrapper: str) -> bool:
    """Whether what it runs may go on when it has ended."""
    return programs().wrapper[wrapper].detaches
