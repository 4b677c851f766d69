"""What the barriers' signatures find in a text."""

from bisect import bisect
from collections.abc import Iterator
from typing import NamedTuple

from cases import patterns as re
from cases.hosts import named_by
from probes import Barrier, Targets
from probes.barriers import Signature, Where, entry, signatures

_LONGEST = 1_000
"""Characters around a match that belong to its error."""


class Match(NamedTuple):
    """A signature found in a text."""

    barrier: Barrier
    signature: Signature
    start: int
    end: int
    quote: str
    targets: Targets


def scan(text: str, where: Where) -> Iterator[Match]:
    """All matches in `text`; of one barrier's signatures the first that speaks of a place is taken."""
    spans: dict[Barrier, list[tuple[int, int]]] = {}
    for barrier, signature in signatures(where):
        for match in signature.found(text):
            quote = match.group()
            start = match.start() + len(quote) - len(quote.lstrip())
            end = start + len(quote.strip())
            taken = spans.setdefault(barrier, [])
            place = bisect(taken, (start, start))
            if (not place or taken[place - 1][1] <= start) and (place == len(taken) or end <= taken[place][0]):
                taken.insert(place, (start, end))
                yield Match(barrier, signature, start, end, quote.strip(), _about(barrier, signature, match))


def _about(barrier: Barrier, signature: Signature, match: re.Match[str]) -> Targets:
    """What a match names, or for a host that it does not, what the rest of its lines names."""
    field, named = entry(barrier).about, signature.named(match)
    subjects = (named,) if named else named_by(_lines(match)) if field == "hosts" else ()
    return Targets.model_validate({field: subjects[:1]} if field and subjects else {})


def _lines(match: re.Match[str]) -> str:
    """The whole lines that a match stands in, as far as an error is long."""
    text, (start, end) = match.string, match.span()
    begin, close = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    return text[max(begin, start - _LONGEST) : min(close if close >= 0 else len(text), end + _LONGEST)]


def causes(text: str, where: Where) -> list[Match]:
    """All matches without mere symptoms of others."""
    found = list(scan(text, where))
    named = any(not match.signature.symptom for match in found)
    return [match for match in found if not (named and match.signature.symptom)]
