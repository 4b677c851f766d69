"""The agent's own code had errors in its text, again and again or to the end."""

from cases.sentences import Sentences
from probes.agent_errors import data
from probes.agent_errors.record import Record, Seen, shortened

say = Sentences(__name__)


def find(record: Record) -> Seen | None:
    """One error that was corrected is ordinary work; several, or the last thing of all, are not."""
    found = [(step, match) for step in record.steps if (match := data.search("own_code", step.output)) and step.failed]
    if not found:
        return None
    step, match = found[-1]
    to_the_end = step is record.steps[-1]
    if len(found) < data.patterns()["own_code"].least and not to_the_end:
        return None
    times = f"{len(found)} times" if len(found) > 1 else say("own_code.end")
    told = say("own_code.agent_own_code", times=times, match=shortened(match[0]))
    return Seen(told, record.cite(reversed(step.blocks), match[0]), {"what": shortened(match[0])})
