"""The vocabulary of probing: hypotheses, envelopes, findings and their controls."""

from datetime import datetime
from enum import StrEnum
from typing import Generic, Literal, TypeVar

from pydantic import Field

from cases import Citation, Model

T = TypeVar("T")


STANDS_IN = "The container's image was built on this machine as a stand-in for the benchmark's own."
"""The limit of a finding that was measured in an image which nobody else can pull."""
LIFTED = "works once the barrier is removed"
"""The control without which nothing is proved: the barrier taken away, and the same again."""


class Barrier(StrEnum):
    """The mechanism that a hypothesis says stopped the run; `graph/rubrics/` maps each to a rubric's category."""

    CRASH = "crash"
    CONDA_TOS = "conda_tos"
    CONDA = "conda"
    PIP = "pip"
    MODULE = "module"
    COMMAND = "command"
    HEADER = "header"
    R_PACKAGE = "r_package"
    APT = "apt"
    IMPORT_BAN = "import_ban"
    PERMISSION = "permission"
    READ_ONLY = "read_only"
    DISK_FULL = "disk_full"
    NETWORK = "network"
    MISSING_DATA = "missing_data"
    HARNESS = "harness"
    COMMAND_FAILS = "command_fails"
    OWN_CODE_FAILS = "own_code_fails"
    SHARED_LIBRARY = "shared_library"
    LIBRARY_VERSION = "library_version"
    SUPPORT_FILE = "support_file"
    INTERPRETER = "interpreter"
    PROGRAM_UNFIT = "program_unfit"
    SYSTEM_CALL = "system_call"
    SERVICE = "service"
    DAMAGED_DATA = "damaged_data"
    SEALED_DATA = "sealed_data"
    INCOMPLETE_DATA = "incomplete_data"
    CONTRADICTORY_CASES = "contradictory_cases"
    LICENCE = "licence"
    SITE_GONE = "site_gone"
    PAGE_GONE = "page_gone"
    REFUSED = "refused"
    SERVER_ERROR = "server_error"
    BOT_WALL = "bot_wall"
    LOGIN = "login"
    GEO_BLOCK = "geo_block"
    SITE_CHANGED = "site_changed"
    TIMEOUT = "timeout"
    JAVASCRIPT = "javascript"
    FRAMES = "frames"
    SESSION = "session"
    REDESIGNED = "redesigned"
    PAGE_UNUSABLE = "page_unusable"
    PRODUCT_GONE = "product_gone"
    PRICE_CHANGED = "price_changed"
    COMPANY_CHANGED = "company_changed"
    OUTDATED = "outdated"
    WRONG_GOLD = "wrong_gold"
    MULTIPLE_ANSWERS = "multiple_answers"
    ANSWER_FORMAT = "answer_format"
    AMBIGUOUS = "ambiguous"
    NO_PATH = "no_path"
    ENTITY_GONE = "entity_gone"
    NO_DATE = "no_date"
    PARTIAL_CREDIT = "partial_credit"
    STRICT_MATCH = "strict_match"
    TOLERANCE = "tolerance"
    LIST_ORDER = "list_order"
    REFERENCE_FAILS = "reference_fails"
    UNSPECIFIED = "unspecified"


class Targets(Model):
    """What a probe can act on."""

    urls: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    """The failing command lines as the run had them."""
    paths: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    """Shared objects, such as `libgomp.so.1`."""
    programs: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    """System calls."""
    needed_text: tuple[str, ...] = ()
    """Text whose presence on a page shows that the page serves the task."""


class Hypothesis(Model):
    """What would have to be true for the benchmark to be at fault."""

    id: str
    """Derived from barrier and targets, so equal evidence gives equal ids."""
    rubric: str
    category: str
    barrier: Barrier
    statement: str
    targets: Targets
    citations: tuple[Citation, ...]
    proposer: Literal["structure", "rules", "claim", "model", "task"]
    run_id: str | None = None
    """The failed run it explains; None when only a claim speaks."""
    event: int | None = None
    """Index into that run's `Events.commands` of the command that met it; None when it was met elsewhere."""


