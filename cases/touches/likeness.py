"""Whether two failures say the same, in whatever language."""

from cases import patterns as re
from cases.model import CommandRun

SHARE = 0.5
"""Of the shorter one's lines."""
_TRACEBACK = "Traceback (most recent call last)"
_VARIES = re.compile(r"0x[0-9a-f]+|\d+")

_FRAME = re.compile(r"(?i)(?:(?:exit|return) ?code|status)\W*\d*|(?:std ?(?:out|err)|output)\W*")
"""What harnesses put around what a command says."""


def alike(one: object, other: object) -> bool:
    """Whether two commands ended with much the same lines, and with the same exception if both did so with one; what
    printed nothing is like anything.
    """
    if not (isinstance(one, CommandRun) and isinstance(other, CommandRun)):
        return False
    mine, theirs = _lines(one), _lines(other)
    if not mine or not theirs:
        return True
    if all(_TRACEBACK in said(event) for event in (one, other)) and _exception(one) != _exception(other):
        return False
    return len(mine & theirs) / min(len(mine), len(theirs)) >= SHARE


def _exception(event: object) -> str:
    return last_line(event).partition(":")[0]


def said(event: object) -> str:
    """What a command printed; empty for what is none."""
    return (event.output or "") if isinstance(event, CommandRun) else ""


def last_line(event: object) -> str:
    """The last line with a word that a command printed; empty where it has none."""
    lines = (line.strip() for line in reversed(said(event).splitlines()))
    return next((line for line in lines if re.search(r"[^\W\d_]{3}", line) and not _FRAME.fullmatch(line)), "")


def _lines(event: CommandRun) -> set[str]:
    lines = (" ".join(_VARIES.sub("0", line).split()) for line in (event.output or "").splitlines())
    return {line for line in lines if re.search(r"[^\W\d_]{3}", line) and not _FRAME.fullmatch(line)}
