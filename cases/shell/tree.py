"""What a line of shell says: frozen values, with the places in its text where each stands."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Kind = Literal["list", "chain", "pipeline", "not", "subshell", "braces", "if", "loop", "case", "function"]
"""A `chain` is joined by `&&` and `||`; what a list's parts are joined by stands after each of them."""


@dataclass(frozen=True, slots=True)
class Word:
    """One word: what the program is given."""

    text: str
    """Quoting removed; expansions stand as they are spelled."""
    literal: bool
    """Whether the shell expands nothing in it: no variable, substitution, glob, brace or tilde."""
    start: int
    end: int
    scripts: tuple[Script, ...] = ()
    """What its substitutions run."""


@dataclass(frozen=True, slots=True)
class Heredoc:
    """The text of a here document."""

    text: str
    quoted: bool
    """Whether its delimiter is quoted, so that the shell expands nothing in it."""
    scripts: tuple[Script, ...] = ()


@dataclass(frozen=True, slots=True)
class Redirect:
    """One redirection."""

    operator: str
    """`<`, `>`, `>>`, `>|`, `&>`, `&>>`, `<&`, `>&`, `<<`, `<<-` or `<<<`."""
    fd: int | None
    """The number before the operator."""
    target: Word | None
    """None for a here document and for a closed descriptor (`2>&-`)."""
    heredoc: Heredoc | None = None

    @property
    def writes(self) -> bool:
        """Whether it makes or changes a file; `/dev/null` and other descriptors are none."""
        if self.target is None or not self.operator.strip("&|").startswith(">"):
            return False
        duplicates = self.operator == ">&" and (self.target.text.isdigit() or self.target.text == "-")
        return not duplicates and self.target.text not in {"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty"}


@dataclass(frozen=True, slots=True)
class Assignment:
    """`NAME=value` in front of a command or alone."""

    name: str
    value: Word


@dataclass(frozen=True, slots=True)
class Code:
    """Source code that a command hands to an interpreter."""

    language: str
    """As `programs.toml` calls it: `python`, `R` …"""
    text: str
    literal: bool
    """Whether the shell hands it over as it stands."""


@dataclass(frozen=True, slots=True)
class Command:
    """A simple command."""

    spelled: tuple[Word, ...]
    """All its words, as they stand."""
    words: tuple[Word, ...]
    """The words of the program that does the work: `sudo`, `env`, `timeout 5`, `xargs` … are seen through."""
    wrappers: tuple[str, ...]
    """The names of the programs that were seen through, in order."""
    assignments: tuple[Assignment, ...]
    redirects: tuple[Redirect, ...]
    start: int
    end: int
    text: str
    """As it stands, without the bodies of its here documents."""
    code: Code | None = None
    file: Word | None = None
    """The file that it runs: an interpreter's script, or a program that is named with its directory."""
    module: Word | None = None
    """The module that it runs (`python -m`)."""
    inner: tuple[Script, ...] = ()
    """What it has a shell run (`bash -c '…'`), or runs for each thing that it finds (`find -exec`)."""

    @property
    def program(self) -> str:
        """The name of the program that does the work, without its directory; empty where there is no literal one."""
        return posixpath.basename(self.words[0].text) if self.words and self.words[0].literal else ""

    @property
    def arguments(self) -> tuple[str, ...]:
        """The texts of the words behind the program."""
        return tuple(word.text for word in self.words[1:])

    @property
    def outputs(self) -> tuple[str, ...]:
        """The files that its redirections make or change, as they are spelled."""
        return tuple(one.target.text for one in self.redirects if one.writes and one.target)

    @property
    def scripts(self) -> Iterator[Script]:
        """What the substitutions in its words, assignments, redirections and here documents run."""
        words = [*self.spelled, *(one.value for one in self.assignments)]
        words += [one.target for one in self.redirects if one.target]
        for word in words:
            yield from word.scripts
        for redirect in self.redirects:
            if redirect.heredoc:
                yield from redirect.heredoc.scripts


@dataclass(frozen=True, slots=True)
class Group:
    """Commands that belong together."""

    kind: Kind
    parts: tuple[Node, ...]
    joints: tuple[str, ...] = ()
    """What stands behind each part: `;` or `&` in a list, `&&` or `||` in a chain, `|` or `|&` in a pipeline."""
    sure: int = 0
    """How many of the first parts run whenever the group does, where it is an if, a loop or a case."""
    words: tuple[Word, ...] = ()
    """What a loop goes through, or a case looks at."""
    redirects: tuple[Redirect, ...] = ()
    """Those of the group as a whole."""


Node = Command | Group


@dataclass(frozen=True, slots=True)
class Script:
    """A text that was read as shell."""

    text: str
    body: Group | None
    """None where it is broken."""
    broken: str | None = None
    """Why it could not be read; nothing of a broken text is guessed."""

    @property
    def commands(self) -> tuple[Command, ...]:
        """Every simple command, also inside of groups, in order; not those of scripts inside of words."""
        found: list[Command] = []
        nodes: list[Node] = [self.body] if self.body else []
        while nodes:
            node = nodes.pop()
            if isinstance(node, Command):
                found.append(node)
            else:
                nodes += reversed(node.parts)
        return tuple(found)
