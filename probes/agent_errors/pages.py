"""How the agent used the pages that it opened."""

from collections.abc import Collection

from cases import Block, PageVisit
from cases.hosts import host_of, hosts_of
from cases.sentences import Sentences
from probes.agent_errors import data
from probes.agent_errors.record import Record, Seen

say = Sentences(__name__)

_ACTED = 2_000
"""Characters in which a page's own message tells what was done."""


def unscrolled(record: Record) -> Seen | None:
    """Pages were shown in part, from their top, and the agent never scrolled.

    Counts different pages; a single word of scrolling anywhere excuses the agent.
    """
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


def elsewhere(record: Record) -> Seen | None:
    """The agent opened pages, and none of them is on a site that the task's solution names.

    Only in a complete record, and only where the solution's addresses are known; it never spells them.
    """
    wanted = {_site(host_of(url)) for url in record.case.task.gold_urls} - {""}
    visits = [step for step in record.steps if isinstance(step.event, PageVisit)]
    asked = {_site(host) for step in record.steps for host in hosts_of(f"{step.text}\n{step.output}")}
    if not wanted or not visits or not record.complete or wanted & asked:
        return None
    last = visits[-1]
    told = say("elsewhere.none_pages_agent", visits=len(visits))
    return Seen(told, record.cite(last.blocks, last.text))


def _site(host: str) -> str:
    return host.removeprefix("www.")
