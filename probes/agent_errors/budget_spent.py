"""The run was ended by its budget while the agent was still working."""

from cases.sentences import Sentences
from probes.agent_errors import data
from probes.agent_errors.record import Record, Seen, shortened

say = Sentences(__name__)

_TOLD = ("limit", "error", "exit_status")
"""What readers keep of a run's end in its environment."""
_LAST = 3
"""Blocks, from the end, in which a harness says so."""


def budget_error(text: str) -> bool:
    """Whether a harness's words say that a budget was spent."""
    return data.search("budget", text) is not None


def find(record: Record) -> Seen | None:
    """From the run's own metadata, or from what stands last in its record."""
    for block in reversed(record.blocks[-_LAST:]):
        own = block.role == "assistant" or block.kind == "call"
        match = None if own else data.search("budget", block.text)
        if match:
            told = say("budget_spent.run_ended_before", match=shortened(match[0]))
            return Seen(told, record.cite((block.index,), match[0]))
    for key in _TOLD:
        value = record.run.environment.get(key, "")
        if value and (key == "limit" or budget_error(value)):
            return Seen(say("budget_spent.run_ended_limit", value=shortened(value)))
    return None
