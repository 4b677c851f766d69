"""From what the trials brought to findings: pure, equal outcomes give equal words."""

from cases import Events, Run
from cases.sentences import Sentences
from probes.barriers import entry
from probes.barriers.measured import named_by
from probes.contract import FindingMaker
from probes.model import LIFTED, Answer, Control, Envelope, Finding, Observation, Place, Question, Route, Tier
from probes.oracle import wording
from probes.oracle.caused import caused
from probes.oracle.causes import Cause
from probes.oracle.outcome import TIMES, Outcome
from probes.oracle.trial import Trial

say = Sentences(__name__)

REFERENCE = "reference-solution"


def passable(outcome: Outcome, envelope: Envelope, make: FindingMaker) -> list[Finding]:
    """Of a hypothesis about the machine: that the whole task was passed in it; nothing where it was not."""
    if not outcome.passes:
        return []
    told = wording.passes_empty(outcome) if outcome.refuses_nothing else wording.passes(outcome)
    answer = Answer.UNKNOWN if outcome.refuses_nothing else Answer.YES
    return [_finding(make, Question.PASSABLE, answer, told, outcome, _base(outcome, envelope), (_whole(outcome),))]


def findings(
    outcome: Outcome, envelope: Envelope, run: Run | None, events: Events, make: FindingMaker, prompt: str
) -> list[Finding]:
    """Of the hypothesis that it fails: all three questions."""
    base = _base(outcome, envelope)
    if outcome.refuses_nothing:
        told = wording.passes_empty(outcome)
        return [_finding(make, Question.PRESENT, Answer.UNKNOWN, told, outcome, base, locus="grader")]
    if outcome.passes:
        told = wording.passes(outcome)
        return [
            _finding(make, Question.PRESENT, Answer.NO, told, outcome, base),
            _finding(make, Question.PASSABLE, Answer.YES, told, outcome, base, (_whole(outcome),)),
        ]
    if outcome.obstacles or not outcome.steady:
        return [_finding(make, Question.PRESENT, Answer.UNKNOWN, wording.hindered(outcome), outcome, base)]
    return _failing(outcome, envelope, run, events, make, prompt)


def _failing(
    outcome: Outcome, envelope: Envelope, run: Run | None, events: Events, make: FindingMaker, prompt: str
) -> list[Finding]:
    negative = (*_base(outcome, envelope), *_negative(outcome))
    barrier = outcome.cause.barrier if outcome.cause else None
    present = _finding(
        make, Question.PRESENT, Answer.YES, wording.fails(outcome), outcome, negative, locus=_locus(outcome)
    ).model_copy(update={"barrier": barrier})
    answer, told = _passable(outcome)
    controls = (*negative, *_lifted(outcome)) if answer is Answer.NO else negative
    routes = (*outcome.routes, _whole(outcome))
    cause = caused(run, events, outcome, prompt)
    return [
        present,
        _finding(make, Question.PASSABLE, answer, told, outcome, controls, routes),
        _finding(make, Question.CAUSED, cause.answer, cause.summary, outcome, negative).model_copy(
            update={"citations": cause.citations}
        ),
    ]


def _passable(outcome: Outcome) -> tuple[Answer, str]:
    cause, way = outcome.cause, outcome.way
    if way:
        how = f": `{way.commands[-1]}`" if way.commands else ""
        return Answer.YES, say("findings.route_checks_pass", id=way.id, how=how)
    if cause is None or cause.kind in {"unnamed", "unmarked"}:
        return Answer.UNKNOWN, say("findings.no_measured_fact")
    if cause.kind == "refused":
        return _refused(cause)
    open_ones = [route.id for route in outcome.routes if route.result == "not_tried"]
    if open_ones:
        return Answer.UNKNOWN, say("findings.no_way_made", open_ones=", ".join(open_ones))
    tried = ", ".join(route.id for route in outcome.routes if route.result == "failed")
    return Answer.NO, say("findings.no_ordinary_way", tried=tried or say("findings.none_permitted_applies"))


def _refused(cause: Cause) -> tuple[Answer, str]:
    """Checks may be right where something failed inside the solution, or where that is not known."""
    if not cause.measured:
        return (
            Answer.UNKNOWN,
            say("findings.what_happened_inside"),
        )
    if cause.fact:
        return Answer.UNKNOWN, say("findings.something_failed_inside", fact=cause.fact)
    return Answer.NO, say("findings.nothing_benchmark_itself")


