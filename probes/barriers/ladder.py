"""Ways around a barrier, and ways to remove it as nobody on the benchmark could."""

from typing import Literal

from pydantic import Field

from cases import Model
from probes.model import Tier


class Lift(Model):
    """How the barrier is removed, as root and with a network."""

    id: str
    kinds: tuple[str, ...] = ()
    """Kinds of failure that it can help against; empty for all."""
    commands: tuple[str, ...] = ()
    memory: float = Field(default=1, ge=1)
    """How many times the memory the container gets."""
    network: bool = True
    """Whether the package indexes are let through, whatever the envelope says."""
    minimal: bool = False
    """Whether it gives an empty stand-in only, so that no more can be asked than that the failure is gone."""
    retry: str | None = None
    """What takes the failing command's place then."""
    plain_mounts: bool = False
    """Whether read-only paths and non-executable mounts are left out."""
    as_root: bool = False
    """Whether root runs the failing command itself."""
    signs: str | None = None
    """What must show that it may help, where the failing command was traced: a library that was loaded, or a word."""
    for_one: bool = False
    """Whether it removes the barrier for the failing command alone, and for nothing that follows."""
    source: str


class RoutePlan(Model):
    """One way around a barrier."""

    id: str
    tier: Tier
    needs: tuple[Literal["network", "open", "shell", "sudo"], ...] = ()
    """What the envelope must have; `open` is a network beyond the package indexes."""
    local: str | None = None
    """A parameter; where it is known, what the route asks for lies on the machine and needs no network."""
    when: tuple[str, ...] = ()
    """Parameters without which the route means nothing."""
    unless: tuple[str, ...] = ()
    """Parameters with which it is no way past."""
    only_if: str | None = None
    """What the failing command must match for the route to mean anything."""
    given: str | None = None
    """A command that must succeed in the container for the route to mean anything, such as `command -v mamba`."""
    env: dict[str, str] = Field(default_factory=dict)
    """Exported, shell-expanded, before the goal check."""
    commands: tuple[str, ...]
    lenient: bool = False
    """Whether the goal alone decides, also when a command fails (a directory that is there already)."""
    goal: tuple[str, ...] | None = None
    """Commands that must all succeed; the file's own goal when left out."""
    again: bool = True
    """Whether the failing command must no longer fail the same way afterwards."""
    retry: str | None = None
    """What takes the failing command's place then: the same thing done in another tool."""
    whole: bool = False
    """Whether another failure of what takes its place leaves it open: somebody would have gone on from there."""
    seconds: int = Field(default=240, ge=1)
    """For each command."""
    source: str


class Ladder(Model):
    """All routes of a barrier, in the order they are tried."""

    goal: tuple[str, ...]
    """Commands that must all succeed once it is passed."""
    lift: tuple[Lift, ...] = ()
    route: tuple[RoutePlan, ...] = ()
