"""Did a page that is shut now stop the run? The task needs it, and the run never got more of it than that.

What the record shows of the page is compared with what stands there now, word by word, in whatever language.
"""

from collections.abc import Mapping, Sequence

from cases import Case, Events, PageVisit, Run
from cases import patterns as re
from cases.answers.text_match import needed_texts, telling, visible
from cases.fetched import pages_of
from cases.hosts import host_of
from cases.model import BARE_TEXT
from cases.sentences import Sentences
from cases.sites import is_sibling, names_site
from cases.touches import Thing, origin_of
from probes.barriers import Trait, having
from probes.browser.guessed import site_opens
from probes.contract import ProbeContext
from probes.model import Answer, Barrier, Hypothesis
from probes.web.gates import THIN
from probes.web.likeness import said
from probes.web.records import Outcome
from probes.web.rules import Page, classify, visible_text

say = Sentences(__name__)

SHARED = 0.7
"""Share of the words of what stands there now that a recorded page must have to be the same page."""
LONGER = 3
"""How many times as many words it may have: what frames a page in a record comes to no more."""
NOTICE = 1500
"""Characters up to which a recorded page may be nothing but a notice, if its words name one."""
_SOURCE = re.compile(r"(?i)<!doctype html|<html\b|<head\b|<body\b")
_BEGINNING = 2000
"""Characters in which a page's source shows that it is one."""
_ADDRESS = re.compile(r"https?://\S+")
_WORD = re.compile(r"[^\W\d_]{2,}")


def stopped(
    hypothesis: Hypothesis, case: Case, run: Run | None, events: Events | None, outcomes: Sequence[Outcome]
) -> tuple[Answer, str]:
    """CAUSED, and the clause that says why; unknown without a record that shows the page."""
    if run is None or events is None or run.transcript is None:
        return Answer.UNKNOWN, say("stopped.no_record_shows")
    shut = {host_of(item.url): item for item in outcomes if item.reading.kind == "barrier"}
    seen = [visit for visit in pages_of(case.task, events) if host_of(visit.url) in shut]
    if not seen:
        return Answer.UNKNOWN, say("stopped.run_never_opened")
    if known := _already_got(hypothesis, case, seen, shut):
        return known
    host = host_of(seen[-1].url)
    if doubt := _not_needed(host, case, run, events):
        return Answer.UNKNOWN, doubt
    if not run.transcript.complete:
        return Answer.UNKNOWN, say("stopped.task_names_record", host=host)
    times = "once" if len(seen) == 1 else f"{len(seen)} times"
    return Answer.YES, say("stopped.task_names_run", host=host, times=times)


def _already_got(
    hypothesis: Hypothesis, case: Case, seen: Sequence[PageVisit], shut: Mapping[str, Outcome]
) -> tuple[Answer, str] | None:
    """What follows of pages that the same site showed the run; where one page alone is of no use, they may not do."""
    got = [visit for visit in seen if _got(visit, shut[host_of(visit.url)])]
    useless = {item.url for item in shut.values() if item.reading.barrier is Barrier.PAGE_UNUSABLE and site_opens(item)}
    wanted = telling(needed_texts(hypothesis.targets.needed_text, case.task), seen[-1].url)
    enough = [visit for visit in got if not useless or visit.url in useless or visible(wanted, visit.page, visit.url)]
    if enough:
        return Answer.NO, say("stopped.same_site_showed", url=enough[0].url)
    return (Answer.UNKNOWN, say("stopped.other_pages_shown", url=got[0].url)) if got and not wanted else None


def _not_needed(host: str, case: Case, run: Run, events: Events) -> str:
    """The clause that says why the task may do without a host; empty where it needs it."""
    if not names_site(case.task, host):
        return say("stopped.run_got_nothing", host=host)
    if is_sibling(host) and origin_of(Thing("host", host), case, run, events) == "agent":
        return say("stopped.task_names_site", host=host)
    return ""


def unchanged(hypothesis: Hypothesis, context: ProbeContext, outcomes: Sequence[Outcome]) -> str:
    """The clause that says that a bare page is the one which the run was shown; empty where that is not so.

    Whether a few words are all that a page has, or stand in its place, is then open.
    """
    own = context.events.get(hypothesis.run_id or "")
    if own is None or hypothesis.barrier not in having(Trait.UNNAMED):
        return ""
    for visit in pages_of(context.case.task, own):
        bare = not visit.shows and not visit.picked and visit.page
        views = [look.view for item in outcomes if host_of(item.url) == host_of(visit.url) for look in item.looks]
        if bare and any(view and said(view.text) < THIN and alike(visit.page, view.text) for view in views):
            return say("stopped.opens_few_words", url=visit.url)
    return ""


def _got(visit: PageVisit, now: Outcome) -> bool:
    """Whether the record shows a page with something on it, another one than stands there now, and no notice."""
    if not visit.shows:
        return False
    source = visit.page if _SOURCE.search(visit.page[:_BEGINNING]) else ""
    text = visible_text(source) if source else _ADDRESS.sub("", visit.page)
    if len(text.strip()) < BARE_TEXT or any(alike(text, look.view.text) for look in now.looks if look.view):
        return False
    found = classify(Page(visit.url, status=None, html=source, text=text, title=visit.title))
    return not any(match.decisive for match in found) and (len(text) > NOTICE or not found)


def alike(recorded: str, now: str) -> bool:
    """Whether a recorded page is the one that stands there now: most of its words, and hardly more."""
    then, wall = _WORD.findall(recorded.casefold()), set(_WORD.findall(now.casefold()))
    if not wall:
        return False
    return len(wall.intersection(then)) >= SHARED * len(wall) and len(then) <= LONGER * len(_WORD.findall(now)) + 50
