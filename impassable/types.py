"""What an audit found, as objects. Written by scripts/schemas.py from the published schema of an answer."""

import datetime as dt
from typing import Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field


class Record(BaseModel):
    """A frozen record; what a later version adds is kept."""

    model_config = ConfigDict(frozen=True, extra="allow")


Outcome: TypeAlias = Literal["passed", "failed", "unknown"]
"""How a run ended according to the benchmark's own score."""


class Run(Record):
    """A run without its transcript."""

    run_id: str
    agent: str | None
    model: str | None
    date: dt.date | None
    outcome: Outcome
    score: float | None
    source: str
    blocks: int
    """How many blocks its transcript has; 0 where there is none."""


class Claim(Record):
    """A verdict that somebody else gave earlier; a 1 makes a failure disputed."""

    claim_id: str
    """Unique within a case, `claim:<source>:<line>`."""
    source: str
    """File and line it was read from."""
    kind: Literal["rubric", "judge", "person"]
    run_id: str | None
    score: float | None
    """1 says impassable, 0 says the agent's own failure, None says the claim's author failed to decide."""
    category: str | None
    text: str
    """The whole explanation as given; citations of a claim count their characters in it."""


class Case(Record):
    """What was audited."""

    benchmark: str
    task_id: str
    prompt: str | None
    runs: tuple[Run, ...]
    claims: tuple[Claim, ...]


Status: TypeAlias = Literal["supported", "not_supported", "inconclusive"]
"""What the evidence allows to be said; the score alone cannot."""


Locus: TypeAlias = Literal["image build", "harness", "agent run", "external site", "grader", "task text"]
"""Where the fault lies."""


class Citation(Record):
    """A quotation that can be checked: `blocks[block].text[start:end] == quote`."""

    run_id: str
    """A run's id, or a claim's `claim_id` (a claim's text is its block 0)."""
    block: int
    start: int
    end: int
    quote: str


class Speaker(Record):
    """Who speaks in a record, and what it does there, whatever it is called."""

    name: str
    does: Literal["asks", "acts", "answers", "harness"]
    """Gives the task and its rules; acts for the run; says what came of acts, as tools do; or runs the others."""
    blocks: int


class Understanding(Record):
    """What share of a record was turned into events. A record that was not understood shows no absence of anything."""

    blocks: int
    calls: int
    """Calls of tools that the record holds, counted by their marks and not by what reads them."""
    calls_read: int
    """Calls of which tool, arguments and fate were read."""
    observations: int
    """Blocks that say what came of a call."""
    omitted: int
    """Observations that say themselves that text was left out."""
    exchanges: int
    """How often somebody who does not act spoke after somebody who does."""
    speakers: tuple[Speaker, ...]


class Assistance(Record):
    """What a language model was asked in one audit; the status rests on none of it."""

    model: str
    calls: int
    """Questions that went out, whether they were answered or not, each once however often it had to be repeated."""
    cached: int
    """Replies that were remembered from an earlier audit."""
    tokens_read: int
    tokens_written: int
    cost: float | None
    """US dollars of the calls; None when no price is known."""
    proposed: int
    """Hypotheses that came of it."""
    rejected: int
    """Proposals dropped because their quotation stands nowhere, or because rules have read that text."""
    unread: tuple[str, ...]
    """Which parts of the records it was not shown."""
    misread: int
    """Readings of the task, or choices in them, that were dropped, most of them for words that stand nowhere in it."""
    failures: tuple[str, ...]
    """Why a question had no usable answer; rules spoke instead."""


class Verdict(Record):
    """A pure function of case, hypotheses and findings."""

    score: Literal[0, 1]
    deficiency_exists: bool
    deficiency_caused_failure: bool
    deficiency_type: str
    """The rubric's category name, or `none`."""
    existence_reasoning: str
    causation_reasoning: str
    evidence: str
    status: Status
    reason: str
    """The decisive reason in one sentence."""
    rubric: str
    leading: str | None
    """The id of the hypothesis that the verdict speaks about."""
    decisive: tuple[str, ...]
    """Ids of the findings that settle it."""
    locus: Locus | None
    barrier_then: bool | None
    """Whether the records show the barrier; None without a record."""
    barrier_now: bool | None
    """Whether it was measured in this audit; None when that is unknown."""
    against: str
    """The strongest case against this verdict."""
    would_change: str
    """What would change it."""
    open_question: str
    """What a person could settle, yes meaning that the benchmark is at fault; empty when nothing waits for one."""
    capable_agent: str
    """What a capable agent could have done: commands or URLs, and sentences behind `#`; empty when nothing is known."""
    citations: tuple[Citation, ...]
    limits: tuple[str, ...]
    understanding: tuple[Understanding, ...]
    """How far the records of the failed runs were understood."""
    lab: bool
    """True when evidence came from mapped hosts or a lab authority."""
    assistance: Assistance | None
    """None when no model was asked."""


