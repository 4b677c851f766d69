"""What the run did after a failing command, and what else the task asks for, to be run behind it in the replay."""

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self, TypeGuard

from cases import Case, CommandRun, Events, Outcome, Run
from cases import patterns as re
from cases.failing.commands import IDLE
from cases.shell import looks, steps_of
from cases.task_words import given, prompt_of
from cases.touches import (
    Touch,
    Trouble,
    canonical,
    computed_without,
    goals_of,
    idle,
    left_open,
    means_to,
    needed_files,
    prepares,
    touches_of,
    troubles_of,
)
from cases.touches.names import SOURCE
from cases.touches.promises import made_by_run
from probes.contract import ProbeContext
from probes.model import Barrier, Hypothesis
from probes.replay.target.model import Goal, ReplayTarget
from probes.replay.target.needs import scripts_of
from probes.replay.target.script import replayable
from probes.replay.target.symptom import without_changes

_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def with_what_followed(
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
    record = _Record.of(case, run, events, files)
    here, trouble = record.order.index(failing), record.trouble_of(failing)
    lacking = trouble.cause if trouble else None
    open_words = (left_open(case, lacking) or computed_without(case, run, events, lacking)) if lacking else ""

    def goal_of(event: CommandRun, told: Touch) -> Goal:
        goal = _goal(event, told, hypothesis.targets.paths)
        return replace(goal, means_to=means_to(told, case, run, events, lacking) or open_words)

    def goals_among(each: list[tuple[object, Touch]]) -> tuple[Goal, ...]:
        return tuple(goal_of(event, goal) for event, goal in each if event != failing and _repeatable(event))

    goals, unsure, own = goals_among(record.failed), goals_among(record.untold), record.own(here)
    return replace(
        subject,
        rescue=trouble is not None and _rescues(trouble, here, record.troubles),
        needs=needed_files(trouble.events if trouble else record.unsaid(here), case, run, events, files),
        works_on=tuple(one.name for one in record.named if here in one.events),
        runs_all=record.runs_all(here, prompt_of(case)),
        alone=all(here in goal.events or _runs_only(goal.name, own) for goal in record.asked),
        after=tuple(record.after(here, [goal.event for goal in goals])),
        goals=tuple(dict.fromkeys(goals)),
        unsure=tuple(dict.fromkeys(unsure)),
        unrepeatable=any(one != failing and not _repeatable(one) for one, _ in (*record.failed, *record.untold)),
        asked=next((replace(goal_of(failing, one), untold=one.outcome == "never") for one in own), None),
        overcome=next((_goal(failing, one) for one in record.overcome(here)), None),
        beside=record.beside(trouble) if trouble and hypothesis.barrier is not Barrier.OWN_CODE_FAILS else (),
        apart=record.apart(trouble) if trouble else record.unharmed(failing),
    )


@dataclass(frozen=True)
class _Record:
    """A failed run, as far as it tells what became of what the task asks for."""

    events: Events
    troubles: Sequence[Trouble]
    asked: Sequence[Touch]
    """Commands that the task asks for."""
    named: Sequence[Touch]
    """Files that the task names."""

    @classmethod
    def of(cls, case: Case, run: Run, events: Events, files: Mapping[str, str]) -> Self:
        """As its touches tell it."""
        asked = [goal for goal in goals_of(case, run, events, files) if goal.origin == "task"]
        named = [one for one in touches_of(case, run, events, files) if one.kind == "file" and one.origin == "task"]
        return cls(events, troubles_of(case, run, events, files), asked, named)

    @cached_property
    def order(self) -> Sequence[object]:
        """All that happened."""
        return self.events.in_order

    @cached_property
    def failed(self) -> list[tuple[object, Touch]]:
        """What the task asks for and failed, or made nothing of what it must, with its last failure."""
        failed = ((goal.failed, goal) for goal in self.asked if goal.outcome == "failed")
        missed = ((goal.events, goal) for goal in self.asked if goal.missed)
        return [(self.order[places[-1]], goal) for places, goal in (*failed, *missed)]

    @cached_property
    def untold(self) -> list[tuple[object, Touch]]:
        """What the task asks for and of which the record does not tell how it ended, with the last time it was run."""
        never = (goal for goal in self.asked if goal.outcome == "never" and not goal.missed)
        return [(self.order[goal.events[-1]], goal) for goal in never]

    @cached_property
    def commands(self) -> list[Touch]:
        """What the task asks for and does more than to move or to look."""
        return [one for one in self.asked if not all(idle(step.command) for step in steps_of(one.name))]

    def trouble_of(self, failing: CommandRun) -> Trouble | None:
        """The trouble that a failing command is part of, where it stayed."""
        here = self.order.index(failing)
        return next((one for one in self.troubles if here in one.events and not one.resolved), None)

    def own(self, here: int) -> list[Touch]:
        """What of the command there the task asks for: what failed, or else what ended there in an unknown way and did
        so whenever it was run again.
        """
        failed = [goal for _, goal in self.failed if here in goal.failed]
        return failed or [goal for _, goal in self.untold if here in goal.events and self._said_again(here, goal)]

    def _said_again(self, here: int, goal: Touch) -> bool:
        """Whether each time that the command was run again it said nothing, as before, or its last line once more."""
        ran = [one for place in goal.events if place >= here and isinstance(one := self.order[place], CommandRun)]
        said = [[without_changes(line) for line in (one.output or "").splitlines()] for one in ran]
        last = next((line for line in reversed(said[0]) if line), "")
        return all(last in lines if last else not any(lines) for lines in said)

    def unsaid(self, here: int) -> tuple[int, ...]:
        """The place itself, where the record does not tell how that ended."""
        return (here,) if getattr(self.order[here], "failed", "") == "unknown" else ()

    def runs_all(self, here: int, prompt: str) -> bool:
        """Whether a task that tells no command names a script that the command there runs, and no other that stayed."""
        told = [one for one in self.named if posixpath.basename(one.name) in prompt]
        runs = [one for one in told if here in one.events and SOURCE.search(one.name)]
        return bool(runs) and not self.asked and all(one in runs or one.outcome == "worked" for one in told)

    def overcome(self, here: int) -> list[Touch]:
        """What of the command there the task asks for and worked later."""
        return [goal for goal in self.asked if goal.outcome == "worked" and here in goal.failed]

    def after(self, here: int, met: Sequence[CommandRun]) -> Iterator[CommandRun]:
        """The run's next steps, but its attempts to pass something and those `met` already."""
        rescues = {place for trouble in self.troubles for place in trouble.attempts}
        for place, event in enumerate(self.order[here + 1 :], here + 1):
            acts = isinstance(event, CommandRun) and replayable(event) and not event.only_looks
            if isinstance(event, CommandRun) and acts and place not in rescues and event not in met:
                yield event

    def beside(self, trouble: Trouble) -> tuple[CommandRun, ...]:
        """The steps after what only the run itself wanted, to the last with which all that the task asks for worked.

        A task that tells no command to run asks for files: those of them that the run made.
        """
        goals = [one for one in self.troubles if one.goal]
        own = all(touch.origin != "task" for touch in (trouble.cause, *trouble.with_it))
        if not own or any(not one.resolved or one.cause.origin != "task" for one in goals):
            return ()
        return self._to_the_last(max(trouble.events), goals, self.asked or self._products(trouble))

    def _products(self, trouble: Trouble) -> list[Touch]:
        """Files that the task names and the run made, as of the steps that made them; none where one that it names
        failed, or where one that what failed was to work on never worked.
        """
        met = set(trouble.events)
        failed = (
            one.outcome == "failed" or (one.outcome != "worked" and met.intersection(one.events)) for one in self.named
        )
        if any(failed):
            return []
        made = (one.model_copy(update={"events": tuple(self._makers(one.name))}) for one in self.named)
        return [one for one in made if one.events]

    def _makers(self, name: str) -> Iterator[int]:
        for place, event in enumerate(self.order):
            if not isinstance(event, CommandRun) or not made_by_run(name, "", (event,), ()):
                continue
            if not _only_says(event) or self._shown(event, place):
                yield place

    def _shown(self, saying: CommandRun, place: int) -> bool:
        """Whether something printed a number that it says: what it makes of that was found, and not made up."""
        before = (event.output or "" for event in self.order[:place] if isinstance(event, CommandRun))
        found = {number for output in before for number in _NUMBER.findall(output)}
        return not found.isdisjoint(_NUMBER.findall(saying.command))

    def apart(self, trouble: Trouble) -> tuple[Goal, ...]:
        """Behind what only prepares for others, what else the task asks for, where all of that worked."""
        if not all(_only_prepares(self.order[place]) for place in trouble.events):
            return ()
        goals = [one for one in self.troubles if one.goal and not all(map(_only_prepares, self._events(one)))]
        here = max(trouble.events)
        if any(not one.resolved for one in goals) or not self._to_the_last(here, goals, self.commands):
            return ()
        return self._ends(self.commands, after=here)

    def unharmed(self, failing: CommandRun) -> tuple[Goal, ...]:
        """Where a command that the task asks for complains but works: all that it asks for, where all of it worked."""
        here = self.order.index(failing)
        if failing.failed != "no" or not any(here in one.events for one in self.commands):
            return ()
        if any(one.outcome != "worked" or one.failed[-1:] == one.events[-1:] for one in self.commands):
            return ()
        return self._ends(self.commands)

    def _events(self, trouble: Trouble) -> Iterator[object]:
        return (self.order[place] for place in trouble.events)

    def _ends(self, commands: Sequence[Touch], *, after: int = -1) -> tuple[Goal, ...]:
        """The last time that each was run; none where one was not `after` a place, or cannot be run again."""
        ends = ((self.order[max(one.events)], one) for one in commands if max(one.events) > after)
        found = [_goal(event, one) for event, one in ends if _repeatable(event)]
        return tuple(found) if len(found) == len(commands) else ()

    def _to_the_last(self, here: int, goals: Sequence[Trouble], commands: Sequence[Touch]) -> tuple[CommandRun, ...]:
        """The steps behind a place, to the last with which each of these worked; none where one did only before it."""
        order, met = self.order, {place for one in goals for place in one.events}
        done = [(one, set(one.events).difference(one.failed)) for one in commands if met.isdisjoint(one.failed)]
        ways = [max((at for at in places if _may_work(order[at], one)), default=-1) for one, places in done]
        ways += [max((at for at in one.attempts if _worked(order[at])), default=-1) for one in goals]
        if not ways or min(ways) <= here:
            return ()
        steps = [event for event in order[here + 1 : max(ways) + 1] if _repeatable(event)]
        return tuple(event for event in steps if not event.only_looks or event is order[max(ways)])


def _runs_only(command: str, goals: Sequence[Touch]) -> bool:
    """Whether all that a command runs are scripts of the task's that the goals run as well, to whatever place."""
    own = {path for goal in goals for path in scripts_of(goal.name)}
    return bool(own) and set(scripts_of(command)) == own and len(steps_of(command)) == len(own)


def _only_prepares(event: object) -> bool:
    steps = [step.command for step in event.steps if step.command.words] if isinstance(event, CommandRun) else []
    return any(map(prepares, steps)) and all(map(idle, steps))


def _only_says(event: CommandRun) -> bool:
    """Whether all that it may have put into a file are words of its own."""
    return all(
        step.command.program in IDLE
        or step.command.program == "touch"
        or looks(step.command)
        or any(redirect.heredoc for redirect in step.command.redirects if step.command.program == "cat")
        for step in event.steps
    )


def _may_work(event: object, touch: Touch) -> bool:
    """Whether it worked, or may have, of what worked once in the run."""
    return isinstance(event, CommandRun) and (
        event.failed == "no" or (event.failed != "yes" and touch.outcome == "worked")
    )


def _worked(event: object) -> bool:
    return isinstance(event, CommandRun) and event.failed == "no"


def _repeatable(event: object) -> TypeGuard[CommandRun]:
    return isinstance(event, CommandRun) and replayable(event)


def _rescues(trouble: Trouble, place: int, troubles: Sequence[Trouble]) -> bool:
    """Whether it met no more than what the run chose itself to get past another failure that stayed: with it that may
    be passed, and without it in another way.
    """
    chosen = trouble.cause.origin == "agent" and trouble.cause.kind in ("program", "module", "package")
    return chosen and any(
        one.cause.origin == "task" and one.goal and not one.resolved and one.events[0] < place not in one.events
        for one in troubles
    )


def _goal(event: CommandRun, told: Touch, about: Sequence[str] = ()) -> Goal:
    """The one command of a line, without what the run put around it; no product is what the barrier is `about`."""
    mine = posixpath.basename(told.missed) in map(posixpath.basename, about)
    product = "" if mine else told.missed
    step = next((step for step in event.steps if canonical(step.command) == told.name), None)
    place = step.at(".", event.cwd or "") if step else None
    prepared = step is not None and prepares(step.command)
    if step is None or not all(word.literal for word in step.command.words):
        return Goal(event, event.command, prepared, event.cwd, told.spelled, product=product)
    return Goal(event, told.name, prepared, place if place != "." else None, told.spelled, product=product)
