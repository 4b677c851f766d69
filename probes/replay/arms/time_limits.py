"""A command that the run's tool ended after its time: left running while others look at it, it may come to its end."""

import posixpath
import shlex
import time
from collections.abc import Iterator

from cases import CommandRun
from cases import patterns as re
from cases.failing import ended_by_time
from cases.failing.commands import TIMED_OUT
from cases.sentences import Sentences
from cases.shell import Command, Edit, edited, seconds_in, steps_of
from cases.task_words import texts_of
from cases.touches import canonical
from probes.barriers import RoutePlan
from probes.model import Route, Tier
from probes.replay.arms.going_on import reached
from probes.replay.resources.log import Log, run
from probes.replay.resources.outcome import Tried
from probes.replay.resources.recipe import arm_of
from probes.replay.resources.run import ReplayRun
from sandboxes import Executed, Session

say = Sentences(__name__)

LONG_SECONDS = 5.0
"""What takes less is ended by no tool's limit: something else kept it."""
LOOK_SECONDS = 8
"""For each command that looks: no more than any tool gives one."""
_PLAN = RoutePlan(
    id="in-the-background",
    tier=Tier.T1,
    needs=("shell",),
    commands=(),
    source="nohup(1): what is left running goes on while other commands look at what became of it",
)
_UNLIMITED = RoutePlan(
    id="without-own-limit",
    tier=Tier.T2,
    needs=("shell",),
    commands=(),
    source="timeout(1): who sets a limit may set a longer one",
)
_WITH_VALUE = frozenset({"-k", "--kill-after", "-s", "--signal"})
WITHOUT_SECONDS = 150
"""For a command without the limit that the run set it."""
_LIMIT = re.compile(r"\btimeout\s+(?:-\S+\s+)*(\d+(?:\.\d+)?[smhd]?)\s")
_CODE = "/tmp/behind.code"  # noqa: S108 - in a container
_OUTPUT = "/tmp/behind.out"  # noqa: S108


def left_running(work: ReplayRun) -> None:
    """Where the run's tool ended a command that works here in more time than it takes to look at one, try it so that no
    command takes long.
    """
    decisive, event = work.outcome.decisive, _event(work)
    if decisive is None or event is None or not work.context.envelope.shell.value:
        return
    took = decisive.done.seconds
    if event.exit_code == TIMED_OUT:
        without_own_limit(work, decisive.command)
    own = _own_limit(event, decisive.command)
    ended = took > (own or 0) or event.exit_code == TIMED_OUT
    if own is not None and ended and not _told(work, event.command):
        note = say("time_limits.own_limit", own=own, took=took)
        shown = (decisive.command,)
        route = Route(id=_UNLIMITED.id, tier=_UNLIMITED.tier, commands=shown, result="passed", note=note)
        work.settle(Tried(_UNLIMITED, route, took, arm=decisive.arm, reached=_reached(work, decisive.command)))
        return
    if took < LONG_SECONDS or not ended_by_time(event.command, event.output, event.exit_code):
        return
    log = Log(f"replay-route-{_PLAN.id}")
    log.note(f"route {_PLAN.id} ({_PLAN.tier.value}): {_PLAN.source}")
    inner = f"{decisive.command}\necho $? > {_CODE}"
    begin = f"nohup {work.subject.shell} -c {shlex.quote(inner)} > {_OUTPUT} 2>&1 < /dev/null &"
    look = f"for i in $(seq {LOOK_SECONDS - 2}); do [ -s {_CODE} ] && break; sleep 1; done; [ -s {_CODE} ]"
    ends = f'tail -n 20 {_OUTPUT}; test "$(cat {_CODE})" = 0'
    with work.containers.start(work.spec) as session:
        done = _walked(work, session, log, (begin, look, ends), min(work.left(), 4 * took + 30))
        goals = reached(work, session, log) if done.ok else ()
        arm = arm_of(_PLAN.id, "route", session, session.journal, "")
    note = say("time_limits.takes_here_left", took=took, look_seconds=LOOK_SECONDS)
    route = Route(
        id=_PLAN.id,
        tier=_PLAN.tier,
        commands=(begin, look, ends),
        result="passed" if done.ok else "failed",
        note=note if done.ok else say("time_limits.left_running_not", how=done.how),
        artifact=work.keep(log),
    )
    work.settle(Tried(_PLAN, route, done.seconds, arm=arm, reached=goals))


