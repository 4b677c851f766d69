"""Whether a command has come to rest as a service does: it listens, prints nothing and does next to no work."""

import time
from collections.abc import Callable

FIRST_SECONDS = 6.0
"""What ends sooner is never asked."""
EVERY_SECONDS = 4.0
"""Between two looks; what the command prints or computes in between says that it is at work."""
BUSY = 0.05
"""Of one processor: the most that a service takes for waiting, one that watches its own files included."""
_TICKS = 100
"""Of the kernel's clock a second, as /proc counts (`getconf CLK_TCK` on Linux)."""
LOOK = r"""
for p in /proc/[0-9]*; do
  read -r told 2>/dev/null <$p/stat || continue; set -- ${told##*) }
  echo "p ${p#/proc/} $2 $((${12} + ${13}))"
  for f in $p/fd/*; do s=$(readlink $f 2>/dev/null); case $s in socket:*) echo "s ${p#/proc/} $s";; esac; done
done
echo "me $$"; cat /proc/net/tcp /proc/net/tcp6 2>/dev/null
"""
"""Fields 4, 14 and 15 of `stat` (parent, ticks of user and system), each process's sockets, and what listens."""
_INIT, _LISTENS = "1", "0A"


class Rest:
    """Of one command that is running; called again and again, not from several threads."""

    def __init__(self, ask: Callable[[str], str]) -> None:
        """`ask` runs a script of ours in the container as the command's user and returns what it prints."""
        self._ask = ask
        self._next = time.monotonic() + FIRST_SECONDS
        self._before: tuple[float, int] | None = None

    def __call__(self, quiet: float) -> bool:
        """Whether it listens and did no work since the last look; `quiet` are the seconds since it last printed."""
        now = time.monotonic()
        if now < self._next:
            return False
        self._next = now + EVERY_SECONDS
        if quiet < EVERY_SECONDS:
            self._before = None
            return False
        ticks = listening(self._ask(LOOK))
        before, self._before = self._before, None if ticks is None else (now, ticks)
        if ticks is None or before is None:
            return False
        return ticks - before[1] <= BUSY * _TICKS * (now - before[0])


def listening(told: str) -> int | None:
    """Clock ticks that the command's processes have taken, in what `LOOK` prints; None when none of them listens.

    They are those that the engine put into the container, with their children: not process 1, nor what an earlier
    command left to it.
    """
    rows = [line.split() for line in told.splitlines()]
    running = {row[1]: (row[2], int(row[3])) for row in rows if row[:1] == ["p"] and len(row) == 4}
    asking = {_first(row[1], running) for row in rows if row[:1] == ["me"]}
    mine = {one for one in running if _first(one, running) not in {*asking, _INIT}}
    listens = {f"socket:[{row[9]}]" for row in rows if row[0][:-1].isdigit() and len(row) > 9 and row[3] == _LISTENS}
    held = {row[2] for row in rows if row[:1] == ["s"] and row[1] in mine}
    return sum(running[one][1] for one in mine) if listens & held else None


def _first(process: str, running: dict[str, tuple[str, int]]) -> str:
    """The process that the engine started and that it descends from."""
    while (parent := running.get(process, ("0", 0))[0]) in running:
        process = parent
    return process
