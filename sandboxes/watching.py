"""What a container uses up: looked at while a command runs, and told apart afterwards."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Protocol

from cases import patterns as re
from sandboxes.capture import Executed, Limit
from sandboxes.container import Container
from sandboxes.errors import SandboxError

GLANCE_SECONDS = 0.2
BUSY_TURNS = 5
"""A look at what a container wrote, after so many glances at what is left: while a command runs, …"""
IDLE_TURNS = 25
"""… and while none does."""
CLOSE_SECONDS = 10
END = "counted"
READ_COUNTERS = (
    "set -e; cat /sys/fs/cgroup/memory.events /sys/fs/cgroup/memory/memory.oom_control 2>/dev/null || true; "
    "for f in /sys/fs/cgroup/pids.events /sys/fs/cgroup/pids/pids.events; do "
    "if [ -r $f ]; then read -r _ n <$f; echo refused $n; fi; done; "
    f"df -Pk / | awk 'NR==2 {{print \"room\", $4}}'; echo {END}"
)
FORK = re.compile(r"Resource temporarily unavailable|[Cc]annot fork|can't start new thread|retry: ", re.IGNORECASE)
NO_SPACE = re.compile(r"No space left on device|Errno 28|ENOSPC")
FILE_TOO_LARGE = re.compile(r"File too large|File size limit exceeded|Errno 27|EFBIG")
XFSZ_EXIT = 153
ROOM_KB = 50_000
"""With less left on the disk, it is full."""


@dataclass(frozen=True)
class Counters:
    """The kernel's own counts for one container, which only grow."""

    oom_kills: int = 0
    refused_forks: int = 0
    room_kb: int | None = None
    """Left on the disk of the container's file system; None where that is not told."""

    @classmethod
    def parse(cls, text: str) -> "Counters | None":
        """From what `READ_COUNTERS` prints; None when it could not be run to its end."""
        found: dict[str, int] = {}
        for line in text.splitlines():
            name, _, value = line.partition(" ")
            if name in {"oom_kill", "refused", "room"} and value.strip().isdigit():
                found[name] = found.get(name, 0) + int(value)
        whole = text.rstrip().endswith(END)
        return cls(found.get("oom_kill", 0), found.get("refused", 0), found.get("room")) if whole else None


@dataclass(frozen=True)
class Usage:
    """What a command used up: since the last look."""

    running: bool
    """Whether the container still is."""
    oom: bool
    """Something was killed for want of memory."""
    forks_refused: bool
    room_kb: int | None
    """Left on the disk."""


class Meter:
    """Remembers the counters of one container, which begin anew when it does."""

    def __init__(self, container: Container) -> None:
        """Nothing was counted yet."""
        self._container = container
        self._counters = Counters()
        self._restarts = 0

    def look(self, done: Executed) -> Usage:
        """What changed with a command; where that left no room for another process, what it left behind is ended."""
        now, restarts = self._read()
        state = self._container.state() if now else self._container.ended_state()
        crowded = now is None and state["Running"]
        if crowded:
            self._container.end_all()
            now, restarts = self._read()
        anew = restarts != self._restarts
        before = Counters() if anew else self._counters
        self._counters, self._restarts = now or before, restarts
        refused = self._counters.refused_forks > before.refused_forks
        if refused and not crowded and not done.timed_out:
            self._container.end_all()
        refused = refused or ((now is None or crowded or anew) and bool(FORK.search(done.output)))
        oom = self._counters.oom_kills > before.oom_kills or bool(state.get("OOMKilled"))
        return Usage(state["Running"], oom, refused, self._counters.room_kb)

    def _read(self) -> tuple[Counters | None, int]:
        restarts = self._container.restarts
        return Counters.parse(self._container.quick(READ_COUNTERS)), restarts


def needs_counters(code: int | None, output: str) -> bool:
    """Whether a command that ended with `code` calls for a look at the counters."""
    return code != 0 or bool(FORK.search(output) or NO_SPACE.search(output))


def limit_of(
    *, stopped: Limit | None, oom: bool, refused: bool, code: int | None, output: str, room_kb: int | None
) -> Limit | None:
    """Which limit of ours stopped a command that ended with `code`; `stopped` when we did it ourselves.

    `oom` and `refused` are what the counters say of memory and of processes, `room_kb` the kilobytes that were left.
    """
    if stopped:
        return stopped
    if NO_SPACE.search(output) and room_kb is not None and room_kb < ROOM_KB:
        return "disk"
    if oom:
        return "memory"
    if code == XFSZ_EXIT or (code and FILE_TOO_LARGE.search(output)):
        return "file"
    return "pids" if refused and code else None


def tmpfs_full(output: str, *, tmpfs: bool, room_kb: int | None) -> bool:
    """Whether "No space left" was said of a tmpfs: the container has one, and its disk has room (`room_kb`)."""
    return tmpfs and room_kb is not None and room_kb >= ROOM_KB and bool(NO_SPACE.search(output))


class Over(Protocol):
    """Tells what a container has taken more of than it may."""

    def __call__(self, *, whole: bool) -> Limit | None:
        """At a glance, or by a `whole` look, which takes its time."""
        ...


class _Watch:
    """Looks at a container until it is closed: glances all the time, and a whole look every few."""

    def __init__(self, over: Over, stop: Callable[[], None], every: int) -> None:
        """Begin to look; `stop` ends what is `over`."""
        self._over = over
        self._stop = stop
        self._every = every
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def close(self, *, wait: bool = True) -> None:
        """Look no more."""
        self._done.set()
        if wait and self._thread is not threading.current_thread():
            self._thread.join(CLOSE_SECONDS)

    def _look(self) -> None:
        turn = 0
        while not self._done.wait(GLANCE_SECONDS):
            turn += 1
            with suppress(SandboxError):  # the container or the engine is gone, or does not answer this time
                self._take(whole=turn % self._every == 0)

    def _take(self, *, whole: bool) -> None:
        raise NotImplementedError


class BusyWatch(_Watch):
    """For one command; `exceeded` says what it had taken too much of, and was therefore stopped, once."""

    def __init__(self, over: Over, stop: Callable[[], None]) -> None:
        """Look while the context is open."""
        self.exceeded: Limit | None = None
        super().__init__(over, stop, BUSY_TURNS)

    def __enter__(self) -> "BusyWatch":
        """It looks already."""
        return self

    def __exit__(self, *_: object) -> None:
        """Look no more."""
        self.close()

    def _take(self, *, whole: bool) -> None:
        if found := self._over(whole=whole):
            self.exceeded = found
            self.close(wait=False)
            self._stop()


class IdleWatch(_Watch):
    """Looks after what a command left running, as long as no other command is."""

    def __init__(self, over: Over, stop: Callable[[], None]) -> None:
        """Until it is closed, and it stops as often as it has to."""
        self._turn = threading.Lock()
        self._commands = 0
        super().__init__(over, stop, IDLE_TURNS)

    @contextmanager
    def away(self) -> Iterator[None]:
        """While a command runs, which has a watch of its own."""
        with self._turn:
            self._commands += 1
        try:
            yield
        finally:
            self._commands -= 1

    def _take(self, *, whole: bool) -> None:
        with self._turn:
            if not self._commands and self._over(whole=whole):
                self._stop()
