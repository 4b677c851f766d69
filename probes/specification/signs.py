"""What a task's text leaves open: the content of `signs.toml`, and where it stands in a text."""

from dataclasses import dataclass

from cases import Case, Citation, Model
from cases import patterns as re
from cases.loading import Expression, load
from probes.model import Barrier

LONGEST = 20_000
"""Characters of a task's text that are read."""
MOST = 12
_ASKING = frozenset({"user", "human"})


class Sign(Model):
    """One entry of `signs.toml`."""

    id: str
    barriers: tuple[Barrier, ...]
    pattern: Expression
    unless: Expression
    lacks: str
    """What the text does not do; a verb and its object."""
    source: str


@dataclass(frozen=True)
class Found:
    """A sign in a task's text: `text[start:end] == quote`."""

    sign: Sign
    start: int
    end: int
    quote: str


def signs() -> tuple[Sign, ...]:
    """All signs, validated."""
    return load(tuple[Sign, ...], __package__, "signs.toml", "sign")


def signs_of(text: str) -> tuple[Found, ...]:
    """What a task's text leaves open, in the order of the data file and of the text."""
    read = text[:LONGEST]
    found = [
        Found(sign, match.start(), match.end(), match.group())
        for sign in signs()
        if not re.search(sign.unless, read)
        for match in re.finditer(sign.pattern, read)
    ]
    return tuple(found[:MOST])


def cited(case: Case, found: Found) -> Citation | None:
    """Where a run's record shows the task's words to the agent; None where no record has the text."""
    prompt = case.task.prompt or ""
    for run in case.runs:
        for block in run.transcript.blocks if run.transcript else ():
            at = block.text.find(prompt) if block.role in _ASKING else -1
            if at >= 0:
                start, end = at + found.start, at + found.end
                return Citation(run_id=run.run_id, block=block.index, start=start, end=end, quote=found.quote)
    return None
