"""What a command said: its beginning and end kept, all of it counted and hashed."""

import hashlib
from dataclasses import dataclass

KEPT = 128 * 1024
"""Bytes kept of the beginning and of the end, each."""


@dataclass(frozen=True)
class Executed:
    """One command and what came of it."""

    command: str
    exit_code: int | None
    """None only when the engine never told it."""
    output: str
    """Standard output and error as they came, the middle left out when it is long."""
    timed_out: bool
    """Ended by us because its time was over."""
    oom: bool
    """The kernel killed something in this container for want of memory while it ran."""
    seconds: float
    truncated: bool
    sha256: str
    """Of the whole output, also of what was not kept."""
    size: int = 0
    """Bytes of the whole output."""

    @property
    def ok(self) -> bool:
        """Whether it succeeded."""
        return self.exit_code == 0 and not self.timed_out

    @property
    def how(self) -> str:
        """How it ended, in words."""
        if self.timed_out:
            return "stopped by our time limit"
        if self.oom:
            return f"exit code {self.exit_code}, killed for want of memory"
        return f"exit code {self.exit_code}"


class Capture:
    """Collects output without ever holding more than `2 * kept` bytes."""

    def __init__(self, kept: int = KEPT) -> None:
        """Keep `kept` bytes at either end."""
        self._kept = kept
        self._head = bytearray()
        self._tail = bytearray()
        self._hash = hashlib.sha256()
        self.size = 0

    def feed(self, data: bytes) -> None:
        """Take the next bytes."""
        self._hash.update(data)
        self.size += len(data)
        room = self._kept - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        self._tail += data
        if len(self._tail) > self._kept:
            del self._tail[: len(self._tail) - self._kept]

    @property
    def truncated(self) -> bool:
        """Whether something was left out."""
        return self.size > len(self._head) + len(self._tail)

    @property
    def sha256(self) -> str:
        """Digest of everything that was fed."""
        return self._hash.hexdigest()

    def text(self) -> str:
        """What was kept, with a note where something is missing."""
        head = self._head.decode("utf-8", "replace")
        tail = self._tail.decode("utf-8", "replace")
        if not self.truncated:
            return (self._head + self._tail).decode("utf-8", "replace")
        missing = self.size - len(self._head) - len(self._tail)
        return f"{head}\n[… {missing} bytes not kept …]\n{tail}"
