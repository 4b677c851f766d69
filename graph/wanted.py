"""Which of a run's troubles stood in the way of what the task asks for."""

import posixpath
from collections.abc import Collection, Sequence

from cases import CommandRun, Events
from cases.touches import Touch, Trouble, canonical, head, idle, own_code
from graph.steps import steps_of_event

_DIED = 128
"""git's exit code for what it cannot go on after."""


def is_given(touch: Touch) -> bool:
    return touch.origin == "task" and touch.kind in ("file", "host", "page")


def is_asked_for(trouble: Trouble) -> bool:
    """Whether the task itself tells to run the command, or names the thing."""
    commands = [one for one in (trouble.cause, *trouble.with_it) if one.kind == "command"]
    if (
        trouble.looked
        and trouble.cause.kind not in ("file", "program")
        and not any(one.origin == "task" for one in commands)
    ):
        return False
    told = trouble.goal and (any(one.origin == "task" for one in commands) or _never_reached(trouble))
    return told or (trouble.cause.kind != "command" and trouble.cause.origin == "task")


def _never_reached(trouble: Trouble) -> bool:
    """Whether it is about a host that the task names and that never answered."""
    return any(one.kind == "host" and one.origin == "task" and one.outcome == "failed" for one in trouble.with_it)


def told_commands(trouble: Trouble) -> list[Touch]:
    """Commands of it that the task spells or is about."""
    touches = (trouble.cause, *trouble.with_it)
    return [touch for touch in touches if touch.kind == "command" and touch.origin == "task"]


def calls_asked(trouble: Trouble, heads: Collection[tuple[str, ...]]) -> bool:
    """Whether it is another call of what the task tells to run, with which the run got past what had stopped that."""
    commands = (one for one in (trouble.cause, *trouble.with_it) if one.kind == "command")
    return trouble.goal and any(head(one.name) in heads for one in commands)


def one_a_goal(events: Events, troubles: Sequence[Trouble]) -> list[Trouble]:
    """Of several nameless failures of the same told command the last one: what failed before it was got past.

    Called plainly where it ever was, not as another user, under another program or with settings of the run's own.
    """
    last: dict[tuple[str, ...], Trouble] = {}
    for one in troubles:
        goals = tuple(
            touch.name for touch in (one.cause, *one.with_it) if touch.kind == "command" and touch.origin == "task"
        ) or (one.cause.kind, one.cause.name)
        known = last.get(goals)
        if known is None or _latest(events, one, goals) > _latest(events, known, goals):
            last[goals] = one
    return [one for one in troubles if one in last.values()]


def _latest(events: Events, trouble: Trouble, goals: Collection[str]) -> tuple[bool, int]:
    ordered = events.in_order
    steps = ((place, step) for place in trouble.events for step in steps_of_event(ordered[place]))
    asked = ((place, step.command) for place, step in steps if canonical(step.command) in goals)
    plain = [place for place, command in asked if not command.wrappers and not command.assignments]
    return bool(plain), max(plain or trouble.events)


def is_forerunner(events: Events, trouble: Trouble, leading: Sequence[Trouble], given: Sequence[Touch]) -> bool:
    """Whether it failed at work on a file of the task's before what the task asks for failed: nothing was to be passed
    then, and that may have lacked what this was to make.
    """
    first = min((one.events[0] for one in leading if one.goal), default=-1)
    place = trouble.events[0]
    if place > first or trouble.looked or not any(place in touch.events for touch in given if touch.kind == "file"):
        return False
    commands = [one.name for one in (trouble.cause, *trouble.with_it) if one.kind == "command"]
    return any(
        canonical(step.command) in commands and not idle(step.command)
        for step in steps_of_event(events.in_order[place])
    )


def ended_on(events: Events, last: int, trouble: Trouble, given: Sequence[Touch]) -> bool:
    """Whether the last thing that the run did is this failing command, on something of the task's, not in own code."""
    ended = last in trouble.events and any(last in touch.events for touch in given)
    return ended and _not_of_its_own(events, last)


def only_failed(events: Events, trouble: Trouble, given: Sequence[Touch]) -> bool:
    """Whether a goal's failing command is about a file of the task's with which nothing worked, not in own code."""
    failed = [touch for touch in given if touch.kind == "file" and touch.outcome != "worked"]
    places = {place for touch in failed for place in touch.events}.intersection(trouble.events)
    return trouble.goal and bool(places) and _not_of_its_own(events, max(places))


def lies_where_told(trouble: Trouble, given: Sequence[Touch]) -> bool:
    """Whether it is about a file that the machine showed in a folder of the task's; whether it is needed is open."""
    folders = {touch.name for touch in given if touch.kind == "file"}
    shown = trouble.cause.kind == "file" and trouble.cause.origin == "environment" and not trouble.looked
    return shown and posixpath.dirname(trouble.cause.name) in folders


def failed_on(events: Events, trouble: Trouble, given: Sequence[Touch]) -> list[str]:
    """The files of the task's on which code of the run's own failed, given to it or spelled in it, or another command
    that names it in its failure, or with none of which anything ever worked.
    """
    codes = {place: own_code(events, place) for place in trouble.events}
    never = {touch.name for touch in given if touch.outcome != "worked" or touch == trouble.cause}
    return [
        touch.name
        for touch in given
        if touch.kind == "file"
        and any(
            posixpath.basename(touch.name) in code or (place in touch.events and (code or touch.name in never))
            for place, code in codes.items()
        )
    ]


def is_at_work(events: Events, trouble: Trouble, given: Sequence[Touch]) -> bool:
    """Whether commands, none of them the run's own code, failed at a file of the task's with which no other worked."""
    ordered = events.in_order
    for touch in (touch for touch in given if touch.kind == "file"):
        places = [place for place in touch.events if not _only_looks(ordered[place]) or _refused(ordered[place])]
        failed = set(trouble.events).intersection(places)
        if any(_worked(ordered[place]) for place in places):
            continue
        if failed and all(_not_of_its_own(events, place) for place in failed):
            return True
    return False


def _refused(event: object) -> bool:
    """Whether a command that was to show something died: small codes only say that it found nothing or was misused."""
    return isinstance(event, CommandRun) and event.failed == "yes" and (event.exit_code or _DIED) >= _DIED


def untold_at_work(events: Events, given: Sequence[Touch]) -> list[CommandRun]:
    """Commands of the shell at work on a file of the task's, none of them the run's own code, that were run again word
    by word, where the record does not tell how any command at that file ended.
    """
    ordered, found = events.in_order, list[CommandRun]()
    for touch in (touch for touch in given if touch.kind == "file"):
        places = [place for place in touch.events if not _only_looks(ordered[place])]
        ran = [one for place in places if isinstance(one := ordered[place], CommandRun)]
        if any(one.failed != "unknown" for one in ran) or not all(_not_of_its_own(events, place) for place in places):
            continue
        found += [one for one in reversed(ran) if sum(one.command == other.command for other in ran) > 1][:1]
    return found


def _worked(event: object) -> bool:
    return isinstance(event, CommandRun) and event.failed == "no"


def _only_looks(event: object) -> bool:
    return isinstance(event, CommandRun) and event.only_looks


def _not_of_its_own(events: Events, place: int) -> bool:
    """Whether it is a command of the shell that runs no code of the run's own."""
    event = events.in_order[place]
    return isinstance(event, CommandRun) and event.kind == "shell" and not own_code(events, place)
