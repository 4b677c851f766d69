"""The vocabulary of what is audited: cases, runs, transcripts, citations and claims."""

import datetime as dt
import json
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from cases import shell
from cases.failing import Failed, call_failed, catches, code_failed, command_failed
from cases.markup import seen_in
from cases.sentences import Sentences

say = Sentences(__name__)

ENOUGH = 0.99
"""Share of the calls that must be read."""
FEW = 10
"""Exchanges for each event beyond which a record's events are few."""
MANY = 8
"""Blocks from which on a record without any event was not understood."""
DEEPEST = 32
"""Levels of a call's arguments that are kept as a structure; what lies deeper is kept as its JSON text."""


def _shallow(value: object, levels: int = DEEPEST) -> Any:  # noqa: ANN401 - any JSON value
    """The value with what lies too deep as text: not every writer of JSON and of checkpoints goes so deep."""
    if not isinstance(value, dict | list) or not value:
        return value
    if levels == 0:
        return _as_text(value)
    if isinstance(value, dict):
        return {key: _shallow(inner, levels - 1) for key, inner in value.items()}
    return [_shallow(inner, levels - 1) for inner in value]


def _as_text(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except RecursionError:
        return "[nested too deeply]"


Arguments = Annotated[dict[str, Any], AfterValidator(_shallow)]
"""Of a call: any JSON object, so flat that everything can write and read it."""


class Model(BaseModel):
    """A frozen record that refuses unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Outcome(StrEnum):
    """How a run ended according to the benchmark's own score."""

    PASSED = "passed"
    FAILED = "failed"
    UNKNOWN = "unknown"


class Block(Model):
    """One entry of a transcript; nothing of the source file is dropped on the way here."""

    index: int = Field(ge=0)
    """Position in `Transcript.blocks`."""
    role: str
    """Who speaks, as the source says: system, user, assistant, tool, or an agent's name."""
    kind: Literal["message", "call", "result"]
    text: str
    """What a citation counts its characters in; non-text parts appear as a bracketed note such as `[image]`."""
    tool: str | None = None
    """The tool's name, for calls and results."""
    arguments: Arguments | None = None
    """The call's arguments, where the source keeps them structured."""
    call_id: str | None = None
    exit_code: int | None = None
    url: str | None = None


class Speaker(Model):
    """Who speaks in a record, and what it does there, whatever it is called."""

    name: str
    does: Literal["asks", "acts", "answers", "harness"]
    """Gives the task and its rules; acts for the run; says what came of acts, as tools do; or runs the others."""
    blocks: int


class Understanding(Model):
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
    speakers: tuple[Speaker, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether (nearly) every call was read, and the events are not few for what was said."""
        if self.calls_read < ENOUGH * self.calls:
            return False
        events = self.calls_read + self.observations
        return events * FEW >= self.exchanges if events else self.blocks < MANY

    @property
    def told(self) -> str:
        """The whole as one clause."""
        if not self.complete and self.calls_read == self.calls:
            return say("model.not_understood_calls_blocks", calls=self.calls, blocks=self.blocks)
        share = say("model.calls", calls_read=self.calls_read, calls=self.calls)
        lost = say("model.text_left_out", omitted=self.omitted) if self.omitted else ""
        return (
            say("model.read_observations", share=share, observations=self.observations, lost=lost)
            if self.complete
            else say("model.not_understood", share=share)
        )


class Transcript(Model):
    """All blocks of one run, in order."""

    blocks: tuple[Block, ...]
    complete: bool = True
    """False when the source is known to have lost text, so that absence proves nothing."""
    notes: tuple[str, ...] = ()
    """What the reader had to repair or could not rebuild."""
    understanding: Understanding | None = None
    """None where nobody has measured it."""

    @property
    def understood(self) -> bool:
        """Whether what it does not show did not happen."""
        return self.complete and (self.understanding is None or self.understanding.complete)

    @property
    def agents(self) -> frozenset[str]:
        """The roles of those who act."""
        spoke = self.understanding.speakers if self.understanding else ()
        return frozenset(speaker.name for speaker in spoke if speaker.does == "acts") or frozenset({"assistant"})


class Citation(Model):
    """A quotation that can be checked: `blocks[block].text[start:end] == quote`."""

    run_id: str
    """A run's id, or a claim's `claim_id` (a claim's text is its block 0)."""
    block: int
    start: int
    end: int
    quote: str


class CommandRun(Model):
    """A command that the transcript shows being run."""

    kind: Literal["shell", "python"]
    command: str
    tool: str | None
    """The tool that ran it (`execute_bash`, `Computer_terminal` …)."""
    output: str | None
    """Its output as far as the transcript shows it; None when no result is shown."""
    exit_code: int | None
    cwd: str | None = None
    blocks: tuple[int, ...]
    """Indices of the blocks that show it: the call first, then the results."""

    @property
    def steps(self) -> tuple[shell.Step, ...]:
        """Its simple commands in the order in which they run; none where it is no shell, or broken."""
        return shell.steps_of(self.command) if self.kind == "shell" else ()

    @property
    def only_looks(self) -> bool:
        """Whether all that it does is show what is there."""
        return self.kind == "shell" and shell.only_looks(self.command)

    @property
    def acts(self) -> bool:
        """Whether it is a command of the shell that does more than to show what is there."""
        return self.kind == "shell" and bool(self.command.strip()) and not self.only_looks

    @property
    def proven(self) -> tuple[shell.Step, ...]:
        """Those of its steps that must have succeeded because the whole ended with exit code 0."""
        return tuple(step for step in self.steps if step.must) if self.exit_code == 0 else ()

    @property
    def code_run(self) -> tuple[str, ...]:
        """The Python code that ran to its end, where it catches none of its errors."""
        if self.kind == "python":
            return (self.command,) if self.failed == "no" else ()
        codes = [step.command.code for step in self.proven]
        return tuple(code.text for code in codes if code and code.language == "python" and not catches(code.text))

    @property
    def failed(self) -> Failed:
        """Whether it failed, as far as its exit code or what it printed tells."""
        judge = command_failed if self.kind == "shell" else code_failed
        return judge(self.command, self.output, self.exit_code)


BARE_TEXT = 200
"""Characters of a page's recorded text below which it may have shown nothing."""


class PageVisit(Model):
    """A page that the transcript shows being visited."""

    url: str
    title: str | None
    error: str | None
    """The error text shown instead of the page, such as `DNS_PROBE_FINISHED_NXDOMAIN`."""
    text: str | None = None
    inside: str | None = None
    """What of the text is the page's, where the tool that shows it puts it into a frame of its own."""
    picked: bool = False
    """Whether a program fetched it and may have printed no more than it was after."""
    blocks: tuple[int, ...]

    @property
    def page(self) -> str:
        """What the record has of the page itself."""
        return ((self.text or "") if self.inside is None else self.inside).strip()

    @property
    def failed(self) -> Failed:
        """Whether an error stands in place of the page; what a page that opened is worth is not asked here."""
        return "yes" if self.error else "no" if self.text else "unknown"

    @property
    def shows(self) -> bool:
        """Whether the record has more of it than an error or a bare page."""
        return not self.error and len(self.page) >= BARE_TEXT and len(seen_in(self.page)) >= BARE_TEXT


class FileWrite(Model):
    """A file that the transcript shows being written by a tool that is no shell."""

    path: str
    how: Literal["whole", "append", "replace", "insert"]
    content: str
    """The whole text, or what is added or put in the place of `old`."""
    old: str | None = None
    line: int | None = None
    """After which line `content` is inserted."""
    tool: str
    after: int
    """How many of `Events.commands` come before it."""
    blocks: tuple[int, ...]

    @property
    def failed(self) -> Failed:
        """What a tool refused to write is no event."""
        return "no"


class ToolCall(Model):
    """A call of a tool that neither runs commands nor opens pages."""

    tool: str
    arguments: Arguments = Field(default_factory=dict)
    output: str | None
    """What it answered as far as the transcript shows it."""
    exit_code: int | None = None
    blocks: tuple[int, ...]

    @property
    def failed(self) -> Failed:
        """Whether the tool refused or failed."""
        return call_failed(self.output, self.exit_code)


class HarnessError(Model):
    """An error of what runs the agent: its provider, its scaffold, a limit of its harness."""

    text: str
    """The error's own words, as one block shows them."""
    blocks: tuple[int, ...]

    @property
    def failed(self) -> Failed:
        """It is a failure."""
        return "yes"


Event = CommandRun | PageVisit | FileWrite | ToolCall | HarnessError


class Events(Model):
    """What happened in a run, on top of its blocks."""

    commands: tuple[CommandRun, ...] = ()
    visits: tuple[PageVisit, ...] = ()
    writes: tuple[FileWrite, ...] = ()
    calls: tuple[ToolCall, ...] = ()
    errors: tuple[HarnessError, ...] = ()

    @property
    def in_order(self) -> tuple[Event, ...]:
        """All of them, in the order of the blocks that show them first."""
        done: tuple[Event, ...] = (*self.commands, *self.visits, *self.writes, *self.calls, *self.errors)
        return tuple(sorted(done, key=lambda event: event.blocks[:1]))

    @property
    def untold(self) -> tuple[int, ...]:
        """Commands of the shell that do more than to look, by their indices, whose record tells no exit code and no
        failure.
        """
        commands = enumerate(self.commands)
        return tuple(index for index, one in commands if one.acts and one.exit_code is None and one.failed == "unknown")

    def ended(self, codes: Mapping[int, int]) -> "Events":
        """The same with exit codes, by the commands' indices, where the record does not show one."""
        commands = tuple(
            one.model_copy(update={"exit_code": codes[index]}) if index in codes and one.exit_code is None else one
            for index, one in enumerate(self.commands)
        )
        return self.model_copy(update={"commands": commands})


RULED = "outcome"
"""Key of `Run.environment` where no file records the outcome: by which rule it was settled."""
HARNESS = "harness"
"""Key of `Run.environment`: whose harness ran and graded it, where its file's format says so."""
HAL = "HAL"


class Run(Model):
    """One attempt of one agent at one task."""

    run_id: str
    agent: str | None = None
    model: str | None = None
    date: dt.date | None = None
    outcome: Outcome = Outcome.UNKNOWN
    score: float | None = None
    answer: str | None = None
    checks: dict[str, bool] | None = None
    """The task's checks by their own names, and which of them it passed; None where no file tells."""
    transcript: Transcript | None = None
    environment: dict[str, str] = Field(default_factory=dict)
    """What the source says of the machine, such as `scaffold`, `container`, `python`."""
    source: str
    """The file it was read from."""

    @property
    def harness(self) -> str | None:
        """Whose harness ran and graded it, as far as its files' formats say."""
        return self.environment.get(HARNESS)

    @property
    def settled_by_rule(self) -> bool:
        """Whether its outcome is what the benchmark's rule makes of answer and gold, and no file records one."""
        return RULED in self.environment

    def cite(self, block: int, quote: str) -> Citation | None:
        """The first place of `quote` in a block; None where it does not stand there."""
        text = self.transcript.blocks[block].text if self.transcript else ""
        start = text.find(quote)
        if start < 0:
            return None
        return Citation(run_id=self.run_id, block=block, start=start, end=start + len(quote), quote=quote)


class Script(Model):
    """A program that somebody gave, as it stands."""

    name: str
    code: str


class Reference(Model):
    """Where the benchmark's own solution of a task and its checks lie on this machine."""

    place: str
    """A task's folder, or a file of SWE-bench's rows."""
    script: str | None = None
    """A solution that somebody gave in place of the benchmark's."""


class Link(Model):
    """A file of the task's own that anybody can read, at one commit."""

    path: str
    """In its repository."""
    url: str
    """With the lines that speak of the task, where they are known; it stays what it is."""
    commit: str


class Task(Model):
    """What the agent was asked; gold values, graders and solutions stay out of public packs."""

    prompt: str | None = None
    gold: str | None = None
    gold_urls: tuple[str, ...] = ()
    sites: tuple[str, ...] = ()
    """Hosts that its text names."""
    created: dt.date | None = None
    grader: Script | None = None
    """The benchmark's own grader, where it was given with the task."""
    reference: Reference | None = None
    """Its solution and checks, where they are at hand; what they say is read where they are run, and stays there."""
    links: tuple[Link, ...] = ()
    """Where its own files can be read, as far as their repository and commit are known."""


class Claim(Model):
    """A verdict that somebody else gave earlier; a 1 makes a failure disputed."""

    claim_id: str
    """Unique within a case, `claim:<source>:<line>`."""
    source: str
    """File and line it was read from."""
    kind: Literal["rubric", "judge", "person"]
    run_id: str | None = None
    score: float | None
    """1 says impassable, 0 says the agent's own failure, None says the claim's author failed to decide."""
    category: str | None = None
    text: str
    """The whole explanation as given; citations of a claim count their characters in it."""


class Case(Model):
    """Everything known of one task of one benchmark."""

    benchmark: str
    task_id: str
    task: Task
    runs: tuple[Run, ...] = ()
    claims: tuple[Claim, ...] = ()

    def text_of(self, run_id: str, block: int) -> str | None:
        """The text that a citation of `run_id` and `block` counts in, or None when there is none."""
        for run in self.runs:
            if run.run_id == run_id and run.transcript and 0 <= block < len(run.transcript.blocks):
                return run.transcript.blocks[block].text
        for claim in self.claims:
            if claim.claim_id == run_id and block == 0:
                return claim.text
        return None

    def cites(self, citation: Citation) -> bool:
        """Whether the quotation stands verbatim where the citation says."""
        text, start, end = self.text_of(citation.run_id, citation.block), citation.start, citation.end
        return text is not None and 0 <= start <= end and text[start:end] == citation.quote
