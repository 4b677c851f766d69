"""What a run was asked, and what it was told of its answer's form."""

from itertools import takewhile

from cases import Block, Case, Run
from cases import patterns as re

_ASKING = frozenset({"user", "human"})
_INSTRUCTING = _ASKING | {"system", "developer"}
_OF_ANSWERS = re.compile(r"\banswers?\b|final_answer|\breply with\b|\bsubmi(?:t|ssions?)\b", re.IGNORECASE)
_GOES_ON = re.compile(
    r"(?:\d+\.|[-*•])?\s*(?:it|they|this|these|that|if|for|only|otherwise|do not|don['’]t)\b", re.IGNORECASE
)
"""How a sentence begins that goes on about the one before."""


def question(case: Case, run: Run) -> str:
    """The task's own text: as it is known, or else what the record shows to have been asked first."""
    first = (block.text for block in _before(run) if block.role in _ASKING)
    return case.task.prompt or next(first, "")


def _before(run: Run) -> list[Block]:
    """What the record shows before the agent's first own word."""
    return list(takewhile(lambda block: block.role in _INSTRUCTING, run.transcript.blocks if run.transcript else ()))


def told(case: Case, run: Run) -> str:
    """What was asked of the answer: the task's text, and what the agent was told of answers before its first own word.

    A sentence may go on about the answer without naming it.

    The rest of a scaffold's instructions speaks of its own protocol, such as actions in JSON.
    """
    prompt = question(case, run)
    sentences = [part.strip() for block in _before(run) for part in re.split(r"(?<=[.!?])\s+|\n+", block.text)]
    parts, goes_on = [prompt], False
    for part in sentences:
        goes_on = bool(_OF_ANSWERS.search(part) or (goes_on and _GOES_ON.match(part)))
        parts += [part] if goes_on and part not in prompt else []
    return "\n".join(part for part in parts if part.strip())


def instructed(run: Run) -> tuple[str, ...] | None:
    """Everything that the agent was told; None where the record does not begin with that, or has lost text."""
    record = run.transcript
    if record is None or not record.complete or not record.blocks or record.blocks[0].role not in _INSTRUCTING:
        return None
    return tuple(block.text for block in record.blocks if block.role in _INSTRUCTING)
