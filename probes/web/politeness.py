"""How much is asked of whom: which addresses, how often, with what pauses."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from time import monotonic

from cases import Case
from cases.sentences import Sentences
from probes.model import Hypothesis, Observation
from probes.web.records import Look
from sandboxes.browser.caps import WebCaps
from sandboxes.browser.urls import UrlRefusedError, host_of, normalise_url

say = Sentences(__name__)

LONGEST_RETRY_AFTER, LONGEST_WAIT = 15.0, 3_600.0
"""Seconds for which this program waits before another visit, and beyond which nobody's run waits."""
TARGETS_AT_ONCE = 2


def targets_of(hypothesis: Hypothesis, case: Case, caps: WebCaps) -> tuple[tuple[str, ...], tuple[Observation, ...]]:
    """What is visited, in order, and what is not, with the reason."""
    named = hypothesis.targets.urls
    listed = [*named, *hypothesis.targets.hosts]
    return _polite(listed, len(named), caps) if listed else gold_pages(case, caps)


def gold_pages(case: Case, caps: WebCaps) -> tuple[tuple[str, ...], tuple[Observation, ...]]:
    """The task's own pages that are visited, and those that are not, with the reason."""
    return _polite(case.task.gold_urls, len(case.task.gold_urls), caps)


def _polite(listed: Sequence[str], named: int, caps: WebCaps) -> tuple[tuple[str, ...], tuple[Observation, ...]]:
    """Addresses within the caps; from number `named` on they are mere hosts."""
    urls: dict[str, None] = {}
    refused: list[Observation] = []
    hosts: Counter[str] = Counter()
    for place, text in enumerate(listed):
        try:
            url = normalise_url(text)
        except UrlRefusedError as error:
            refused.append(Observation(name="address refused", value=f"{text[:200]}: {error}"))
            continue
        if place >= named and host_of(url) in hosts:
            continue  # a page of this host is visited anyway
        if url not in urls and hosts[host_of(url)] >= caps.addresses_per_host:
            told = say("politeness.host_enough", url=url, addresses_per_host=caps.addresses_per_host)
            refused.append(Observation(name="not visited", value=told))
            continue
        hosts[host_of(url)] += url not in urls
        urls[url] = None
    kept = tuple(urls)
    most = caps.addresses
    refused += [
        Observation(name="not visited", value=say("politeness.enough", url=url, most=most)) for url in kept[most:]
    ]
    return kept[:most], tuple(refused)


async def pause_before(number: int, last: Look, backoff: tuple[float, ...], deadline: float) -> bool:
    """Back off before visit `number`, counted from 1; False, at once, when it would end after `deadline`.

    `backoff` has seconds for the second visit, the third and so on; `deadline` is on the monotonic clock.
    """
    asked = _retry_after(last)
    pause = max(backoff[min(number - 2, len(backoff) - 1)], asked)
    if asked > LONGEST_RETRY_AFTER or monotonic() + pause > deadline:
        return False
    await asyncio.sleep(pause)
    return True


def out_of_service(last: Look) -> bool:
    """Whether the server fails and says that it will for longer than any run could wait for it."""
    status = (last.view.status if last.view else None) or 0
    return status >= 500 and _retry_after(last) > LONGEST_WAIT


def _retry_after(last: Look) -> float:
    """Seconds the server asked to wait, 0 when it did not."""
    headers = last.view.headers if last.view else last.plain.headers if last.plain else {}
    text = headers.get("retry-after", "")
    if text.isdigit():
        return float(text)
    try:
        return max(0.0, (parsedate_to_datetime(text) - datetime.now(UTC)).total_seconds()) if text else 0.0
    except (ValueError, TypeError):
        return 0.0
