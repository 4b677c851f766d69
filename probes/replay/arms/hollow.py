"""An empty module in the place of a missing one: where a program prints and writes with it what it does with the real
one, it takes nothing of it.
"""

import shlex

from cases.failing import step_failures
from cases.sentences import Sentences
from cases.task_words import prompt_of
from probes.barriers import RoutePlan
from probes.model import Barrier, Route, Tier
from probes.replay.arms.difference import MARK, PRODUCTS_ANYWHERE
from probes.replay.arms.going_on import reached
from probes.replay.arms.workarounds import no_way_of_its
from probes.replay.handlers.disk_full import NAMED
from probes.replay.handlers.hooking import hook
from probes.replay.resources.log import Log, run
from probes.replay.resources.outcome import Tried
from probes.replay.resources.recipe import arm_of
from probes.replay.resources.run import ReplayRun
from probes.replay.routes.ladder import of_a_shell
from sandboxes import Session

say = Sentences(__name__)

PLAN = RoutePlan(
    id="empty-module",
    tier=Tier.T2,
    needs=("shell",),
    commands=(),
    source="the Python language reference, the import system: any file of the name on the path is the module",
)


def try_empty(work: ReplayRun, real: Session, command: str) -> None:
    """The command in `real`, a container in which the module is, and in one with nothing in the module's place."""
    subject, envelope = work.subject, work.context.envelope
    if subject.barrier is not Barrier.MODULE or "." in subject.about:
        return
    only_imports = command == subject.handler.least(subject.about, envelope)
    if only_imports or NAMED.within(subject.about, prompt_of(work.context.case)):
        return
    log = Log(f"replay-route-{PLAN.id}")
    log.note(f"route {PLAN.id} ({PLAN.tier.value}): {PLAN.source}")
    folder = "$HOME/.route-empty"
    made = f"mkdir -p {folder} && printf %s {shlex.quote(hook('ornament.py'))} > {folder}/{subject.about}.py"
    export = f'export PYTHONPATH="{folder}${{PYTHONPATH:+:$PYTHONPATH}}"'
    wanted = _made(work, real, log, "", command)
    with work.containers.start(work.spec) as session:
        session.run(made, seconds=30)
        found = _made(work, session, log, f"{export}\n", command)
        alike = wanted is not None and found == wanted
        goals = reached(work, session, log) if alike else ()
        arm = arm_of(PLAN.id, "route", session, session.journal, work.sign)
    route = Route(
        id=PLAN.id,
        tier=PLAN.tier,
        commands=(made, export, command),
        result="passed" if alike else "failed",
        note=say("hollow.alike" if alike else "hollow.otherwise", module=subject.about),
        artifact=work.keep(log),
    )
    tried = Tried(PLAN, route, arm=arm, reached=goals)
    work.settle(tried if envelope.shell.value else no_way_of_its(tried, of_a_shell(envelope)))


def _made(work: ReplayRun, session: Session, log: Log, before: str, command: str) -> tuple[str, str] | None:
    """What it prints, and what it writes, by name and sum; None where it fails, or prints nothing."""
    session.run(f"touch {MARK}", seconds=30, looks=True)
    done = run(session, log, before + command, work.seconds(), shell=work.subject.shell)
    listed = run(session, log, PRODUCTS_ANYWHERE, 60, looks=True)
    printed = done.output.strip()
    failed = "yes" in step_failures(command, done.output, done.exit_code)
    return (printed, listed.output) if done.ok and printed and not failed else None
