"""From a hypothesis and the run's record to what is to be replayed."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from cases import CommandRun, Events, Outcome
from cases.hosts import host_of
from cases.sentences import Sentences
from cases.shell import steps_of
from cases.task_words import given
from cases.touches import (
    Thing,
    Touch,
    Trouble,
    canonical,
    found_at_first,
    goals_of,
    idle,
    means_to,
    needed_files,
    origin_of,
    prepares,
    programs_missed,
    touches_of,
    troubles_of,
)
from cases.touches.installing import bare
from cases.touches.promises import made_by_run
from probes.contract import ProbeContext
from probes.model import Hypothesis
from probes.replay.handlers import BarrierHandler, handler_of
from probes.replay.target.model import Goal, ReplayTarget, home_of
from probes.replay.target.needs import scripts_of
from probes.replay.target.script import replayable
from probes.replay.target.symptom import last_line, symptoms

say = Sentences(__name__)


def subject_of(hypothesis: Hypothesis, context: ProbeContext) -> ReplayTarget | str:
    """What to replay, or one sentence why that cannot be told."""
    handler = handler_of(hypothesis.barrier)
    if handler is None:
        return say("deriving.probe_not_replay", value=hypothesis.barrier.value)
    recorded, prior = _event(hypothesis, context)
    event = recorded or handler.event_of(_cited(hypothesis, context))
    output = (event.output or "") if event else ""
    about = _about(handler, hypothesis, event)
    if about is None:
        return say("deriving.hypothesis_names_no", noun=handler.noun)
    told = recorded is not None and _is_told(about, hypothesis, context)
    refusal = handler.refuses(about, event.command if event else "", output, told=told)
    if refusal:
        return refusal
    found = symptoms(hypothesis.barrier, output)
    expected = next((s for s in found if handler.same(s.subject, about)), found[0] if found else None)
    expected = (
        expected or handler.expected_of(event) or handler.expected(hypothesis.barrier, about) or last_line(output)
    )
    attempts = handler.attempts(hypothesis, event, about, context.envelope)
    if not attempts or expected is None:
        return say("deriving.no_command_known", about=about)
    subject = ReplayTarget(
        handler=handler,
        barrier=hypothesis.barrier,
        attempts=attempts,
        expected=expected,
        about=about,
        prior=prior,
        output=output,
        cwd=event.cwd if event else None,
        events=context.events.get(hypothesis.run_id or "", Events()),
        event=hypothesis.event if event else None,
        shell="sh" if "/bin/sh: " in output else "bash",
        home=home_of(context.envelope),
    )
    if recorded is not None:
        subject = handler.plainly(_looked(_afterwards(subject, hypothesis, recorded, context), hypothesis, context))
    return replace(subject, details=handler.known(hypothesis, subject))


def _event(hypothesis: Hypothesis, context: ProbeContext) -> tuple[CommandRun | None, tuple[CommandRun, ...]]:
    events = context.events.get(hypothesis.run_id or "")
    if events is None or hypothesis.event is None or hypothesis.event >= len(events.commands):
        return None, ()
    return events.commands[hypothesis.event], events.commands[: hypothesis.event]


def _afterwards(
    subject: ReplayTarget, hypothesis: Hypothesis, failing: CommandRun, context: ProbeContext
) -> ReplayTarget:
    """The subject with the run's next steps, the other commands that the task asks for and that failed at last, or of
    which the record does not tell how they ended, and what of the failing one is such a command.
    """
    case, files = context.case, given(context.settings.workspace)
    run = next((run for run in case.runs if run.run_id == hypothesis.run_id), None)
    events = context.events.get(hypothesis.run_id or "", Events())
    if run is None or run.outcome is not Outcome.FAILED:
        return subject
    order = events.in_order
    troubles = troubles_of(case, run, events, files)
    rescues = {place for trouble in troubles for place in trouble.attempts}
    here = order.index(failing)
    after = [
        event
        for place, event in enumerate(order[here + 1 :], here + 1)
        if isinstance(event, CommandRun) and place not in rescues and replayable(event) and not event.only_looks
    ]
    named = [one for one in touches_of(case, run, events, files) if one.kind == "file" and one.origin == "task"]
    of_the_task = [goal for goal in goals_of(case, run, events, files) if goal.origin == "task"]
    told = [goal for goal in of_the_task if goal.outcome == "failed"]
    unsure = [goal for goal in of_the_task if goal.outcome == "never"]
    last = [(order[goal.failed[-1]], goal) for goal in told]
    ends = [(order[goal.events[-1]], goal) for goal in unsure]
    goals, open_ones = (
        [replace(goal, means_to=means_to(one, case, run, events)) for goal, one in _goals(each, failing)]
        for each in (last, ends)
    )
    met = [goal.event for goal in goals]
    mine = [goal for goal in told if here in goal.failed] or [goal for goal in unsure if here in goal.events[-1:]]
    own = (replace(_goal(failing, one), untold=one.outcome == "never") for one in mine)
    trouble = next((one for one in troubles if here in one.events and not one.resolved), None)
    return replace(
        subject,
        rescue=trouble is not None and _rescues(trouble, here, troubles),
        needs=needed_files(trouble, case, run, events, files) if trouble else (),
        alone=all(here in goal.events or _runs_only(goal.name, mine) for goal in of_the_task),
        after=tuple(event for event in after if event not in met),
        goals=tuple(dict.fromkeys(goals)),
        unsure=tuple(dict.fromkeys(open_ones)),
        unrepeatable=any(event != failing and not _repeatable(event) for event, _ in (*last, *ends)),
        asked=next(own, None),
        beside=_beside(trouble, troubles, of_the_task, _products(trouble, named, events), order) if trouble else (),
        apart=_apart(trouble, troubles, of_the_task, order) if trouble else _unharmed(failing, of_the_task, order),
    )


def _runs_only(command: str, goals: Sequence[Touch]) -> bool:
    """Whether all that a command runs are scripts of the task's that the goals run as well, to whatever place."""
    own = {path for goal in goals for path in scripts_of(goal.name)}
    return bool(own) and set(scripts_of(command)) == own and len(steps_of(command)) == len(own)


