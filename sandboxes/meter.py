"""What one command used up, as the kernel counted it in its container."""

from dataclasses import dataclass

from sandboxes.capture import Executed
from sandboxes.container import Container
from sandboxes.watching import FORK, READ_COUNTERS, Counters


@dataclass(frozen=True)
class Usage:
    """Since the last look."""

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
