"""Feeding a parser so that hostile input costs no more than its size.

The streaming parser looks at an unfinished text again with every piece it gets, and fails badly at endless numbers; a
gzip or zip file of a few kilobytes may unpack to terabytes.
"""

from typing import BinaryIO

from cases import patterns as re
from cases.sentences import Sentences

say = Sentences(__name__)

PIECE = 4_096
"""Bytes given at once; the parser makes the paths of a whole piece before it yields, so nesting must show soon."""
LARGEST = 1 << 24
"""Bytes given at once in the midst of one long text."""
RATIO = 200
"""Times its packed size that a file may unpack to, once it is larger than `FREE`; logs reach some thirty."""
FREE = 64 * 1024 * 1024

DEEPEST = 1_000
"""Levels of nesting that no log reaches."""

LONGEST_NUMBER = 100_000
"""Digits, of which no float holds more than a few hundred."""

MOST_VALUES = 4_000_000
"""Commas and brackets of what is held in memory at once."""

_NUMBER = b"-+0123456789.eE"
_REST_OF_TEXT = re.compile(rb'[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)


class HostileError(ValueError):
    """Input that only an accident or an attack makes; the message says what it is."""


class Paced:
    """Hands out a stream in small pieces, growing ones only within a long text."""

    def __init__(self, stream: BinaryIO) -> None:
        """Read from `stream`."""
        self._stream = stream
        self._held = b""
        self._at = 0
        self._size = PIECE
        self._in_text = False
        self._depth = 0
        self._digits = 0
        self._values = 0
        self._most = 0

    def hold(self) -> None:
        """From here on what is read is kept in memory, so that there must not be too much; anew with each call."""
        self._values, self._most = 0, MOST_VALUES

    def read(self, size: int = -1) -> bytes:
        """The next piece; its length is not `size`, which only matters when it is 0.

        Raises:
            HostileError: a number of thousands of digits, nesting without end, or more values than can be held.
        """
        if size == 0:
            return b""
        self._check()
        piece = self._whole(self._take(self._size))
        rest = piece
        if self._in_text:
            end = _REST_OF_TEXT.match(piece)
            if end is None:
                self._size = min(self._size * 2, LARGEST)
                return piece
            if self._size > PIECE:
                self._put_back(piece[end.end() :])
                piece = piece[: end.end()]
            rest = piece[end.end() :]
        self._size = PIECE
        self._follow(rest)
        return piece

    def _follow(self, rest: bytes) -> None:
        """Take note of what stands outside of texts."""
        parts = rest.replace(rb"\\", b"").replace(rb"\"", b"").split(b'"')
        self._in_text = len(parts) % 2 == 0
        rest = b"".join(parts[::2])
        opens = rest.count(b"[") + rest.count(b"{")
        self._depth += opens - rest.count(b"]") - rest.count(b"}")
        self._values += opens + rest.count(b",")
        length = 0 if self._in_text else len(rest) - len(rest.rstrip(_NUMBER))
        self._digits = self._digits + length if length == len(rest) else length

    def _check(self) -> None:
        """What was handed out is small enough to do no harm; more of its kind is not."""
        if self._depth > DEEPEST:
            raise HostileError(say("pacing.nested_too_deeply"))
        if self._digits > LONGEST_NUMBER:
            raise HostileError(say("pacing.holds_number_thousands_digits"))
        if self._most and self._values > self._most:
            raise HostileError(say("pacing.holds_more_values_place"))

    def _take(self, size: int) -> bytes:
        if self._at >= len(self._held):
            return self._stream.read(size)
        piece = self._held[self._at : self._at + size]
        self._at += len(piece)
        if self._at >= len(self._held):
            self._held, self._at = b"", 0
        return piece

    def _whole(self, piece: bytes) -> bytes:
        """The piece with the byte that a backslash at its end escapes."""
        tail = len(piece) - len(piece.rstrip(b"\\"))
        return piece + self._take(1) if tail % 2 else piece

    def _put_back(self, piece: bytes) -> None:
        self._held, self._at = piece + self._held[self._at :], 0


def check_ratio(packed: int, unpacked: int) -> None:
    """Refuse what unpacks beyond measure.

    Raises:
        HostileError: it does.
    """
    if unpacked > FREE and unpacked > RATIO * max(packed, 1):
        raise HostileError(say("pacing.unpacks_more_than_times", ratio=RATIO))
