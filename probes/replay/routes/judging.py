"""What to say of one route."""

from typing import Literal

from cases.failing import ran_tests
from cases.sentences import Sentences
from probes.barriers import RoutePlan
from probes.model import Barrier, Route
from probes.replay.resources.outcome import Tried
from probes.replay.resources.run import ReplayRun
from probes.replay.routes.ladder import ReadyRoute
from probes.replay.target.model import ReplayTarget
from probes.replay.target.symptom import ANY, EXIT, symptoms, trouble_in
from sandboxes import Executed

say = Sentences(__name__)

NOT_NEEDED = say("judging.not_needed_earlier")
CRASHED = frozenset({132, 134, 135, 136, 139})
"""Exit codes of a shell for SIGILL, SIGABRT, SIGBUS, SIGFPE and SIGSEGV."""
NOT_FOUND = 127
"""A shell's exit code for a program that is not there."""
Result = Literal["passed", "failed", "not_tried", "not_applicable"]


def judge(subject: ReplayTarget, plan: RoutePlan, failed: Executed | None, later: str) -> tuple[Result, str]:
    """A route's result and what to say of it; `failed` is its step that did, and `later` what came after the last."""
    if failed is None and later and plan.whole:
        return "not_tried", say("judging.could_not_followed", later=later)
    if failed is None:
        return "passed", later
    own = subject.handler.limit is not None and subject.handler.met(subject, failed)
    so = subject.expected.kind == EXIT and subject.expected.subject in {ANY, str(failed.exit_code)}
    if hindered := None if own else _hindered(plan, failed, fails_so=so or subject.handler.met(subject, failed)):
        return "not_tried", hindered
    if lacking := _lacking(subject, failed):
        return "not_applicable", lacking
    if failed.ok and not subject.handler.met(subject, failed):
        return "not_tried", say("judging.fails_within", command=short(failed.command))
    return (
        "failed",
        f"`{short(failed.command)}` {'shows the same failure' if failed.ok else f'ended with {failed.how}'}",
    )


def _lacking(subject: ReplayTarget, failed: Executed) -> str | None:
    """What the machine has not that the route starts from; None where it has all of it."""
    absent = symptoms(Barrier.COMMAND, failed.output) if failed.exit_code == NOT_FOUND else []
    named = next((one.subject for one in absent if one.subject != subject.about), None)
    return say("judging.there_no_here", named=named) if named else None


def _hindered(plan: RoutePlan, failed: Executed, *, fails_so: bool = False) -> str | None:
    """What on our side, or of a program's own making, was in the way; a crash is not where it is the failure."""
    unfinished = say("judging.could_not_tried")
    if failed.timed_out:
        return say("judging.stopped_our_time", unfinished=unfinished)
    if failed.oom:
        return say("judging.stopped_our_memory", unfinished=unfinished)
    if failed.limit:
        return f"{unfinished}: {failed.how}"
    if failed.exit_code in CRASHED and not fails_so:
        return say("judging.program_crashed", unfinished=unfinished, how=failed.how)
    trouble = trouble_in(failed.output, network=bool({"network", "open"} & set(plan.needs)))
    return say("judging.could_not_tried_2", trouble=trouble) if trouble else None


def tests_begin(work: ReplayRun, done: Executed) -> bool:
    """Whether a suite that could not begin has run tests now: how these come out is the run's own work."""
    decisive = work.outcome.decisive
    return decisive is not None and ran_tests(done.output) and not ran_tests(decisive.done.output)


def unfounded(ready: ReadyRoute, asked: Executed, artifact: str | None = None) -> Tried:
    """A route for which the machine lacks what it starts from, or did not tell whether it does."""
    if hindered := _hindered(ready.plan, asked):
        return untried(ready, hindered)
    return without_ground(ready.plan, asked, artifact, ready.shown)


def without_ground(plan: RoutePlan, asked: Executed, artifact: str | None, shown: tuple[str, ...] = ()) -> Tried:
    """A route for which the machine lacks what it starts from."""
    note = say("judging.what_starts_not", command=short(asked.command), how=asked.how)
    route = Route(id=plan.id, tier=plan.tier, commands=shown, result="not_applicable", note=note, artifact=artifact)
    return Tried(plan, route)


def untried(ready: ReadyRoute, note: str) -> Tried:
    """A route that was not begun."""
    route = Route(id=ready.plan.id, tier=ready.plan.tier, commands=ready.shown, result="not_tried", note=note)
    return Tried(ready.plan, route)


def short(command: str) -> str:
    """A command's first line."""
    lines = [line for line in command.strip().splitlines() if not line.startswith("export ")] or [command]
    return lines[0][:100] + (" …" if len(lines) > 1 or len(lines[0]) > 100 else "")
