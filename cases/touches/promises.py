"""What a task's own words say of a file: that it is there, that it is to be made, or where it can be had."""

import posixpath
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from cases import CommandRun, FileWrite
from cases import patterns as re
from cases.failing import step_failures
from cases.shell import steps_of
from cases.task_words import LONGEST, PROMPT, SENTENCE
from cases.touches.calls import files_written
from cases.touches.making import made
from cases.touches.names import things

FETCH = re.compile(r"(?i)https?://|\bdownload|\bwget\b|\bcurl\b|\bavailable (?:at|from|on|upon)\b|\bobtained? from\b")
MAKE = r"(?:writ|sav|stor|creat|generat|produc|output|export|dump|plot|put|nam)\w*"
_NUMBERED = re.compile(r"((?:[A-Za-z]\w*[-_])+\w*\d\w*)\.[A-Za-z]\w*")
"""A name with a number behind a mark, as versions and years have them."""
_BLANK = re.compile(r"<\w+>|\{\w+\}|YYYY")
"""What stands in a file's name for each file's own."""
_SHORTEST_STEM = 3
"""Letters that such a name has besides."""
_TEMPLATE = re.compile(rf"(?:[\w./-]|{_BLANK.pattern})*\.[A-Za-z]\w*")
LISTING = {"ls", "find", "tree"}
WRITING = re.compile(
    r"\bto_(?:csv|json|excel|parquet|pickle|hdf|netcdf)\(|savefig\(|\bsave\w*\(|write_\w+\(|\bdump\w*\(|mkdir|makedirs"
    r"|open\([^)\n]*,\s*(?:mode=)?['\"][wax]"
)


@dataclass(frozen=True)
class Said:
    """What all texts together say of one file."""

    promised: str = ""
    """Which text speaks of it as something that is there; empty when none does."""
    to_make: bool = False
    to_fetch: bool = False
    spoken: bool = field(default=False, compare=False)
    """Whether any text speaks of it at all."""


def said(path: str, texts: Iterable[tuple[str, str]]) -> Said:
    """Look for the path, or its name, in the texts, each given with its own name."""
    name = _as_a_path(path.rstrip("/").rpartition("/")[2])
    spoken = re.compile(rf"{name}(?![\w-])")
    found, texts = Said(), list(texts)
    asked = "\n".join(text for title, text in texts if title == PROMPT)
    for title, text in texts:
        for sentence in SENTENCE.split(text[:LONGEST]):
            as_it_says = name if spoken.search(sentence) else re.escape(_pattern_in(sentence, path, asked))
            if as_it_says:
                to_make, to_fetch = _to_make(sentence, as_it_says), bool(FETCH.search(sentence))
                promised = found.promised or ("" if to_make or to_fetch else title)
                found = Said(promised, found.to_make or to_make, found.to_fetch or to_fetch, spoken=True)
    return found


def _to_make(sentence: str, name: str) -> bool:
    """Whether a sentence says that what the pattern `name` finds is to be made."""
    return bool(re.search(rf"(?i)\b{MAKE}\b.*?{name}|{name}\b.*?\b(?:will|should|must) be {MAKE}", sentence))


def another_of_them(path: str, other: str, texts: Iterable[tuple[str, str]]) -> bool:
    """Whether a text calls both files by one pattern, as `orders_<year>.csv`, and each is for something of its own."""
    mine, theirs = (one.rstrip("/").rpartition("/")[2] for one in (path, other))
    called = dict.fromkeys(match[0] for _, text in texts for match in _TEMPLATE.finditer(text[:LONGEST]))
    for template in (one for one in called if _BLANK.search(one)):
        here, there = _blanks(template, mine), _blanks(template, theirs)
        pairs = list(zip(here, there, strict=False))
        if here and there and here != there and all(len(a) == len(b) and a.isdigit() == b.isdigit() for a, b in pairs):
            return True
    return False


def _pattern_in(sentence: str, path: str, asked: str) -> str:
    """How a sentence calls such files, as `orders_<year>.csv`, where the task asks for what stands there.

    A name that is nothing but a blank calls nothing, and what stands in the blank is a number or has one.
    """
    name = path.rstrip("/").rpartition("/")[2]
    for template in _TEMPLATE.finditer(sentence):
        held = _blanks(template[0], name)
        numbered = all(any(char.isdigit() for char in one) for one in held)
        if held and numbered and all(re.search(rf"(?<!\w){re.escape(one)}(?!\w)", asked) for one in held):
            return template[0]
    return ""


