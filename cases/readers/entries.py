"""The entries of one JSON object with the bytes at which each stands, a few of them in memory at a time.

The text is taken as Latin-1, a character a byte: what JSON is made of is ASCII, so that a place in the text is a place
in the file. What is beyond ASCII is read once more, as UTF-8, where it is wanted.
"""

import codecs
import json
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from cases.readers.pacing import MOST_VALUES, HostileError
from cases.readers.streams import DECODER, WHOLE_LIMIT, parsed
from cases.sentences import Sentences

say = Sentences(__name__)

BLOCK = 4 << 20
"""Bytes read at once; more only within one entry."""
MOST_ENTRIES = 1_000_000
_SPACE = " \t\n\r"
_MARKS = (",", "[", "{")


@dataclass(frozen=True, slots=True)
class Entry:
    """One value of the object, or one of those inside the value that is taken apart."""

    key: str
    inner: str | None
    """Its own key, where it stands inside a mapping."""
    inside: bool
    """Whether it stands inside of a value that was taken apart."""
    start: int
    length: int
    rough: Any
    """The value; texts beyond ASCII are not themselves in it."""
    text: str = field(repr=False)

    def exact(self) -> Any:  # noqa: ANN401 - JSON holds anything
        """The value as it is written."""
        return parsed(self.text.encode("latin-1").decode("utf-8"))


def entries(stream: BinaryIO, apart: Callable[[str], bool]) -> Iterator[Entry]:
    """The values of an object; of a list or mapping under a key that is to be taken `apart`, the values in it.

    Raises:
        ValueError: this is no such object, or it is damaged.
        RecursionError: it is nested too deeply.
        HostileError: one entry is larger than any of a log, or there are more of them.
    """
    for number, entry in enumerate(_entries(_Window(stream), apart)):
        if number >= MOST_ENTRIES:
            raise HostileError(say("entries.holds_more_entries_than"))
        yield entry


def fields_of(wanted: Collection[str], stream: BinaryIO) -> dict[str, Any]:
    """The wanted values of one object, in one pass that holds on to nothing else.

    Raises:
        ValueError: as `entries`.
    """
    found: dict[str, Any] = {}
    for entry in entries(stream, lambda key: key not in wanted):
        if not entry.inside and entry.key in wanted:
            found[entry.key] = entry.exact()
            if len(found) == len(wanted):
                break
    return found


def _entries(window: "_Window", apart: Callable[[str], bool]) -> Iterator[Entry]:
    window.take("{")
    for key in window.names():
        opens = window.peek() if apart(key) else ""
        if opens == "[":
            window.take(opens)
            for _ in window.each("]"):
                yield window.entry(key, None, inside=True)
        elif opens == "{":
            window.take(opens)
            for inner in window.names():
                yield window.entry(key, inner, inside=True)
        else:
            yield window.entry(key, None)
    window.finish()


class _Window:
    """A part of a text that moves on, and becomes larger where one value does not fit into it."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._before = stream.tell()
        """Bytes before what is in the window."""
        self._text = ""
        self._at = 0
        self._ended = False
        self._check = codecs.getincrementaldecoder("utf-8")()

    def names(self) -> Iterator[str]:
        """Each key of a mapping that has been opened; its value is to be taken before the next.

        Raises:
            json.JSONDecodeError: a key is no text.
        """
        for _ in self.each("}"):
            key = self.entry("", None)
            if not isinstance(key.rough, str):
                raise self._fault(say("entries.key_no_text"))
            self.take(":")
            yield key.rough if key.rough.isascii() else str(key.exact())

    def each(self, closing: str) -> Iterator[None]:
        """Once for each item of what has been opened, which is to be taken before the next."""
        if self.peek() != closing:
            yield
            while self.peek() != closing:
                self.take(",")
                yield
        self.take(closing)

    def take(self, sign: str) -> None:
        """Go past a sign that has to be there.

        Raises:
            json.JSONDecodeError: another one stands there.
        """
        if self.peek() != sign:
            raise self._fault(f"no {sign!r}")
        self._at += 1

    def peek(self) -> str:
        """The next character that is no white space; empty at the end."""
        while True:
            while self._at < len(self._text):
                if (found := self._text[self._at]) not in _SPACE:
                    return found
                self._at += 1
            if self._ended:
                return ""
            self._more()

    def finish(self) -> None:
        """See that nothing follows.

        Raises:
            json.JSONDecodeError: something does.
        """
        if self.peek():
            raise self._fault(say("entries.more_after_end"))

    def entry(self, key: str, inner: str | None, *, inside: bool = False) -> Entry:
        """Go past the next value, which is to be there."""
        self.peek()
        while True:
            try:
                value, end = DECODER.raw_decode(self._text, self._at)
            except json.JSONDecodeError:
                if self._ended:
                    raise
            else:
                if end < len(self._text) or self._ended:  # else a number may go on
                    break
            self._more()
            if len(self._text) > BLOCK * 2:
                self._bounded()
        start, self._at = self._at, end
        return Entry(key, inner, inside, self._before + start, end - start, value, self._text[start:end])

    def _more(self) -> None:
        kept = self._text[self._at :]
        block = self._stream.read(max(BLOCK, len(kept)))
        if not block.isascii() or self._check.getstate()[0]:
            self._check.decode(block, final=not block)  # what is no UTF-8 is no JSON
        self._before += self._at
        self._ended = not block
        self._text, self._at = kept + block.decode("latin-1"), 0

    def _bounded(self) -> None:
        if len(self._text) > WHOLE_LIMIT or sum(self._text.count(mark) for mark in _MARKS) > MOST_VALUES:
            raise HostileError(say("entries.holds_more_place_than"))

    def _fault(self, said: str) -> json.JSONDecodeError:
        return json.JSONDecodeError(said, self._text, self._at)
