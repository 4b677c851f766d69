"""Exclusions: the agent errors that a failed run's log shows, as the rubrics list it."""

from collections.abc import Callable, Mapping

from cases import Case, Events, Outcome
from probes.agent_errors import answers, calls, data, effort, miscalculated, pages
from probes.agent_errors.record import Record, Seen
from probes.model import Exclusion

MOST_RUNS = 20
_DECISIVE = frozenset({"value_seen"})
"""With these the run had the answer before it, so that no barrier hid it."""

DETECTORS: Mapping[str, Callable[[Record], Seen | None]] = {
    "value_seen": answers.value_seen,
    "wrong_form": answers.wrong_form,
    "miscalculated": miscalculated.find,
    "budget_spent": effort.budget_spent,
    "looped": calls.looped,
    "gave_up": effort.gave_up,
    "only_said": effort.only_said,
    "not_retried": effort.not_retried,
    "not_installed": effort.not_installed,
    "missed_element": calls.missed_element,
    "unscrolled": pages.unscrolled,
    "elsewhere": pages.elsewhere,
    "misused_tool": calls.misused_tool,
    "placeholder": calls.placeholder,
    "own_code": calls.own_code,
    "unprinted": calls.unprinted,
}
"""The most telling first."""


def exclusions_of(case: Case, events: Mapping[str, Events]) -> tuple[Exclusion, ...]:
    """What each failed run shows, run after run, the most telling first; a pure function of the case."""
    failed = [run for run in case.runs if run.outcome is not Outcome.PASSED and run.transcript]
    return tuple(
        exclusion
        for run in failed[:MOST_RUNS]
        for record in (Record(case, run, events[run.run_id]),)
        for name, find in DETECTORS.items()
        if (exclusion := _exclusion(name, record, find(record)))
    )


def _exclusion(name: str, record: Record, seen: Seen | None) -> Exclusion | None:
    if seen is None:
        return None
    pattern = data.patterns()[name]
    return Exclusion(
        pattern=name,
        run_id=record.run.run_id,
        lines={
            "assistantbench": str(pattern.assistantbench),
            "environmental_barrier": str(pattern.environmental_barrier),
        },
        sentence=f"{seen.sentence[:1].upper()}{seen.sentence[1:]}.",
        remedy=pattern.remedy.format_map(seen.words),
        decisive=name in _DECISIVE,
        citations=tuple(citation for citation in seen.citations if record.case.cites(citation)),
    )


__all__ = ["DETECTORS", "exclusions_of"]
