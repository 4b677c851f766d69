"""A fact: one measured reason of a failure."""

from typing import Literal

from cases import Model
from sandboxes.tracing.strace import Access

FactKind = Literal[
    "file missing",
    "denied",
    "read-only",
    "no space",
    "program missing",
    "program unfit",
    "interpreter missing",
    "library missing",
    "module missing",
    "package missing",
    "host unresolved",
    "service missing",
    "service denied",
    "refused",
    "unreachable",
    "timed out",
    "out of memory",
    "killed",
    "not permitted",
    "data damaged",
    "data sealed",
    "part missing",
    "cases contradict",
]


class Fact(Model):
    """One measured reason of a failure."""

    kind: FactKind
    subject: str
    """A path (absolute, or the part that was looked for in several directories), `address:port`, a host, a program, a
    module, a signal or an exception's type."""
    process: str
    """The program that met it."""
    errno: str | None = None
    named: bool = False
    """Whether the command's own output names it."""
    last: bool = False
    """Whether it was the last call that failed in a process that failed."""
    places: tuple[str, ...] = ()
    """Absolute paths at which what is missing was looked for, the first first, where there are several."""
    kin: tuple[str, ...] = ()
    """Further files missing with it in the same directory, whose names differ from its own by numbers alone."""
    access: Access | None = None
    """What was wanted of the file where that was denied; where it is missing, `enter` if it was to be a directory, and
    `write` if it was to be made in a directory that is missing.
    """

    @property
    def key(self) -> tuple[str, str]:
        """What makes two facts the same one, whatever language the machine speaks."""
        return self.kind, self.subject

    def __str__(self) -> str:
        """In words."""
        return f"{self.kind}: {self.subject}"
