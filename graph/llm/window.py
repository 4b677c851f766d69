"""Which blocks of which runs a model is shown, when not all fit: by events, errors, start and end."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from cases import Block, Case, Events, Outcome, Run
from cases import patterns as re
from cases.sentences import Sentences
from graph.llm.prompt_guard import Shown, shown

say = Sentences(__name__)

_TROUBLE = re.compile(
    r"(?i)error|fail|denied|not found|no such|refused|timed? ?out|cannot|can't|unable|exception|missing|invalid|abort"
)
_START, _END = 2, 6
_LEAST = 100
"""Bytes below which no further block is looked at."""
_ROLES = frozenset({"system", "user", "assistant", "tool"})


@dataclass(frozen=True)
class Window:
    """What is shown, in the order of the records."""

    runs: tuple[Run, ...]
    """As they are numbered, from 1."""
    blocks: Mapping[tuple[int, int], Shown]
    """By the run's number and the block's index."""
    claims: tuple[Shown, ...]
    """In the case's order; a number from 1 stands for each."""
    task: Shown | None
    unread: tuple[str, ...]

    @property
    def texts(self) -> tuple[Shown, ...]:
        """Everything in its order."""
        return (*((self.task,) if self.task else ()), *self.claims, *(self.blocks[key] for key in sorted(self.blocks)))


def shown_runs(case: Case) -> tuple[Run, ...]:
    """Those that a model is shown, numbered from 1 in this order."""
    return tuple(run for run in case.runs if run.transcript and run.outcome is not Outcome.PASSED)


def window(case: Case, events: Mapping[str, Events], masked: Callable[[str], str], room: int) -> Window:
    """As much of the case as `room` bytes hold, the most telling first; what is left out is listed."""
    runs = shown_runs(case)
    task = shown("task", case.task.prompt, masked, 4_000) if case.task.prompt else None
    claims: list[Shown] = []
    unread = [_clipped("the task", task)] if task and task.left_out else []
    left = room - (task.size if task else 0)
    for number, claim in enumerate(case.claims, 1):
        one = shown(f"claim {number}", claim.text, masked)
        if one.size > left // 3:
            unread.append(f"{claim.claim_id}: all of it")
            continue
        if one.left_out:
            unread.append(_clipped(claim.claim_id, one))
        claims.append(one)
        left -= one.size
    blocks = _chosen(runs, events, masked, left)
    unread += [told for number, run in enumerate(runs, 1) if (told := _unread(number, run, blocks))]
    return Window(runs, blocks, tuple(claims), task, tuple(unread))


def _chosen(
    runs: Sequence[Run], events: Mapping[str, Events], masked: Callable[[str], str], room: int
) -> dict[tuple[int, int], Shown]:
    chosen: dict[tuple[int, int], Shown] = {}
    order = [
        (rank, -index, number, block)
        for number, run in enumerate(runs, 1)
        for index, (rank, block) in enumerate(_ranked(run, events.get(run.run_id, Events())))
    ]
    for _, _, number, block in sorted(order, key=lambda entry: entry[:3]):
        if room < _LEAST:
            break
        one = shown(f"run {number} block {block.index} ({_who(block)})", block.text, masked)
        if one.size <= room:
            chosen[number, block.index] = one
            room -= one.size
    return chosen


def _ranked(run: Run, events: Events) -> Iterator[tuple[int, Block]]:
    blocks = run.transcript.blocks if run.transcript else ()
    failed = {block for event in events.commands if event.failed == "yes" for block in event.blocks}
    failed |= {block for visit in events.visits if visit.error for block in visit.blocks}
    said = observed(run, events)
    for block in blocks:
        if block.index < _START or block.index >= len(blocks) - _END:
            rank = 0
        elif block.index in failed:
            rank = 1
        elif block.index in said:
            rank = 2 if _TROUBLE.search(block.text) else 3
        else:
            rank = 4
        yield rank, block


def observed(run: Run, events: Events) -> frozenset[int]:
    """The blocks that say what a tool said, not what an agent did."""
    of_events = {index for event in events.commands for index in event.blocks}
    of_events |= {index for visit in events.visits for index in visit.blocks}
    return frozenset(
        block.index
        for block in (run.transcript.blocks if run.transcript else ())
        if block.kind == "result"
        or block.text.startswith(("Observation", "Error", "exitcode"))
        or (block.role != "assistant" and block.index in of_events)
    )


def _clipped(name: str, text: Shown) -> str:
    return say("unread.middle", name=name, characters=text.left_out)


def _who(block: Block) -> str:
    return f"{block.kind} of {block.role if block.role in _ROLES else 'another'}"


def _unread(number: int, run: Run, blocks: Mapping[tuple[int, int], Shown]) -> str | None:
    total = len(run.transcript.blocks) if run.transcript else 0
    missing = [index for index in range(total) if (number, index) not in blocks]
    clipped = [index for index in range(total) if (number, index) in blocks and blocks[number, index].left_out]
    parts = [say("unread.blocks", blocks=_spans(missing), total=total)] if missing else []
    parts += [say("unread.middles", blocks=_spans(clipped))] if clipped else []
    return f"{run.run_id}: {' and '.join(parts)}" if parts else None


def _spans(numbers: Sequence[int]) -> str:
    spans: list[list[int]] = []
    for number in numbers:
        if spans and number == spans[-1][1] + 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in spans)
