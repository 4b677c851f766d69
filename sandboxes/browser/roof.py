"""What a browser may use up of this machine, looked at from outside: whatever a page does, its process ends before."""

import os
import signal
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from cases.sentences import Sentences

say = Sentences(__name__)


LOOK_SECONDS = 0.2
PROCESSES = Path("/proc")
MEMORY = ("RssAnon:", "RssShmem:")
"""Of a process, in kilobytes: what is not a file's, which others share and the kernel can drop."""


@dataclass(frozen=True)
class _Process:
    parent: int
    began: int
    """In the kernel's own ticks."""


class Roof:
    """Looks at a browser's processes until it is closed; where /proc does not tell, there is none."""

    def __init__(self, mark: str, memory_mb: int, processes: int) -> None:
        """Hold the browser that was started with `mark` among its arguments to all this."""
        self._memory = memory_mb * 1_000_000
        self._processes = processes
        self._seen: dict[int, _Process] = {}
        self._own: set[int] = set()
        self._ended: list[tuple[float, str]] = []
        self._done = threading.Event()
        self._main = _marked(mark)
        self._own |= {self._main} if self._main else set()
        self._thread = threading.Thread(target=self._look, daemon=True)
        if self._main:
            self._thread.start()

    @property
    def told(self) -> str:
        """In words."""
        if not self._main:
            return say("roof.no_limits_memory")
        return say("roof.most_mb_processes", number=self._memory // 1000000, processes=self._processes)

    def since(self, began: float) -> str:
        """Why a process was ended after `began`, on the monotonic clock; empty where none was."""
        return next((why for when, why in self._ended if when >= began), "")

    def close(self) -> None:
        """Look no more, and end what the browser left."""
        self._done.set()
        if self._main:
            self._thread.join()
            for pid, process in self._members().items():
                _kill(pid, process)

    def _look(self) -> None:
        while not self._done.wait(LOOK_SECONDS):
            members = self._members()
            used = {pid: _memory(pid) for pid in members}
            total = sum(used.values())
            if total > self._memory:
                largest = max(used, key=lambda pid: used[pid])
                self._end({largest: members[largest]}, f"{total // 1_000_000} MB")
            elif len(members) > self._processes:
                eldest = sorted(members, key=lambda pid: members[pid].began)[: self._processes]
                self._end({pid: members[pid] for pid in members.keys() - eldest}, f"{len(members)} processes")

    def _end(self, processes: dict[int, _Process], taken: str) -> None:
        """The largest or the youngest: of several pages at once those go that ask for the most."""
        self._ended.append((monotonic(), say("roof.browser_took_take", taken=taken, told=self.told)))
        for pid, process in processes.items():
            _kill(pid, process)

    def _members(self) -> dict[int, _Process]:
        """The browser and all that it began, also where who began it is gone."""
        there = {int(entry.name) for entry in os.scandir(PROCESSES) if entry.name.isdigit()}
        unknown = (there - self._seen.keys()) | self._own
        self._seen = {pid: self._seen[pid] for pid in there & self._seen.keys()}
        for pid in unknown:
            told = _told(pid)
            if told is None or told.began != self._seen.get(pid, told).began:
                self._own.discard(pid)  # it ended, and its number may be another's by now
            if told:
                self._seen[pid] = told
        while more := {pid for pid, told in self._seen.items() if told.parent in self._own} - self._own:
            self._own |= more
        return {pid: self._seen[pid] for pid in self._own}


def _marked(mark: str) -> int | None:
    """The browser itself: what it begins does not inherit the mark."""
    for folder in PROCESSES.glob("[0-9]*"):
        with suppress(OSError):
            if mark.encode() in (folder / "cmdline").read_bytes().split(b"\0"):
                return int(folder.name)
    return None


def _told(pid: int) -> _Process | None:
    try:
        fields = (
            (PROCESSES / str(pid) / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        )
    except OSError:
        return None
    return _Process(int(fields[1]), int(fields[19]))


def _memory(pid: int) -> int:
    with suppress(OSError):
        lines = (PROCESSES / str(pid) / "status").read_text(encoding="utf-8", errors="replace").splitlines()
        return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith(MEMORY))
    return 0


def _kill(pid: int, process: _Process) -> None:
    """That very process, never another that has its number by now."""
    with suppress(OSError):
        held = os.pidfd_open(pid)
        try:
            if (told := _told(pid)) and told.began == process.began:
                signal.pidfd_send_signal(held, signal.SIGKILL)
        finally:
            os.close(held)
