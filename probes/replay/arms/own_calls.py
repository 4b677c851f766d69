"""Other calls of what failed: the task's own without what the run put around it, and those that leave something out."""

import posixpath

from cases import patterns as re
from cases.sentences import Sentences
from cases.shell import Step, steps_of
from cases.task_words import prompt_of, texts_of
from cases.touches import canonical, prepares
from probes.barriers import RoutePlan, signatures
from probes.model import Barrier, Route, Tier
from probes.replay.arms.going_on import reached
from probes.replay.handlers.plain import is_fed
from probes.replay.resources.log import Log, run
from probes.replay.resources.outcome import Tried
from probes.replay.resources.run import ReplayRun
from sandboxes import Executed

say = Sentences(__name__)

AS_ASKED = RoutePlan(id="as-the-task-has-it", tier=Tier.T2, commands=(), source="the task's own command, and no more")
NOT_PREPARED = RoutePlan(
    id="without-preparing-it",
    tier=Tier.T2,
    commands=(),
    source="what else the task asks for, without the tool that prepares",
)
WITHOUT_AN_OPTION = RoutePlan(
    id="without-an-option",
    tier=Tier.T2,
    commands=(),
    source="the same call without an option that the prompt does not spell",
)
MOST = 2
"""Options that are left out, one at a time."""
_OPTION = re.compile(r"--[a-z][\w-]*")


def as_asked(work: ReplayRun, command: str) -> None:
    """Where the task's own command works without what the run put around it, that is a way past; its input stays, and
    so does a place that the task names for what it prints. What the run left running is not what failed, and what ended
    well in the run, too, got it no further.
    """
    asked = work.subject.asked
    if asked is None or asked.line == command or _ended_well(work, asked.command):
        return
    mine = [step for step in steps_of(command) if canonical(step.command) == asked.command]
    if any(step.background or is_fed(step) or _prints_where_told(work, step) for step in mine):
        return
    log = Log(f"replay-route-{AS_ASKED.id}")
    log.note("the task's own command, without what the run put around it")
    others = [goal for goal in work.subject.goals if not goal.prepares]
    with work.containers.start(work.spec) as session:
        done = run(session, log, asked.line, work.seconds(), shell=work.subject.shell)
        behind = reached(work, session, log) if done.ok and others else ()
    note = say("own_calls.task_own_command")
    goals = (asked.command, *behind) if behind or not others else ()
    settle_way(work, AS_ASKED, asked.line, done, log, note, goals=goals)


def _ended_well(work: ReplayRun, command: str) -> bool:
    ran = (one for one in work.subject.events.commands if one.failed == "no")
    return any(canonical(step.command) == command for one in ran for step in one.steps)


def _prints_where_told(work: ReplayRun, step: Step) -> bool:
    texts = [text for _, text in (*texts_of(work.context.case, None, ()), *work.outcome.documents)]
    return any(posixpath.basename(file) in text for file in step.command.outputs for text in texts)


def skip_preparing(work: ReplayRun, command: str) -> None:
    """Where what is missing only prepares the machine, and all else that the task asks for works without, it is passed
    by leaving it out.
    """
    subject, missing = work.subject, work.subject.about
    others = [goal for goal in subject.goals if not goal.prepares]
    mine = [step.command for step in steps_of(command) if step.command.program == missing]
    if subject.barrier is not Barrier.COMMAND or not others or not mine or not all(map(prepares, mine)):
        return
    line = f"{missing}() {{ :; }}; {command}"
    log = Log(f"replay-route-{NOT_PREPARED.id}")
    log.note(say("own_calls.left_out", missing=missing))
    with work.containers.start(work.spec) as session:
        done = run(session, log, line, work.seconds(), shell=subject.shell)
        behind = reached(work, session, log) if done.ok else ()
    if behind:
        note = say("own_calls.what_task_asks", missing=missing)
        settle_way(work, NOT_PREPARED, line, done, log, note, goals=behind)


def without_own_option(work: ReplayRun, command: str) -> None:
    """Where a program of the task's works without an option that the prompt does not spell, that leaves it open: nobody
    knows that what the option asks for is wanted.
    """
    prompt = prompt_of(work.context.case)
    words = [word for step in steps_of(command) if step.command.file for word in step.command.words[1:]]
    own = [word for word in words if word.literal and _OPTION.fullmatch(word.text) and word.text not in prompt]
    for word in own[:MOST]:
        line = f"{command[: word.start].rstrip()} {command[word.end :].lstrip()}".strip()
        log = Log(f"replay-route-{WITHOUT_AN_OPTION.id}")
        with work.containers.start(work.spec) as session:
            done = run(session, log, line, work.seconds(), shell=work.subject.shell)
        digest = work.keep(log)
        work.observe(f"{WITHOUT_AN_OPTION.id}: {word.text}", done.how, done.seconds, digest)
        if done.ok and not work.subject.handler.met(work.subject, done):
            note, plan = say("own_calls.without_an_option", option=word.text), WITHOUT_AN_OPTION
            route = Route(id=plan.id, tier=plan.tier, commands=(line,), result="not_tried", note=note, artifact=digest)
            work.outcome.tried.append(Tried(plan, route, done.seconds))
            return


def names_a_barrier(done: Executed) -> bool:
    """Whether its output shows a barrier of any kind."""
    return any(one.pattern.search(done.output) for _, one in signatures("replay"))


def settle_way(
    work: ReplayRun,
    plan: RoutePlan,
    command: str,
    done: Executed,
    log: Log,
    note: str,
    how: str = "alone",
    goals: tuple[str, ...] = (),
) -> None:
    """Keep what came of a call: a way where it worked and names no barrier."""
    digest = work.keep(log)
    if not done.ok or names_a_barrier(done):
        work.observe(plan.id, f"{how}: {done.how}", done.seconds, digest)
        return
    route = Route(id=plan.id, tier=plan.tier, commands=(command,), result="passed", note=note, artifact=digest)
    work.outcome.tried.append(Tried(plan, route, done.seconds, reached=goals))
    work.observe(f"route: {plan.id}", f"passed: {note}", done.seconds, digest)
