"""What the run did after the failing command, done here: its own way past the barrier, and its steps once that is gone.

The second is the dependency test: a command that the task asks for, that failed in the run and fails here, and that
works as soon as nothing but the barrier is taken away, needed what the barrier kept from it.
"""

import posixpath
import time
from collections.abc import Sequence

from cases import CommandRun
from cases import patterns as re
from cases.sentences import Sentences
from cases.shell import only_looks, steps_of
from cases.task_words import texts_of
from cases.touches.attempts import canonical
from cases.touches.names import things
from cases.touches.promises import made_by_run
from probes.barriers import RoutePlan, Trait, having
from probes.model import Answer, Finding, Ground, Question, Route, Tier
from probes.replay.resources.log import Log, run
from probes.replay.resources.outcome import Dependency, Tried
from probes.replay.resources.recipe import arm_of
from probes.replay.resources.run import ReplayRun
from probes.replay.restore.workspace_restore import Furnishing
from probes.replay.routes.judging import judge, short
from probes.replay.routes.ladder import goal_of
from probes.replay.target.model import Goal
from probes.replay.target.needs import script_of
from probes.replay.target.script import in_its_place, replayable
from sandboxes import Executed, Session

say = Sentences(__name__)

AS_IN_RUN = RoutePlan(
    id="as-in-the-run", tier=Tier.T2, needs=("network",), commands=(), source="what the run itself did later"
)
SECONDS = 120
"""For the steps of one container together, a route's or those that the task asks for."""
STEPS_SECONDS = 30
"""For next steps that nobody asked for."""
NEXT_STEPS = "next steps"
_FILE = re.compile(r"[\w-]*\.[A-Za-z]\w*")
_SPOKEN = re.Whole(r"[\w-]", r"[\w-]")
STEPS = 6
"""Next steps that are continued with."""


def pass_as_in_run(work: ReplayRun, command: str) -> None:
    """Where the record shows the barrier passed, the first route is to do the same, to the step that shows it."""
    record = [one for one in work.context.known if _shows_a_way(one)]
    if not record:
        return
    steps = _until(work, {citation.block for one in record for citation in one.citations})
    if not steps or not replayable(steps[-1]):
        note = say("going_on.could_not_tried")
        route = Route(id=AS_IN_RUN.id, tier=AS_IN_RUN.tier, result="not_tried", note=note)
        work.outcome.tried.append(Tried(AS_IN_RUN, route))
        return
    work.settle(_walked(work, steps, command))


def _shows_a_way(finding: Finding) -> bool:
    recorded = finding.ground is Ground.RECORD and finding.question is Question.PASSABLE
    return recorded and finding.valid_answer is Answer.YES


def _until(work: ReplayRun, blocks: set[int]) -> list[CommandRun]:
    """The run's steps after the failing one, up to the one that stands in these blocks."""
    subject = work.subject
    if subject.event is None:
        return []
    later = subject.events.commands[subject.event + 1 :]
    shown = [place for place, step in enumerate(later) if blocks.intersection(step.blocks)]
    return list(later[: shown[-1] + 1]) if shown else []


def _walked(work: ReplayRun, way: list[CommandRun], command: str) -> Tried:
    subject, started, log = work.subject, time.monotonic(), Log(f"replay-route-{AS_IN_RUN.id}")
    steps = [step for step in way if replayable(step)]
    with work.containers.start(work.spec) as session:
        went = through(work, files_after(work, session, log), steps)
        strange, done = _otherwise(way, steps, went), len(went) == len(steps)
        failed = None if done and went[-1].ok and not subject.handler.met(subject, went[-1]) else went[-1]
        if failed is None and subject.barrier not in having(Trait.ELSEWHERE):
            log.note("goal check")
            failed = work.steps(session, log, goal_of(subject, command), "", SECONDS, failing=command)
        arm = arm_of(AS_IN_RUN.id, "route", session, session.journal, work.sign)
        goals = reached(work, session, log) if failed is None else ()
    result, note = judge(subject, AS_IN_RUN, failed, "")
    if failed and strange:
        result, note = "not_tried", say("going_on.could_not_tried_2", strange=strange)
    digest, took = work.keep(log), round(time.monotonic() - started, 3)
    shown = tuple(step.command for step in steps)
    route = Route(id=AS_IN_RUN.id, tier=AS_IN_RUN.tier, commands=shown, result=result, note=note, artifact=digest)
    return Tried(AS_IN_RUN, route, took, arm=arm, reached=goals)


