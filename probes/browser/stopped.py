"""Did a page that is shut now stop the run? The task needs it, and the run never got more of it than that.

What the record shows of the page is compared with what stands there now, word by word, in whatever language.
"""

from collections.abc import Collection, Mapping, Sequence

from cases import Case, Events, PageVisit, Run, Task
from cases import patterns as re
from cases.answers.forms import in_answer
from cases.answers.presence import traced
from cases.answers.text_match import needed_texts, telling, visible
from cases.fetched import pages_of
from cases.hosts import host_of, is_neutral, page_key
from cases.model import BARE_TEXT
from cases.sentences import Sentences
from cases.sites import calls_itself, is_sibling, listed_as, names_site
from cases.touches import Thing, origin_of
from probes.barriers import Trait, having
from probes.browser.guessed import beside_an_open_site, single_page, site_opens
from probes.browser.results import titles_of
from probes.contract import ProbeContext
from probes.model import Answer, Barrier, Hypothesis
from probes.web.gates import THIN
from probes.web.likeness import said
from probes.web.records import Outcome
from probes.web.rules import Page, classify, visible_text
from sandboxes.browser.urls import home_of

say = Sentences(__name__)

SHARED = 0.7
"""Share of the words of what stands there now that a recorded page must have to be the same page."""
OWN, FEWEST = 0.1, 20
"""Share of a recorded page's words and numbers that a part of what stands there now may have besides, and how many."""
LONGER = 3
"""How many times as many words it may have: what frames a page in a record comes to no more."""
NOTICE = 1500
"""Characters up to which a recorded page may be nothing but a notice, if its words name one."""
_SOURCE = re.compile(r"(?i)<!doctype html|<html\b|<head\b|<body\b")
_BEGINNING = 2000
"""Characters in which a page's source shows that it is one."""
_ADDRESS = re.compile(r"https?://\S+")
_OUTLINE = re.compile(
    r"(?m:^\s*\[\d+\]\s*\w+(?=\s['\"]))|\[[\w-]+(?:=[^\]\n]*)?\]|(?m:^\s*- /url:.*$)|(?m:^\s*- \w+\b)"
)
"""What an outline for assistive technology says of roles, references and addresses, beside a page's words."""
_WORD = re.compile(r"[^\W\d_]{2,}")
_TOKEN = re.compile(r"[^\W\d_]{2,}|\d[\d.,:]*")


def stopped(
    hypothesis: Hypothesis,
    case: Case,
    run: Run | None,
    events: Events | None,
    outcomes: Sequence[Outcome],
    *,
    closed: Answer = Answer.UNKNOWN,
    led: bool = False,
) -> tuple[Answer, str]:
    """CAUSED, and the clause that says why; unknown without a record that shows the page.

    `closed`: yes where what the task needs is nowhere on the site, or the pages that the benchmark names are shut
    themselves; no where a way to it works. `led`: whether another host of the site leads to the one that is shut.
    """
    if run is None or events is None or run.transcript is None:
        return Answer.UNKNOWN, say("stopped.no_record_shows")
    shut = {host_of(item.url) for item in outcomes if item.reading.kind == "barrier"}
    seen = [visit for visit in pages_of(case.task, events) if host_of(visit.url) in shut]
    if not seen:
        return Answer.UNKNOWN, say("stopped.run_never_opened")
    return _of_seen(hypothesis, case, run, events, outcomes, seen, closed=closed, led=led)


