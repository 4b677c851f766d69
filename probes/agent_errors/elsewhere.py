"""The agent opened pages, and none of them is on a site that the task's solution names."""

from cases import PageVisit
from cases.hosts import host_of, hosts_of
from cases.sentences import Sentences
from probes.agent_errors.record import Record, Seen

say = Sentences(__name__)


def find(record: Record) -> Seen | None:
    """Only in a complete record, and only where the solution's addresses are known; it never spells them."""
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
