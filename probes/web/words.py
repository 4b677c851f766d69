"""Sentences of findings: whole ones, and equal for equal evidence."""

from collections.abc import Sequence

from cases.sentences import Sentences
from probes.model import Route

say = Sentences(__name__)

_LISTED = 8


def sentence(text: str) -> str:
    """With a capital letter, unless an address comes first, and a full stop."""
    told = text.strip().rstrip(".")
    if told.startswith(("http://", "https://")):
        return f"{told}."
    return f"{told[:1].upper()}{told[1:]}."


def route_told(routes: Sequence[Route]) -> str:
    """What came of routes of which none worked."""
    failed = [route.id for route in routes if route.result == "failed"]
    open_ = [f"{route.id} ({route.note})" for route in routes if route.result == "not_tried"]
    if not open_:
        ways = (
            say("words.only_permitted_way") if len(failed) == 1 else say("words.all_permitted_ways", failed=len(failed))
        )
        return say("words.around_failed", ways=ways, failed=_listed(failed))
    tried = say("words.permitted_around_failed", failed=len(failed), how="way" if len(failed) == 1 else "ways")
    return (
        say("words.one_could_not", tried=tried, open=open_[0])
        if len(open_) == 1
        else (say("words.these_could_not", tried=tried, open=_listed(open_)))
    )


def _listed(names: list[str]) -> str:
    more = say("words.more", number=len(names) - _LISTED) if len(names) > _LISTED else ""
    return "; ".join(names[:_LISTED]) + more
