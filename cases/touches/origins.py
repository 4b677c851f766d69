"""Where the name of a thing comes from: by literal containment, and by who said it first."""

import calendar
import posixpath
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Literal

from cases import patterns as re
from cases.model import Case, Events, Run
from cases.shell import steps_of
from cases.touches.attempts import canonical
from cases.touches.calls import calls_in_error
from cases.touches.names import SOURCE, Thing, runs_tests, things
from cases.touches.promises import said
from cases.touches.speakers import OF_THE_TASK, asked, for_users, spoken, written_by
from cases.touches.texts import Name, Texts

Origin = Literal["task", "environment", "agent", "displayed"]
_CODE = re.compile(
    r"`{3,}[^\n]*\n(.*?)(?:`{3,}|\Z)|`([^`\n]+)`|^(?: {4,}|\t|[ \t]*\$ )([^\n]+)$"
    r"|^[ \t]*(?:[-*+]|\d+[.)])[ \t]+(\./[^`\n]+)$",
    re.DOTALL | re.MULTILINE,
)
_SENTENCE = re.compile(r"((?<=[.!?;])\s+|\n+)")
_CHOSEN = ("command", "program", "module", "package")
"""Kinds of things of which a task may say that another would do."""
_SITES = ("host", "page")
"""Kinds of things that a program's text may name, though only the program is what the task asks for."""
_ENTRY = 3
"""Words of a list's entry, such as a line of requirements."""
_OWN_NAME = 4
"""Letters from which on a program's name is its own however a text spells it: MATLAB, Octave, pandoc."""
_DATE = re.compile(r"(?:(?:YYYY|YY|MM|DD|HH|N{2,}|X{2,})[-_.]?)*(?:YYYY|YY|MM|DD|HH|N{2,}|X{2,})")
_PLACEHOLDER = re.compile(r"[A-ZÄÖÜ][A-ZÄÖÜ0-9_.:-]*|<.+>|\[.+\]|\{.+\}|\$\{?\w+\}?|\.\.\.|…")
_DIGITS = re.compile(r"\d+")
_MONTHS = {
    name: number for names in (calendar.month_name, calendar.month_abbr) for number, name in enumerate(names) if name
}
_DATES = {6: (4, 6), 8: (4, 6, 8)}
"""Where a date ends its parts that is written without signs between them, by its length."""


