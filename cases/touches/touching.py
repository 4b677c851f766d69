"""Touches: what a run's events tried, merged by thing."""

import posixpath
import shlex
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import takewhile
from operator import is_
from typing import Literal

from cases import patterns as re
from cases.failing import Failed
from cases.model import Case, CommandRun, Events, Model, Run
from cases.shell import Command, Step, looks, steps_of
from cases.touches.attempts import Attempt, attempts_of, canonical, with_hosts
from cases.touches.hosts import hosts_named
from cases.touches.likeness import last_line, said
from cases.touches.names import Kind, Thing, inquires, installs, plain_words, tests, things
from cases.touches.origins import Origin, Origins
from cases.touches.own_files import OwnFiles

_PATH = re.compile(r"(?<![\w$])PATH=(?P<value>[^\s;]*)")
_BARE = re.compile(r"\benv\s+-i\b")
_IN_BIN, _PLAIN = re.compile(r"bin/([\w.+-]+)"), re.compile(r"[\w.+-]+")
_OBJECTS = (".o", ".obj", ".a", ".lib")
"""Of files that a compiler made before: to link them is a step on the way to what the task names."""
Outcome = Literal["worked", "failed", "never"]


class Touch(Model):
    """One thing that a run touched."""

    kind: Kind
    name: str
    origin: Origin
    events: tuple[int, ...]
    """Places in `Events.in_order` of those that touched it."""
    outcome: Outcome
    """How it went at last; never, where nothing shows it working or failing."""
    failed: tuple[int, ...] = ()
    """Those of its events in which it failed."""
    spelled: bool = False
    """Whether the task spells this very command."""
    missed: str = ""
    """The file that the task tells to make and that the run did not find behind it, though it ended well."""


