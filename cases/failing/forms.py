"""The forms in which tools, shells and harnesses say themselves that something failed, or that it is done."""

import errno
import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

from pydantic import BaseModel, ConfigDict

from cases import patterns as re
from cases.loading import Expression, load
from cases.remembered import remembered

LONGEST = 200_000
"""Characters of an output's beginning and of its end that are looked at."""
_LAST = 6
"""Lines, from the end, that count as last words."""
_UNRESOLVED = {
    "Temporary failure in name resolution",
    "Non-recoverable failure in name resolution",
    "Name or service not known",
    "No address associated with hostname",
}
"""Of getaddrinfo(3) in the GNU C library."""
TRACEBACK = "Traceback (most recent call last):"
"""With which Python begins to say where an exception came from."""
_CHAINED = (
    "The above exception was the direct cause of the following exception:",
    "During handling of the above exception, another exception occurred:",
)
"""What stands between two tracebacks of which one led to the other."""
_SOURCE = "    "
"""Before a frame's source line."""
_FRAME = re.compile(r'  File "[^"\n]+", line \d+, in ')
_PROGRAM = r"(?:\S*/)?(?P<program>[\w.+-]+)(?:\[\d+\])?"


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    source: str


class _Form(_Entry):
    pattern: str
    catches: tuple[str, ...]
    misses: tuple[str, ...]


class Failure(_Form):
    """One form of a word for a failure."""

    id: str
    where: Literal["last", "line"]
    whose: Literal["program", "shell", "tool", "harness"]
    unless: Expression | None = None
    """With what a line begins that is none for all that."""
    traceback: bool = False
    """Whether it must be what ends a traceback."""


class Success(_Form):
    """What a program says only once its work is done."""

    program: str


class Zero(_Entry):
    """A program whose exit code of 0 proves nothing, where its words hold `when`."""

    program: str
    when: str


class Closing(_Form):
    """A last line that only says that something before it failed."""

    tells: str | None = None
    """The line that says what, where that is not the one before."""


class Speaks(_Entry):
    """Programs whose words begin with another's name."""

    programs: frozenset[str]
    under: str


class Forms(BaseModel):
    """`forms.toml`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    failed: tuple[Failure, ...]
    refused: tuple[_Form, ...]
    worked: tuple[Success, ...]
    ran: tuple[_Form, ...]
    frame: tuple[_Form, ...]
    closing: tuple[Closing, ...]
    zero: tuple[Zero, ...]
    speaks: tuple[Speaks, ...]


@dataclass(frozen=True)
class Said:
    """A line in which somebody says that something failed."""

    form: Failure
    line: str
    about: str
    """The program that it names as its own, or the word that a shell could not run; empty for neither."""


def forms() -> Forms:
    """The shipped table."""
    return load(Forms, __package__, "forms.toml")


def ran_tests(output: str) -> bool:
    """Whether a test suite says that it has run tests, however these came out."""
    return any(re.search(form.pattern, output[-LONGEST:], re.MULTILINE) for form in forms().ran)


def said(output: str, *whose: str) -> Iterator[Said]:
    """Every line of an output that is such a word of one of these."""
    return (one for one in _said(output) if one.form.whose in whose)


@remembered(64)
def _said(output: str) -> tuple[Said, ...]:
    return tuple(_told(output))


def _told(output: str) -> Iterator[Said]:
    lines = _lines(output)
    last, ending = lines[-_LAST:], _ending(output)
    endings = [ending] if ending else []
    for form, pattern in _failures():
        told = endings if form.traceback else last if form.where == "last" else lines
        matches = {line: pattern.fullmatch(line) for line in set(told)}
        for line in told:
            match = matches[line]
            if match and not _excepted(form, line):
                groups = match.groupdict()
                yield Said(form, line, groups.get("program") or groups.get("about") or "")


def _excepted(form: Failure, line: str) -> bool:
    return form.unless is not None and re.match(form.unless, line) is not None


def errors_in(output: str) -> frozenset[str]:
    """The C library's own texts for errors that stand in an output."""
    return frozenset(match[0] for match in _errors().finditer(output[-LONGEST:]))


def telling_lines(output: str) -> list[str]:
    """The lines that hold something, up to the last that says what failed: what comes after only says that something
    did. All where there are no others.
    """
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    end = len(lines)
    while end and (closing := _closing(lines[end - 1])):
        end -= 1
        if closing.tells:
            places = (place for place, line in enumerate(lines[:end]) if re.fullmatch(closing.tells, line))
            end = next(places, end - 1) + 1
    return lines[:end] or lines


