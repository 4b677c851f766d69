"""What each event is to whatever failed before it: told once, since a long run has as many causes as events."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from cases import patterns as re
from cases.model import CommandRun
from cases.shell import Command, looks
from cases.touches.attempts import Attempt
from cases.touches.calls import only_imports
from cases.touches.names import Thing, inquires, installs
from cases.touches.touching import Record

_FAR = 1000
"""Events after a failure among which tries to get past it are looked for: weighing more takes minutes in a long run."""
_LETTERS = re.compile(r"[a-z]+")


@dataclass(frozen=True, slots=True)
class _Event:
    """What one event is to whatever failed before it."""

    command: str | None
    """In lower case; None for what is no command."""
    about: frozenset[Thing]
    blamed: tuple[Thing, ...]
    of_the_task: bool
    fails: bool
    asks: bool
    """Whether it only looks, asks or installs, at nothing of the task's, and could."""

    @classmethod
    def of(cls, record: Record, place: int) -> "_Event":
        event, attempts = record.events[place], record.attempts[place]
        blamed = tuple(one for one in attempts if one.blamed)
        command = event if isinstance(event, CommandRun) else None
        return cls(
            command=command.command.lower() if command else None,
            about=frozenset(one.thing for one in attempts),
            blamed=tuple(one.thing for one in blamed),
            of_the_task=_of_the_task(record, attempts),
            fails=any(one.failed == "yes" for one in attempts),
            asks=bool(command and _asks(command) and not _of_the_task(record, blamed) and not _lacks(command, blamed)),
        )


class Later:
    """A run's events, asked for those that may be tries to get past a failure."""

    def __init__(self, record: Record, goals: set[Thing]) -> None:
        """No goal is ever a mere try."""
        self.goals = goals
        self._events = [_Event.of(record, place) for place in range(len(record.events))]
        tries = [place for place, event in enumerate(self._events) if event.command is not None]
        self._tries = [place for place in tries if goals.isdisjoint(self._events[place].about)]
        self.quiet = frozenset(place for place in self._tries if not self._events[place].of_the_task)
        """Tries at nothing that the task names."""
        self._asking = [place for place in self._tries if place in self.quiet and self._events[place].asks]
        self._places = defaultdict[str, list[int]](list)
        for place in self._tries:
            for word in {match[0] for match in _LETTERS.finditer(self._events[place].command or "")}:
                self._places[word].append(place)
        self._words = "\n".join(("", *self._places, ""))
        """Every word of their commands on a line of its own."""
        self._named = dict[str, list[int]]()

    def weighed(self, first: int) -> Iterator[tuple[int, _Event]]:
        """Every try among the events that follow one."""
        return ((place, self._events[place]) for place in _after(self._tries, first))

    def asking(self, first: int) -> list[int]:
        """Those that only look, ask or install, at nothing that the task names."""
        return _after(self._asking, first)

    def naming(self, stems: Collection[str], first: int) -> set[int]:
        """Those whose commands have one of these in a word of theirs."""
        return {place for stem in stems for place in _after(self._with(stem), first)}

    def _with(self, stem: str) -> list[int]:
        if stem not in self._named:
            words, at = list[str](), self._words.find(stem)
            while at >= 0:
                end = self._words.index("\n", at)
                words.append(self._words[self._words.rindex("\n", 0, at) + 1 : end])
                at = self._words.find(stem, end)
            self._named[stem] = sorted({place for word in words for place in self._places[word]})
        return self._named[stem]


def _after(places: list[int], first: int) -> list[int]:
    return places[bisect_right(places, first) : bisect_left(places, first + _FAR)]


def commands_in(event: object) -> tuple[Command, ...]:
    """The commands of an event that have words."""
    steps = event.steps if isinstance(event, CommandRun) else ()
    return tuple(step.command for step in steps if step.command.words)


def _asks(event: object) -> bool:
    """Whether every step only looks, asks about the machine, or installs something."""
    commands = commands_in(event)
    return bool(commands) and all(looks(one) or inquires(one) or installs(one) or only_imports(one) for one in commands)


def _lacks(event: CommandRun, blamed: tuple[Attempt, ...]) -> bool:
    """Whether a program with which it was to look at something is not there."""
    looking = {command.program for command in commands_in(event) if not inquires(command) and not installs(command)}
    return any(one.thing.kind == "program" and one.thing.name in looking for one in blamed)


def _of_the_task(record: Record, attempts: tuple[Attempt, ...]) -> bool:
    """Whether the task names anything that they are about, programs aside."""
    return any(record.by_thing[one.thing].origin == "task" for one in attempts if one.thing.kind != "program")