def _blanks(template: str, name: str) -> tuple[str, ...]:
    """What stands in a name where a pattern has its blanks; empty where it is not called so."""
    parts = _BLANK.split(template.rpartition("/")[2])
    stem = "".join(parts).rpartition(".")[0]
    if len(parts) < 2 or sum(map(str.isalpha, stem)) < _SHORTEST_STEM:
        return ()
    held = re.fullmatch("([A-Za-z0-9-]+)".join(map(re.escape, parts)), name)
    return tuple(map(str, held.groups())) if held else ()


def _as_a_path(name: str) -> str:
    """A pattern for a name as texts spell it; one without a dot is a word like any other unless it is marked as code
    or stands in a path. What has a number goes without its ending as well.
    """
    plain, stem = re.escape(name), _NUMBERED.fullmatch(name)
    if stem:
        return rf"(?:(?<![\w.-]){plain}|(?<![\w./-]){re.escape(stem[1])}(?!\.\w))"
    return rf"(?<![\w.-]){plain}" if "." in name else rf"(?:(?<=[/`'\"]){plain}|(?<![\w.-]){plain}(?=[/`'\"]))"


def made_by_run(path: str, output: str, commands: Iterable[CommandRun], writes: Iterable[FileWrite]) -> bool:
    """Whether the run was to write it itself: an earlier step did, or the failing one was about to."""
    name = posixpath.basename(path.rstrip("/"))
    lines = [line for line in output.splitlines() if line.startswith("    ") or name in line]
    return (
        any(_makes(command, path) or any(_writes(code, path) for code in codes_of(command)) for command in commands)
        or any(_may_be(write.path, path) for write in writes)
        or any(WRITING.search(line) for line in lines)
    )


def _may_be(spelled: str, path: str) -> bool:
    """Whether what was made may be the file: of its name, and at its place where both are told from the root on."""
    if spelled.startswith("/") and path.startswith("/"):
        return posixpath.normpath(spelled) == posixpath.normpath(path)
    return f"/{spelled.rstrip('/')}".endswith(f"/{posixpath.basename(path.rstrip('/'))}")


def _writes(code: str, path: str) -> bool:
    """Whether code writes the file, where it is no Python by how it looks."""
    written = files_written(code)
    if written is not None:
        return any(_may_be(text, path) for text in written)
    there = re.escape(path.rstrip("/").rpartition("/")[2])
    coded = rf"(?:{WRITING.pattern})[^\n]*{there}|open\([^)\n]*{there}['\"]\s*,\s*(?:mode=)?['\"][wax]"
    return re.search(coded, code) is not None


def listed_at(path: str, commands: Iterable[CommandRun]) -> str | None:
    """Where a listing of the run showed a file of that name."""
    name = re.escape(path.rstrip("/").rpartition("/")[2])
    shown = re.compile(rf"(?m)^(?:.*\s)?(?P<path>(?:[\w.-]*/)*{name})$")
    for command in commands:
        if command.output and any(step.command.program in LISTING for step in command.steps):
            match = shown.search(command.output)
            if match and "No such file" not in match[0]:
                return match["path"]
    return None


def listed_without(folder: str, name: str, commands: Iterable[CommandRun]) -> str | None:
    """The command with which the run listed that directory, if it worked and the name is not in what it showed."""
    for command in commands:
        only = command.steps[0].command if len(command.steps) == 1 else None
        asks = only and only.program in LISTING and not only.redirects
        folders = {word.rstrip("/") for word in only.arguments} if only and asks else set()
        if folder.rstrip("/") in folders and command.exit_code == 0 and name not in (command.output or name):
            return command.command.strip()
    return None


def codes_of(command: CommandRun) -> Iterator[str]:
    """Code of other languages in a command: what an interpreter was given, what a shell's line gives one or writes."""
    if command.kind != "shell":
        yield command.command
    for step in command.steps:
        if step.command.code:
            yield step.command.code.text
        yield from (one.heredoc.text for one in step.command.redirects if one.heredoc)


def _makes(command: CommandRun, path: str) -> bool:
    """Whether a command, or a shell script that it writes, may make the file; a download that failed makes nothing."""
    came = step_failures(command.command, command.output, command.exit_code) if command.kind == "shell" else ()
    fetchers = things().fetchers.programs
    lost = {step for step, how in zip(command.steps, came, strict=True) if how == "yes"}
    making = [step for step in command.steps if not (step in lost and step.command.program in fetchers)]
    found = [path for step in making for path in made(step.command)]
    for step in command.steps:
        if any(path.endswith(".sh") for path in made(step.command)):
            texts = [one.heredoc.text for one in step.command.redirects if one.heredoc]
            found += [path for text in texts for inner in steps_of(text) for path in made(inner.command)]
    name = posixpath.basename(path.rstrip("/"))
    rooted = path.startswith("/")
    return any(_may_be(one, path) if rooted and one.startswith("/") else name in one.split("/") for one in found)