def _of_seen(
    hypothesis: Hypothesis,
    case: Case,
    run: Run,
    events: Events,
    outcomes: Sequence[Outcome],
    seen: Sequence[PageVisit],
    *,
    closed: Answer,
    led: bool,
) -> tuple[Answer, str]:
    """The same of what the run saw of the hosts that are shut now."""
    shut = {host_of(visit.url) for visit in seen}
    got = [visit for visit in seen if _got(visit, outcomes)]
    if known := _already_got(hypothesis, case, {run.run_id: events}, got, outcomes, closed=closed):
        return known
    host = host_of(seen[-1].url)
    if doubt := _not_needed(host, case, run, events, outcomes, led=led):
        if other := _named_and_open(case, events, shut):
            return Answer.NO, say("stopped.task_names_another", host=host, other=other)
        return Answer.UNKNOWN, doubt
    shut_pages = [item for item in outcomes if item.reading.kind == "barrier" and single_page(item)]
    single = {page_key(item.url) for item in shut_pages}
    single |= {page_key(look.view.url) for item in shut_pages for look in item.looks if look.view}
    asked = [
        visit
        for visit in seen
        if visit not in got and (not got or page_key(visit.url) in single or _at_the_gate(visit, shut_pages))
    ]
    if not asked:
        return Answer.UNKNOWN, say("stopped.run_never_opened")
    return _needed(host, len(asked), complete=run.transcript is not None and run.transcript.complete)


def _needed(host: str, asked: int, *, complete: bool) -> tuple[Answer, str]:
    if not complete:
        return Answer.UNKNOWN, say("stopped.task_names_record", host=host)
    times = "once" if asked == 1 else f"{asked} times"
    return Answer.YES, say("stopped.task_names_run", host=host, times=times)


def _already_got(
    hypothesis: Hypothesis,
    case: Case,
    events: Mapping[str, Events],
    got: Sequence[PageVisit],
    outcomes: Sequence[Outcome],
    *,
    closed: Answer,
) -> tuple[Answer, str] | None:
    """What follows of pages that the same site showed the run.

    What guards a whole site was not there then. Where single pages are shut, others do where one shows what the task
    needs, or where the run alone thought of the shut ones while others may do.
    """
    if not got:
        return None
    host = host_of(got[-1].url)
    got = [visit for visit in got if host_of(visit.url) == host]
    shut = [item for item in outcomes if item.reading.kind == "barrier" and host_of(item.url) == host]
    single = [item for item in shut if single_page(item)]
    if len(single) < len(shut) and any(item.reading.barrier in having(Trait.SITE_WIDE) for item in shut):
        return Answer.NO, say("stopped.same_site_showed", url=got[0].url)
    useless = [item for item in single if item.reading.barrier is Barrier.PAGE_UNUSABLE and site_opens(item)]
    shut_for_good = closed is Answer.YES
    told = [item for item in single if shut_for_good or item in useless or not beside_an_open_site(item, case, events)]
    pages = {page_key(item.url) for item in told}
    wanted = telling(needed_texts(hypothesis.targets.needed_text, case.task), got[-1].url)
    texts = [visit.page for visit in got]
    enough = [
        visit for visit in got if not told or page_key(visit.url) in pages or _shows(wanted, visit, case.task, texts)
    ]
    if enough and not told and wanted and closed is Answer.UNKNOWN:
        return Answer.UNKNOWN, say("stopped.other_pages_shown", url=enough[0].url)
    if enough:
        return Answer.NO, say("stopped.same_site_showed", url=enough[0].url)
    maybe = [visit for visit in got if case.task.gold and traced(visit.page, case.task, visit.url) != "absent"]
    doubt = maybe or ([] if wanted else got)
    return (Answer.UNKNOWN, say("stopped.other_pages_shown", url=doubt[0].url)) if doubt else None


def _shows(wanted: tuple[str, ...], visit: PageVisit, task: Task, texts: Sequence[str]) -> bool:
    """Whether a page shows what is wanted, among words of the task where the answer is known."""
    if not visible(wanted, visit.page, visit.url):
        return False
    return not task.gold or any(in_answer(value, visit.page, task, texts) for value in wanted)


def _not_needed(host: str, case: Case, run: Run, events: Events, outcomes: Sequence[Outcome], *, led: bool) -> str:
    """The clause that says why the task may do without a host; empty where it needs it."""
    views = [look.view for item in outcomes for look in item.looks if look.view and host_of(item.url) == host]
    homes = [look.home for item in outcomes for look in item.looks if look.home and host_of(item.url) == host]
    titles = _titles(events, host) | {
        view.url: view.title for view in views if view.title and host_of(view.url) == host
    }
    titles |= {home_of(home.plain.url): home.title for home in homes if home.title}
    listed = titles_of(host, run.transcript) if run.transcript else ()
    if not (names_site(case.task, host) or calls_itself(case.task, titles) or listed_as(case.task, host, listed)):
        return say("stopped.run_got_nothing", host=host)
    if is_sibling(host) and not led and origin_of(Thing("host", host), case, run, events) == "agent":
        return say("stopped.task_names_site", host=host)
    return ""


