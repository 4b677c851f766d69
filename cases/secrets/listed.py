"""Lists of words that are command lines: as programs print them, as JSON and YAML have them."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from cases import patterns as re

_QUOTED = re.compile(
    r"[\[(]\s{0,40}(?:\\?(?:\"[^\"\\\r\n]*\\?\"|'[^'\\\r\n]*\\?')\s{0,3},\s{0,40})+"
    r"\\?(?:\"[^\"\\\r\n]*\\?\"|'[^'\\\r\n]*\\?')"
)
_WORD = re.compile(r"\\?(?:\"(?P<double>[^\"\\\r\n]*)\\?\"|'(?P<single>[^'\\\r\n]*)\\?')")
_DASHED = re.compile(r"(?m)(?:^[ \t]*- [\"']?[^\r\n]+\r?\n)+(?:^[ \t]*- [\"']?[^\r\n]+)?")
_ITEM = re.compile(r"(?m)^[ \t]*- (?:\"(?P<double>[^\"\r\n]*)\"|'(?P<single>[^'\r\n]*)'|(?P<plain>[^\s\"'][^\r\n]*))")
_OPTION = re.compile(r"[\"']-|- [\"']?-")
_INNER = str.maketrans(dict.fromkeys(" \t\"'|;&<>\\", "\ue000"))
"""Signs that would end a word of a command line, and what stands for them in one that is quoted."""


@dataclass(frozen=True)
class CommandLine:
    """The words of a list as one line, and where each of them stands in the text."""

    text: str
    begins: list[int]
    places: list[int]

    def where(self, start: int, end: int) -> tuple[int, int]:
        """Start and end in the text of a part of the line."""
        return self._place(start), self._place(end - 1) + 1

    def _place(self, at: int) -> int:
        word = bisect_right(self.begins, at) - 1
        return self.places[word] + at - self.begins[word]


def command_lines(text: str) -> Iterator[CommandLine]:
    """The lists of words in a text of which one is an option."""
    if not _OPTION.search(text):
        return
    for whole, one in ((_QUOTED, _WORD), (_DASHED, _ITEM)):
        for match in whole.finditer(text):
            if _OPTION.search(match[0]):
                yield _line(text, match, one)


def _line(text: str, whole: re.Match[str], one: re.Pattern[str]) -> CommandLine:
    words: list[str] = []
    begins: list[int] = []
    places: list[int] = []
    length = 0
    for match in one.finditer(text, whole.start(), whole.end()):
        group = match.which
        begins.append(length)
        places.append(match.start(group))
        words.append(match[group].translate(_INNER))
        length += len(words[-1]) + 1
    return CommandLine(" ".join(words), begins, places)
