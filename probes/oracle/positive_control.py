"""Ways past what a reference solution lacks, and the same thing given as nobody on the benchmark could."""

import shlex
from dataclasses import replace

from cases.sentences import Sentences
from probes.barriers import RoutePlan, ladder_of
from probes.model import Barrier, Route
from probes.oracle.causes import Cause
from probes.oracle.machine import Box
from probes.oracle.outcome import Lifted
from probes.oracle.trial import Trial, trial
from sandboxes import Network
from sandboxes.tracing.minimal import MinimalLift, minimal_lifts

say = Sentences(__name__)


def routes(box: Box, cause: Cause) -> list[tuple[Route, Trial | None]]:
    """Each ordinary way to what it lacks, and then the solution and its checks, as the agent could."""
    plans = [plan for plan in ladder_of(Barrier.REFERENCE_FAILS).route if cause.fact and cause.fact.kind in plan.when]
    return [_walked(box, plan, _filled(plan.commands, cause)) for plan in plans]


def _walked(box: Box, plan: RoutePlan, commands: tuple[str, ...]) -> tuple[Route, Trial | None]:
    route = Route(id=plan.id, tier=plan.tier, commands=commands, result="not_permitted")
    if "network" in plan.needs and box.context.envelope.network.value == "none":
        return route.model_copy(update={"note": say("positive_control.agent_no_network")}), None
    if "shell" in plan.needs and not box.context.envelope.shell.value:
        return route.model_copy(update={"note": say("positive_control.agent_no_shell")}), None
    if "network" in plan.needs and box.context.settings.offline:
        return route.model_copy(update={"result": "not_tried", "note": say("positive_control.offline_asked")}), None
    done = trial(box, f"route {plan.id}", solution=box.task.solution, before=commands)
    passed = done.mark.passed is True
    if not passed and done.denials:
        note = say("positive_control.our_own_proxy", denials=", ".join(done.denials))
        return route.model_copy(update={"result": "not_tried", "note": note}), done
    update = {"result": "passed" if passed else "failed", "note": done.before or done.mark.told}
    return route.model_copy(update=update), done


def lifted(box: Box, cause: Cause) -> tuple[Lifted, list[Trial]]:
    """The one thing given, by its package or an open network; or else an empty stand-in for it alone."""
    tried: list[Trial] = []
    for way, commands, network in _full(box, cause):
        spec = replace(box.spec, network=network)
        done = trial(box, f"lifted: {way}", solution=box.task.solution, before=commands, by="root", spec=spec)
        tried.append(done)
        if done.mark.passed is True:
            return Lifted(way, full=True, gone=True, observed=say("positive_control.reference_solution_passes")), tried
    least = None
    for stand_in in _least_ways(box, cause):
        least, done = _least(box, cause, stand_in)
        tried.append(done)
        if least.gone:
            break
    if least:
        return least, tried
    observed = (
        say("positive_control.not_tried_offline")
        if box.context.settings.offline
        else say("positive_control.no_way_known")
    )
    return Lifted("none", full=False, gone=False, observed=tried[-1].mark.told if tried else observed), tried


def _full(box: Box, cause: Cause) -> list[tuple[str, tuple[str, ...], Network]]:
    if box.context.settings.offline or cause.fact is None:
        return []
    if cause.kind == "unreached":
        return [("network-opened", (), "open")]
    network: Network = "open" if box.spec.network == "open" else "indexes"
    lifts = [one for one in ladder_of(Barrier.REFERENCE_FAILS).lift if cause.fact.kind in one.kinds]
    return [(one.id, _filled(one.commands, cause), network) for one in lifts]


def _least_ways(box: Box, cause: Cause) -> tuple[MinimalLift, ...]:
    """Empty stand-ins; none for a solution that went on past it, which is not known to fail for it."""
    went_on = cause.went_on and cause.where == "solution"
    return minimal_lifts(cause.fact) if cause.fact and box.tracer and not went_on else ()


def _least(box: Box, cause: Cause, way: MinimalLift) -> tuple[Lifted, Trial]:
    """Is that very failure gone with an empty stand-in?"""
    limits = replace(box.spec.limits, memory_mb=round(box.spec.limits.memory_mb * way.memory))
    spec = replace(box.spec, limits=limits)
    spec = replace(spec, tmpfs=(), read_only=()) if way.plain_mounts else spec
    name = f"minimal: {way.fact}"
    done = trial(
        box, f"lifted: {name}", solution=box.task.solution, traced=True, before=way.commands, by="root", spec=spec
    )
    stage = done.solution if cause.where == "solution" else done.checks
    gone = stage is not None and stage.traced and way.fact.key not in {fact.key for fact in stage.facts}
    gone = gone and not done.hung
    full = done.mark.passed is True
    then = f"; then {done.mark.told}" if gone else ""
    told = say("positive_control.stand_failure", how="gone" if gone else say("positive_control.still_there"), then=then)
    return Lifted(name, full=full, gone=gone or full, observed=done.before or told), done


def _filled(commands: tuple[str, ...], cause: Cause) -> tuple[str, ...]:
    return tuple(command.replace("{about}", shlex.quote(cause.about)) for command in commands)