def _otherwise(way: list[CommandRun], steps: list[CommandRun], went: list[Executed]) -> str:
    """Why the run's own way was not what was walked here, as far as that is so."""
    if len(went) < len(steps):
        return say("going_on.no_time_left")
    if len(steps) < len(way):
        return say("going_on.steps_no_commands", number=len(way) - len(steps))
    ends = zip(steps[:-1], went[:-1], strict=True)
    strange = next((step for step, done in ends if step.exit_code not in (None, done.exit_code)), None)
    return say("going_on.not_end_run", command=short(strange.command)) if strange else ""


def files_after(work: ReplayRun, session: Session, log: Log) -> Furnishing:
    """What the run wrote after the failing command, each file to be put there once."""
    furnishing = Furnishing(work, session, log)
    furnishing.begin_after()
    return furnishing


def reached(work: ReplayRun, session: Session, log: Log) -> tuple[str, ...]:
    """What else the task asks for, where all of it works now that a way passed the failing command.

    What only prepares the machine is asked of where there is nothing else, nor the command that was passed: another way
    may have prepared it. What cannot be run again leaves it open. Where the prompt asks for no more than a program that
    the failing command was to run, that is all.
    """
    subject = work.subject
    if subject.runs_all and work.outcome.decisive:
        return (work.outcome.decisive.command,)
    goals, unsure = (
        [goal for goal in goals if not _called_otherwise(work, goal)] for goals in (subject.goals, subject.unsure)
    )
    told = subject.asked if subject.asked and not subject.asked.prepares else None
    only_ready = all(goal.prepares and not goal.spelled for goal in goals)
    mine = told if told and (told.spelled or len(goals) < len(subject.goals) or only_ready) else None
    failed = [goal for goal in goals if not goal.prepares]
    if not failed and mine and subject.goals and not unsure and not subject.unrepeatable:
        return (mine.command,)
    failed = failed or goals
    unsure = [goal for goal in unsure if not goal.prepares]
    asked = bool(failed) or (bool(unsure) and subject.handler.judged_by_goals(subject))
    if not asked or subject.unrepeatable:
        return ()
    goals = sorted((*failed, *unsure), key=lambda goal: subject.events.commands.index(goal.event))
    log.note("what else the task asks for")
    goals = [goal for goal in goals if not any(_only_says_more(work, goal, other) for other in goals)]
    went = _reach(work, files_after(work, session, log), goals)
    return tuple(goal.command for goal in goals) if all(done.ok for done in went) and len(went) == len(goals) else ()


def failing_behind(work: ReplayRun, session: Session, log: Log) -> tuple[str, ...]:
    """What else the task asks for and fails now, of its own accord."""
    goals = [goal for goal in work.subject.goals if not goal.prepares]
    went = _reach(work, files_after(work, session, log), goals) if goals else []
    fails = [goal for goal, done in zip(goals, went, strict=False) if not done.ok and not done.timed_out]
    return tuple(goal.command for goal in fails)


def _only_says_more(work: ReplayRun, goal: Goal, other: Goal) -> bool:
    """Whether it is another goal with options between, which no text of the task's holds."""
    own, more = ([one.command for one in steps_of(each.command)] for each in (other, goal))
    if goal.spelled or len(own) != 1 or len(more) != 1 or own[0].program != more[0].program:
        return False
    words, added = list(own[0].arguments), list[str]()
    for word in more[0].arguments:
        if words[:1] == [word]:
            words.pop(0)
        else:
            added.append(word)
    told = texts_of(work.context.case, work.context.settings.workspace, work.outcome.task_files or ())
    options = [word for word in added if word.startswith("-")]
    return not words and bool(options) and not any(one in text for _, text in told for one in options)


