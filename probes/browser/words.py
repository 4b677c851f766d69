"""Sentences of findings: whole ones, and equal for equal evidence."""

from collections.abc import Sequence

from probes.model import Route

_LISTED = 8


def sentence(text: str) -> str:
    """With a capital letter, unless an address stands first, and a full stop."""
    told = text.strip().rstrip(".")
    first = told.split(maxsplit=1)[0] if told else ""
    if first.startswith(("http://", "https://")):
        told = f"At {told}"
    return f"{told[:1].upper()}{told[1:]}."


def route_told(routes: Sequence[Route]) -> str:
    """What came of routes of which none worked."""
    failed = [route.id for route in routes if route.result == "failed"]
    open_ = [f"{route.id} ({route.note})" for route in routes if route.result == "not_tried"]
    if not open_:
        ways = "the only permitted way" if len(failed) == 1 else f"all {len(failed)} permitted ways"
        return f"{ways} around it failed: {_listed(failed)}"
    tried = f"{len(failed)} permitted {'way' if len(failed) == 1 else 'ways'} around it failed"
    return (
        f"{tried}; this one could not be settled: {open_[0]}"
        if len(open_) == 1
        else (f"{tried}; these could not be settled: {_listed(open_)}")
    )


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return "; ".join(names[:_LISTED]) + more
