"""The agent says that it checks something by hand, and the record shows no step that did."""

from cases.sentences import Sentences
from probes.agent_errors import data
from probes.agent_errors.record import Record, Seen, shortened

say = Sentences(__name__)


def find(record: Record) -> Seen | None:
    """No step may follow, and no page may have been opened in the whole run."""
    if not record.complete or record.events.visits:
        return None
    last = max((step.blocks[-1] for step in record.steps), default=-1)
    for block in reversed(record.spoken):
        match = data.search("by_hand", block.text) if block.index > last else None
        if match:
            told = say("only_said.agent_says_no", match=shortened(match[0], 120))
            return Seen(told, record.cite((block.index,), match[0]))
    return None
