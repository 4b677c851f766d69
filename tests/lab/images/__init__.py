"""Images of the lab's machines: the base image and what a folder's script makes of it."""

from .folders import folder_image

__all__ = ["folder_image"]
