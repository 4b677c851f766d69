"""All trials of one task, in order; synchronous, in a thread of its own."""

import json
from datetime import UTC, datetime

from cases import Run
from cases.sentences import Sentences
from probes.model import Control, Observation, Route, Tier
from probes.oracle.causes import cause_of, obstacles
from probes.oracle.machine import Box
from probes.oracle.outcome import TIMES, Outcome
from probes.oracle.positive_control import lifted, routes
from probes.oracle.repeating import commands_of, own_work
from probes.oracle.trial import Trial, trial

say = Sentences(__name__)


def run_all(box: Box, run: Run | None) -> Outcome:
    """The solution, and nothing at all; where it fails, its facts three times, ways past it, and the run's own work.

    Raises:
        SandboxError: the engine failed in the middle; what was learnt is then worth nothing.
    """
    outcome = Outcome(box.task, str(box.identity["id"])[:19], unlike=box.unlike, limits=[*box.limits])
    outcome.commands = commands_of(box.task, box.context.case.task_id)
    _keep(box, outcome, trial(box, "reference solution 1", solution=box.task.solution), outcome.trials)
    outcome.empty = trial(box, "empty run", solution=None)
    _keep(box, outcome, outcome.empty)
    outcome.trivial = _trivial(outcome.empty)
    _profile(box, outcome)
    if outcome.passes:
        return outcome
    if not obstacles(box, outcome.trials):
        _again(box, outcome)
    outcome.obstacles = obstacles(box, outcome.trials)
    if outcome.steady and not outcome.obstacles and not outcome.refuses_nothing:
        outcome.cause = cause_of(outcome.trials)
        _past(box, outcome)
        _repeated(box, outcome, run)
    return outcome


def _again(box: Box, outcome: Outcome) -> None:
    """Under the tracer, or without it where that keeps it from ending."""
    took = sum(stage.done.seconds for stage in outcome.trials[0].stages)
    traced = True
    while len(outcome.trials) < TIMES:
        name = f"reference solution {len(outcome.trials) + 1}"
        again = trial(box, name, solution=box.task.solution, traced=traced, seconds=took)
        if again.hung:
            traced = False
            outcome.limits.append(say("running.under_tracer_solution"))
            continue
        _keep(box, outcome, again, outcome.trials)


def _past(box: Box, outcome: Outcome) -> None:
    cause = outcome.cause
    if cause is None or cause.kind not in {"lacks", "unreached"}:
        return
    for route, done in routes(box, cause):
        digest = _keep(box, outcome, done) if done else None
        outcome.routes.append(route.model_copy(update={"artifact": digest}))
        if route.result == "passed":
            return
    outcome.lifted, tried = lifted(box, cause)
    for done in tried:
        _keep(box, outcome, done)
    outcome.observations.append(_seen(say("running.lifted", way=outcome.lifted.way), outcome.lifted.observed))


def _repeated(box: Box, outcome: Outcome, run: Run | None) -> None:
    """What the checks make of the failed run's own work, where the record does not tell and its work can be redone."""
    events = box.context.events.get(run.run_id) if run else None
    cause, checks = outcome.cause, run.checks if run else None
    if events is None or cause is None or cause.kind != "refused" or checks:
        return
    seconds = box.task.solution.seconds if box.task.solution else 600
    work = own_work(events, seconds)
    if work:
        outcome.repeated = trial(box, "the run's own work", solution=work)
        digest = _keep(box, outcome, outcome.repeated)
        if outcome.repeated.mark.passed:
            told = say("running.failed_run_own")
            outcome.routes.append(
                Route(id="the-run's-own-work", tier=Tier.T2, result="passed", note=told, artifact=digest)
            )


def _trivial(empty: Trial) -> Control:
    done = empty.alive
    return Control(
        name="a trivial command",
        expected=say("running.prints_ends"),
        observed=f"printed {done.output.strip()[:40]!r}, {done.how}" if done else say("running.not_run"),
        passed=done is not None and done.ok and done.output.strip().endswith("works"),
    )


def _keep(box: Box, outcome: Outcome, done: Trial, among: list[Trial] | None = None) -> str:
    name = f"oracle-{done.name.replace(' ', '-').replace(':', '').replace('/', '-')[:40]}.log"
    artifact = box.context.store.put(done.log, name, private=True)
    if all(artifact.sha256 != one.sha256 for one in outcome.artifacts):
        outcome.artifacts.append(artifact)
    took = round(sum(stage.done.seconds for stage in done.stages), 3)
    solved = say("running.solution_ended", ended=done.solution.ended) if done.solution else ""
    outcome.observations.append(_seen(done.name, f"{solved}{done.mark.told}", took, artifact.sha256))
    box.context.say(f"oracle: {done.name}: {done.mark.told}")
    if among is not None:
        among.append(done)
    return artifact.sha256


def _profile(box: Box, outcome: Outcome) -> None:
    container = dict(outcome.empty.profile) if outcome.empty else {}
    told = {"layout": box.task.layout, "image": box.identity, "container": container, "engine": box.engine.versions()}
    text = json.dumps(told, indent=2, ensure_ascii=False)
    outcome.artifacts.append(box.context.store.put(text, "oracle-machine.json", "application/json"))


def _seen(name: str, value: str, seconds: float | None = None, artifact: str | None = None) -> Observation:
    return Observation(name=name, value=value, at=datetime.now(UTC), seconds=seconds, artifact=artifact)
