"""What the steps of a run's events did: nothing, install, or act, and how plainly."""

from collections.abc import Collection, Sequence

from cases import CommandRun, Events, ToolCall
from cases.failing.commands import IDLE
from cases.shell import Step, looks
from cases.touches import Touch, Trouble, inquires, installs, only_imports
from cases.touches.attempts import attempts_of
from cases.touches.likeness import alike


def steps_of_event(event: object) -> tuple[Step, ...]:
    """Those of a command; none of anything else that happened."""
    return event.steps if isinstance(event, CommandRun) else ()


def _not_acting(step: Step) -> bool:
    return looks(step.command) or step.command.program in IDLE


def _names_its_own(event: CommandRun) -> bool:
    """Whether its output names a file as what it failed on, or an option that it was given."""
    words = [word for step in event.steps for word in step.command.arguments if word.startswith("-")]
    options = [*(word for word in words if len(word) > 2), *(f"-- '{word[1:]}'" for word in words if len(word) == 2)]
    if any(option.partition("=")[0] in (event.output or "") for option in options):
        return True
    return any(one.failed == "yes" and one.blamed and one.thing.kind == "file" for one in attempts_of(event))


def only_asks(event: object) -> bool:
    """Whether it only looks, or asks what the machine has: programs for themselves, Python for modules."""
    steps = steps_of_event(event)
    return bool(steps) and all(
        _not_acting(step) or inquires(step.command) or only_imports(step.command) for step in steps
    )


def only_installs(event: object) -> bool:
    """Whether it does nothing but install something."""
    acting = [step.command for step in steps_of_event(event) if not _not_acting(step)]
    return bool(acting) and all(installs(command) for command in acting)


def plainest(ordered: Sequence[object], trouble: Trouble, *, last: bool = False) -> list[int]:
    """The failures of a trouble: where a command that the task asks for met it first, then that of the command with the
    fewest acting steps, of equals one that was called plainly and surely failed, the first or the `last` of these.
    """
    asked = {
        place for one in (trouble.cause, *trouble.with_it) if _asked_for(one) for place in one.failed
    }.intersection(trouble.events)
    return sorted(
        trouble.events,
        key=lambda place: (place not in asked, *_effort(ordered[place]), -place if last else place),
    )


def _asked_for(touch: Touch) -> bool:
    return touch.kind == "command" and touch.origin == "task"


def _effort(event: object) -> tuple[int, bool, bool]:
    """Its acting steps, whether it gives one settings of its own or a condition, and whether the record leaves its
    end open.
    """
    acting = [step for step in steps_of_event(event) if not looks(step.command)]
    wrapped = any(step.command.wrappers or step.command.assignments or step.conditional for step in acting)
    return len(acting), wrapped, isinstance(event, CommandRun) and event.failed != "yes"


def says_it_all(ordered: Sequence[object], trouble: Trouble, told: Collection[int]) -> bool:
    """Whether what is told of these places tells what stopped a trouble's plainest call, too: not where the run had put
    more into each of them, and they failed in other words.
    """
    first = plainest(ordered, trouble)[0]
    plain = _effort(ordered[first])[:2]
    more = trouble.goal and first not in told and all(_effort(ordered[place])[:2] > plain for place in told)
    return bool(told) and not (more and not any(alike(ordered[first], ordered[place]) for place in told))


def last_doing(events: Events) -> int:
    """The last event in which the run did something; -1 where there is none.

    A call that nothing answered and after which nothing came is how it ended. Looks count where the last of them failed
    on no file that was not there, and on no option of its own.
    """
    ordered = events.in_order
    last = ordered[-1] if ordered else None
    end = len(ordered) - (2 if isinstance(last, ToolCall) and not last.output else 1)
    for place in range(end, -1, -1):
        event = ordered[place]
        if place == end and isinstance(event, CommandRun) and event.failed == "yes" and not _names_its_own(event):
            return place
        if not (isinstance(event, CommandRun) and event.kind == "shell" and all(map(_not_acting, event.steps))):
            return place
    return -1
