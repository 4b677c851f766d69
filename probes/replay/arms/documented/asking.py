"""The failing command as it is asked to work once more: its own step decides, and nothing that only reports."""

import shlex
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import pairwise

from cases.shell import Command, Step, Word, steps_of
from probes.replay.handlers.base import without_report
from probes.replay.target.needs import script_of

MAKES = frozenset({"make", "gmake"})
"""Names of GNU make."""
_SINCE = "/tmp/.and-made"  # noqa: S108 - in a container
STRICT = "set -e; (set -o pipefail) 2>/dev/null && set -o pipefail"
"""So that no step of a line hides how another ended."""


def strictly(command: str, *before: str) -> str:
    """The command as a script that ends with 0 only where all its steps did."""
    return "\n".join((*before, STRICT, without_report(command)))


def and_made(command: str, folder: str) -> str:
    """The command strictly, as a script that ends with 0 only where it made a file below that folder, too."""
    pruned = "\\( -path /proc -o -path /sys -o -path /dev \\) -prune"
    find = f"find {shlex.quote(folder)} {pruned} -o -type f -newer {_SINCE} -print"
    run = f"touch {_SINCE}; sleep 0.1\n( {strictly(command)}\n); [ $? -eq 0 ] || exit 1"
    return f'{run}\ntest -n "$({find} | head -n 1)"'


def put_first(folder: str, programs: Mapping[str, str], option: str = "") -> tuple[str, ...]:
    """Commands after which these names start what lies at their places, with the option as the last word.

    `folder` is below the home directory, and theirs alone. They are started, not linked: what lies there finds its own
    surroundings by its place.
    """
    where = f"$HOME/{folder}"
    last = f" {shlex.quote(option)}" if option else ""
    each = (
        f"printf '#!/bin/sh\\nexec %s \"$@\"%s\\n' {shlex.quote(place)} {shlex.quote(last)} "
        f'>"{where}/{name}" && chmod 755 "{where}/{name}"'
        for name, place in programs.items()
    )
    return (f'export PATH="{where}:$PATH"; rm -rf "{where}"; mkdir -p "{where}"', *each)


@dataclass(frozen=True)
class Own:
    """The task's own program in a line."""

    step: Step
    script: Word
    """The file that is run, or the program's or the module's name, as the line spells it."""
    line: str

    @property
    def name(self) -> str:
        """Without its folder."""
        return self.script.text.rpartition("/")[2]

    @property
    def folder(self) -> str:
        """Where it is run, as seen from where the line begins."""
        return self.step.folder or "."

    @property
    def called(self) -> str:
        """The words that call it, without what it is given."""
        return self.line[self.step.command.start : self.script.end]

    def with_words(self, words: str) -> str:
        """The line with further words behind the program; an option that is there already gets the new value."""
        option, joined, value = words.partition("=")
        if not joined:
            option, _, value = words.partition(" ")
        given = self.step.command.words
        for word, after in pairwise((*given, given[0])):
            if word.text == option and value and after is not given[0]:
                return f"{self.line[: after.start]}{value}{self.line[after.end :]}"
            if word.text.startswith(f"{option}="):
                return f"{self.line[: word.start]}{words}{self.line[word.end :]}"
        return f"{self.line[: self.script.end]} {words}{self.line[self.script.end :]}"

    def has(self, option: str) -> bool:
        """Whether the line gives it already."""
        return any(word.partition("=")[0] == option for word in self.step.command.arguments)


def own_program(line: str, brought: Collection[str] = ()) -> Own | None:
    """The last program of the line that is a file of the task's, or a program or module of these names, if any."""
    own = [
        Own(step, script, line)
        for step in steps_of(line)
        if step.inside == "line" and not step.conditional and (script := started(step.command, brought))
    ]
    return own[-1] if own else None


def started(command: Command, brought: Collection[str]) -> Word | None:
    """The script that it runs, or the module or program where its name is one of these."""
    named = command.module or next(iter(command.words), None)
    return script_of(command) or (named if named and named.literal and named.text in brought else None)


def start_of(command: Command, own: Own) -> Word | None:
    """The word by which another command starts the same program, from wherever; None where it starts another."""
    script = script_of(command) or command.module or next(iter(command.words), None)
    return script if script is not None and script.text.rpartition("/")[2] == own.name else None


def inputs(step: Step) -> list[tuple[Word, str]]:
    """Words of a step that may be files it reads, be it from its standard input, each with its path as seen from where
    the line begins.
    """
    script = script_of(step.command)
    words = [word for word in step.command.words[1:] if word.literal and word is not script and word.text[:1] != "-"]
    words += [one.target for one in step.command.redirects if one.operator == "<" and one.target and one.target.literal]
    return [(word, place) for word in words if (place := step.at(word.text))]


def put_for(line: str, words: list[Word], ending: str = ".not-there") -> str:
    """The line with names that do not exist in place of these words."""
    return exchanged(line, {word: word.text + ending for word in words})


def exchanged(line: str, words: Mapping[Word, str]) -> str:
    """The line with other words in place of these."""
    for word in sorted(words, key=lambda one: -one.start):
        line = f"{line[: word.start]}{shlex.quote(words[word])}{line[word.end :]}"
    return line
