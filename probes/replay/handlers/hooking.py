"""Texts of programs that run inside containers."""

from functools import cache
from importlib.resources import files


@cache
def hook(name: str) -> str:
    """The text of a file in `hooks/` beside this one: `ornament.py` is a module that gives back what it is given."""
    return files(__package__).joinpath("hooks", name).read_text(encoding="utf-8")
