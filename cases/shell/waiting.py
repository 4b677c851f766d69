"""How long a command waits."""

from cases import patterns as re
from cases.shell.tree import Command

_WAIT = re.compile(r"(?P<number>\d+(?:\.\d+)?)(?P<unit>[smhd]?)")
_UNITS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}


def seconds_waited(command: Command) -> float:
    """Seconds that `sleep` waits, all its words together; 0 for any other command and what no literal word tells."""
    if command.program != "sleep":
        return 0
    found = (_WAIT.fullmatch(word) for word in command.arguments)
    return sum(float(match["number"]) * _UNITS[match["unit"]] for match in found if match)
