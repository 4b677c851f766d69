"""The program `verify`, which finds its own packages first."""

import os
import signal

_INTERRUPTED = 130


def _leave(*_: object) -> None:
    os._exit(_INTERRUPTED)


if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # until there is something to put away in order
    signal.signal(signal.SIGINT, _leave)

from impassable import rooms  # noqa: E402 - what is imported before can show a traceback at Ctrl-C

rooms.come_first()


def main() -> None:
    """Run the command line."""
    from verify.__main__ import main as command_line

    command_line()