def _beside(
    trouble: Trouble,
    troubles: Sequence[Trouble],
    commands: Sequence[Touch],
    products: Sequence[Touch],
    order: Sequence[object],
) -> tuple[CommandRun, ...]:
    """The steps after what only the run itself wanted, to the last with which all that the task asks for worked.

    A task that tells no command to run asks for files: of `products`, those that the run made.
    """
    goals = [one for one in troubles if one.goal]
    own = all(touch.origin != "task" for touch in (trouble.cause, *trouble.with_it))
    if not own or any(not one.resolved or one.cause.origin != "task" for one in goals):
        return ()
    return _to_the_last(max(trouble.events), goals, commands or products, order)


def _products(trouble: Trouble, named: Sequence[Touch], events: Events) -> list[Touch]:
    """Files that the task names and the run made, as of the steps that made them; none where one that it names failed,
    or where one that what failed was to work on never worked.
    """
    met = set(trouble.events)
    if any(one.outcome == "failed" or (one.outcome != "worked" and met.intersection(one.events)) for one in named):
        return []
    order = events.in_order
    made = (
        one.model_copy(
            update={
                "events": tuple(
                    place
                    for place, event in enumerate(order)
                    if isinstance(event, CommandRun) and made_by_run(one.name, "", (event,), ())
                )
            }
        )
        for one in named
    )
    return [one for one in made if one.events]


def _apart(
    trouble: Trouble, troubles: Sequence[Trouble], commands: Sequence[Touch], order: Sequence[object]
) -> tuple[Goal, ...]:
    """Behind what only prepares for others, what else the task asks for, where all of that worked."""
    if not all(_only_prepares(order[place]) for place in trouble.events):
        return ()
    others = [one for one in commands if not all(idle(step.command) for step in steps_of(one.name))]
    goals = [one for one in troubles if one.goal and not all(_only_prepares(order[place]) for place in one.events)]
    here = max(trouble.events)
    if any(not one.resolved for one in goals) or not _to_the_last(here, goals, others, order):
        return ()
    ends = [(order[max(one.events)], one) for one in others if max(one.events) > here]
    found = [_goal(event, one) for event, one in ends if isinstance(event, CommandRun) and replayable(event)]
    return tuple(found) if len(found) == len(others) else ()


def _unharmed(failing: CommandRun, commands: Sequence[Touch], order: Sequence[object]) -> tuple[Goal, ...]:
    """Where a command that the task asks for complains and works all the same, all that it asks for, which worked."""
    here = order.index(failing)
    asked = [one for one in commands if not all(idle(step.command) for step in steps_of(one.name))]
    if failing.failed != "no" or not any(here in one.events for one in asked):
        return ()
    if any(one.outcome != "worked" or one.failed[-1:] == one.events[-1:] for one in asked):
        return ()
    ends = [(order[max(one.events)], one) for one in asked]
    found = [_goal(event, one) for event, one in ends if isinstance(event, CommandRun) and replayable(event)]
    return tuple(found) if len(found) == len(asked) else ()


def _only_prepares(event: object) -> bool:
    steps = [step.command for step in event.steps if step.command.words] if isinstance(event, CommandRun) else []
    return any(map(prepares, steps)) and all(map(idle, steps))


