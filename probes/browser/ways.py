"""The ways around a page that does not open: what they are tried with."""

from functools import partial

from cases.hosts import host_of, page_key
from probes.browser.guessed import beside_an_open_site, single_page, site_answers
from probes.browser.results import shown_in
from probes.browser.visits import Visits
from probes.model import Route
from probes.web.ladder import Ways
from probes.web.records import Outcome
from sandboxes.browser.urls import UrlRefusedError, normalise_url


def ways_of(visits: Visits, outcomes: tuple[Outcome, ...]) -> Ways:
    """Ways with which addresses of these visits are tried, under the same deadline and control."""

    async def examine(url: str) -> Outcome:
        return await visits.outcome(url, visits.record)

    async def enter(url: str, entrance: str) -> Outcome:
        return await visits.outcome(url, visits.record, entrance)

    async def press(url: str) -> Outcome:
        return await visits.outcome(url, visits.record, pressing=True)

    case, events = visits.context.case, visits.context.events

    def beside(outcome: Outcome) -> bool:
        expected = bool(case.task.gold) or visits.expected.tells(outcome.url)
        known = expected and single_page(outcome) and site_answers(outcome)
        return known or beside_an_open_site(outcome, case, events)

    dates = [case.task.created, *(run.date for run in case.runs if run.run_id == visits.hypothesis.run_id)]
    date, spellings = next(filter(None, dates), None), visits.web.spellings
    gold = _gold(visits)
    return Ways(
        examine=examine,
        enter=enter,
        press=press,
        get=visits.fetched,
        spellings=spellings,
        needed=visits.needed,
        task=case.task,
        shown=partial(shown_in, case, events, {host_of(url) for url in visits.hypothesis.targets.urls}),
        shown_anywhere=partial(shown_in, case, events, ()),
        gold=gold,
        lacks=visits.expected.lacks,
        gold_shut=gold_shut(gold, outcomes, ()),
        date=date,
        beside=beside,
        mapped=visits.web.is_mapped,
        thorough=visits.context.settings.thorough,
    )


def _gold(visits: Visits) -> tuple[str, ...]:
    """The addresses that the benchmark names, normalised, each once."""
    gold: dict[str, None] = {}
    for text in visits.context.case.task.gold_urls:
        try:
            gold[normalise_url(text)] = None
        except UrlRefusedError as error:
            visits.record.note("address refused", f"{text[:200]}: {error}")
    return tuple(gold)


def gold_shut(gold: tuple[str, ...], outcomes: tuple[Outcome, ...], routes: tuple[Route, ...]) -> bool:
    """Whether the pages that the benchmark names are shut, each of them."""
    shut = {page_key(item.url) for item in outcomes if item.reading.kind == "barrier"}
    shut |= {page_key(one.commands[0]) for one in routes if one.id.startswith("gold-url") and one.result == "failed"}
    return bool(gold) and {page_key(url) for url in gold} <= shut