def _titles(events: Events, host: str) -> dict[str, str]:
    """What the record has of the titles of a host's pages, by address."""
    return {visit.url: visit.title for visit in events.visits if visit.title and host_of(visit.url) == host}


def _named_and_open(case: Case, events: Events, shut: Collection[str]) -> str:
    """The host of a site that the task names and that showed the run pages, where it names no shut one; else empty."""
    if any(names_site(case.task, host) or calls_itself(case.task, _titles(events, host)) for host in shut):
        return ""
    shown = {host_of(visit.url) for visit in events.visits if visit.shows} - set(shut)
    for host in sorted(shown):
        named = names_site(case.task, host) or calls_itself(case.task, _titles(events, host))
        if named and not is_neutral(host):
            return host
    return ""


def unchanged(hypothesis: Hypothesis, context: ProbeContext, outcomes: Sequence[Outcome]) -> str:
    """The clause that says that a bare page is the one which the run was shown; empty where that is not so.

    Whether a few words are all that a page has, or stand in its place, is then open; what is no page but data is whole.
    """
    own = context.events.get(hypothesis.run_id or "")
    if own is None or hypothesis.barrier not in having(Trait.UNNAMED):
        return ""
    for visit in pages_of(context.case.task, own):
        bare = not visit.shows and not visit.picked and visit.page
        looks = [look for item in outcomes if host_of(item.url) == host_of(visit.url) for look in item.looks]
        views = [
            look.view for look in looks if not (look.plain and look.plain.status == 200 and not look.plain.is_html)
        ]
        if bare and any(view and said(view.text) < THIN and alike(visit.page, view.text) for view in views):
            return say("stopped.opens_few_words", url=visit.url)
    return ""


def _got(visit: PageVisit, outcomes: Sequence[Outcome]) -> bool:
    """Whether the record shows a page with something on it, another one than stands there now, and no notice."""
    host = host_of(visit.url)
    now = [item for item in outcomes if item.reading.kind == "barrier" and host_of(item.url) == host]
    if not visit.shows:
        return False
    source = visit.page if _SOURCE.search(visit.page[:_BEGINNING]) else ""
    text = visible_text(source) if source else _ADDRESS.sub("", visit.page)
    stands = [look.view.text for item in now for look in item.looks if look.view]
    plain = [look.plain for item in now for look in item.looks if look.plain]
    stands += [visible_text(one.body) for one in plain if (one.status or 0) >= 400]
    if len(text.strip()) < BARE_TEXT or any(alike(text, one) for one in stands):
        return False
    found = classify(Page(visit.url, status=None, html=source, text=text, title=visit.title))
    return not any(match.decisive for match in found) and (len(text) > NOTICE or not found)


def _at_the_gate(visit: PageVisit, shut: Sequence[Outcome]) -> bool:
    """Whether the run was asked to sign in, be it elsewhere on the site, with what asks for that now."""
    gates = [look.view for item in shut if item.reading.barrier is Barrier.LOGIN for look in item.looks if look.view]
    return any(host_of(gate.url) == host_of(visit.url) and alike(visit.page, gate.text) for gate in gates)


def alike(recorded: str, now: str) -> bool:
    """Whether a recorded page is the one that stands there now: most of its words, and hardly more, or a part of them.

    A part is what an agent saw that had moved down the page.
    """
    then, wall = _WORD.findall(_OUTLINE.sub(" ", recorded).casefold()), set(_WORD.findall(now.casefold()))
    if not wall:
        return False
    part, whole = (set(_TOKEN.findall(text.casefold())) for text in (_OUTLINE.sub(" ", recorded), now))
    if len(part) >= FEWEST and len(part - whole) <= OWN * len(part):
        return True
    return len(wall.intersection(then)) >= SHARED * len(wall) and len(then) <= LONGER * len(_WORD.findall(now)) + 50
