"""The agent ran a command with a placeholder where a value belongs."""

from cases.sentences import Sentences
from probes.agent_errors import data
from probes.agent_errors.record import Record, Seen

say = Sentences(__name__)


def find(record: Record) -> Seen | None:
    """The last such command that failed."""
    for step in reversed(record.steps):
        match = data.search("placeholder", step.text) if step.failed else None
        if match:
            told = say("placeholder.agent_ran_command", match=match[0])
            return Seen(told, record.cite(step.blocks, match[0]), {"what": match[0]})
    return None
