"""What happened in a run: commands with their output, pages visited; each points back at the blocks that show it."""

from collections.abc import Sequence

from cases.events import commands, harness, pages, writes
from cases.events.acts import Act, acts_of
from cases.model import Events, Transcript

__all__ = ["events_of"]


def events_of(transcript: Transcript, acts: Sequence[Act] | None = None) -> Events:
    """All events in the order of the blocks that show them first; `acts` are its own, where they are known."""
    blocks = transcript.blocks
    acts = acts_of(blocks) if acts is None else acts
    ran = tuple(sorted(commands.commands(acts), key=lambda command: command.blocks[0]))
    opened = commands.visits(acts)
    shown = pages.visits(blocks, frozenset(block for visit in opened for block in visit.blocks))
    known = {(visit.url.rstrip("/"), visit.blocks[-1]) for visit in shown if visit.title}
    visits = [*shown, *(one for one in opened if (one.url.rstrip("/"), one.blocks[-1]) not in known)]
    return Events(
        commands=ran,
        visits=tuple(sorted(visits, key=lambda visit: visit.blocks[0])),
        writes=writes.writes(acts, ran),
        calls=tuple(commands.others(acts)),
        errors=tuple(harness.errors(blocks)),
    )
