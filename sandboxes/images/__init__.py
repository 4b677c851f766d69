"""The images that commands are replayed in; `python -m sandboxes.images` makes the base one."""

from sandboxes.images.base import REPOSITORY as BASE
from sandboxes.images.base import base_tag, ensure_base
from sandboxes.images.derived import FROM_FILE, ensure_built, ensure_extended, ensure_image, made_extended

__all__ = [
    "BASE",
    "FROM_FILE",
    "base_tag",
    "ensure_base",
    "ensure_built",
    "ensure_extended",
    "ensure_image",
    "made_extended",
]
