"""What is to be replayed: the failing command, the failure it showed, and what is known of it."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from cases import CommandRun, Events
from probes.model import Barrier, Envelope, Targets
from probes.replay.target.details import Details, RouteValues
from probes.replay.target.symptom import Symptom

if TYPE_CHECKING:
    from probes.barriers import RoutePlan
    from probes.replay.handlers.base import BarrierHandler

D = TypeVar("D", bound=Details)


@dataclass(frozen=True)
class Attempt:
    """A command that should show the failure."""

    command: str
    reconstructed: bool
    """Not the run's own words but the least that must fail the same way."""


@dataclass(frozen=True)
class Goal:
    """A command that the task asks for and that failed in the run at last."""

    event: CommandRun
    command: str
    """As the task has it, where nothing but literal words stands in the run's own line; else that line."""
    prepares: bool = False
    """Whether it only makes ready what others need: no end in itself."""
    folder: str | None = None
    """Where it is run; None for where the container begins."""
    spelled: bool = False
    """Whether the task spells it, and does not only name what it carries out."""
    untold: bool = False
    """Whether the record does not tell how it ended."""
    means_to: str = ""
    """What the task's own text says that makes the command one means of several: data, or that any will do."""
    product: str = ""
    """The file that it must make, where the run missed that behind it though it ended well."""

    @property
    def line(self) -> str:
        """The command as it is to be run from anywhere; it ends well only where its product is there."""
        line = f"cd {shlex.quote(self.folder)} && {self.command}" if self.folder else self.command
        return f"{line}\ntest $? = 0 && test -e {shlex.quote(self.product)}" if self.product else line


@dataclass(frozen=True)
class ReplayTarget:
    """Everything about one hypothesis that the arms need."""

    handler: BarrierHandler
    barrier: Barrier
    attempts: tuple[Attempt, ...]
    """In the order to try them until one shows the failure."""
    expected: Symptom
    about: str
    """What the barrier is about, as given: a module, program, header, package or path."""
    targets: Targets = field(default_factory=Targets)
    """All that the hypothesis names."""
    told_as: Barrier | None = None
    """In whose words the failure is told, where the barrier was found behind another."""
    prior: tuple[CommandRun, ...] = ()
    """The run's earlier commands, those that are no shell commands too."""
    output: str = ""
    """What the failing command printed in the run."""
    cwd: str | None = None
    shell: str = "bash"
    events: Events = field(default_factory=Events)
    """All of the run's."""
    event: int | None = None
    """Which of its commands is the failing one."""
    details: Details = field(default_factory=Details)
    """What its kind knows of it."""
    home: str = "/home/agent"
    seen: tuple[str, ...] = ()
    """Files that the run's first look around showed."""
    missed: tuple[str, ...] = ()
    """Programs that the run's machine did not have, as its record shows."""
    after: tuple[CommandRun, ...] = ()
    """The run's next steps that neither only look nor try to get past a failure."""
    asked: Goal | None = None
    """What of the failing line the task itself asks for."""
    overcome: Goal | None = None
    """The same, where that worked later in the run."""
    goals: tuple[Goal, ...] = ()
    """Other commands of the run that the task asks for and that failed at last."""
    unsure: tuple[Goal, ...] = ()
    """Such commands of which the record does not tell how they ended."""
    rescue: bool = False
    """Whether it met no more than what the run chose itself to get past another failure."""
    needs: tuple[str, ...] = ()
    """Files that the task names, that the failing command was to work on, and that nothing in the run ever did."""
    works_on: tuple[str, ...] = ()
    """Files that the task names and that the failing command was to work on."""
    runs_all: bool = False
    """Whether the prompt names no command, and something in the run worked with each file that it names, but for texts
    of programs that the failing command was to run.
    """
    alone: bool = False
    """Whether the run gave no other command that the task asks for, but for the same script with other words."""
    unrepeatable: bool = False
    """Whether some of either cannot be run again."""
    beside: tuple[CommandRun, ...] = ()
    """The run's steps from the failing one to the last with which all that the task asks for worked, where nothing of
    what failed is the task's.
    """
    apart: tuple[Goal, ...] = ()
    """Where what failed only prepares for others, or complained and worked: what the task asks for, where all of it
    worked in the run.
    """
    freedom: str = ""
    """The task's own words that leave open how its work is done, if there are any."""
    packages: tuple[str, ...] = ()
    """Debian packages that bring it, the likeliest first, once they were looked up."""
    indexed: str | None = None
    """What the Python index calls what the first of them brings."""
    suggested: tuple[RoutePlan, ...] = ()
    """Routes to try in place of the ladder's."""

    def told(self, form: type[D]) -> D:
        """Its details, in the form that its kind gave them.

        Raises:
            TypeError: they have another one.
        """
        if not isinstance(self.details, form):
            raise TypeError(f"{self.about}: details of {type(self.details).__name__}, not of {form.__name__}")
        return self.details

    def values(self, command: str) -> RouteValues:
        """What its routes are filled with where `command` is the failing one."""
        own = dict(self.handler.values(self, command))
        if self.packages and "apt" in own:
            own["apt"] = self.packages[0]
        return RouteValues({"command": command, "command_quoted": shlex.quote(command), **own})


def user_of(envelope: Envelope) -> str:
    """The container's user: root for root, the image's ordinary user for anybody else."""
    return "root" if envelope.user.value == "root" else "agent"


def home_of(envelope: Envelope) -> str:
    """That user's home directory."""
    user = user_of(envelope)
    return "/root" if user == "root" else f"/home/{user}"
