"""Long texts as numbered lines, the middle left out."""

from collections.abc import Iterable

from cases.sentences import Sentences
from evidence.text import clip

say = Sentences(__name__)

_CHARACTERS = 16_000
_LINES = 400
_LINE = 2_000


def numbered(text: str) -> list[tuple[int, str]]:
    """The lines that a report shows, with their numbers from 1; number 0 is our own note of what is left out."""
    lines = list(enumerate(text.removesuffix("\n").split("\n"), 1))
    head = _first(lines, 2)
    tail = _first(reversed(lines[len(head) :]), 1)[::-1]
    left_out = len(lines) - len(head) - len(tail)
    note = [(0, say("difference.left_out", number=left_out))] if left_out else []
    return [*head, *note, *tail]


def _first(lines: Iterable[tuple[int, str]], thirds: int) -> list[tuple[int, str]]:
    """As many lines as that many thirds of the room hold, each clipped."""
    found: list[tuple[int, str]] = []
    room = _CHARACTERS * thirds // 3
    for number, line in lines:
        shown = clip(line, _LINE)
        room -= len(shown)
        if found and (room < 0 or len(found) >= _LINES * thirds // 3):
            break
        found.append((number, shown))
    return found
