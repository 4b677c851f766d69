"""Whose a container is: a label that tells a living session from an orphan."""

import os
import socket
import time
from dataclasses import dataclass
from pathlib import Path

LABEL = "impassable.owner"
FOREIGN_SECONDS = 24 * 3600
"""After so long a session of another machine, which we cannot look into, counts as gone."""


@dataclass(frozen=True)
class Owner:
    """A process on a machine; survives neither a reboot nor the reuse of its process id."""

    host: str
    boot: str
    pid: int
    started: str
    """The process's start time as the kernel counts it; empty where it does not say."""
    created: int
    """Unix seconds."""

    @classmethod
    def here(cls) -> "Owner":
        """This process."""
        pid = os.getpid()
        return cls(host=_host(), boot=_boot(), pid=pid, started=_started(pid) or "", created=int(time.time()))

    @classmethod
    def parse(cls, label: str) -> "Owner | None":
        """Read a label back; None for one that is not ours."""
        parts = label.split("|")
        if len(parts) != 5 or not parts[2].isdigit() or not parts[4].isdigit():
            return None
        return cls(host=parts[0], boot=parts[1], pid=int(parts[2]), started=parts[3], created=int(parts[4]))

    def label(self) -> str:
        """As a label's value."""
        return f"{self.host}|{self.boot}|{self.pid}|{self.started}|{self.created}"

    def gone(self) -> bool:
        """Whether the process no longer lives, as far as can be told from here."""
        if self.host != _host():
            return time.time() - self.created > FOREIGN_SECONDS
        if self.boot != _boot():
            return True
        return _started(self.pid) != self.started if self.started else not _alive(self.pid)


def _host() -> str:
    try:
        namespace = str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        namespace = ""
    return f"{socket.gethostname()}{namespace}".replace("|", "_")


def _boot() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return ""


def _started(pid: int) -> str | None:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    return stat.rpartition(")")[2].split()[19]


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