def _to_the_last(
    here: int, goals: Sequence[Trouble], commands: Sequence[Touch], order: Sequence[object]
) -> tuple[CommandRun, ...]:
    """The steps behind a place, to the last with which each of these worked; none where one did only before it."""
    met = {place for one in goals for place in one.events}
    done = [(one, set(one.events).difference(one.failed)) for one in commands if met.isdisjoint(one.failed)]
    ways = [max(filter(lambda place: _may_work(order[place], one), places), default=-1) for one, places in done]
    ways += [max(filter(lambda place: _worked(order[place]), one.attempts), default=-1) for one in goals]
    if not ways or min(ways) <= here:
        return ()
    steps = [event for event in order[here + 1 : max(ways) + 1] if isinstance(event, CommandRun) and replayable(event)]
    return tuple(event for event in steps if not event.only_looks or event is order[max(ways)])


def _may_work(event: object, touch: Touch) -> bool:
    """Whether it worked, or may have, of what worked once in the run."""
    return isinstance(event, CommandRun) and (
        event.failed == "no" or (event.failed != "yes" and touch.outcome == "worked")
    )


def _worked(event: object) -> bool:
    return isinstance(event, CommandRun) and event.failed == "no"


def _rescues(trouble: Trouble, place: int, troubles: Sequence[Trouble]) -> bool:
    """Whether it met no more than what the run chose itself to get past another failure that stayed: with it that may
    be passed, and without it in another way.
    """
    chosen = trouble.cause.origin == "agent" and trouble.cause.kind in ("program", "module", "package")
    return chosen and any(
        one.cause.origin == "task" and one.goal and not one.resolved and one.events[0] < place not in one.events
        for one in troubles
    )


def _repeatable(event: object) -> bool:
    return isinstance(event, CommandRun) and replayable(event)


def _goals(ends: Iterable[tuple[object, Touch]], failing: CommandRun) -> list[tuple[Goal, Touch]]:
    return [
        (_goal(event, told), told)
        for event, told in ends
        if isinstance(event, CommandRun) and event != failing and replayable(event)
    ]


def _goal(event: CommandRun, told: Touch) -> Goal:
    """The one command of a line, without what the run put around it."""
    step = next((step for step in event.steps if canonical(step.command) == told.name), None)
    place = step.at(".", event.cwd or "") if step else None
    prepared = step is not None and prepares(step.command)
    if step is None or not all(word.literal for word in step.command.words):
        return Goal(event, event.command, prepared, event.cwd, told.spelled)
    return Goal(event, told.name, prepared, place if place != "." else None, told.spelled)


def _is_told(about: str, hypothesis: Hypothesis, context: ProbeContext) -> bool:
    """Whether the task names it, taken as a host."""
    run = next((run for run in context.case.runs if run.run_id == hypothesis.run_id), None)
    thing = Thing("host", host_of(about) or about)
    origin = origin_of(thing, context.case, run, context.events[run.run_id]) if run else "agent"
    return origin == "task"


def _looked(subject: ReplayTarget, hypothesis: Hypothesis, context: ProbeContext) -> ReplayTarget:
    """The subject with what the run's record shows to be on its machine and not to be there."""
    case, run = context.case, next((run for run in context.case.runs if run.run_id == hypothesis.run_id), None)
    if run is None:
        return subject
    events = context.events[run.run_id]
    return replace(subject, seen=found_at_first(case, run, events), missed=programs_missed(case, run, events))


def _cited(hypothesis: Hypothesis, context: ProbeContext) -> str:
    """The blocks of records that the hypothesis quotes, one below the other; empty when it quotes none."""
    transcripts = {run.run_id: run.transcript for run in context.case.runs}
    texts: dict[str, None] = {}
    for citation in hypothesis.citations:
        transcript = transcripts.get(citation.run_id)
        if transcript and context.case.cites(citation):
            texts[transcript.blocks[citation.block].text] = None
    return "\n".join(texts)


def _about(handler: BarrierHandler, hypothesis: Hypothesis, event: CommandRun | None) -> str | None:
    output = (event.output or "") if event else ""
    shown = tuple(one.subject for one in symptoms(hypothesis.barrier, output))
    asked = handler.asked(event.command) if event else ()
    further = handler.candidates(hypothesis, event)
    names = [name.strip() for name in (*handler.named(hypothesis.targets), *asked, *shown, *further) if name.strip()]
    chosen = next((name for name in names if handler.valid is None or handler.valid.fullmatch(name)), None)
    return next((name for name in asked if chosen and handler.same(bare(name), chosen)), chosen)
