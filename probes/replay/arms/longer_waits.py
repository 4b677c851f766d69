"""A command that asks a service of the machine's own before it is ready: the same command, with longer waits."""

from collections.abc import Iterator

from cases.sentences import Sentences
from cases.shell import Command, Edit, Step, edited, seconds_waited, steps_of
from probes.barriers import RoutePlan
from probes.model import Route, Tier
from probes.replay.arms.going_on import reached
from probes.replay.handlers.own_services import asks_own
from probes.replay.resources.log import Log, run
from probes.replay.resources.outcome import Tried
from probes.replay.resources.recipe import arm_of
from probes.replay.resources.run import ReplayRun

say = Sentences(__name__)

PLAN = RoutePlan(
    id="with-a-longer-wait",
    tier=Tier.T1,
    needs=("shell",),
    commands=(),
    source="curl(1), --retry: what has only just been started may refuse what it answers later",
)
WAIT = 60
"""Seconds before the service is asked."""
WAIT_IN_A_LOOP = 20
SECONDS = 120


def wait_longer(work: ReplayRun, command: str) -> None:
    """Where what the run started is asked after a longer wait and answers, the run was too quick."""
    line = patiently(command)
    if line is None or not _started(work, command) or work.outcome.passed:
        return
    log = Log(f"replay-route-{PLAN.id}")
    log.note(f"route {PLAN.id} ({PLAN.tier.value}): {PLAN.source}")
    with work.containers.start(work.spec) as session:
        # Whoever has less time for one command waits in several.
        done = run(session, log, line, min(SECONDS, work.left()), shell=work.subject.shell)
        worked = done.ok and not work.subject.handler.met(work.subject, done)
        goals = reached(work, session, log) if worked else ()
        arm = arm_of(PLAN.id, "route", session, session.journal, work.sign)
    route = Route(
        id=PLAN.id,
        tier=PLAN.tier,
        commands=(line,),
        result="passed" if worked else "failed",
        note=say("longer_waits.answers") if worked else say("longer_waits.fails", how=done.how),
        artifact=work.keep(log),
    )
    work.settle(Tried(PLAN, route, done.seconds, arm=arm, reached=goals))


def patiently(line: str) -> str | None:
    """The line with a long wait before the last of its steps that asks a service of the machine's own; None if none."""
    steps = steps_of(line)
    at = max((place for place, step in enumerate(steps) if asks_own(step.command)), default=None)
    if at is None:
        return None
    waits = [step for step in steps[:at] if seconds_waited(step.command)]
    if not waits:
        first = steps[at].command
        return None if steps[at].fed else f"{line[: first.start]}sleep {WAIT} && {line[first.start :]}"
    last = waits[-1]
    return edited(line, lambda command: _longer(command, last))


def _longer(command: Command, waits: Step) -> Iterator[Edit]:
    if command == waits.command and command.words[1:]:
        least = WAIT_IN_A_LOOP if waits.conditional else WAIT
        seconds = max(least, round(seconds_waited(command)))
        yield command.words[1].start, command.words[-1].end, str(seconds)


def _started(work: ReplayRun, command: str) -> bool:
    """Whether the run had started something in the background, in this line or before."""
    place = work.subject.event
    before = work.subject.events.commands[:place] if place is not None else ()
    lines = (command, *(event.command for event in before if event.kind == "shell"))
    return any(step.background for line in lines for step in steps_of(line))
