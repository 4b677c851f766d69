"""What a container takes of the machine: its layer, what it hides there without a name or a size, files held open."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from cases import patterns as re
from cases.sentences import Sentences
from sandboxes.capture import Limit
from sandboxes.errors import SandboxError
from sandboxes.spec import Limits

say = Sentences(__name__)

MEGABYTE = 1_000_000
HELD_OPEN = Path("/proc/sys/fs/file-nr")
"""Its first number says how many files are open on the whole machine, in containers too."""
TELL = f"stat -f -c 'room %S %b %f %c %d' /; read -r n _ <{HELD_OPEN}; echo open $n"
TOLD = re.compile(r"^room (\d+) (\d+) (\d+) (\d+) (\d+)\nopen (\d*)$", re.MULTILINE)
OTHERS_MB = 5_000
"""What may vanish from the disk meanwhile and be others': builds and other containers write there too."""
LEAST_MB = 1_000
"""With less left on the disk, a container goes, and what it wrote, …"""
SOME_MB = 100
"""… if as much has vanished in its time."""
BLIND = 3
"""After so many looks in which a container let itself not be looked at, it is taken to have something to hide."""


@dataclass(frozen=True)
class Room:
    """One file system, in bytes and inodes, and the files that are open on its machine."""

    size: int
    free: int
    files: int
    files_free: int
    opened: int = 0

    @classmethod
    def parse(cls, text: str) -> "Room | None":
        """From what `TELL` prints."""
        found = TOLD.search(text)
        if not found:
            return None
        block, size, free, files, files_free, opened = (int(text or 0) for text in found.groups())
        return cls(block * size, block * free, files, files_free, opened)

    @classmethod
    def below(cls, path: Path) -> "Room | None":
        """That of a directory of this machine."""
        try:
            told = os.statvfs(path)
            opened = int(HELD_OPEN.read_text(encoding="ascii").split()[0])
        except OSError:
            return None
        return cls(told.f_frsize * told.f_blocks, told.f_frsize * told.f_bfree, told.f_files, told.f_ffree, opened)

    def same(self, other: "Room | None") -> bool:
        """Whether two looks were at the same file system."""
        return other is not None and (self.size, self.files) == (other.size, other.files)


class Taken:
    """Since a container was ready; files unlinked while open, and empty ones, show in the room that is left."""

    def __init__(
        self,
        limits: Limits,
        written: Callable[[], int | None],
        room: Callable[[], Room | None],
        glance: Callable[[], Room | None] = lambda: None,
    ) -> None:
        """`written` tells the bytes of its layer, `room` what is left, `glance` the same where that costs nothing.

        Each is None where that cannot be told; bytes below zero are a layer that cannot be measured.
        """
        self._limits = limits
        self._written = written
        self._room = room
        self._glance = glance
        self._before: Room | None = None
        self._blind = 0
        self.crowded = False
        """Whether it left so little of the disk that only its own end gives back enough."""

    def begin(self) -> None:
        """From now on what vanishes counts."""
        self._before = self._room()

    def over(self, *, whole: bool = True) -> Limit | None:
        """Of what it has taken more than it may; what is not `whole` is a glance, for those who fill a disk at once.

        Raises:
            SandboxError: the container is gone.
        """
        now = self._room() if whole and self._before else self._glance()
        if now and self._before and now.same(self._before):
            self._blind = 0
            if now.opened - self._before.opened > self._limits.opened:
                return "open"
            gone = self._before.free - now.free
            self.crowded = now.free < LEAST_MB * MEGABYTE and gone > SOME_MB * MEGABYTE
            if self.crowded:
                return "disk"
        elif whole and self._before and not now:
            self._blind += 1
        most = self._limits.disk_mb
        return self._layer(now, most * MEGABYTE) if whole and most is not None else None

    def _layer(self, now: Room | None, most: int) -> Limit | None:
        gone = many = 0
        if now and self._before and now.same(self._before):
            gone = self._before.free - now.free
            many = self._before.files_free - now.files_free if now.files else 0
        if many > self._limits.files or self._blind >= BLIND:
            return "disk"
        written = self._written()
        if written is None:
            raise SandboxError(say("room.container_gone"))
        if written < 0:  # a tree too deep for the engine to walk
            return "disk" if gone > most or not now else None
        return "disk" if written > most or gone - written > most + OTHERS_MB * MEGABYTE else None
