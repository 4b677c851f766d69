"""A failed run as the detectors see it: what the agent said, what it did, and what came back."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from cases import Block, Case, Citation, CommandRun, Events, PageVisit, Run
from cases.answers.asked import question, told
from cases.answers.equivalence import Comparison, compare
from cases.events.data import is_tool, tools

_NOT_AGENTS = frozenset(
    {"user", "human", "system", "developer", "tool", "harness", "environment", "function", "unknown"}
)
_LONGEST = 200


@dataclass(frozen=True)
class Seen:
    """One pattern that a detector found."""

    sentence: str
    """A clause without a full stop; it never spells the expected answer."""
    citations: tuple[Citation, ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)
    """What stands in the braces of the pattern's remedy."""


@dataclass(frozen=True)
class Step:
    """One command or visit."""

    event: CommandRun | PageVisit
    text: str
    """The command, or the address."""
    output: str
    failed: bool

    @property
    def blocks(self) -> tuple[int, ...]:
        """The blocks that show it."""
        return self.event.blocks

    @property
    def name(self) -> str:
        """How a sentence calls it."""
        return self.text if isinstance(self.event, PageVisit) else f"`{shortened(self.text)}`"


@dataclass(frozen=True)
class Record:
    """One failed run of a case."""

    case: Case
    run: Run
    events: Events

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The whole transcript."""
        return self.run.transcript.blocks if self.run.transcript else ()

    @property
    def complete(self) -> bool:
        """Whether absence from the record proves anything."""
        return self.run.transcript is not None and self.run.transcript.understood

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """Commands and visits in the order of the record."""
        found = [_command(event) for event in self.events.commands] + [_visit(event) for event in self.events.visits]
        return tuple(sorted((step for step in found if step.blocks), key=lambda step: step.blocks[0]))

    @cached_property
    def spoken(self) -> tuple[Block, ...]:
        """The agent's own messages."""
        pages = {block for visit in self.events.visits for block in visit.blocks}
        return tuple(
            block for block in self.blocks if _own(block) and (block.role == "assistant" or block.index not in pages)
        )

    @cached_property
    def comparison(self) -> Comparison | None:
        """The run's answer beside the expected one; None where either is not known."""
        answer, gold = self.run.answer, self.case.task.gold
        if not answer or not answer.strip() or not gold or not gold.strip():
            return None
        return compare(answer, gold, question(self.case, self.run))

    @cached_property
    def asked(self) -> str:
        """The task's text, and what the agent was told of answers."""
        return told(self.case, self.run)

    def cite(self, blocks: Iterable[int], quote: str) -> tuple[Citation, ...]:
        """The first of `blocks` that holds the beginning of a quotation; empty where none does."""
        text = quote[:_LONGEST].rstrip()
        found = (self.run.cite(block, text) for block in blocks) if text.strip() else ()
        return tuple(citation for citation in found if citation)[:1]


def shortened(text: str, longest: int = 80) -> str:
    """The text in one line of at most `longest` characters."""
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


def _own(block: Block) -> bool:
    if block.kind != "message" or not block.text.strip():
        return False
    if block.role == "assistant":
        return True
    return block.index > 0 and block.role.lower() not in _NOT_AGENTS and not is_tool(tools().shell, block.role)


def _command(event: CommandRun) -> Step:
    return Step(event, event.command, event.output or "", event.failed == "yes")


def _visit(event: PageVisit) -> Step:
    return Step(event, event.url, event.error or event.text or "", event.failed == "yes")
