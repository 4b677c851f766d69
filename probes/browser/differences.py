"""Category 5: does a page that opens for a patient reader stay closed under the run's own conditions?"""

from dataclasses import dataclass, replace

from cases.answers.text_match import telling
from cases.sentences import Sentences
from probes.barriers import Trait, having
from probes.model import Answer, Barrier, Route
from probes.web.conditions import Conditions
from probes.web.judge import EMPTY_TEXT, read
from probes.web.ladder import route
from probes.web.observe import look
from probes.web.record import Record
from probes.web.records import Look, Outcome
from probes.web.web import Web

say = Sentences(__name__)

_SETTLE_AT_LEAST = 0.2


@dataclass(frozen=True)
class Difference:
    """What the comparison says about PRESENT, and what a run could have done."""

    answer: Answer
    summary: str
    routes: tuple[Route, ...]


async def compare(
    barrier: Barrier,
    opened: list[Outcome],
    conditions: Conditions,
    needed: tuple[str, ...],
    web: Web,
    record: Record,
    visits: int,
) -> Difference | None:
    """None where the conditions do not matter, or the run's let the page through as ours did."""
    if barrier not in having(Trait.CONDITIONS):
        return None
    record.note("conditions", str(conditions))
    for outcome in opened:
        looks: list[Look] = []
        for number in range(1, visits + 1):
            seen = await look(
                web,
                outcome.url,
                needed,
                record,
                number=number,
                patience=max(conditions.settle, _SETTLE_AT_LEAST),
                conditions=conditions,
            )
            looks.append(seen)
            _timed(record, "under the run's conditions", seen, needed)
            if _readable(seen, needed):
                break
        _timed(record, "under patient conditions", outcome.looks[0], needed)
        if all(_readable(seen, needed) for seen in looks):
            continue
        if not _settled(looks, needed, visits) or not _readable(outcome.looks[0], needed):
            return Difference(Answer.UNKNOWN, say("differences.visits_under_run", url=outcome.url), ())
        return _harness(outcome.url, looks[0], conditions)
    return None


def _harness(url: str, seen: Look, conditions: Conditions) -> Difference:
    why = say("differences.not_done_loading") if seen.view and seen.view.error else say("differences.not_show_content")
    told = say("differences.opens_patient_reader", url=url, why=why, conditions=conditions)
    note = say("differences.whether_harness_lets")
    return Difference(Answer.YES, told, (route("patient-visit", url, "not_tried", note),))


def _settled(looks: list[Look], needed: tuple[str, ...], visits: int) -> bool:
    usable = [seen for seen in looks if not seen.refused and not seen.crashed and seen.view]
    return len(usable) == visits and not any(_readable(seen, needed) for seen in usable)


def _readable(seen: Look, needed: tuple[str, ...]) -> bool:
    """Whether what is needed, or anything at all where that is not known, can be read."""
    if seen.seen:
        return True
    if telling(needed, seen.url):
        return False
    view = seen.view
    return bool(view and not view.error and len(view.text.strip()) >= EMPTY_TEXT and read(_alone(seen)).kind == "ok")


def _alone(seen: Look) -> Look:
    return replace(seen, sibling=None)


def _timed(record: Record, how: str, seen: Look, needed: tuple[str, ...]) -> None:
    view = seen.view
    told = (
        "readable"
        if _readable(seen, needed)
        else say("differences.not_readable", view=(view and view.error) or say("differences.no_such_content"))
    )
    after = f" after {view.seconds} s" if view else ""
    record.note(how, f"{seen.url}: {told}{after}")
