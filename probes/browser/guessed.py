"""Addresses that only the run itself names: that such a page is shut says nothing of the rest of an open site."""

from collections.abc import Mapping

from cases import Case, Events, Run
from cases.fetched import pages_of
from cases.hosts import page_key
from probes.barriers import Trait, having
from probes.model import Barrier
from probes.web.gates import alike
from probes.web.likeness import said
from probes.web.records import Outcome
from sandboxes.browser.urls import home_of

CONTENT = 150
"""What a first page must say, in letters of an alphabet, to be one that opens."""
_SHORTEST = 6
"""Letters of a path that stand in a text by more than chance."""


def beside_an_open_site(outcome: Outcome, case: Case, events: Mapping[str, Events]) -> bool:
    """Whether one page is shut that only the run names, or that is of no use, while its site opens.

    What is needed may then stand elsewhere there.
    """
    if not single_page(outcome):
        return False
    useless = outcome.reading.barrier is Barrier.PAGE_UNUSABLE and not _told(outcome.url, case)
    guessed = not _for_programs(outcome) and _guessed(outcome.url, case, events)
    return site_opens(outcome) and (useless or guessed)


def single_page(outcome: Outcome) -> bool:
    """Whether what is met there may be that page's alone: neither the site's first page nor what guards all of it."""
    if home_of(outcome.url) == outcome.url:
        return False
    return outcome.reading.barrier not in having(Trait.SITE_WIDE) or site_answers(outcome)


def site_opens(outcome: Outcome) -> bool:
    """Whether its site has another page: one links to it, or the first one is there with something on it.

    Beside a page that is of no use, little is something, if it is not the same.
    """
    useless = outcome.reading.barrier is Barrier.PAGE_UNUSABLE
    homes = [(look, look.home) for look in outcome.looks if look.home and not look.home.trouble]
    return any(look.linked for look in outcome.looks) or any(
        home.status == 200 and (said(home.text) >= CONTENT or (useless and said(home.text) and not alike(look, home)))
        for look, home in homes
    )


def site_answers(outcome: Outcome) -> bool:
    """Whether its site opens, or has a first page of which plain HTTP shows little, but not the same as the page."""
    homes = [(look, look.home) for look in outcome.looks if look.home and not look.home.trouble]
    return site_opens(outcome) or any(home.status == 200 and not alike(look, home) for look, home in homes)


def _for_programs(outcome: Outcome) -> bool:
    """Whether it answers as pages' scripts are answered, with JSON: whoever asks for that has not made up a page."""
    answers = [look.plain for look in outcome.looks if look.plain]
    return any("json" in answer.headers.get("content-type", "") for answer in answers)


def _told(url: str, case: Case) -> bool:
    """Whether the task itself names the address."""
    wanted, prompt = page_key(url), (case.task.prompt or "").casefold()
    return wanted.casefold() in prompt or any(page_key(gold) == wanted for gold in case.task.gold_urls)


def _guessed(url: str, case: Case, events: Mapping[str, Events]) -> bool:
    """Whether runs asked for it, and nothing that they had read before named it."""
    wanted = page_key(url)
    if _told(url, case):
        return False
    asked = [
        (run, visit.blocks[0])
        for run in case.runs
        if run.transcript and run.run_id in events
        for visit in pages_of(case.task, events[run.run_id])
        if page_key(visit.url) == wanted
    ]
    return bool(asked) and not any(_read(run, before, wanted) for run, before in asked)


def _read(run: Run, before: int, wanted: str) -> bool:
    """Whether a text that is not the run's own had named the address by then, or its path on that site."""
    record = run.transcript
    path = wanted.casefold().partition("/")[2]
    names = [wanted.casefold(), *([f"/{path}"] if len(path) >= _SHORTEST else [])]
    given = [
        block.text.casefold()
        for block in (record.blocks[:before] if record else ())
        if block.kind != "call" and record and block.role not in record.agents
    ]
    return any(name in text for text in given for name in names)
