"""Pages were shown in part, from their top, and the agent never scrolled."""

from collections.abc import Collection

from cases import Block
from cases.sentences import Sentences
from probes.agent_errors import data
from probes.agent_errors.record import Record, Seen

say = Sentences(__name__)

_ACTED = 2_000
"""Characters in which a page's own message tells what was done."""


def find(record: Record) -> Seen | None:
    """Counts different pages; a single word of scrolling anywhere excuses the agent."""
    if not record.complete or _scrolled(record):
        return None
    shown = {}
    for visit in record.events.visits:
        match = data.search("partial_view", visit.text or "")
        if match and not visit.error:
            shown[visit.url] = (visit.blocks[-1], match[0])
    if len(shown) < data.patterns()["unscrolled"].least:
        return None
    url, (block, quote) = list(shown.items())[-1]
    told = say("unscrolled.agent_saw_only", shown=len(shown))
    return Seen(told, record.cite((block,), quote[-80:]), {"what": url})


def _scrolled(record: Record) -> bool:
    pages = {block for visit in record.events.visits for block in visit.blocks}
    texts = [
        block.text if block.kind == "call" else block.text[:_ACTED] for block in record.blocks if _acts(block, pages)
    ]
    return any(data.search("scrolled", text) for text in texts)


def _acts(block: Block, pages: Collection[int]) -> bool:
    return block.kind == "call" or block.index in pages
