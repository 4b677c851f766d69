"""The outcome of looking at one thing this machine has or lacks."""

from typing import Literal

from cases import Model


class Check(Model):
    """The outcome of one check."""

    name: str
    state: Literal["ok", "warn", "fail"]
    detail: str
    remedy: str = ""