class Retraced(Model):
    """What commands ended with whose run's record does not tell, each measured by running them again."""

    run_id: str
    codes: tuple[tuple[int, int], ...]
    """Indices into the run's `Events.commands`, each with its exit code; of those that printed the same as there."""
    untold: int
    """Commands of which the record does not tell."""


class Answer(StrEnum):
    """Three values; anything not shown is unknown."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


class Question(StrEnum):
    """The three questions a verdict rests on."""

    PRESENT = "PRESENT"
    PASSABLE = "PASSABLE"
    CAUSED = "CAUSED"


class Ground(StrEnum):
    """What an answer stands on."""

    RECORD = "record"
    """The failed run's own record."""
    RUNS = "runs"
    """How the task's other runs went."""
    TEXT = "text"
    """The task's text, which only a person can read to the end."""
    GRADER = "grader"
    ARCHIVE = "archive"
    """Dated copies of pages, beside the pages of now."""
    WEB = "web"
    MACHINE = "machine"
    """Commands on a machine such as the envelope describes."""
    REFERENCE = "reference"
    """The benchmark's own solution, run there and graded by its own checks."""


class Tier(StrEnum):
    """How a route passes a barrier: T1 advertised by the tool or its error, T2 ordinary technique, T3 policy bypass."""

    T1 = "T1"
    T2 = "T2"
    T3 = "T3"


class Control(Model):
    """Something that must work, or must fail, for an answer to mean anything."""

    name: str
    expected: str
    observed: str
    passed: bool


class Artifact(Model):
    """A file of evidence in the content-addressed store."""

    sha256: str
    name: str
    """A readable file name; the digest identifies it."""
    media_type: str
    size: int
    private: bool = False
    """Whether public packs leave it out, as what the benchmark's own solution did and printed."""


class Observation(Model):
    """One thing that was measured, at one time."""

    name: str
    """What was measured, such as `dns`, `http`, `replay arm`, `route: pip-user`."""
    value: str
    at: datetime | None = None
    """UTC; None for what was read from records."""
    seconds: float | None = None
    artifact: str | None = None
    """SHA-256 of the artifact that holds the bytes."""


class Route(Model):
    """One way around a barrier and what came of it."""

    id: str
    tier: Tier
    commands: tuple[str, ...] = ()
    """What to repeat: commands or URLs."""
    result: Literal["passed", "failed", "not_tried", "not_permitted", "not_applicable"]
    """Not tried for want of time, knowledge or a way of ours, which leaves it open; not permitted by a policy or by the
    agent's envelope; not applicable to a machine that, as was measured, has not what it starts from."""
    note: str = ""
    behind: str = ""
    """How the failing command itself ended behind a way that passed the barrier, where it then failed otherwise."""
    artifact: str | None = None


Place = Literal["image build", "harness", "agent run", "external site", "grader", "task text"]
"""Where a fault lies."""


class Finding(Model):
    """One probe's answer to one question about one hypothesis."""

    id: str
    """`<hypothesis>/<probe>/<question>`."""
    hypothesis: str
    probe: str
    ground: Ground
    question: Question
    answer: Answer
    tier: Tier | None = None
    """The tier of the working route, for PASSABLE=yes."""
    summary: str
    """One sentence without times or durations, equal for equal evidence."""
    observations: tuple[Observation, ...] = ()
    controls: tuple[Control, ...] = ()
    routes: tuple[Route, ...] = ()
    citations: tuple[Citation, ...] = ()
    artifacts: tuple[Artifact, ...] = ()
    limits: tuple[str, ...] = ()
    locus: Place | None = None
    """Where the fault was measured to lie, when that is elsewhere than its kind of barrier says."""
    barrier: Barrier | None = None
    """What the barrier was measured to be; None where nothing but the hypothesis names it."""
    about: str = ""
    """What that barrier is about by the measurement; empty where the hypothesis names it."""
    reaches: tuple[str, ...] = ()
    """For PASSABLE=yes: the commands that the task asks for and that failed in the run, where all of them were seen to
    work behind the working route; empty where not all do, or there are none. For CAUSED=yes: those of them that were
    seen to need what it is about.
    """
    lab: bool = False
    """True when hosts were mapped or a lab authority was trusted."""
    started: datetime
    """UTC."""
    seconds: float

    @property
    def valid_answer(self) -> Answer:
        """The answer, or unknown when any of its controls did not pass (verdict rule 1)."""
        return self.answer if all(control.passed for control in self.controls) else Answer.UNKNOWN


