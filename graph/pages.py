"""From pages to hypotheses: where a failed run stood last, what opened for nobody, and the task's own sites.

What a page said, and in which language, plays no part: the browser visits, and what stands there decides.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import urlsplit

from cases import Case, Citation, Events, Outcome, PageVisit, Run
from cases import patterns as re
from cases.fetched import pages_of
from cases.hosts import host_of, is_archive, is_neutral, own_machine, page_key
from cases.sites import names_site, sites_of
from graph.proposal import Proposal
from probes import Barrier, Targets

SITES = 5
"""Sites of one run that are asked about."""
PAGES, LEAST = 3, 2
"""Pages of one site, and those that said least of one that the task names."""
EMPTY_TEXT = 20
"""Characters below which it did show nothing, so that the record says that it failed."""


def from_sites(case: Case, events: Mapping[str, Events]) -> Iterator[Proposal]:
    """One proposal a site of each failed run that opened pages, and of each site that the task itself names."""
    failed = [run for run in case.runs if run.outcome is not Outcome.PASSED and run.transcript]
    opened = {run.run_id: pages_of(case.task, events[run.run_id]) for run in failed}
    walked = [run for run in failed if opened[run.run_id]]
    asked = set[str]()
    for run in walked:
        for proposal in _of_run(case, run, opened[run.run_id]):
            asked |= set(map(page_key, (f"https://{host}" for host in proposal.targets.hosts)))
            yield proposal
    if walked or case.task.gold_urls or not case.runs:
        firsts = (f"https://{site}/" for site in (sites_of(case.task) if walked else case.task.sites))
        new = (url for url in firsts if page_key(url) not in asked)
        yield from _of_task((*case.task.gold_urls, *new), walked[0].run_id if walked else None)


def _of_run(case: Case, run: Run, visits: Sequence[PageVisit]) -> Iterator[Proposal]:
    """The page that the run stood on last, but for an archive's, sites of which it never saw more than an error or a
    bare page, and pages of others that it asked for again and again and never saw more of, or no other.
    """
    pages: dict[str, list[PageVisit]] = {}
    for visit in visits:
        if (host := host_of(visit.url)) and not own_machine(host):
            pages.setdefault(host, []).append(visit)
    hosts = [host for visit in reversed(visits) if (host := host_of(visit.url)) in pages]
    last = next((host for host in hosts if not is_archive(host)), "")
    stuck = [
        host
        for host, seen in pages.items()
        if host == last
        or (not is_neutral(host) and (_never_shown(seen) or _only_one(seen) or _asked_about(case, host, seen)))
    ]
    for host in sorted(stuck, key=lambda one: one != last)[:SITES]:
        bad = _never_shown(pages[host]) or [visit for visit in pages[host] if not visit.shows]
        said_again = [*_alike(pages[host]), *(bad or pages[host][-1:])]
        urls = tuple(dict.fromkeys(visit.url for visit in reversed(said_again)))[:PAGES]
        if names_site(case.task, host):
            least = [visit.url for visit in sorted(pages[host], key=lambda visit: len(visit.page))]
            own = [url for url in case.task.gold_urls if host_of(url) == host][:PAGES]
            urls = tuple(dict.fromkeys((*own, *urls, *least)))[: PAGES + LEAST]
        never = len(bad) == len(pages[host]) and (host == last or names_site(case.task, host))
        never = never and not any(_answers(case, run, visit) for visit in bad)
        failed = [visit for visit in bad if not visit.picked and (visit.error or never or len(visit.page) < EMPTY_TEXT)]
        citations = tuple(citation for visit in failed[-PAGES:] if (citation := _cited(run, visit)))
        position = (pages[host][-1].blocks[0] + 1) / len(run.transcript.blocks) if run.transcript else 1.0
        targets = Targets(urls=urls, hosts=(host,))
        yield Proposal(Barrier.PAGE_UNUSABLE, targets, citations, "structure", run.run_id, position=position)


def _asked_about(case: Case, host: str, seen: Sequence[PageVisit]) -> bool:
    """Whether a site showed the run nothing at all, or is one that the task names."""
    return not any(visit.shows for visit in seen) or names_site(case.task, host)


def _only_one(seen: Sequence[PageVisit]) -> bool:
    """Whether a site showed the run one page each time, however often it was asked and at whatever addresses."""
    one_title = seen[0].title and len({visit.title for visit in seen}) == 1
    one_page = len({page_key(visit.url) for visit in seen}) == 1 or one_title
    return len(seen) > 1 and bool(one_page) and all(visit.shows for visit in seen)


def _never_shown(seen: Sequence[PageVisit]) -> list[PageVisit]:
    """The visits of pages that were asked for more than once and never showed anything."""
    shown = {visit.url for visit in seen if visit.shows}
    times = Counter(visit.url for visit in seen if visit.url not in shown)
    return [visit for visit in seen if times[visit.url] > 1]


def _alike(seen: Sequence[PageVisit]) -> list[PageVisit]:
    """The visits of pages that showed the same, but for their own address, as others of another path: an error page."""
    texts: dict[str, dict[str, list[PageVisit]]] = {}
    for visit in seen:
        path = urlsplit(visit.url).path.rstrip("/")
        if path and len(visit.page) >= EMPTY_TEXT:
            said = " ".join(visit.page.replace(path, "").split())
            texts.setdefault(said, {}).setdefault(path, []).append(visit)
    return [visit for paths in texts.values() if len(paths) > 1 for visits in paths.values() for visit in visits]


def _of_task(own: Sequence[str], run_id: str | None) -> Iterator[Proposal]:
    """The task's own pages: those of its data set, or the first pages of the sites that its text names."""
    pages: dict[str, list[str]] = {}
    for url in own:
        if host := host_of(url):
            pages.setdefault(host, []).append(url)
    for host, urls in list(pages.items())[:SITES]:
        targets = Targets(urls=tuple(urls[:PAGES]), hosts=(host,))
        yield Proposal(Barrier.PAGE_UNUSABLE, targets, (), "task", run_id)


def _answers(case: Case, run: Run, visit: PageVisit) -> bool:
    """Whether the page showed the run the expected answer or the one that it gave, however little else stood there."""
    answers = [text for text in map(str.strip, (case.task.gold or "", run.answer or "")) if text]
    return any(re.search(rf"(?i)(?<!\w){re.escape(text)}(?!\w)", visit.page) for text in answers)


def _cited(run: Run, visit: PageVisit) -> Citation | None:
    """The error or the bare text that stands in the record for the page; else its address there."""
    blocks = run.transcript.blocks if run.transcript else ()
    for quote in filter(None, (visit.error, visit.page, visit.title, visit.url)):
        for index in reversed(visit.blocks):
            start = blocks[index].text.find(quote)
            if start >= 0:
                return Citation(run_id=run.run_id, block=index, start=start, end=start + len(quote), quote=quote)
    return None
