"""The program `verify`, which finds its own packages first."""

from impassable import rooms

rooms.come_first()


def main() -> None:
    """Run the command line."""
    from verify.__main__ import main as command_line

    command_line()