class Origins:
    """Who named what, in one run."""

    def __init__(self, case: Case, run: Run, events: Events, files: Mapping[str, str]) -> None:
        """`files` are the task's, by their path below its directory."""
        speaking = list(spoken(run, events))
        self._names = Texts(files)
        self._prompt = case.task.prompt or ""
        given = [case.task.prompt or "", *case.task.gold_urls, *map(for_users, files.values())]
        own = [text for speaker, text in speaking if speaker in OF_THE_TASK]
        self._task = Texts([*given, *own])
        self._programs = Texts(
            [
                *(text for path, text in files.items() if SOURCE.search(path)),
                *(text for speaker, text in speaking if speaker == "program"),
            ]
        )
        documents = (for_users(text) for path, text in files.items() if not SOURCE.search(path))
        told = (text for speaker, text in speaking if speaker == "task")
        self._documents = Texts([case.task.prompt or "", *case.task.gold_urls, *documents, *told])
        self._speakers = [speaker for speaker, _ in speaking if speaker != "task" and speaker != "program"]  # noqa: PLR1714 - which is how a type is narrowed
        self._said = Texts(text for speaker, text in speaking if speaker not in OF_THE_TASK)
        self._sure = Texts(map(_without_hedges, self._task))
        prompt = case.task.prompt or next((text for speaker, text in speaking if speaker == "task"), "")
        self._surely_asked, self._left_open = _without_hedges(prompt), _hedged(prompt)
        self._suggested = frozenset(
            one for text in (prompt, *self._task) for code in code_in(_hedged(text)) for one in _commands(code)
        )
        self._software = Texts(
            (*(one for text in self._sure for one in sentences(text) if _may_name_packages(one)), *self._programs)
        )
        self._code = Texts(text for task in self._sure for text in code_in(task))
        self._prose = Texts(" ".join(text.split()) for text in self._sure)
        self._asked = [_without_hedges(text) for text in asked(case, run, events, files)]
        self._asked_commands = frozenset(
            one for text in self._asked for code in code_in(text) for one in _commands(code)
        )
        self._told = self._asked_commands.union(command for text in self._code for command in _commands(text))
        self._own = written_by(run, events)

    def wrote(self, path: str) -> bool:
        """Whether the run put a file of this name there itself."""
        return posixpath.basename(path) in self._own

    def tells_to_make(self, path: str) -> bool:
        """Whether the task tells the run to make this file."""
        return said(path, [("", text) for text in self._task]).to_make

    def spells(self, command: str) -> bool:
        """Whether the task spells this very command: as code, or, of several words, anywhere."""
        if _alike(command) in self._told:
            return True
        return " " in command and any(command in text for text in self._prose)

    def asks(self, command: str) -> bool:
        """Whether the task's prompt itself, or a document that it names, spells this very command."""
        return _alike(command) in self._asked_commands or any(command in " ".join(text.split()) for text in self._asked)

    def documents(self, command: str) -> bool:
        """Whether the prompt or a document spells this very command, and not only a program's text."""
        return any(command in " ".join(text.split()) for text in self._documents)

    def speaks_of(self, program: str) -> bool:
        """Whether the prompt or a document names a program, and not only a program's text."""
        known = _name("program", program)
        return known is not None and _any(self._documents.naming(known))

    def fits(self, command: str) -> bool:
        """Whether it is one that the task spells with placeholders, filled in with what the agent did not make up."""
        words = _alike(command).split(" ")
        found = (_filled(words, told.split(" ")) for told in self._told)
        return any(filled and all(map(self._given, filled)) for filled in found)

    def calls(self, code: str, output: str, *, blamed: bool) -> bool:
        """Whether Python failed in a function that the task spells as code, or that stands in a file which it names, on
        nothing that it does not name.

        What it is given by variables may be anything: that counts only where the failure blames nothing by name. On a
        path that the failure does not speak of it did not fail.
        """
        told = output
        for line in filter(None, map(str.strip, code.splitlines())):
            told = told.replace(line, "")
        return any(
            (call.plain or not blamed)
            and (_any(self._code.naming(Name(call.spellings))) or self._stands_in_a_file(call.spellings[0]))
            and all(("/" in text and text not in told) or _any(self._task.naming(Name((text,)))) for text in call.texts)
            for call in calls_in_error(code, output)
        )

    def _stands_in_a_file(self, function: str) -> bool:
        """Whether a function's module is a file that the task names and the run did not write."""
        path = function.rpartition(".")[0].replace(".", "/") + ".py"
        return path != ".py" and not self.wrote(path) and self.of(Thing("file", path)) == "task"

    def _given(self, word: str) -> bool:
        """Whether it is a number, or anybody but the agent was the first to say it."""
        known = Name((word.strip("'\""),))
        if re.fullmatch(r"[\d.,:-]+", word) or _any(self._task.naming(known)) or _any(self._names.naming(known)):
            return True
        return next(self._said_by(known), None) not in ("agent", None)

    def _said_by(self, known: Name) -> Iterator[Origin]:
        return (self._speakers[number] for number in self._said.naming(known))

    def leaves_open(self, command: str) -> bool:
        """Whether the task spells a command only where it suggests something, or rules it out."""
        return _alike(command) in self._suggested.difference(self._told)

    def of(self, thing: Thing) -> Origin:
        """Of a thing that is no command."""
        known = _name(thing.kind, thing.name)
        if known is None:
            return "environment"
        if runs_tests(thing.name):
            found: Origin = next(self._said_by(known), "environment")
            return "task" if any(map(known.stands_in, self._asked)) else found
        if self._named_by_the_task(thing, known):
            return "task"
        if thing.kind in _SITES and _any(self._programs.naming(known)):
            return "displayed"
        shown: Origin = "environment"
        for speaker in self._said_by(known):
            if speaker in ("agent", "environment"):
                return speaker
            shown = "displayed"
        return shown

    def _means(self, path: str) -> bool:
        """Whether the prompt tells which of a series of files this is, in a folder that it names if any is told."""
        folder = posixpath.dirname(path)
        known = _name("file", folder) if folder else None
        if known and not known.stands_in(self._prompt):
            return False
        shown = (text for text, speaker in zip(self._said, self._speakers, strict=True) if speaker != "agent")
        return _told_by_number(path, self._prompt, shown)

    def _is_its_own(self, package: str) -> bool:
        """Whether a package is what the task works on: its folder is one of the task's, or in a path of the prompt."""
        folder = "[-_.]".join(map(re.escape, re.split(r"[-_.]", package)))
        inside = re.compile(rf"(?<![\w.-])(?:src/|lib/)?{folder}/\w", re.IGNORECASE)
        return any(map(inside.search, (self._prompt, *(f" {name}" for name in self._names))))

    def _named_by_the_task(self, thing: Thing, known: Name) -> bool:
        if thing.kind == "package" and self._is_its_own(thing.name):
            return False
        if thing.kind == "file" and (any(_below(thing.name, name) for name in self._names) or self._means(thing.name)):
            return True
        if thing.kind == "file" and not re.search(r"[./]", thing.name.strip("./")):
            spelled = (_as_path(thing.name, self._task[number]) for number in self._task.with_words_of(thing.name))
            return _any(self._code.naming(known)) or any(spelled)
        if thing.kind in _CHOSEN and known.stands_in(self._left_open) and not known.stands_in(self._surely_asked):
            return False
        ordinary = (thing.kind in ("program", "tool") and thing.name in things().ordinary.words) or (
            thing.kind in ("package", "module") and thing.name in sys.stdlib_module_names
        )
        whole = self._documents if thing.kind in _SITES else self._task
        chosen = self._software if thing.kind == "package" else self._sure
        texts = self._code if ordinary else chosen if thing.kind in _CHOSEN else whole
        return _any(texts.naming(known))