def _called_otherwise(work: ReplayRun, goal: Goal) -> bool:
    """Whether it is the command that was passed, once more or called in a way that only the run thought of.

    The task spells no such call, and what it speaks of in it, and files that are not of the run's making, stand in the
    one that was passed as well.
    """
    passed, asked = work.outcome.decisive, work.subject.asked
    if asked and (goal.command, goal.folder) == (asked.command, asked.folder):
        return True
    if passed is None or goal.spelled or goal.prepares:
        return False
    own, other = _called(passed.command), _called(goal.command)
    if own is None or other is None or own[0] != other[0]:
        return False
    told = texts_of(work.context.case, work.context.settings.workspace, work.outcome.task_files or ())
    texts = [text for _, text in told]
    events = work.subject.events
    return not any(
        any(_SPOKEN.within(word, text) for text in texts)
        or (_FILE.fullmatch(word) and not made_by_run(word, "", events.commands, events.writes))
        for word in other[1] - own[1]
    )


def _called(line: str) -> tuple[str, frozenset[str]] | None:
    """The program of the task's own that a line calls last, and what it gives it, both without their folders."""
    steps = steps_of(line)
    found = [(script, step.command) for step in steps if (script := script_of(step.command) or step.command.module)]
    if not found:
        return None
    script, command = found[-1]
    words = (posixpath.basename(word) for word in command.arguments if word != script.text)
    return posixpath.basename(script.text), frozenset(word for word in words if word)


def _reach(work: ReplayRun, files: Furnishing, goals: Sequence[Goal]) -> list[Executed]:
    return repeated(work, files, [(goal.event, goal.line) for goal in goals], SECONDS)


def through(
    work: ReplayRun, files: Furnishing, steps: Sequence[CommandRun], seconds: float = SECONDS
) -> list[Executed]:
    return repeated(work, files, [(step, in_its_place(step)) for step in steps], seconds)


def repeated(
    work: ReplayRun, files: Furnishing, steps: Sequence[tuple[CommandRun, str]], seconds: float
) -> list[Executed]:
    """Commands in order, with the files that the run wrote between their events, as far as the time goes."""
    subject, end, went = work.subject, time.monotonic() + seconds, list[Executed]()
    places = {id(step): place for place, step in enumerate(subject.events.commands)}
    for event, command in steps:
        left = min(work.seconds(seconds), end - time.monotonic())
        if went and left < 1:
            break
        files.up_to(places[id(event)])
        went.append(run(files.stage, files.log, command, left, shell=subject.shell))
    return went


def works_later(work: ReplayRun, session: Session, log: Log, command: str) -> bool:
    """Whether the failing command works after one of the run's later steps: what it checks may only be made there."""
    subject, files = work.subject, files_after(work, session, log)
    later = subject.events.commands[subject.event + 1 :] if subject.event is not None else ()
    end = time.monotonic() + SECONDS
    for step in [step for step in later if replayable(step) and not step.only_looks]:
        if end - time.monotonic() < 1:
            return False
        through(work, files, [step], end - time.monotonic())
        if run(session, log, command, work.seconds(SECONDS), shell=subject.shell).ok:
            return True
    return False


def go_on(work: ReplayRun, session: Session, way: str, *, worked: bool, stub: str = "", hollow: bool = False) -> None:
    """The run's next steps in a container without the barrier, and its goals there and with the barrier in place.

    `worked` where the failing command did, so that the next steps mean something, and a try of it that the run made
    again needs none here, where the line's end tells how it ended: what has been made cannot always be made twice. A
    `stub` that stands in for a program or a module does nothing: that a goal works which runs it means nothing. Nor
    does it that one fails which may read what is `hollow`, an empty stand-in for data.
    """
    goals = [goal for goal in work.subject.goals if not stub or stub not in goal.command.split()]
    again = [goal for goal in goals if worked and _same(goal, work.subject.asked) and _told_by_its_end(work, goal)]
    goals = [goal for goal in goals if goal not in again]
    steps = list(work.subject.after[:STEPS]) if worked else []
    if not steps and not goals and not again:
        return
    log = Log("replay-next-steps")
    log.note(f"without the barrier ({way})")
    files = files_after(work, session, log)
    went = _reach(work, files, goals) if worked else []
    on_the_way = list[Executed]()
    if not went or not all(done.ok for done in went):  # perhaps only behind what the run did next
        on_the_way = through(work, files, steps, STEPS_SECONDS)
        later = _reach(work, files, goals)
        went = [early if early.ok else late for early, late in zip(went or later, later, strict=False)]
    working = [*again, *(goal for goal, done in zip(goals, went, strict=False) if done.ok)]
    told = _told([*on_the_way, *went], len(again))
    ends = [(goal, done) for goal, done in zip(goals, went, strict=False) if not _makes_ready(goal)]
    tells = worked and (not hollow or _only_looked(work))
    asked = work.subject.asked
    if any(goal.spelled for goal in (*again, *((asked,) if asked else ()))):  # and what a stub stands for makes nothing
        ends = [(goal, done) for goal, done in ends if goal.spelled]
        tells = tells and bool(ends) and not stub
    if tells and not any(done.ok for _, done in ends or zip(goals, went, strict=False)):
        work.outcome.beyond = _beyond(work, ends or list(zip(goals, went, strict=False)))
    if working and not work.outcome.beyond:
        told += f"; {_with_it_in_place(work, steps if on_the_way else [], working, log)}"
    work.observe(NEXT_STEPS, told, None, work.keep(log))


