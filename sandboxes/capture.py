"""What a command said: its beginning and end kept, all of it counted and hashed."""

import hashlib
from dataclasses import dataclass
from typing import Literal

from cases.sentences import Sentences

say = Sentences(__name__)

Limit = Literal["time", "memory", "disk", "file", "output", "pids", "open"]
"""What of ours stopped a command: its time, the container's memory, what it may write, its largest file, its
output, its processes, the files that these hold open."""
KEPT = 128 * 1024
"""Bytes kept of the beginning and of the end, each."""
LIMITED: dict[Limit, str] = {
    "time": "time",
    "memory": "memory",
    "disk": "disk space",
    "file": "the size of a file",
    "output": "output",
    "pids": "processes",
    "open": "open files",
}


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
    limit: Limit | None = None
    """Which of our limits stopped it, or a full disk of this machine; None when it ended by itself."""
    forks_refused: bool = False
    """It was refused a process because the container had as many as it may have."""
    disk_full: bool = False
    """It met "No space left" on a tmpfs that the run's own machine had, not on a disk of ours."""
    ended_container: bool = False
    """The container stopped with it; nothing more can be run in it."""
    listening: bool = False
    """It came to rest as a service does, and was left running."""

    @property
    def ok(self) -> bool:
        """Whether it succeeded."""
        return self.listening or (self.exit_code == 0 and self.limit is None and not self.timed_out)

    @property
    def how(self) -> str:
        """How it ended, in words."""
        if self.timed_out:
            return "stopped by our time limit"
        if self.listening:
            return "still running, and listening"
        told = f"exit code {self.exit_code}"
        if self.oom:
            told += ", killed for want of memory"
        elif self.limit:
            told += f", stopped by our limit of {LIMITED[self.limit]}"
        return say("capture.container_ended", told=told) if self.ended_container else told


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
