"""Text of others as a model is shown it: masked, visible, fenced as data, and traceable to where it stood."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cases.text import INVISIBLE, visible

LONGEST = 6_000
"""Characters of one text that are shown; the rest is left out of the middle, and said so."""


@dataclass(frozen=True)
class Piece:
    """A stretch of a text as it is shown."""

    text: str
    origins: tuple[int, ...]
    """Where in the original each of its characters came from."""

    def place(self, quote: str) -> tuple[int, int] | None:
        """Start and end, in the original, of the first place where `quote`, which is not empty, is shown."""
        start = self.text.find(quote)
        return None if start < 0 else (self.origins[start], self.origins[start + len(quote) - 1] + 1)


@dataclass(frozen=True)
class Shown:
    """A text of others with what is shown of it."""

    label: str
    """Our own words."""
    pieces: tuple[Piece, ...]
    left_out: int = 0
    """Characters."""

    def place(self, quote: str) -> tuple[int, int] | None:
        """Start and end, in the original, of a quotation; None when it is not shown like that."""
        return next((place for piece in self.pieces if (place := piece.place(quote))), None)

    @property
    def body(self) -> str:
        """What stands within the fence."""
        gap = f"\n[… {self.left_out} characters are not shown …]\n"
        return gap.join(piece.text for piece in self.pieces)

    @property
    def size(self) -> int:
        """Bytes, with the fence."""
        return len(self.body.encode("utf-8", "replace")) + len(self.label) + 60


def shown(label: str, text: str, masked: Callable[[str], str], longest: int = LONGEST) -> Shown:
    """What a model may see of a text; `masked` hides secrets without changing the length."""
    clean = masked(text)
    left_out = len(clean) - longest
    if left_out <= 0:
        return Shown(label, (_piece(clean, 0, len(clean)),))
    head = longest // 3
    return Shown(label, (_piece(clean, 0, head), _piece(clean, head + left_out, len(clean))), left_out)


def _piece(text: str, start: int, end: int) -> Piece:
    letters: list[str] = []
    origins: list[int] = []
    for place in range(start, end):
        letter = text[place]
        if letter == "\r" and text[place + 1 : place + 2] == "\n":
            continue
        sign = visible(letter) if INVISIBLE.match(letter) else letter
        letters.append(sign)
        origins += [place] * len(sign)
    return Piece("".join(letters), tuple(origins))


def fenced(texts: Sequence[Shown]) -> str:
    """The texts one after the other, between marks that none of them can contain, because they follow from them all."""
    mark = hashlib.sha256("\0".join(f"{one.label}\0{one.body}" for one in texts).encode("utf-8", "replace"))
    name = f"DATA-{mark.hexdigest()[:16]}"
    return "\n\n".join(f"<<{name} {one.label}>>\n{one.body}\n<</{name}>>" for one in texts)
