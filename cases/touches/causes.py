"""From touches to troubles: what failed and never worked later, several failures of one cause as one, ranked."""

import errno
import os
import posixpath
from collections.abc import Collection, Mapping
from functools import lru_cache
from itertools import islice

from cases import patterns as re
from cases.failing.commands import IDLE
from cases.failing.forms import errors_in
from cases.model import Case, CommandRun, Events, Model, Run
from cases.shell import Command, looks
from cases.touches.attempts import Attempt, canonical
from cases.touches.calls import files_shown
from cases.touches.later import Later, commands_in
from cases.touches.likeness import alike
from cases.touches.names import Thing, inquires, installs, mends, prepares, things
from cases.touches.origins import shows_a_call
from cases.touches.touching import Record, Touch, head, record_of

_ORIGINS = ("task", "environment", "agent", "displayed")
_OFTEN = 2
"""Failing runs of one command to which an agent kept returning."""
_SOON = 10
"""Tries after a failure among which the one is that it told to make."""
_SHORT = 3
_STEM = re.compile(r"[A-Za-z]{3,}")


class Trouble(Model):
    """Something that failed, with everything that failed for the same cause."""

    cause: Touch
    """What the failures themselves name first; the command, where they name nothing."""
    with_it: tuple[Touch, ...]
    """What else failed in the same events: the commands that met it, and what their failures name after it."""
    events: tuple[int, ...]
    """Places in `Events.in_order` of the failures."""
    goal: bool
    """Whether a goal command met it."""
    resolved: bool
    """Whether the cause, or all commands that met it, worked later, and not on a stand-in that the run wrote itself."""
    looked: bool = False
    """Whether it was only met while the run looked around: among several commands that all do no more."""
    attempts: tuple[int, ...]
    """Later events that only tried to get past it: evidence about it, and no troubles of their own."""


def troubles_of(case: Case, run: Run, events: Events, files: Mapping[str, str] | None = None) -> tuple[Trouble, ...]:
    """What failed and never worked later comes first; of that, what goal commands met, then by whose name it has."""
    return _troubles(record_of(case, run, events, files))


@lru_cache(maxsize=4)
def _troubles(record: Record) -> tuple[Trouble, ...]:
    goals = {Thing(goal.kind, goal.name) for goal in _goals(record)}
    found = _folded(record)
    later = Later(record, goals)
    tried = {cause: _passing(record, cause, places, later) for cause, places in found.items()}
    rescues = {place for places in tried.values() for place in places}
    troubles = [
        _trouble(record, cause, [place for place in places if place not in rescues], goals, tried[cause])
        for cause, places in found.items()
    ]
    return tuple(sorted((one for one in troubles if one), key=lambda one: _rank(record, one)))


def goals_of(case: Case, run: Run, events: Events, files: Mapping[str, str] | None = None) -> tuple[Touch, ...]:
    """Commands that the task told to run, or to which the agent kept returning, the likeliest goal first."""
    return tuple(_goals(record_of(case, run, events, files)))


def needed_files(
    met: Collection[int], case: Case, run: Run, events: Events, files: Mapping[str, str] | None = None
) -> tuple[str, ...]:
    """Files that the task names, that what failed was to read or write, and that nothing in the run ever did; `met` are
    the places of what failed in `events.in_order`.
    """
    places = set(met)
    return tuple(
        touch.name
        for touch in record_of(case, run, events, files).touches
        if touch.kind == "file"
        and touch.origin == "task"
        and touch.outcome != "worked"
        and not places.isdisjoint(touch.events)
    )


def _goals(record: Record) -> list[Touch]:
    """Told ones that failed at last, then those to which the agent returned, then told ones that worked."""
    found = []
    for touch in record.touches:
        told = touch.kind == "command" and touch.origin == "task"
        often = touch.kind == "command" and len(touch.failed) >= _OFTEN and not _helps(record, touch)
        if told or often:
            rank = (touch.outcome == "worked", not told, -len(touch.failed), -touch.events[-1])
            found.append((rank, touch))
    return [touch for _, touch in sorted(found, key=lambda item: item[0])]


def _helps(record: Record, touch: Touch) -> bool:
    """Whether the command only installs something, asks about the machine, or fetches from where nobody told it to."""
    commands = [command for place in touch.events for command in commands_in(record.events[place])]
    if any(installs(command) or inquires(command) for command in commands):
        return True
    fetches = any(canonical(one) == touch.name and one.program in things().fetchers.programs for one in commands)
    places = set(touch.events)
    hosts = [other for other in record.touches if other.kind == "host" and not places.isdisjoint(other.events)]
    return fetches and bool(hosts) and all(host.origin == "agent" for host in hosts)


