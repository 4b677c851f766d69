"""An R for the lab: Debian's own, with a small repository of source packages on disk."""

from pathlib import Path

from tests.lab.images import folder_image


def r_image() -> str:
    """The tag of an image that has R."""
    return folder_image("r", Path(__file__).parent)
