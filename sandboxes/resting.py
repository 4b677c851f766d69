"""Whether a command has come to rest as a service does: it listens, prints nothing and does next to no work."""

import time
from collections.abc import Callable

from cases import patterns as re

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
_INIT = "1"
_PROCESS = re.compile(r"(?m)^p (\d{1,9}) (\d{1,9}) (\d{1,15})$")
_SOCKET = re.compile(r"(?m)^s (\d{1,9}) socket:\[(\d{1,15})\]$")
_ASKING = re.compile(r"(?m)^me (\d{1,9})$")
_LISTENING = re.compile(r"(?m)^ *\d{1,9}: [0-9A-F:]+ [0-9A-F:]+ 0A \S+ \S+ \S+ +\d+ +\d+ (\d{1,15}) ")
"""State 0A of /proc/net/tcp, and the socket's inode."""


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
    running = {one[1]: (one[2], int(one[3])) for one in _PROCESS.finditer(told)}
    asking = {_first(one[1], running) for one in _ASKING.finditer(told)}
    mine = {one for one in running if _first(one, running) not in {*asking, _INIT}}
    listens = {one[1] for one in _LISTENING.finditer(told)}
    held = {one[2] for one in _SOCKET.finditer(told) if one[1] in mine}
    return sum(running[one][1] for one in mine) if listens & held else None


def _first(process: str, running: dict[str, tuple[str, int]]) -> str:
    """The process that the engine started and that it descends from; what a container says may go round in circles."""
    seen = set[str]()
    while (parent := running.get(process, ("0", 0))[0]) in running and process not in seen:
        seen.add(process)
        process = parent
    return process