def _folded(record: Record) -> dict[Thing, list[int]]:
    """The failing events by their cause.

    What failed beside a cause belongs to it, also where it fails alone later; so does a command that names nothing,
    unless it then says something else altogether.
    """
    found: dict[Thing, list[int]] = {}
    belongs: dict[Thing, Thing] = {}
    for place, attempts in enumerate(record.attempts):
        failed = [one for one in attempts if one.failed == "yes" and not _sought(record, place, one.thing)]
        blamed = [one.thing for one in failed if one.blamed]
        commands = [one.thing for one in failed if one.thing.kind == "command"]
        others = [one.thing for one in failed if one.thing.kind not in ("command", "program")]
        named = next(iter([*blamed, *commands[-1:], *others]), None)
        if named is None or _only_mends(record, place):
            continue
        cause = belongs.get(named) or _worked_on(record, found, named, place) or named
        if (
            not blamed
            and cause != named
            and not record.stands_in(cause, found[cause][0])
            and not any(alike(record.events[one], record.events[place]) for one in found[cause])
        ):
            cause = named
        if cause == named and not blamed:
            cause = _said_before(record, found, named, place) or named
        found.setdefault(cause, []).append(place)
        for thing in blamed:
            belongs.setdefault(thing, cause)
        belongs.update(dict.fromkeys(commands, cause))
    return found


def _worked_on(record: Record, found: Mapping[Thing, list[int]], named: Thing, place: int) -> Thing | None:
    """The command that failed first at work on a file of the task's, of which another program of the run's own choice
    says later that it is none for it, without any error of the system's.
    """
    event = record.events[place]
    touch = record.by_thing[named]
    own = [one for one in record.attempts[place] if _failed_command(one)]
    if named.kind != "file" or touch.origin != "task" or not own or not isinstance(event, CommandRun):
        return None
    if any(record.by_thing[one.thing].origin == "task" for one in own) or errors_in(event.output or ""):
        return None
    for other, places in found.items():
        first = record.attempts[places[0]]
        if other.kind == "command" and named in {one.thing for one in first} and not any(one.blamed for one in first):
            return other
    return None


def _said_before(record: Record, found: Mapping[Thing, list[int]], named: Thing, place: int) -> Thing | None:
    """Another call of the same program to do the same, which failed with the same words before."""
    called = head(named.name)
    for other, places in found.items():
        same = other.kind == named.kind == "command" and len(called) > 1 and head(other.name) == called
        if same and any(alike(record.events[one], record.events[place]) for one in places):
            return other
    return None


def _sought(record: Record, place: int, thing: Thing) -> bool:
    """Whether the run only looked there for a file that the task tells it to make, which no other error shows to be
    there.
    """
    event = record.events[place]
    if thing.kind != "file" or not record.origins.tells_to_make(thing.name) or not isinstance(event, CommandRun):
        return False
    name = posixpath.basename(thing.name)
    about = [one for one in commands_in(event) if any(name in word.text for word in one.words)]
    if event.kind == "python" and any(posixpath.basename(file) == name for file in files_shown(event.command)):
        return True
    return bool(about) and all(map(looks, about)) and errors_in(event.output or "") <= {os.strerror(errno.ENOENT)}


def _only_mends(record: Record, place: int) -> bool:
    """Whether an event does no more than change who may do what, and the task does not spell that."""
    acting = [one for one in commands_in(record.events[place]) if not looks(one) and not inquires(one)]
    spelled = any(one.thing.kind == "command" and record.by_thing[one.thing].spelled for one in record.attempts[place])
    return bool(acting) and all(mends(one) for one in acting) and not spelled


def _got_past(record: Record, cause: Thing, places: list[int]) -> bool:
    """Whether a command that had failed for it, or another call of the same program on the same file, failed for
    something else at last, and no longer says what it had.
    """
    if cause.kind == "command":
        return False
    met = {one.thing for place in places for one in record.attempts[place] if _failed_command(one)}
    heads = {told for one in met if len(told := head(one.name)) > 1 and re.search(r"[./]", told[1])}
    met |= {thing for told in heads for thing in record.called.get(told, ())}
    return any(
        touch.failed
        and touch.failed[-1] > places[-1]
        and not any(alike(record.events[place], record.events[touch.failed[-1]]) for place in places)
        for touch in (record.by_thing[thing] for thing in met)
    )


def _failed_command(attempt: Attempt) -> bool:
    return attempt.thing.kind == "command" and attempt.failed == "yes"


def _put_right(record: Record, commands: list[Touch], last: int) -> bool:
    """Whether the run had only called it otherwise than the task spells it, and did as the task says later."""
    if not commands:
        return False
    if all(
        any(other.events[-1] > last and _completes(record, other.name, one) for other in record.longer(one.name))
        for one in commands
    ):
        return True
    told = {touch.name for touch in record.told}
    heads = {head(touch.name) for touch in record.told if touch.events[-1] > last}
    return all(one.name not in told and head(one.name) in heads for one in commands)


def _completes(record: Record, command: str, other: Touch) -> bool:
    """Whether it gives a program what the other call lacked, as that one's own output said."""
    words, before = command.split(), other.name.split()
    if words[: len(before)] != before or len(words) == len(before):
        return False
    events = (record.events[place] for place in other.failed)
    outputs = [event.output or "" for event in events if isinstance(event, CommandRun)]
    return bool(outputs) and all(shows_a_call(output, other.name) for output in outputs)