class Record:
    """One run as its events touched things: what touches and causes are made of."""

    def __init__(self, case: Case, run: Run, events: Events, files: Mapping[str, str]) -> None:
        """`files` are texts of the task's files, by their path below its directory."""
        self.events = events.in_order
        self.origins = Origins(case, run, events, files)
        self._own = OwnFiles(self.events, self.origins.wrote)
        inside = {event.blocks for event in events.commands if event.kind == "shell"}
        hosts = hosts_named("\n".join((case.task.prompt or "", *files.values())))
        self.attempts = _unified(
            [
                () if _only_calls(event, inside) else with_hosts(event, attempts_of(event), hosts)
                for event in self.events
            ]
        )
        commands = {one.thing.name for event in self.attempts for one in event if one.thing.kind == "command"}
        self._told_heads = {head(command) for command in commands if self.origins.spells(command)}
        self.touches = tuple(self._touches())
        self.by_thing = {Thing(touch.kind, touch.name): touch for touch in self.touches}
        self.rank = {thing: number for number, thing in enumerate(self.by_thing)}
        named = [touch for touch in self.touches if touch.kind == "command"]
        self.called = defaultdict[tuple[str, ...], list[Thing]](list)
        for touch in named:
            self.called[head(touch.name)].append(Thing(touch.kind, touch.name))
        self.told = tuple(touch for touch in named if self.origins.spells(touch.name))
        """Commands that the task spells."""
        self._commands = sorted(named, key=lambda touch: touch.name)

    def longer(self, command: str) -> Iterator[Touch]:
        """Commands that begin with this one and go on."""
        begin = f"{command} "
        at = bisect_left(self._commands, begin, key=lambda touch: touch.name)
        return takewhile(lambda touch: touch.name.startswith(begin), self._commands[at:])

    def _touches(self) -> Iterable[Touch]:
        places: dict[Thing, list[int]] = defaultdict(list)
        told: dict[Thing, list[tuple[int, Failed]]] = defaultdict(list)
        for place, attempts in enumerate(self.attempts):
            for attempt in attempts:
                places[attempt.thing].append(place)
                if attempt.failed != "unknown":
                    told[attempt.thing].append((place, attempt.failed))
        missed, product = max(map(self._missed_product, told, told.values()), default=(-1, ""))
        for thing, touched in places.items():
            spelled = False
            if thing.kind == "command":
                told[thing] = self._with_repeated(touched, told[thing])
                spelled = self._spelled(thing.name)
                if spelled:  # no success where what the task tells to make was missed behind it
                    told[thing] = [(place, came) for place, came in told[thing] if came == "yes" or place >= missed]
            last = told[thing][-1][1] if told[thing] else "unknown"
            outcome: Outcome = "never" if last == "unknown" else "failed" if last == "yes" else "worked"
            failed = tuple(place for place, came in told[thing] if came == "yes")
            origin = self._of_command(thing, touched) if thing.kind == "command" else self.origins.of(thing)
            yield Touch(
                kind=thing.kind,
                name=thing.name,
                origin=origin,
                events=tuple(touched),
                outcome=outcome,
                failed=failed,
                spelled=spelled,
                missed=product if spelled and not told[thing] and touched[0] < missed else "",
            )

    def _missed_product(self, thing: Thing, told: Sequence[tuple[int, Failed]]) -> tuple[int, str]:
        """The last place where a file that the task tells to make was not found, where it never was."""
        if thing.kind != "file" or any(came == "no" for _, came in told) or not self.origins.tells_to_make(thing.name):
            return -1, ""
        return max((place, thing.name) for place, _ in told) if told else (-1, "")

    def _with_repeated(self, touched: Sequence[int], told: list[tuple[int, Failed]]) -> list[tuple[int, Failed]]:
        """The same with those of unknown outcome that say again what a failure of the same command ended with."""
        known = dict(told)
        ends = {last_line(self.events[place]) for place, came in told if came == "yes"} - {""}
        fine = "\n".join(said(self.events[place]) for place, came in told if came == "no")
        ends = {end for end in ends if end not in fine}
        open_ones = ((place, said(self.events[place])) for place in touched if place not in known)
        again = {place for place, output in open_ones if any(end in output for end in ends)}
        return sorted((*told, *((place, "yes") for place in again)))

    def _spelled(self, command: str) -> bool:
        if any(tests(step.command) for step in steps_of(command)):
            return self.origins.asks(command)
        return self.origins.spells(command) or self.origins.fits(command)

    def _of_command(self, thing: Thing, touched: Iterable[int]) -> Origin:
        """The task's where the task spells it, names all that it is about, or names what it carries out; else the
        agent made it up. Tests that the task does not spell are a means to check one's own work.
        """
        if self._spelled(thing.name):
            return "task"
        if self.origins.leaves_open(thing.name):
            return "agent"
        if head(thing.name) in self._told_heads:
            return "agent"  # another call of what the task spells, and the run called that as well
        events = ((place, self.events[place]) for place in touched)
        commands = [(place, event) for place, event in events if isinstance(event, CommandRun)]
        steps = ((place, event, step) for place, event in commands for step in event.steps)
        mine = [(place, event, step) for place, event, step in steps if canonical(step.command) == thing.name]
        told = any(
            not tests(step.command) and (self._named_whole(step.command) or self._carried_out(event, step))
            for _, event, step in mine
        )
        own = [(place, event, code) for place, event, step in mine for code in self._own_code(place, step)]
        own += [(place, event, event.command) for place, event in commands if event.kind == "python"]
        return "task" if told or any(self._calls_what_is_told(*one) for one in own) else "agent"

    def _calls_what_is_told(self, place: int, event: CommandRun, code: str) -> bool:
        """Whether code of the run's own failed in what the task spells."""
        blamed = any(one.blamed for one in self.attempts[place])
        return self.origins.calls(code, event.output or "", blamed=blamed)

    def _own_code(self, place: int, step: Step) -> Iterator[str]:
        """The Python of the run's own that a step runs: its words, or what the run last put into the file."""
        code, file = step.command.code, step.command.file
        if code and code.language == "python":
            yield code.text
        elif file and file.text.endswith(".py"):
            puts = self._own.puts.get(posixpath.basename(file.text), [])
            before = bisect_right(puts, place, key=lambda put: put[0])
            yield from (text for _, text in puts[before - 1 : before])

    def stands_in(self, thing: Thing, after: int) -> bool:
        """Whether the run later put something of its own making in the place of what it lacked."""
        return self._own.stands_in(thing, after)

    def _named_whole(self, command: Command) -> bool:
        """Whether the task names the program and every word that is no option; never of code of the run's own, and of a
        module that an interpreter runs only where the prompt, or a document that it names, spells it.
        """
        if command.module and not self.origins.asks(command.module.text):
            return False
        compiles = command.program in things().compilers.programs
        if command.code is not None or (compiles and any(word.endswith(_OBJECTS) for word in command.arguments)):
            return False
        installer = installs(command)
        verbs = installer.verbs if installer else frozenset()
        words = [word for word in plain_words(command, frozenset()) if word not in verbs]
        named = (self.origins.of(Thing("package", word)) == "task" for word in words)
        program = command.program
        known = self.origins.speaks_of(program) and self.origins.of(Thing("program", program)) == "task"
        return bool(words) and known and all(named)

    def _carried_out(self, event: CommandRun, step: Step) -> bool:
        """Whether it runs, compiles, installs or builds what the task names, and the run did not write that itself; a
        build that the task spells may have options of the run's own.
        """
        command = step.command
        found = [command.file.text] if command.file and command.file.literal else []
        if installs(command):
            found += [word for word in command.arguments if word.startswith((".", "/"))]
        elif command.program in things().compilers.programs:
            sources = [word for word in _sources(command.arguments) if "." in word and not word.startswith("-")]
            found += [word for word in sources if not word.endswith(_OBJECTS)]
        elif command.program in things().builders.programs:
            found.append(".")
            words = (word for word in plain_words(command, frozenset()) if "=" not in word)
            if self.origins.spells(shlex.join((command.program, *words))):
                return True
        places = (step.at(path, event.cwd or "") for path in found if not self.origins.wrote(path))
        return any(place is not None and self.origins.of(Thing("file", place)) == "task" for place in places)


