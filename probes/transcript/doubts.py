"""Why a barrier that was the last thing to fail may still not have stopped the run."""

import re
from collections.abc import Sequence

from cases import Case, CommandRun, Events, Run
from probes.model import Barrier, Hypothesis

CHOSEN = frozenset({Barrier.MODULE, Barrier.COMMAND, Barrier.PIP, Barrier.APT})
"""Barriers about something that an agent may pick without being told to."""
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_JOINED = re.compile(r"[|;&\n]")


def doubt(hypothesis: Hypothesis, case: Case, run: Run, events: Events, met: Sequence[int]) -> str | None:
    """One sentence, or None."""
    shown = [events.commands[index] for index in met]
    tells = hypothesis.barrier is not Barrier.R_PACKAGE  # R ends with 0 when a package was not installed
    if shown and tells and all(_went_on(event) for event in shown):
        return "the command that showed it ended with exit code 0 all the same, so that it may have gone on without"
    names = _names(hypothesis)
    if hypothesis.barrier not in CHOSEN or not names or not shown or not all(_has(e.command, names) for e in shown):
        return None
    told = [case.task.prompt or "", *_heard(run, shown[0], events, names)]
    if any(_has(text, names) for text in told):
        return None
    return f"the agent chose {names[0]} itself: nothing that it was told asks for it, and another way may do"


def _went_on(event: CommandRun) -> bool:
    return event.exit_code == 0 and not _JOINED.search(_QUOTED.sub("", event.command))


def _names(hypothesis: Hypothesis) -> tuple[str, ...]:
    targets = hypothesis.targets
    named = (*targets.modules, *targets.programs, *targets.packages)
    return tuple(re.split(r"[\[=<>!~.]", name)[0].lower() for name in named if name)


def _has(text: str, names: tuple[str, ...]) -> bool:
    return any(name in text.lower() for name in names)


def _heard(run: Run, failing: CommandRun, events: Events, names: tuple[str, ...]) -> list[str]:
    """What users, the system and earlier commands said; commands that name it themselves do not count."""
    blocks = run.transcript.blocks if run.transcript else ()
    own = {block for event in events.commands if _has(event.command, names) for block in event.blocks}
    before = failing.blocks[0] if failing.blocks else 0
    told = [block for block in blocks if block.role in {"user", "system"} or (block.kind == "result")]
    return [block.text for block in told if block.index < before and block.index not in own]
