"""Which files and directories a command cannot do without, by its own words."""

import posixpath
from collections.abc import Iterator
from itertools import pairwise

from cases import patterns as re
from cases.shell import Command, Word, looks, steps_of
from cases.touches.installing import pip_words

MANIFEST = {"make": ("-C", "--directory"), "conda": ("-f", "--file"), "mamba": ("-f", "--file")}
"""Options whose value is a file or a directory that has to be there."""


def needs(command: str, start: str) -> Iterator[str]:
    """Absolute paths, in order; `start` is where the command begins. What it may make itself is left out."""
    did = list[str]()
    for step in steps_of(command):
        if step.conditional:
            continue
        for named in _named(step.command):
            whole = step.at(named.text, start) if named.literal else None
            if whole is None:
                continue
            parts = set(posixpath.relpath(whole, start).split("/")) - {"..", "."}
            if parts and not any(part in earlier for earlier in did for part in parts):
                yield whole
        if not looks(step.command):
            did.append(step.command.text)


def gone_to(command: str) -> str:
    """Where a command goes before it does anything else; empty when it stays, or nobody knows where."""
    place: str | None = ""
    for step in steps_of(command):
        place = step.folder
        if step.command.program != "cd":
            break
        place = step.at(step.command.arguments[-1]) if step.command.arguments else None
    return place or ""


def script_of(command: Command) -> Word | None:
    """The script that it runs; a program of the system, named with its directory, is none."""
    file = command.file
    if file is None or not file.literal or (file is command.words[0] and file.text.startswith("/")):
        return None
    return file


def scripts_of(text: str) -> list[str]:
    """Paths of the scripts that a line runs, as it spells them."""
    return [word.text for step in steps_of(text) if (word := script_of(step.command))]


def paths_of(line: str) -> list[str]:
    """Words of a line that may be paths, as it spells them."""
    words = (word for step in steps_of(line) for word in (*step.command.words, *_targets(step.command)))
    return [word.text for word in words if word.literal and re.search(r"/|\w\.\w", word.text)]


def codes_of(line: str) -> list[str]:
    """Source code that stands in a line."""
    return [step.command.code.text for step in steps_of(line) if step.command.code]


def _targets(command: Command) -> Iterator[Word]:
    yield from (one.target for one in command.redirects if one.target)


def _named(command: Command) -> Iterator[Word]:
    if command.program == "cd":
        yield from command.words[1:2]
    if script := script_of(command):
        yield script
    options = MANIFEST.get(command.program, ())
    yield from (word for option, word in pairwise(command.words) if option.text in options)
    for option, word in pip_words(command):
        if option in {"-r", "--requirement"} or word.text.startswith(("./", "../")):
            yield word