def head(command: str) -> tuple[str, ...]:
    """A command's program and its first word that is no option."""
    words = command.split()
    return (*words[:1], *[word for word in words[1:] if not word.startswith("-")][:1])


def _sources(arguments: Iterable[str]) -> Iterator[str]:
    """A compiler's words without the file that it is to write."""
    before = ""
    for word in arguments:
        if before != "-o":
            yield word
        before = word


class _Given:
    """What a record is made of, the same only where it is the very same: to compare it would cost more."""

    def __init__(self, case: Case, run: Run, events: Events, files: Mapping[str, str]) -> None:
        self.parts = (case, run, events)
        self.files = tuple(files.items())

    def __hash__(self) -> int:
        return hash((*map(id, self.parts), self.files))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Given):
            return False
        return self.files == other.files and all(map(is_, self.parts, other.parts))


def record_of(case: Case, run: Run, events: Events, files: Mapping[str, str] | None = None) -> Record:
    """The run's record; of several calls in a row with the same run it is made once."""
    return _record_of(_Given(case, run, events, files or {}))


@lru_cache(maxsize=4)
def _record_of(given: _Given) -> Record:
    return Record(*given.parts, dict(given.files))


def _only_calls(event: object, inside: Container[tuple[int, ...]]) -> bool:
    """Whether it is code in which an agent calls its shell, whose commands are events of their own."""
    return isinstance(event, CommandRun) and event.kind == "python" and event.blocks in inside


def touches_of(case: Case, run: Run, events: Events, files: Mapping[str, str] | None = None) -> tuple[Touch, ...]:
    """Everything that the run touched, in the order in which it did so first.

    `files` are texts of the task's files, where they are at hand, by their path below its directory.
    """
    return record_of(case, run, events, files).touches


def found_at_first(case: Case, run: Run, events: Events) -> tuple[str, ...]:
    """Files that the run's first look around showed to be there, before it did anything."""
    record = record_of(case, run, events)
    found: list[str] = []
    for event, attempts in zip(record.events, record.attempts, strict=True):
        if isinstance(event, CommandRun) and not all(
            looks(one.command) or inquires(one.command) for one in event.steps
        ):
            break
        found += [one.thing.name for one in attempts if one.thing.kind == "file" and one.failed != "yes"]
    return tuple(dict.fromkeys(name for name in found if not set(name) & set("*?[$")))


def programs_missed(case: Case, run: Run, events: Events) -> tuple[str, ...]:
    """Programs that never started, each time that the run called them, and that no output shows in a folder of such."""
    if _sets_path(events):
        return ()
    touches = touches_of(case, run, events)
    missed = [one for one in touches if one.kind == "program" and one.failed and one.failed == one.events]
    outputs = "\n".join(event.output or "" for event in events.commands)
    shown = set(_IN_BIN.findall(outputs))
    return tuple(one.name for one in missed if one.name not in shown and not _shown_oddly(one.name, outputs))


def _shown_oddly(name: str, outputs: str) -> bool:
    return not _PLAIN.fullmatch(name) and f"bin/{name}" in outputs


def _sets_path(events: Events) -> bool:
    """Whether the run chose anew where its shell looks for programs."""
    values = (match["value"] for event in events.commands for match in _PATH.finditer(event.command))
    bare = any(_BARE.search(event.command) for event in events.commands)
    return bare or any("$PATH" not in value and "${PATH" not in value for value in values)


def origin_of(thing: Thing, case: Case, run: Run, events: Events) -> Origin:
    """Who named a thing, by a name under which the run need not have touched it."""
    return Origins(case, run, events, {}).of(thing)


def _unified(attempts: list[tuple[Attempt, ...]]) -> tuple[tuple[Attempt, ...], ...]:
    """Each thing under one name: a relative path under the absolute one, names that differ in spelling alone."""
    names = {attempt.thing for event in attempts for attempt in event}
    absolute: dict[str, list[Thing]] = defaultdict(list)
    for thing in names:
        if thing.kind == "file" and thing.name.startswith("/"):
            absolute[posixpath.basename(thing.name)].append(thing)
    known = {thing: _one_name(thing, absolute[posixpath.basename(thing.name)]) for thing in names}
    return tuple(tuple(Attempt(known[one.thing], one.failed, one.blamed) for one in event) for event in attempts)


def _one_name(thing: Thing, absolute: Iterable[Thing]) -> Thing:
    if thing.kind == "package":
        return Thing(thing.kind, thing.name.lower().replace("_", "-"))
    if thing.kind == "file" and not thing.name.startswith(("/", "-")):
        whole = [other for other in absolute if other.name.endswith(f"/{thing.name}")]
        if len(whole) == 1:
            return whole[0]
    return thing
