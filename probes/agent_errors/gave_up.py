"""The agent ended after its first failure, saying that it cannot be done."""

from cases.sentences import Sentences
from probes.agent_errors import data
from probes.agent_errors.record import Record, Seen

say = Sentences(__name__)


def find(record: Record) -> Seen | None:
    """The first step that failed must be the last of all, and the end must say so."""
    last = record.steps[-1] if record.steps else None
    if last is None or not last.failed or any(step.failed for step in record.steps[:-1]) or not record.complete:
        return None
    after = [block for block in record.spoken if block.index > last.blocks[-1]]
    refusals = [(block, match) for block in after if (match := data.search("refusal", block.text))]
    if not refusals:
        return None
    block, match = refusals[-1]
    told = say("gave_up.first_failure_also", name=last.name, match=match[0])
    return Seen(told, record.cite((block.index,), match[0]), {"what": last.name})
