"""The images that commands are replayed in; `python -m sandboxes.images` makes the base one."""

from sandboxes.images.base import base_tag, ensure_base, ensure_image

__all__ = ["base_tag", "ensure_base", "ensure_image"]