class Exclusion(Model):
    """An agent error that a failed run's log shows; a rubric's capability issue."""

    pattern: str
    """Its name in `probes/agent_errors/patterns.toml`."""
    run_id: str
    lines: dict[str, str]
    """By rubric, the line of that rubric which it shows."""
    sentence: str
    """One sentence that does not spell the expected answer."""
    remedy: str
    """What a capable agent would have done instead."""
    decisive: bool = False
    """Whether it shows that the run had the answer before it, so that no barrier hid it."""
    citations: tuple[Citation, ...] = ()


class Value(Model, Generic[T]):
    """An envelope's value with where it comes from."""

    value: T
    origin: Literal["observed", "profile", "assumed"]
    citation: Citation | None = None


class Mount(Model):
    """A place of the file system that is not ordinary."""

    path: str = Field(pattern="^/")
    flags: tuple[str, ...]
    """Such as `noexec`, `ro`, and `tmpfs` for one held in memory."""

    @property
    def noexec(self) -> bool:
        """Whether programs and libraries there cannot be run."""
        return "noexec" in self.flags

    def __str__(self) -> str:
        return f"{self.path} ({', '.join(self.flags)})"


def _nothing() -> Value[tuple[str, ...]]:
    return Value[tuple[str, ...]](value=(), origin="profile")


Reached = Literal["none", "indexes", "task", "open"]
"""What of the network a machine reaches."""


class Envelope(Model):
    """What an agent on this benchmark may do."""

    profile: str
    chosen: str | None = None
    """Where a profile that somebody chose for this audit has its values from; None for the benchmark's own."""
    image: Value[str]
    """The image's name, or the path of the Dockerfile when `dockerfile` is set."""
    dockerfile: Value[str | None] = Value[str | None](value=None, origin="profile")
    """Absolute path of the Dockerfile that the image is built from; None when `image` is a name."""
    user: Value[str]
    sudo: Value[bool]
    network: Value[Literal["none", "indexes", "task", "open"]]
    tools: Value[tuple[str, ...]]
    """Names of the agent's tools; empty when unknown."""
    shell: Value[bool]
    """Whether one of them runs shell commands."""
    interpreter: Value[Literal["none", "smolagents"]] = Value[Literal["none", "smolagents"]](
        value="none", origin="assumed"
    )
    """What runs the agent's blocks of Python: a restricted interpreter, or none but an ordinary Python."""
    interpreter_version: Value[str | None] = Value[str | None](value=None, origin="assumed")
    """None when unknown."""
    allowed_imports: Value[tuple[str, ...] | None]
    """The interpreter's import list; None when imports are not restricted or, with an interpreter, its list unknown."""
    python: Value[str]
    workdir: Value[str]
    memory_mb: Value[int]
    cpus: Value[float] = Value[float](value=2.0, origin="assumed")
    disk_mb: Value[int | None] = Value[int | None](value=None, origin="assumed")
    """Free space; None when unknown."""
    seconds: Value[int]
    solve_captcha: Value[bool]
    tmpfs: Value[tuple[str, ...]] = Field(default_factory=_nothing)
    """Mounts as `docker run --tmpfs` takes them."""
    mounts: Value[tuple[Mount, ...]] = Value[tuple[Mount, ...]](value=(), origin="profile")
    """Those of `tmpfs` with the flags that Docker gives them, and others, by path."""
    read_only: Value[tuple[str, ...]] = Field(default_factory=_nothing)
    """Paths that cannot be written, whoever asks."""

    @property
    def profile_told(self) -> str:
        """The profile's name, with where it comes from when somebody chose it for this audit."""
        return f"{self.profile}, chosen for this audit ({self.chosen})" if self.chosen else self.profile

    @property
    def noexec(self) -> tuple[str, ...]:
        """Paths below which nothing can be run."""
        return tuple(mount.path for mount in self.mounts.value if mount.noexec)