def _finding(
    make: FindingMaker,
    question: Question,
    answer: Answer,
    summary: str,
    outcome: Outcome,
    controls: tuple[Control, ...],
    routes: tuple[Route, ...] = (),
    locus: Place | None = None,
) -> Finding:
    return make(
        question,
        answer,
        summary,
        tier=_tier(routes) if question is Question.PASSABLE and answer is Answer.YES else None,
        observations=_facts(outcome) if question is Question.PRESENT else (),
        controls=controls,
        routes=routes,
        artifacts=tuple(outcome.artifacts),
        limits=tuple(outcome.limits),
        locus=locus,
    )


def _tier(routes: tuple[Route, ...]) -> Tier:
    return next((route.tier for route in routes if route.result == "passed"), Tier.T2)


def _facts(outcome: Outcome) -> tuple[Observation, ...]:
    """What was run, and the facts of each traced trial."""
    traced = [one for one in outcome.trials if any(stage.traced for stage in one.stages)]
    told = (Observation(name=f"facts of {one.name}", value=_measured(one)) for one in traced)
    return (*outcome.observations, *told)


def _measured(trial: Trial) -> str:
    """The facts that name something, by what met them."""
    parts = []
    for name, stage in ((say("findings.solution"), trial.solution), (say("findings.checks"), trial.checks)):
        told = [str(fact) for fact in (stage.facts if stage else ()) if named_by([fact])]
        parts.append(say("findings.met", name=name, facts="; ".join(told) or say("findings.no_reason")))
    return "; ".join(parts)


def _whole(outcome: Outcome) -> Route:
    """The solution itself, by the lines that run it."""
    note = outcome.trials[0].mark.told
    result = "passed" if outcome.passes else "failed"
    return Route(id=REFERENCE, tier=Tier.T2, commands=outcome.commands, result=result, note=note)


def _locus(outcome: Outcome) -> Place:
    cause = outcome.cause
    if cause is None or cause.barrier is None:
        return "grader"
    return "grader" if cause.where == "checks" else entry(cause.barrier).locus


def _base(outcome: Outcome, envelope: Envelope) -> tuple[Control, ...]:
    """What must hold whichever way it goes."""
    empty = outcome.empty.mark if outcome.empty else None
    users = [one for one in outcome.unlike if one.startswith("the run's user")]
    return (
        *([outcome.trivial] if outcome.trivial else []),
        Control(
            name="an empty run",
            expected=say("findings.checks_not_pass"),
            observed=empty.told if empty else say("findings.not_run"),
            passed=empty is not None and empty.passed is not True,
        ),
        Control(
            name="what the agent had",
            expected=say("findings.shell_user_image"),
            observed="; ".join([*users, *([] if envelope.shell.value else [say("findings.no_shell")])]) or "both",
            passed=envelope.shell.value and not users,
        ),
    )


def _negative(outcome: Outcome) -> tuple[Control, ...]:
    """What must hold before a failure is the benchmark's."""
    return (
        Control(
            name="the same each time",
            expected=say("findings.fails_times_same", times=TIMES),
            observed=wording.times(outcome),
            passed=outcome.steady,
        ),
        Control(
            name="the task's own machine",
            expected=say("findings.image_task_own"),
            observed="; ".join(outcome.unlike) or outcome.machine,
            passed=not outcome.unlike,
        ),
        Control(
            name="our own proxy, network and limits",
            expected=say("findings.refuse_nothing_asks"),
            observed="; ".join(outcome.obstacles) or say("findings.nothing_refused"),
            passed=not outcome.obstacles,
        ),
    )


def _lifted(outcome: Outcome) -> tuple[Control, ...]:
    cause, lifted = outcome.cause, outcome.lifted
    if cause is None or cause.kind == "refused":
        return ()
    works = lifted is not None and (lifted.full or (lifted.gone and not cause.went_on))
    return (
        Control(
            name=LIFTED,
            expected=say("findings.one_missing_thing"),
            observed=lifted.observed if lifted else say("findings.not_run"),
            passed=works,
        ),
    )