def _makes_ready(goal: Goal) -> bool:
    """Whether a goal only installs or builds what others then use."""
    programs = {step.command.program for step in steps_of(goal.command)}
    return goal.prepares or (bool(programs) and programs <= things().builders.programs)


def _beyond(work: ReplayRun, ends: Sequence[tuple[Goal, Executed]]) -> str:
    """The task's own later command that fails as it did in the run, though the barrier is gone; any such command, where
    only a look found a file missing: that may be what it was to make.
    """
    if work.subject.handler.changes(work.subject):  # and what the run had in mind need not have been right
        return ""
    place = work.subject.event if work.subject.event is not None else len(work.subject.events.commands)
    commands, looked = work.subject.events.commands, _only_looked(work)
    later = commands if looked else commands[place + 1 :]
    for goal, done in ends:
        ended = goal.event.exit_code in (None, done.exit_code)
        if goal.event in later and not done.timed_out and not done.oom and ended:
            return say("going_on.task_asks_fails", command=short(goal.command))
    return ""


def _only_looked(work: ReplayRun) -> bool:
    """Whether the file that is missing was missed by programs alone that only look."""
    name = posixpath.basename(work.subject.about)
    missed = [
        fact for fact in work.outcome.facts if fact.kind == "file missing" and posixpath.basename(fact.subject) == name
    ]
    return bool(missed) and all(only_looks(f"{fact.process} x") for fact in missed)


def _same(goal: Goal, asked: Goal | None) -> bool:
    return asked is not None and (goal.command, goal.folder) == (asked.command, asked.folder)


def _told_by_its_end(work: ReplayRun, goal: Goal) -> bool:
    """Whether the failing line can end with 0 only where that part of it has."""
    line = work.outcome.decisive.command if work.outcome.decisive else goal.line
    own = {canonical(step.command) for step in steps_of(goal.command)}
    return any(step.must and canonical(step.command) in own for step in steps_of(line))


def _told(went: Sequence[Executed], again: int) -> str:
    stopped = next((done for done in went if not done.ok), None)
    told = say("going_on.barrier_removed_run", ok=again + sum(done.ok for done in went), went=again + len(went))
    return say("going_on.first_not", told=told, command=short(stopped.command)) if stopped else told


def _with_it_in_place(work: ReplayRun, steps: Sequence[CommandRun], reached: Sequence[Goal], log: Log) -> str:
    """The same where nothing was removed: what then fails depends on it."""
    log.note("the same with the barrier in place")
    with work.containers.start(work.spec) as session:
        files = files_after(work, session, log)
        through(work, files, steps, STEPS_SECONDS)
        went = _reach(work, files, reached)
    ends = [(goal, done) for goal, done in zip(reached, went, strict=False) if not goal.prepares]
    goal, done = next(((goal, done) for goal, done in ends if not done.ok and not done.timed_out), (None, None))
    if goal is None or done is None:
        return say("going_on.place_too")
    if goal.means_to:
        return say("going_on.one_means", command=short(goal.command), data=goal.means_to)
    work.outcome.dependency = Dependency(goal.command, done.how)
    return say("going_on.place_task_asks", command=short(goal.command), how=done.how)
