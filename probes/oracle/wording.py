"""What became of a reference solution, in sentences; equal outcomes give equal words."""

from cases.sentences import Sentences
from probes.oracle.causes import Cause
from probes.oracle.outcome import Outcome
from probes.oracle.trial import Trial

say = Sentences(__name__)


def times(outcome: Outcome) -> str:
    """How often, such as `4 of 4 times`."""
    failed = sum(trial.mark.passed is not True for trial in outcome.trials)
    return say("wording.times", failed=failed, trials=len(outcome.trials))


def passes(outcome: Outcome) -> str:
    """That it does."""
    return say("wording.benchmark_own_solution", told=outcome.trials[0].mark.told)


def passes_empty(outcome: Outcome) -> str:
    """That the checks tell nothing."""
    too = say("wording.reference_solution") if outcome.passes else say("wording.though_refuse_reference")
    told = outcome.empty.mark.told if outcome.empty else ""
    return say("wording.task_own_checks", too=too, told=told)


def fails(outcome: Outcome) -> str:
    """How it fails, and why as far as that is measured."""
    cause, last = outcome.cause, outcome.trials[-1]
    empty = say("wording.refuse_empty_run") if cause and cause.kind == "refused" else say("wording.empty_run_fails")
    if cause is None:
        return say("wording.benchmark_own_solution_not", outcome=times(outcome), told=last.mark.told)
    return f"{_why(outcome, cause, last)}; {empty}."


def _why(outcome: Outcome, cause: Cause, last: Trial) -> str:
    if cause.kind == "refused":
        clean = say("wording.nothing_fails") if cause.measured else ""
        beside = say("wording.something_failed_inside", fact=cause.fact) if cause.fact else clean
        return say("wording.task_own_checks_refuse", outcome=times(outcome), beside=beside, told=last.mark.told)
    if cause.kind == "unmarked":
        return say("wording.task_own_checks_give", outcome=times(outcome), told=last.mark.told)
    what = say("wording.checks_cannot_run") if cause.where == "checks" else say("wording.solution_fails")
    if cause.kind == "unnamed":
        ended = last.solution.ended if last.solution else last.mark.told
        return say("wording.benchmark_own_task", what=what, outcome=times(outcome), ended=ended)
    needs = say("wording.they_need" if cause.where == "checks" else "wording.it_needs", what=_needs(cause))
    went_on = say("wording.goes_after") if cause.went_on and cause.where == "solution" else ""
    return say("wording.benchmark_own_task_own", what=what, outcome=times(outcome), needs=needs, went_on=went_on)


def _needs(cause: Cause) -> str:
    fact = cause.fact
    assert fact is not None
    if cause.kind == "unreached":
        return say("wording.host_task_own", about=cause.about, kind=fact.kind)
    known = say.table("lacking").get(fact.kind.replace(" ", "_"))
    return known.format(about=f"`{cause.about}`") if known else say("wording.something_else", fact=fact)


def hindered(outcome: Outcome) -> str:
    """That what was seen proves nothing."""
    why = "; ".join(outcome.obstacles) or say("wording.not_fail_same")
    return say("wording.benchmark_own_solution_not_pass", why=why)
