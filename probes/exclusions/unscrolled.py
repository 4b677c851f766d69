"""Pages were shown in part, from their top, and the agent never scrolled."""

from probes.exclusions import data
from probes.exclusions.record import Record, Seen


def find(record: Record) -> Seen | None:
    """Counts different pages; a single word of scrolling anywhere excuses the agent."""
    if not record.complete or any(_scrolls(record, block.index) for block in record.blocks):
        return None
    shown = {}
    for visit in record.events.visits:
        match = data.search("partial_view", visit.text or "")
        if match and not visit.error:
            shown[visit.url] = (visit.blocks[-1], match[0])
    if len(shown) < data.patterns()["unscrolled"].least:
        return None
    url, (block, quote) = list(shown.items())[-1]
    told = f"the agent saw only the top of {len(shown)} pages and never scrolled"
    return Seen(told, record.cite((block,), quote[-80:]), {"what": url})


def _scrolls(record: Record, index: int) -> bool:
    block = record.blocks[index]
    if block.kind == "call":
        return data.search("scrolled", block.text) is not None
    acted = any(index in visit.blocks for visit in record.events.visits)
    return acted and data.search("scrolled", block.text[:2_000]) is not None
