"""Calls that a tool refused: for an element that is not there, or for how it was called."""

from typing import Literal

from cases.events.toolcalls import pairs
from cases.sentences import Sentences
from probes.agent_errors import data
from probes.agent_errors.record import Record, Seen, shortened

say = Sentences(__name__)

_SHORT = 4_000
"""Characters of a refusal at most; what is longer shows something."""


def missed_element(record: Record) -> Seen | None:
    """An action named an element that the page does not have."""
    return _refused(record, "missed_element", say("refused.page_no_such"))


def misused_tool(record: Record) -> Seen | None:
    """A tool refused a call for its form."""
    return _refused(record, "misused_tool", say("refused.tool_refused_call"))


def _refused(record: Record, kind: Literal["missed_element", "misused_tool"], meaning: str) -> Seen | None:
    """Short results of structured calls only: a page or a file that is shown may hold such words too."""
    shown = {block for step in record.steps for block in step.blocks}
    found = [
        (call, result, match)
        for call, result in pairs(record.blocks)
        if result and result.index not in shown and len(result.text) <= _SHORT
        if (match := data.search(kind, result.text))
    ]
    if len(found) < data.patterns()[kind].least:
        return None
    call, result, match = found[0]
    tool = call.tool or say("refused.tool")
    times = say("refused.times_first", found=len(found)) if len(found) > 1 else "once,"
    told = f"{meaning} {times} in block {result.index}: “{shortened(match[0])}” from {tool}"
    return Seen(told, record.cite((result.index,), match[0]), {"what": tool})
