"""Here documents are taken out of a text before it is read: their bodies are no shell."""

from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from cases import patterns as re

START = re.compile(
    r"(?<!<)<<(?P<dash>-?)[ \t]*(?:'(?P<a>[^'\n]+)'|\"(?P<b>[^\"\n]+)\"|(?P<back>\\?)(?P<c>[A-Za-z_][\w.+!-]*))"
)


@dataclass(frozen=True, slots=True)
class Taken:
    """A here document that was taken out."""

    at: int
    """Where its operator stands."""
    operator: str
    start: int
    end: int
    """Of its body."""
    quoted: bool

    def body(self, text: str) -> str:
        """What the command reads."""
        whole = text[self.start : self.end]
        return re.sub(r"(?m)^\t+", "", whole) if self.operator == "<<-" else whole


def take(text: str, refused: Collection[int], *, unclosed: bool = False) -> tuple[str, list[Taken]]:
    """A text of the same length in which here documents are plain redirections with blanks for their bodies.

    `refused` are the places of operators that turned out to be none. One whose delimiter does not follow goes on to the
    end of the text, as in bash, but only where `unclosed` says so.
    """
    lines = [*re.finditer(r"[^\n]*\n|[^\n]+", text)]
    kept = [line[0] for line in lines]
    ends = _ends(kept)
    taken: list[Taken] = []
    number = 0
    while number < len(lines):
        here = number
        number += 1
        for match in START.finditer(lines[here][0]):
            at = lines[here].start() + match.start()
            tag = match["a"] or match["b"] or match["c"]
            closing = ends.get((bool(match["dash"]), tag), [])
            end = next(iter(closing[bisect_left(closing, number) :]), len(lines) if unclosed else -1)
            if end < 0 or at in refused:
                continue
            quoted = not match["c"] or bool(match["back"])
            first, last = (lines[place].start() if place < len(lines) else len(text) for place in (number, end))
            taken.append(Taken(at, f"<<{match['dash']}", first, last, quoted))
            kept[here] = "".join(
                (kept[here][: match.start()], "<", "x" * (len(match[0]) - 1), kept[here][match.end() :])
            )
            kept[number : end + 1] = [re.sub(r"[^\n]", " ", line) for line in kept[number : end + 1]]
            number = end + 1
    return "".join(kept), taken


def _ends(lines: Sequence[str]) -> dict[tuple[bool, str], list[int]]:
    """By what a line says, with the tabs in front of it or without, the numbers of all that say it."""
    found: dict[tuple[bool, str], list[int]] = {}
    for number, line in enumerate(lines):
        said = line.rstrip("\r\n")
        found.setdefault((False, said), []).append(number)
        found.setdefault((True, said.lstrip("\t")), []).append(number)
    return found