Barrier: TypeAlias = Literal[
    "crash",
    "conda_tos",
    "conda",
    "pip",
    "module",
    "command",
    "header",
    "r_package",
    "apt",
    "import_ban",
    "permission",
    "read_only",
    "disk_full",
    "network",
    "missing_data",
    "harness",
    "command_fails",
    "own_code_fails",
    "shared_library",
    "library_version",
    "support_file",
    "interpreter",
    "program_unfit",
    "system_call",
    "service",
    "damaged_data",
    "sealed_data",
    "incomplete_data",
    "contradictory_cases",
    "licence",
    "site_gone",
    "page_gone",
    "refused",
    "server_error",
    "bot_wall",
    "login",
    "geo_block",
    "site_changed",
    "timeout",
    "javascript",
    "frames",
    "session",
    "redesigned",
    "page_unusable",
    "product_gone",
    "price_changed",
    "company_changed",
    "outdated",
    "wrong_gold",
    "multiple_answers",
    "answer_format",
    "ambiguous",
    "no_path",
    "entity_gone",
    "no_date",
    "partial_credit",
    "strict_match",
    "tolerance",
    "list_order",
    "reference_fails",
    "unspecified",
]
"""The mechanism that a hypothesis says stopped the run; `graph/rubrics/` maps each to a rubric's category."""


class Targets(Record):
    """What a probe can act on."""

    urls: tuple[str, ...]
    hosts: tuple[str, ...]
    commands: tuple[str, ...]
    """The failing command lines as the run had them."""
    paths: tuple[str, ...]
    packages: tuple[str, ...]
    modules: tuple[str, ...]
    headers: tuple[str, ...]
    libraries: tuple[str, ...]
    """Shared objects, such as `libgomp.so.1`."""
    programs: tuple[str, ...]
    calls: tuple[str, ...]
    """System calls."""
    needed_text: tuple[str, ...]
    """Text whose presence on a page shows that the page serves the task."""


class Hypothesis(Record):
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
    run_id: str | None
    """The failed run it explains; None when only a claim speaks."""
    event: int | None
    """Index into that run's `Events.commands` of the command that met it; None when it was met elsewhere."""


Ground: TypeAlias = Literal["record", "runs", "text", "grader", "archive", "web", "machine", "reference"]
"""What an answer stands on."""


Question: TypeAlias = Literal["PRESENT", "PASSABLE", "CAUSED"]
"""The three questions a verdict rests on."""


Answer: TypeAlias = Literal["yes", "no", "unknown"]
"""Three values; anything not shown is unknown."""


Tier: TypeAlias = Literal["T1", "T2", "T3"]
"""How a route passes a barrier: T1 advertised by the tool or its error, T2 ordinary technique, T3 policy bypass."""


class Observation(Record):
    """One thing that was measured, at one time."""

    name: str
    """What was measured, such as `dns`, `http`, `replay arm`, `route: pip-user`."""
    value: str
    at: dt.datetime | None
    """UTC; None for what was read from records."""
    seconds: float | None
    artifact: str | None
    """SHA-256 of the artifact that holds the bytes."""


class Control(Record):
    """Something that must work, or must fail, for an answer to mean anything."""

    name: str
    expected: str
    observed: str
    passed: bool


class Route(Record):
    """One way around a barrier and what came of it."""

    id: str
    tier: Tier
    commands: tuple[str, ...]
    """What to repeat: commands or URLs."""
    result: Literal["passed", "failed", "not_tried", "not_permitted", "not_applicable"]
    """Not tried for want of time, knowledge or a way of ours, which leaves it open; not permitted by a policy or by the
    agent's envelope; not applicable to a machine that, as was measured, has not what it starts from."""
    note: str
    behind: str
    """How the failing command itself ended behind a way that passed the barrier, where it then failed otherwise."""
    artifact: str | None


class Artifact(Record):
    """A file of evidence in the content-addressed store."""

    sha256: str
    name: str
    """A readable file name; the digest identifies it."""
    media_type: str
    size: int
    private: bool
    """Whether public packs leave it out, as what the benchmark's own solution did and printed."""


class Finding(Record):
    """One probe's answer to one question about one hypothesis."""

    id: str
    """`<hypothesis>/<probe>/<question>`."""
    hypothesis: str
    probe: str
    ground: Ground
    question: Question
    answer: Answer
    tier: Tier | None
    """The tier of the working route, for PASSABLE=yes."""
    summary: str
    """One sentence without times or durations, equal for equal evidence."""
    observations: tuple[Observation, ...]
    controls: tuple[Control, ...]
    routes: tuple[Route, ...]
    citations: tuple[Citation, ...]
    artifacts: tuple[Artifact, ...]
    limits: tuple[str, ...]
    locus: Literal["image build", "harness", "agent run", "external site", "grader", "task text"] | None
    """Where the fault was measured to lie, when that is elsewhere than its kind of barrier says."""
    barrier: Barrier | None
    """What the barrier was measured to be; None where nothing but the hypothesis names it."""
    about: str
    """What that barrier is about by the measurement; empty where the hypothesis names it."""
    reaches: tuple[str, ...]
    """For PASSABLE=yes: the commands that the task asks for and that failed in the run, where all of them were seen to
    work behind the working route; empty where not all do, or there are none. For CAUSED=yes: those of them that were
    seen to need what it is about."""
    lab: bool
    """True when hosts were mapped or a lab authority was trusted."""
    started: dt.datetime
    """UTC."""
    seconds: float


class Document(Record):
    """What one audit found, and where its pack is."""

    version: Literal["impassable/1"] = Field(alias="schema")
    case: Case
    verdict: Verdict
    hypotheses: tuple[Hypothesis, ...]
    findings: tuple[Finding, ...]
    pack: str
    """The pack's folder."""
    archive: str
    """The pack's zip."""
