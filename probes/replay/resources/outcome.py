"""What the arms brought, before it becomes findings."""

from dataclasses import dataclass, field
from typing import Any

from probes.barriers import RoutePlan
from probes.model import Artifact, Control, Observation, Route
from probes.replay.resources.recipe import Arm, Step
from probes.replay.target.symptom import Symptom
from sandboxes import Executed
from sandboxes.tracing import Called, Fact

LET_THROUGH = "our own proxy let through"


@dataclass(frozen=True)
class PriorStep:
    """One of the run's earlier commands, replayed."""

    command: str
    recorded: int | None
    """Its exit code in the run; None when the transcript does not show one."""
    done: Executed
    matters: bool
    """Whether what it did can bear on the barrier."""

    @property
    def rebuilt(self) -> bool:
        """Whether it ended as in the run; where the transcript does not show how, nothing speaks against it."""
        return self.recorded is None or self.done.exit_code == self.recorded


@dataclass(frozen=True)
class Replayed:
    """The arm that repeats the failure."""

    command: str
    reconstructed: bool
    done: Executed
    same: bool
    """The failure is the expected one."""
    found: tuple[Symptom, ...]
    arm: Arm | None = None
    sign: str = ""
    """The words of its output that show the expected failure; empty when there are none."""

    @property
    def worked(self) -> bool:
        """It simply worked."""
        return self.done.ok and not self.same and not self.found


@dataclass(frozen=True)
class Credentials:
    """For want of which the failing command ends itself, before what stops it behind them."""

    names: tuple[str, ...]
    """Variables."""
    command: str
    """Without them, as in the run."""


@dataclass(frozen=True)
class Lifted:
    """The arm without the barrier."""

    way: str
    worked: bool
    """The same command succeeded."""
    gone: bool
    """The barrier at least was gone, though the command then failed for another reason."""
    observed: str
    arm: Arm | None = None
    minimal: bool = False
    """Nothing but what a fact names was given."""
    printed: bool = False
    """The same command succeeded, and printed something."""


@dataclass(frozen=True)
class Dependency:
    """A command that the task asks for, and that works with the barrier removed and does not with it in place."""

    command: str
    ended: str
    """How it ends with the barrier in place."""


@dataclass(frozen=True)
class Tried:
    """One route that was tried or could not be."""

    plan: RoutePlan
    route: Route
    seconds: float | None = None
    later: str = ""
    """What the failing command met next, once the barrier was passed."""
    arm: Arm | None = None
    """None for one that was not tried."""
    reached: tuple[str, ...] = ()
    """What else the task asks for and was seen to work behind it; empty where not all of that does."""
    general: bool = False
    """Whether every failing command gets it, whatever its barrier."""
    unmet: bool = False
    """Whether its commands worked and only its goal check failed."""
    unmoved: tuple[str, ...] = ()
    """What else the task asks for and fails behind it, where it left a place that the prompt names as it was."""
    past: bool = False
    """Whether what failed at its end may be something else than the barrier."""
    stronger: bool = False
    """Whether it worked by what the agent did not have."""


@dataclass
class Outcome:
    """Everything that happened in the containers for one hypothesis."""

    controls: list[Control] = field(default_factory=list)
    network_control: Control | None = None
    prior: list[PriorStep] = field(default_factory=list)
    left_out: tuple[str, ...] = ()
    """Places of the run's machine that its records show to be unusual, and that no container here can have so."""
    unreplayed: int = 0
    forgotten: bool = False
    """Whether what came before the failing command left something where no snapshot keeps it, so no route has it."""
    lacking: str | None = None
    """What the image lacks without which a replay says nothing of the run's machine; ends a sentence."""
    changes: tuple[str, ...] = ()
    """Commands that root ran in the image before anything else."""
    prepared: tuple[Step, ...] = ()
    """What was done to the container of the replay before the failing command."""
    replays: list[Replayed] = field(default_factory=list)
    archived: str = ""
    """Which archive of the machine holds what is missing though no route put it to use; ends a sentence."""
    unread: str = ""
    """Which data of the machine nobody has read, or what the failing command made; ends a sentence."""
    lifted: Lifted | None = None
    dependency: Dependency | None = None
    """What of the run's own next steps needs what the barrier kept from it, where that was measured."""
    fed: Dependency | None = None
    """What of the task's reads what the failing command made, and fails, where that was measured."""
    made_up: str = ""
    """The run's own step that put there, of nothing, a file that the task's words speak of."""
    shut: str = ""
    """What the run itself took from its user; a clause."""
    beyond: str = ""
    """What of the task's own later commands fails as in the run with the barrier removed; a clause."""
    needless: str = ""
    """What of the task's works with the barrier in place; a clause."""
    tried: list[Tried] = field(default_factory=list)
    observations: list[Observation] = field(default_factory=list)
    credentials: Credentials | None = None
    facts: tuple[Fact, ...] = ()
    """What was measured of the failing command, the likeliest cause first."""
    said: tuple[str, ...] = ()
    """The last lines of what the processes wrote in which the failure began."""
    ended: tuple[str, ...] = ()
    """Their programs."""
    settled: Fact | None = None
    """The fact without which the command was seen to get past its failure."""
    behind: tuple[Fact, ...] = ()
    """What was measured of the command where that fact was gone."""
    opened: tuple[str, ...] = ()
    """Files that the failing command opened, the system's own left out."""
    emptied: tuple[str, ...] = ()
    """Those without anything in them that its output names."""
    beside: tuple[str, ...] = ()
    """Scripts that failed in it besides, for no reason that was measured."""
    called: tuple[Called, ...] = ()
    """Programs that ended with a failure in it, the last to begin first."""
    loaded: tuple[str, ...] | None = None
    """Shared libraries that it loaded, by their names; None where it was not traced."""
    artifacts: list[Artifact] = field(default_factory=list)
    limits: list[str] = field(default_factory=list)
    absent: list[str] = field(default_factory=list)
    """What the failing command needs, was there in the run, and could not be rebuilt."""
    given: tuple[str, ...] = ()
    """Of what the failing command and its failure name, what was there before the run's first step; absolute paths."""
    task_files: tuple[str, ...] | None = None
    """The task's files, relative to its directory; None when nobody gave them."""
    documents: tuple[tuple[str, str], ...] = ()
    """Texts of the task's that lie in its directory in the image, each with its name; empty where they are not known
    to be the task's.
    """
    denials: tuple[str, ...] = ()
    """What our own proxy refused meanwhile."""
    admissions: tuple[str, ...] = ()
    """What it let through."""
    python: str = ""
    """The container's, such as 3.11."""
    profile: dict[str, Any] = field(default_factory=dict)

    @property
    def decisive(self) -> Replayed | None:
        """The replay that the answers rest on: the one that failed the same way, or else the first."""
        return next((replayed for replayed in self.replays if replayed.same), next(iter(self.replays), None))

    @property
    def workdir(self) -> str:
        """Where commands begin."""
        return str(self.profile.get("container", {}).get("workdir", "/"))

    @property
    def files_known(self) -> bool:
        """Whether the container has what the task gave the run: it was given here, or the image holds it."""
        return self.task_files is not None or bool(self.documents)

    @property
    def passed(self) -> Tried | None:
        """The first route that worked."""
        return next((tried for tried in self.tried if tried.route.result == "passed"), None)

    @property
    def lost(self) -> list[PriorStep]:
        """Earlier steps that matter and did not go as in the run."""
        return [step for step in self.prior if step.matters and not step.rebuilt]
