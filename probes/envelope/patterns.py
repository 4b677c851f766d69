"""observations.toml: what a transcript can show of the machine, as data."""

from typing import Literal

from cases import Model
from cases import patterns as re
from cases.loading import Expression, load


class Pattern(Model):
    """One entry of observations.toml."""

    field: Literal[
        "sudo",
        "python",
        "workdir",
        "user",
        "tools",
        "interpreter",
        "interpreter_version",
        "allowed_imports",
        "network",
        "memory_mb",
        "cpus",
        "disk_mb",
        "mounts",
        "read_only",
    ]
    where: Literal["output", "text"]
    pattern: Expression
    """Its group `value` is the value; of mounts the groups `path`, `type` and `options`; of sizes also `unit`."""
    command: Expression | None = None
    """Only outputs of commands that match; without it, all but those that show files."""
    unless: Expression | None = None
    """No outputs of commands that match."""
    until: Expression | None = None
    """Nothing from a command that matches on."""
    beside: Expression | None = None
    """Must be in the same output; its groups are taken instead of the pattern's."""
    kind: Literal["shell", "python"] | None = None
    times: int = 1
    """How many different commands must show it."""
    value: str | None = None
    """The value, instead of a group; of mounts their flag."""
    unit: Literal["B", "K", "M", "G"] | None = None
    """What a size without a unit is counted in."""
    source: str


class OwnMount(Model):
    """What a container engine mounts of itself."""

    path: Expression
    """Of the whole path."""
    source: str


class Patterns(Model):
    """The whole file."""

    shell_tools: tuple[str, ...]
    interpreter_tools: tuple[str, ...]
    """With which an agent does nothing but run Python and answer."""
    readers: Expression
    """Commands that show files, so that their output can be about any machine."""
    elsewhere: Expression
    """Commands that run on another machine."""
    reached: Expression
    """What tools print that reached the network; it speaks against there having been none."""
    own_mount: tuple[OwnMount, ...]
    """Mounts that say nothing of the machine but which engine made it."""
    observation: tuple[Pattern, ...]

    def of_engine(self, path: str) -> bool:
        """Whether a container engine mounts that path of itself."""
        return any(re.fullmatch(own.path, path) for own in self.own_mount)


def patterns() -> Patterns:
    """The shipped patterns."""
    return load(Patterns, __package__, "observations.toml")