def _told_by_number(path: str, prompt: str, texts: Iterable[str]) -> bool:
    """Whether a prompt tells every number in a file's name, as digits or as a month, and does not tell all those of
    another file that differs in its numbers only and is named in one of the `texts`.
    """
    name = posixpath.basename(path)
    numbers = tuple(_numbers(name))
    told = {int(one) for one in _DIGITS.findall(prompt)}
    told |= {number for month, number in _MONTHS.items() if re.search(rf"\b{re.escape(month)}\b", prompt)}
    if not numbers or not told.issuperset(numbers):
        return False
    kin = re.compile(r"\d+".join(map(re.escape, _DIGITS.split(name))))
    others = (match[0] for text in texts for match in kin.finditer(text))
    return any(not told.issuperset(_numbers(other)) for other in others)


def _numbers(name: str) -> Iterator[int]:
    for match in _DIGITS.finditer(name):
        ends = _DATES.get(len(match[0]), ())
        yield from (int(match[0][start:end]) for start, end in zip((0, *ends), ends or (None,), strict=False))


def _any(found: Iterator[object]) -> bool:
    return any(True for _ in found)


def names_program(text: str, program: str) -> bool:
    """Whether a text asks for a program by its name: as code, where that is a word like any other."""
    known, sure = _name("program", program), _without_hedges(text)
    texts = code_in(sure) if program in things().ordinary.words else [sure]
    return known is not None and any(map(known.stands_in, texts))


def _without_hedges(text: str) -> str:
    """A text without the sentences that only suggest something, or rule it out."""
    hedges, parts = _hedges(), _SENTENCE.split(text)
    return "".join(" " if number % 2 == 0 and hedges.search(part) else part for number, part in enumerate(parts))


def _hedged(text: str) -> str:
    """Those sentences of a text alone."""
    return "".join(part for part in _SENTENCE.split(text) if _hedges().search(part))


def _may_name_packages(sentence: str) -> bool:
    """Whether a sentence speaks of software, spells code, or is no more than an entry of a list."""
    software = re.search("|".join(things().software.patterns), sentence, re.IGNORECASE)
    return software is not None or "`" in sentence or len(sentence.split()) <= _ENTRY


def sentences(text: str) -> list[str]:
    """The sentences and lines of a text, at least one."""
    return _SENTENCE.split(text)[::2]


