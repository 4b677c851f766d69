"""What was done to a container, in order, so that it can be done again elsewhere."""

from dataclasses import dataclass

from sandboxes.capture import Executed


@dataclass(frozen=True)
class Did:
    """A command that was run to its end."""

    done: Executed
    user: str
    shell: str


@dataclass(frozen=True)
class Placed:
    """A file that was written as root."""

    path: str
    data: bytes
    mode: int


Entry = Did | Placed
