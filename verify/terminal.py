"""What people see: the answer on stdout, progress and warnings on stderr, never a foreign control character."""

import sys
import textwrap
from functools import cache
from typing import TYPE_CHECKING

from cases import patterns as re

if TYPE_CHECKING:
    from rich.console import Console

    from cases.masking import Mask

# Escape sequences first, then what is left of control characters, bidirectional overrides and lone surrogates.
_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])")
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


_LEAST = 20
"""Characters that a line has room for, however narrow the terminal."""


class OutputClosed(Exception):  # noqa: N818 - `verify cases | head` is not an error
    """Whoever read standard output has gone."""


def clean(text: str) -> str:
    """`text` without escape sequences and control characters; line breaks stay."""
    return _CONTROLS.sub("", _ESCAPES.sub("", text.replace("\r\n", "\n"))).expandtabs(4)


def one_line(text: str) -> str:
    """`text` cleaned and on one line."""
    return " ".join(clean(text).split())


def shorten(text: str, width: int) -> str:
    """`text` on one line of at most `width` characters."""
    line = one_line(text)
    return line if len(line) <= width else line[: width - 1].rstrip() + "…"


def in_lines(console: "Console", text: str, indent: int) -> list[str]:
    """A sentence in lines that fit a terminal behind `indent`; elsewhere one line, which programs can search."""
    if not console.is_terminal:
        return [text]
    width = max(console.width - indent, _LEAST)
    return textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False) or [""]


def out() -> "Console":
    """Standard output: colour on a terminal unless NO_COLOR; markup and highlighting never."""
    return _console(stderr=False)


def err() -> "Console":
    """Standard error, with the same restraint."""
    return _console(stderr=True)


def _console(*, stderr: bool) -> "Console":
    return _plain()(stderr=stderr, markup=False, highlight=False, emoji=False, soft_wrap=True)


@cache
def _plain() -> "type[Console]":
    from rich.console import Console

    class Plain(Console):
        def on_broken_pipe(self) -> None:
            raise OutputClosed

    return Plain


def answer(line: str) -> None:
    """Write one line of machine-readable output, at once.

    Raises:
        OutputClosed: nobody reads standard output any more.
    """
    try:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        raise OutputClosed from None


def warn(sentence: str) -> None:
    """One sentence on stderr, without secrets, about something that did not stop the command."""
    sys.stderr.write(f"verify: warning: {one_line(_mask().text(sentence))}\n")


@cache
def _mask() -> "Mask":
    from cases.masking import Mask

    return Mask()