def _reached(work: ReplayRun, command: str) -> tuple[str, ...]:
    """What else the task asks for and works behind the command, left alone."""
    if not (work.subject.goals or work.subject.unsure) or work.subject.unrepeatable:
        return ()
    log = Log("replay-behind-the-limit")
    with work.containers.start(work.spec) as session:
        done = run(session, log, command, work.seconds(WITHOUT_SECONDS), shell=work.subject.shell)
        goals = reached(work, session, log) if done.ok else ()
    work.keep(log)
    return goals


def without_own_limit(work: ReplayRun, command: str) -> None:
    """Where a limit that the run set itself ended the command, try it without, unless the task's own text sets it.

    What then does not end in the time that is left stays open: nothing that ends with such a limit speaks against it.
    """
    decisive = work.outcome.decisive
    limits = [seconds_in(limit[1]) or 0 for limit in _LIMIT.finditer(command)]
    line = edited(command, _limit_of)
    if decisive is None or not limits or line == command or (decisive.same and decisive.done.seconds < min(limits)):
        return
    if _told(work, command):
        return
    log = Log(f"replay-route-{_UNLIMITED.id}")
    log.note(f"route {_UNLIMITED.id} ({_UNLIMITED.tier.value}): {_UNLIMITED.source}")
    with work.containers.start(work.spec) as session:
        done = run(session, log, line, work.seconds(WITHOUT_SECONDS), shell=work.subject.shell)
        worked = done.ok and not work.subject.handler.met(work.subject, done)
        goals = reached(work, session, log) if worked else ()
        arm = arm_of(_UNLIMITED.id, "route", session, session.journal, work.sign)
    if worked:
        result, note = "passed", say("time_limits.own_limit", own=max(limits), took=done.seconds)
    elif done.timed_out:
        result, note = "not_tried", say("time_limits.not_to_its_end", seconds=done.seconds)
    else:
        result, note = "failed", say("time_limits.fails_without", how=done.how)
    route = Route(
        id=_UNLIMITED.id,
        tier=_UNLIMITED.tier,
        commands=(line,),
        result=result,
        note=note,
        artifact=work.keep(log),
    )
    work.settle(Tried(_UNLIMITED, route, done.seconds, arm=arm, reached=goals))


def _told(work: ReplayRun, line: str) -> bool:
    """Whether the task's own text sets a limit that the line has."""
    limits = [" ".join(limit[0].split()) for limit in _LIMIT.finditer(line)]
    told = texts_of(work.context.case, work.context.settings.workspace, work.outcome.task_files or ())
    texts = [" ".join(text.split()) for _, text in told]
    return any(limit in text for limit in limits for text in texts)


def _limit_of(command: Command) -> Iterator[Edit]:
    """Takes `timeout`, its options and the time out of a command."""
    words = command.spelled
    at = next((place for place, word in enumerate(words) if posixpath.basename(word.text) == "timeout"), None)
    if at is None or "timeout" not in command.wrappers:
        return
    place = at + 1
    while place < len(words) and words[place].text.startswith("-"):
        place += 2 if words[place].text in _WITH_VALUE else 1
    if place + 1 < len(words):
        yield words[at].start, words[place + 1].start, ""


def _own_limit(event: CommandRun, command: str) -> float | None:
    """Seconds after which the run itself had the command ended, where that is not done here."""
    mine = {canonical(step.command) for step in steps_of(command) if "timeout" not in step.command.wrappers}
    limits = [
        seconds_in(limit[1]) or 0
        for step in event.steps
        if "timeout" in step.command.wrappers and canonical(step.command) in mine
        for limit in [_LIMIT.search(step.command.text)]
        if limit
    ]
    return max(limits, default=None)


def _walked(work: ReplayRun, session: Session, log: Log, commands: tuple[str, str, str], most: float) -> Executed:
    """What the first command that fails for good came to, or the last."""
    begin, look, ends = commands
    began = time.monotonic()
    done = run(session, log, begin, LOOK_SECONDS, shell=work.subject.shell)
    if not done.ok:
        return done
    while not (done := run(session, log, look, LOOK_SECONDS + 5, shell=work.subject.shell)).ok:
        if time.monotonic() - began > most:
            return done
    return run(session, log, ends, LOOK_SECONDS, shell=work.subject.shell)


def _event(work: ReplayRun) -> CommandRun | None:
    place, commands = work.subject.event, work.subject.events.commands
    return commands[place] if place is not None and place < len(commands) else None
