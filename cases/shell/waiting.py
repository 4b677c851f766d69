"""How long a command waits."""

from cases import patterns as re
from cases.shell.tree import Command

_TIME = re.compile(r"(\d+(?:\.\d+)?)([smhd]?)")
_UNITS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}


def seconds_in(time: str) -> float | None:
    """Seconds of a time as coreutils' `sleep` and `timeout` take it, `90` or `1.5m`; None where it is no such."""
    match = _TIME.fullmatch(time)
    return float(match[1]) * _UNITS[match[2]] if match else None


def seconds_waited(command: Command) -> float:
    """Seconds that `sleep` waits, all its words together; 0 for any other command and what no literal word tells."""
    if command.program != "sleep":
        return 0
    return sum(seconds_in(word) or 0 for word in command.arguments)
