"""Limits that are known before any probe runs: what the record lost, and what had to be assumed."""

from cases import Case, Outcome
from cases.sentences import Sentences
from probes import Envelope, Value

say = Sentences(__name__)

_NAMED = 3
"""Runs that a sentence names before it only counts them."""


def known_limits(case: Case, envelope: Envelope) -> list[str]:
    """One sentence each, for the verdict's `limits`."""
    failed = [run for run in case.runs if run.transcript and run.outcome is not Outcome.PASSED]
    notes = [f"{run.run_id}: {note}" for run in failed for note in (run.transcript.notes if run.transcript else ())]
    assumed = _assumed(envelope)
    if failed and assumed:
        notes.append(say("limit.assumed", names=", ".join(say(f"envelope.{name}") for name in assumed)))
    if failed and envelope.chosen:
        notes.append(say("limit.profile", profile=envelope.profile, chosen=f" ({envelope.chosen})"))
    if not failed and any(run.outcome is not Outcome.PASSED for run in case.runs):
        notes.append(say("limit.no_log"))
    return notes + _unrecorded(case)


def _unrecorded(case: Case) -> list[str]:
    open_ones = [run.run_id for run in case.runs if run.outcome is Outcome.UNKNOWN or run.settled_by_rule]
    if not open_ones or len(open_ones) < len(case.runs):
        return []
    named = ", ".join(open_ones[:_NAMED]) + (f" and {len(open_ones) - _NAMED} more" if len(open_ones) > _NAMED else "")
    return [say("limit.no_outcome", runs=named)]


def _assumed(envelope: Envelope) -> list[str]:
    values = ((name, getattr(envelope, name)) for name in Envelope.model_fields)
    return [name for name, value in values if isinstance(value, Value) and value.origin == "assumed"]