def _trouble(
    record: Record, cause: Thing, places: list[int], goals: set[Thing], attempts: tuple[int, ...]
) -> Trouble | None:
    if not places:
        return None
    failed = {one.thing for place in places for one in record.attempts[place] if one.failed == "yes"} - {cause}
    failed -= _beside_what_brings(record, cause, places)
    with_it = tuple(record.by_thing[thing] for thing in sorted(failed, key=record.rank.__getitem__))
    commands = [touch for touch in with_it if touch.kind == "command"]
    touch = record.by_thing[cause]
    worked = touch.outcome == "worked" or (bool(commands) and all(one.outcome == "worked" for one in commands))
    return Trouble(
        cause=touch,
        with_it=with_it,
        events=tuple(places),
        goal=cause in goals or any(Thing(one.kind, one.name) in goals for one in commands),
        resolved=((worked or _got_past(record, cause, places)) and not record.stands_in(cause, places[0]))
        or _put_right(record, [one for one in (touch, *commands) if one.kind == "command"], places[-1]),
        looked=all(_looks_around(record.events[place]) for place in places),
        attempts=attempts,
    )


def _beside_what_brings(record: Record, cause: Thing, places: list[int]) -> set[Thing]:
    """Commands that only stood in one line with those that were to fetch what could not be had, and ran anyhow."""
    if cause.kind not in ("host", "page", "package"):
        return set()
    beside, others = set[Thing](), set[Thing]()
    for event in (record.events[place] for place in places):
        steps = event.steps if isinstance(event, CommandRun) else ()
        bringing = [step for step in steps if _brings(step.command)]
        apart = bool(bringing) and not any(step.must for step in bringing)
        called = {Thing("command", canonical(step.command)) for step in steps if step not in bringing}
        (beside if apart else others).update(called)
    return beside - others


def _brings(command: Command) -> bool:
    return prepares(command) or command.program in things().fetchers.programs


def _passing(record: Record, cause: Thing, places: list[int], later: Later) -> tuple[int, ...]:
    """Later events that only look, ask or install, name what failed, do what its failure told to do, or fail at what
    the task does not name.
    """
    touched = {one.thing for place in places for one in record.attempts[place]}
    weighs = not later.goals.isdisjoint(touched) or record.by_thing[cause].origin == "task"
    own = set(places)
    naming = later.naming(_stems(record, cause, places[0]), places[0]) - own
    told = {one for one, _ in islice(later.weighed(places[0]), _SOON) if _told_by(record, one, places[0])} - own
    if not weighs:
        asking, naming = later.asking(places[0]), (naming & later.quiet) | told
        return tuple(sorted({*asking, *naming})) if naming else tuple(asking)
    return tuple(
        place
        for place, event in later.weighed(places[0])
        if event.asks
        or place in naming
        or place in told
        or (
            place not in own
            and (
                (event.fails and not event.of_the_task)
                or (bool(event.blamed) and all(_around(cause, one) for one in event.blamed))
            )
        )
    )


def _told_by(record: Record, place: int, failed: int) -> bool:
    """Whether an event's commands, of several words each, stand in what an earlier one printed as it failed."""
    event = record.events[failed]
    output = " ".join((event.output or "").split()) if isinstance(event, CommandRun) else ""
    commands = [canonical(one) for one in commands_in(record.events[place]) if one.program not in IDLE]
    return bool(commands) and all(" " in one and one in output for one in commands)


def _around(cause: Thing, other: Thing) -> bool:
    """Whether a file is one in the same folder, or that folder or one around it."""
    folder = posixpath.dirname(cause.name)
    if cause.kind != "file" or other.kind != "file" or folder in ("", "/", "."):
        return False
    return posixpath.dirname(other.name) == folder or f"{folder}/".startswith(f"{other.name}/")


def _looks_around(event: object) -> bool:
    commands = [one for one in commands_in(event) if one.program not in IDLE]
    return len(commands) > 1 and all(looks(one) or inquires(one) for one in commands)


def _stems(record: Record, cause: Thing, place: int) -> set[str]:
    """Words of what failed first: a later command that holds one is about the same."""
    if cause.kind == "command":
        return set()
    names = {cause.name, *(one.thing.name for one in record.attempts[place] if one.blamed)}
    stems = (stem.lower() for name in names for stem in _STEM.findall(name.rpartition("/")[2] or name))
    return {bare if len(bare := stem.removeprefix("lib")) > _SHORT else stem for stem in stems}


def _rank(record: Record, trouble: Trouble) -> tuple[bool, bool, bool, int, bool, int]:
    commands = [one for one in (trouble.cause, *trouble.with_it) if one.kind == "command"]
    composed = bool(commands) and all(one.name.partition(" ")[0] in things().compilers.programs for one in commands)
    origin = _ORIGINS.index(trouble.cause.origin)
    return trouble.resolved, not trouble.goal, composed, origin, not _at_work(record, trouble), -trouble.events[-1]


def _at_work(record: Record, trouble: Trouble) -> bool:
    """Whether a command that failed was to do more than look at a file that the task names."""
    return any(
        one.thing.kind == "file" and record.by_thing[one.thing].origin == "task"
        for place in trouble.events
        if not all(map(looks, commands_in(record.events[place])))
        for one in record.attempts[place]
    )