@cache
def _hedges() -> re.Pattern[str]:
    return re.compile("|".join((*things().hedges.patterns, *things().ruled_out.patterns)), re.IGNORECASE)


def code_in(text: str) -> Iterator[str]:
    """What a text sets apart as code: fences, backticks, indented lines, lines with a prompt, calls in a list."""
    for match in _CODE.finditer(text):
        yield next(group for group in match.groups() if group is not None)


def blocks_in(text: str) -> Iterator[str]:
    """The same, lines that follow one another as one."""
    blocks, last = list[str](), None
    for match in _CODE.finditer(text):
        code = next(group for group in match.groups() if group is not None)
        line = not match[0].lstrip().startswith("`")
        if line and last and not text[last.end() : match.start()].strip():
            blocks[-1] += f"\n{code}"
        else:
            blocks.append(code)
        last = match if line else None
    yield from blocks


def _commands(text: str) -> Iterator[str]:
    """Every command of every line that can be read as shell, spelled one way."""
    for line in text.splitlines():
        for step in steps_of(line.strip().removeprefix("$ ")):
            if step.command.words:
                yield _alike(canonical(step.command))


def shows_a_call(text: str, command: str) -> bool:
    """Whether a text spells the command with a placeholder behind it, as a line of usage does."""
    spelled = re.compile(rf"(?<![\w./-])(?:\./)?{re.escape(command)}\s+(?P<next>\S+)")
    return any(_PLACEHOLDER.fullmatch(match["next"].rstrip(",.;")) for match in spelled.finditer(text))


def _filled(words: Sequence[str], told: Sequence[str]) -> list[str]:
    """What stands in the place of placeholders; nothing where there are none or anything else differs."""
    fixed = 1 if words[0].startswith("./") else 2
    if len(words) != len(told) or words[:fixed] != told[:fixed]:
        return []
    other = [(word, spelled.strip("'\"")) for word, spelled in zip(words, told, strict=True) if word != spelled]
    found = [word if _PLACEHOLDER.fullmatch(spelled) else _dated(word, spelled) for word, spelled in other]
    return found if all(found) else []


def _dated(word: str, spelled: str) -> str:
    """What stands in a word where another has a date or a number as `YYYY-MM-DD` or `NNN`; empty where it has none."""
    pieces = _DATE.split(spelled)
    match = re.fullmatch(r"([\d.:_-]+)".join(map(re.escape, pieces)), word) if len(pieces) > 1 else None
    return "".join(match.groups()) if match else ""


def _alike(command: str) -> str:
    return re.sub(r"^python[\d.]* ", "python ", command)


def _as_path(name: str, text: str) -> bool:
    """Whether a text spells a name that is a word too with a slash, as paths are."""
    word = re.escape(name.strip("./"))
    before = r"(?<![\w./-])/" if name.startswith("/") else r"(?<![\w-])\.?/"
    after = "" if name.startswith("/") else rf"|(?<![\w-]){word}/"
    return re.search(rf"{before}{word}(?![\w-]){after}", text) is not None


def _below(path: str, name: str) -> bool:
    return path == name or path.endswith(f"/{name}")


@lru_cache(maxsize=4096)
def _name(kind: str, name: str) -> Name | None:
    forms = tuple(form for form in _spellings(kind, name) if form) if len(name) <= re.LONGEST else ()
    parts = _parts(name) if kind == "file" else []
    bare = parts[-1] if len(parts) > 1 and "." in parts[-1].strip(".") else ""
    return Name(forms, any_case=kind in ("host", "page", "package"), bare=bare) if forms else None


def _spellings(kind: str, name: str) -> Iterable[str]:
    if kind == "page":
        return (name.rstrip("/"), name.partition("://")[2].rstrip("/"))
    if kind == "program" and name.islower() and len(name) >= _OWN_NAME and name not in things().ordinary.words:
        return (name, name.capitalize(), name.upper())
    if kind != "file":
        return (name,)
    parts = _parts(name)
    if len(parts) == 1:
        return (f"/{parts[0]}" if name.startswith("/") else parts[0],)
    return ["/".join(parts[start:]) for start in range(len(parts) - 1)]


def _parts(path: str) -> list[str]:
    return [part for part in path.split("/") if part not in {"", ".", ".."}]