def _closing(line: str) -> Closing | None:
    return next((one for one in forms().closing if re.fullmatch(one.pattern, line)), None)


def failed_to_run(output: str) -> bool:
    """Whether who runs the commands says that one of them failed, or was not let run."""
    return any(said(output, "harness"))


def root_in(output: str) -> str | None:
    """The line of the exception that led to the last one, where Python says that another did; else None.

    Source: traceback.py, `_cause_message` and `_context_message`.
    """
    before, root = output.split(TRACEBACK)[:-1], None
    while before and before[-1].rstrip().endswith(_CHAINED):
        root = _ends(before.pop()) or root
    return root


def exception_in(output: str) -> str | None:
    """The exception's line of the last traceback, also where another stream's lines are mixed with it."""
    begin = output.rfind(TRACEBACK)
    return _ends(output[begin:].partition("\n")[2]) if begin >= 0 else None


def _ends(traceback: str) -> str | None:
    """The line with which a traceback ends, without its beginning."""
    forms_of_ends = [(form, pattern) for form, pattern in _failures() if form.traceback]
    ends = (
        line
        for line in _lines(traceback)
        for form, one in forms_of_ends
        if one.fullmatch(line) and not _excepted(form, line)
    )
    return next(ends, None)


def refused(answer: str) -> bool:
    """Whether the answer of a tool that is no shell says that it refused or failed."""
    return any(pattern.match(answer) for pattern in _refusals())


def done(output: str, programs: Collection[str]) -> bool:
    """Whether the output holds the word of one of these programs for work that is done."""
    return any(pattern.search(output) for form, pattern in _successes() if form.program in programs)


def spoken_by(program: str) -> tuple[str, ...]:
    """The names with which a program's own words may begin."""
    return (program, *(one.under for one in forms().speaks if program in one.programs))


def proves_nothing(program: str, text: str) -> bool:
    """Whether the exit code of 0 of such a command does not prove that it did its work."""
    return any(zero.program == program and re.search(zero.when, text, re.DOTALL) for zero in forms().zero)


def _lines(output: str) -> list[str]:
    """Without those that harnesses and tools write around the words themselves."""
    text = output if len(output) <= 2 * LONGEST else f"{output[:LONGEST]}\n{output[-LONGEST:]}"
    lines = (line.rstrip() for line in text.splitlines())
    return [line for line in lines if line and not _frame().fullmatch(line)]


def _ending(output: str) -> str | None:
    """The exception's line of a traceback that ends the output; None where it has none, or goes on behind it.

    What is indented, or has no word, still belongs to the exception's message. Of an output whose beginning was cut
    off the first frame may be all that is left.
    """
    begin = output.rfind(TRACEBACK)
    if begin > 0 and output[begin - 1] != "\n":
        return None
    if begin < 0 and not _begins_within(output):
        return None
    lines = _lines(output[begin:])[1:] if begin >= 0 else _lines(output)
    rest = [line for line in lines if not line.startswith((" ", "\t")) and re.search(r"\w", line)]
    return rest[0] if len(rest) == 1 else None


def _begins_within(output: str) -> bool:
    """Whether it begins among the frames of a traceback: indented from its first line to a frame's, or to the one line
    behind the last frame's source.
    """
    lines = _lines(output[:LONGEST])
    frame = next((place for place, line in enumerate(lines) if _FRAME.match(line)), None)
    if frame is None:
        return len(lines) > 1 and all(line.startswith(_SOURCE) for line in lines[:-1])
    return all(line.startswith((" ", "\t")) for line in lines[:frame])


def with_errors(pattern: str) -> str:
    """The pattern with the texts of the C library's errors in place of ERRNO."""
    return pattern.replace("ERRNO", f"(?:{'|'.join(sorted(re.escape(os.strerror(code)) for code in errno.errorcode))})")


@cache
def _failures() -> tuple[tuple[Failure, re.Pattern[str]], ...]:
    return tuple(
        (form, re.compile(rf"\A(?:{with_errors(form.pattern.replace('PROGRAM', _PROGRAM, 1))})"))
        for form in forms().failed
    )


@cache
def _errors() -> re.Pattern[str]:
    texts = {os.strerror(code) for code in errno.errorcode} | _UNRESOLVED
    return re.compile("|".join(map(re.escape, sorted(texts, key=len, reverse=True))))


@cache
def _successes() -> tuple[tuple[Success, re.Pattern[str]], ...]:
    return tuple((form, re.compile(form.pattern, re.MULTILINE)) for form in forms().worked)


@cache
def _refusals() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(form.pattern) for form in forms().refused)


@cache
def _frame() -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{form.pattern})" for form in forms().frame))
