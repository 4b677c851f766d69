"""What one hypothesis calls impassable while a route of another brought it: they disagree, so that it is open."""

import posixpath
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from cases import patterns as re
from cases.sentences import Sentences
from cases.shell import Command, steps_of
from cases.touches import idle, prepares
from graph.rules import Settled
from graph.verdict import Status
from probes import Answer, Barrier, Finding, Ground, Hypothesis, Question, Tier
from probes.barriers import Trait, entry, having
from probes.names import modules

say = Sentences(__name__)

_FETCHES = frozenset({Barrier.PIP, Barrier.APT, Barrier.CONDA})
"""Of these only an installer failed, and not what was to be installed."""
_BESIDE = frozenset({"", "cd", "export", "head", "tail"})
"""Programs beside an installer that change nothing of what it brings."""
_PACKAGE = re.compile(r"[A-Za-z][\w+-]*(?:(?:==|>=|@)[\w.]+)?")
"""A word that names a package: no option, and no file."""


_COMPILER = re.compile(
    r"(?:[\w.-]*-)?(?:gcc|g\+\+|t?cc|c\+\+|clang(?:\+\+)?|gfortran|f77|f95|flang|nvcc|javac|kotlinc|scalac|rustc|ghc"
    r"|ocamlopt|fpc|ldc2|dmd|mcs|csc|swiftc)(?:-\d+)?"
)
"""Programs that compile what they are given."""
_TOLD = re.compile(r"-[qvs]+|-r\w+|--tb=\w+|--no-header|--quiet|--verbose")
"""Options that only say how much is told."""


def reconciled(settled: Sequence[Settled]) -> list[Settled]:
    """The same, where what a route of another hypothesis brought no longer counts as impassable (rules 3, 7, 10).

    Behind a route that brought all that the task asks for, nothing else that failed on the machine was in the way.
    """
    found = [_reached(item, settled) for item in settled]
    return [_opened(item, found) if item.status is Status.SUPPORTED else item for item in found]


def about_the_same(one: Hypothesis, other: Hypothesis) -> bool:
    """Whether two hypotheses are about one package, module, program or path."""
    return not _things(one).isdisjoint(_things(other))


def _reached(item: Settled, settled: Sequence[Settled]) -> Settled:
    """One that another's route has made void: behind it every command of the task's that failed in that run works, or
    the one that alone was seen to need it. That says nothing where such a command works here without any route.
    """
    mine = item.hypothesis
    plain = {command for one in settled if one.present is Answer.NO for command in one.hypothesis.targets.commands}
    if item.status is Status.NOT_SUPPORTED or not mine.targets.commands:
        return item
    for other in settled:
        for finding, route in _brought(other) if other is not item and other.hypothesis.run_id == mine.run_id else ():
            if finding.reaches and plain.isdisjoint(finding.reaches):
                shown = ", ".join(f"`{command}`" for command in finding.reaches[:2])
                rival = say("rival.reached", route=route, shown=shown, finding=finding.id)
                return replace(item, passable=Answer.YES, rival=rival)
    if item.status is Status.INCONCLUSIVE and (rival := _prepared_for(item, settled)):
        return replace(item, passable=Answer.YES, rival=rival)
    asked = any(one.question is Question.CAUSED and one.ground is Ground.RECORD for one in _yes(item))
    rival = "" if asked else _works_otherwise(item, settled) or _done_without(item, settled)
    return replace(item, passable=Answer.YES, rival=rival) if rival else item


def _yes(item: Settled) -> Iterator[Finding]:
    return (finding for finding in item.findings if finding.valid_answer is Answer.YES)


def _prepared_for(item: Settled, settled: Sequence[Settled]) -> str:
    """By which route of another, met later, a command works that the task asks for, where one is about nothing but what
    prepares the machine; ends a sentence, empty where there is none.
    """
    mine = item.hypothesis
    steps = [step.command for line in mine.targets.commands for step in steps_of(line)]
    if not any(map(prepares, steps)) or not all(prepares(one) or _makes_room(one) for one in steps):
        return ""
    for other in settled:
        its = other.hypothesis
        after = mine.run_id == its.run_id and mine.event is not None and (its.event or 0) > mine.event
        works = [step.command for line in its.targets.commands for step in steps_of(line)]
        if after and other.caused is Answer.YES and not any(map(prepares, works)):
            for finding, route in _brought(other, whole=True):
                return say("rival.same_behind", route=route, finding=finding.id)
    return ""


def _makes_room(command: Command) -> bool:
    """Whether a command beside an installer changes nothing of what it brings, or makes an environment for it."""
    return command.program in {*_BESIDE, "virtualenv"} or (command.module is not None and command.module.text == "venv")


def _works_otherwise(item: Settled, settled: Sequence[Settled]) -> str:
    """By which route of another, which is about that command itself, a command works that was seen to need what one is
    about; ends a sentence, empty where there is none.
    """
    for other in settled:
        mine = _needing(item, other) if other is not item else []
        for finding, route in _brought(other, whole=True) if mine else ():
            return say("rival.needing", route=route, needing=mine[0], finding=finding.id)
    return ""


def _needing(item: Settled, other: Settled) -> list[str]:
    """The commands of a hypothesis that were seen to need what one is about."""
    needing = [command for one in _yes(item) if one.question is Question.CAUSED for command in one.reaches]
    return [one for one in needing if any(one in whole for whole in other.hypothesis.targets.commands)]


def _open_around(item: Settled, other: Settled) -> str:
    """Where a command that was seen to need what one is about fails for a thing that has a measured name of its own,
    and whether there is a way around that is open; ends a sentence, empty where this is not so.
    """
    named = other.hypothesis.barrier not in having(Trait.UNNAMED) and item.hypothesis.run_id == other.hypothesis.run_id
    mine = _needing(item, other) if named and not _needing(item, item) else []
    door = _open_door(other) if mine else None
    return say("rival.open_around", needing=mine[0], finding=door.id) if door else ""


def _done_without(item: Settled, settled: Sequence[Settled]) -> str:
    """By which route of another the command that needed something works, where one only failed to fetch that very thing
    and nothing shows that the task needs it; ends a sentence, empty where there is none.
    """
    wanted = _fetched(item, settled) if item.caused is not Answer.YES else set()
    others = [one for one in settled if one is not item and one.hypothesis.run_id == item.hypothesis.run_id]
    if wanted and item.hypothesis.barrier not in (*_FETCHES, Barrier.NETWORK):
        others = [one for one in others if _as_much(item.hypothesis, one.hypothesis)]
    for other in others if wanted else ():
        for finding, route in _brought(other, whole=True) if wanted <= _things(other.hypothesis) else ():
            return say("rival.done_without", route=route, thing=min(wanted)[1], finding=finding.id)
    return ""


def _fetched(item: Settled, settled: Sequence[Settled]) -> set[tuple[str, str]]:
    """What its command was to fetch, as far as it or another name of the same failure tells, or to run by its name as a
    module of Python's.
    """
    if item.hypothesis.barrier is Barrier.NETWORK:
        same = (one for one in settled if one is not item and _one_failure(item, one))
        return {thing for one in same if one.hypothesis.barrier in _FETCHES for thing in _things(one.hypothesis)}
    return _things(item.hypothesis) if item.hypothesis.barrier in _FETCHES or _runs_it(item.hypothesis) else set()


def _as_much(one: Hypothesis, other: Hypothesis) -> bool:
    """Whether the program of another's commands is given just what the module of one's is given, but for how much is
    told of it.
    """
    [name] = one.targets.modules
    commands = [step.command for line in one.targets.commands for step in steps_of(line)]
    wanted = [_work(command.arguments[2:]) for command in commands if command.module]
    lines = [step.command for line in other.targets.commands for step in steps_of(line)]
    given = [_work(command.arguments) for command in lines if command.program == name and not idle(command)]
    return all(each in given for each in wanted)


def _work(words: Sequence[str]) -> set[str]:
    return {word for word in words if not _TOLD.fullmatch(word)}


def _runs_it(hypothesis: Hypothesis) -> bool:
    """Whether a command of one about a single module runs just that: `python -m pytest` is `pytest`."""
    named, lines = hypothesis.targets.modules, hypothesis.targets.commands
    ran = [step.command for line in lines for step in steps_of(line) if step.command.program not in _BESIDE]
    called = [command.module.text if command.module else "" for command in ran]
    return len(named) == 1 and set(called) == set(named)


def _opened(item: Settled, settled: Sequence[Settled]) -> Settled:
    if rival := _works_otherwise(item, settled):
        return replace(item, passable=Answer.UNKNOWN, rival=rival)
    for other in settled:
        for finding, route in _brought(other) if other is not item and _one_failure(item, other) else ():
            rival = say("rival.same_command", route=route, finding=finding.id)
            return replace(item, passable=Answer.UNKNOWN, rival=rival)
        if open_one := _open_door(other) if other is not item and _one_failure(item, other) else None:
            return replace(item, passable=Answer.UNKNOWN, rival=say("rival.open_door", finding=open_one.id))
        for asked in (_open_around, _open_behind, _open_by_hand, _open_otherwise, _open_without_what_it_brings):
            if rival := asked(item, other):
                return replace(item, passable=Answer.UNKNOWN, rival=rival)
    for other in settled:
        shared = _things(item.hypothesis) & _things(other.hypothesis) if other is not item else set()
        for finding, route in _brought(other) if shared else ():
            rival = say("rival.brought", route=route, thing=min(shared)[1], finding=finding.id)
            return replace(item, passable=Answer.UNKNOWN, rival=rival)
    return item


def _open_behind(item: Settled, other: Settled) -> str:
    """Where one is about what only prepares the machine, or only that needs it, and there is a way past what failed
    after it for want of what it may have brought, or it is open whether there is; ends a sentence, empty where this is
    not so.
    """
    mine, its = item.hypothesis, other.hypothesis
    needing = [command for one in _yes(item) if one.question is Question.CAUSED for command in one.reaches]
    steps = [step.command for command in needing or mine.targets.commands for step in steps_of(command)]
    ready = [command for command in steps if prepares(command)]
    others = (command for command in steps if command.program not in _BESIDE)
    works = any(not idle(step.command) for command in its.targets.commands for step in steps_of(command))
    if not _later(item, other) or not ready or not all(map(idle, others)) or not works:
        return ""
    named = [{_spelt(word) for word in one.arguments[1:] if _PACKAGE.fullmatch(word)} for one in ready]
    if all(named) and set().union(*named).isdisjoint(name for _, name in _things(its)):
        return ""
    for finding, route in _brought(other, whole=True):
        return say("rival.same_behind", route=route, finding=finding.id)
    door = _open_door(other) or _unsettled(other)
    return say("rival.open_behind", finding=door.id) if door else ""


def _open_by_hand(item: Settled, other: Settled) -> str:
    """Where the run, for want of a program or of a host, called a compiler itself, and nothing shows that there is no
    way past what that failed for; ends a sentence, empty where this is not so.
    """
    mine, its = item.hypothesis, other.hypothesis
    later = mine.run_id == its.run_id and mine.event is not None and its.event is not None and its.event > mine.event
    if mine.barrier not in (Barrier.COMMAND, Barrier.NETWORK) or not later or other.passable is Answer.NO:
        return ""
    steps = [step.command for line in its.targets.commands for step in steps_of(line)]
    called = {step.command.program for line in mine.targets.commands for step in steps_of(line)}
    compiled = [one for one in steps if _COMPILER.fullmatch(one.program) and one.program not in called]
    compiled = [one for one in compiled if not idle(one)]
    door = next((one for one in other.findings if one.question is Question.PASSABLE), None)
    return say("rival.open_by_hand", command=compiled[0].text, finding=door.id) if compiled and door else ""


def _open_otherwise(item: Settled, other: Settled) -> str:
    """Where the run later called the same with words of its own, which failed for want of something else, and whether
    there is a way past that is open; ends a sentence, empty where this is not so.
    """
    one, another = (_calls(each.hypothesis) for each in (item, other)) if _later(item, other) else ({}, {})
    otherwise = any(bare in one and words.isdisjoint(one[bare]) for bare, words in another.items())
    door = _open_door(other) if otherwise else None
    return say("rival.open_otherwise", finding=door.id) if door else ""


def _open_without_what_it_brings(item: Settled, other: Settled) -> str:
    """Where a command that found no network names the folder of a file that another misses in the same run, and the
    machine found a way past that which it left open; ends a sentence, empty where this is not so.
    """
    mine, its = item.hypothesis, other.hypothesis
    if mine.barrier is not Barrier.NETWORK or mine.run_id != its.run_id:
        return ""
    steps = [step.command for line in mine.targets.commands for step in steps_of(line)]
    named = {posixpath.normpath(word) for command in steps for word in command.arguments}
    missed = {posixpath.dirname(path) for kind, path in _things(its) if kind == "path"}
    if named.isdisjoint(missed - {""}):
        return ""
    asked = (one for one in other.findings if one.answer is Answer.UNKNOWN)
    door = next((one for one in asked if any(route.result == "not_tried" for route in one.routes)), None)
    return say("rival.open_without", finding=door.id) if door else ""


def _later(item: Settled, other: Settled) -> bool:
    """Whether another thing was met later in the same run, by a name of its own, and not by the run's own doing."""
    mine, its = item.hypothesis, other.hypothesis
    later = mine.run_id == its.run_id and mine.event is not None and its.event is not None and its.event > mine.event
    named = its.barrier not in having(Trait.UNNAMED) and not about_the_same(mine, its)
    return later and named and other.caused is not Answer.NO


def _calls(hypothesis: Hypothesis) -> dict[tuple[str, ...], set[str]]:
    """Its commands that do some work, by their words without options and assignments: as they are spelled."""
    found = defaultdict[tuple[str, ...], set[str]](set)
    for command in (step.command for line in hypothesis.targets.commands for step in steps_of(line)):
        bare = (command.program, *(word for word in command.arguments if word[:1] != "-" and "=" not in word))
        if command.program not in ("", "cd", "export") and not idle(command):
            found[bare].add(command.text)
    return found


def _open_door(item: Settled) -> Finding | None:
    """Where the machine left it open whether there is a way past what was seen to be there."""
    measured = (one for one in item.findings if one.question is Question.PASSABLE and one.ground is Ground.MACHINE)
    return next((one for one in measured if item.present is Answer.YES and one.answer is Answer.UNKNOWN), None)


def _unsettled(item: Settled) -> Finding | None:
    """Where the machine met what one is about but a control failed, and no way past it was ruled out."""
    measured = (one for one in item.findings if one.question is Question.PRESENT and one.ground is Ground.MACHINE)
    met = next((one for one in measured if one.answer is Answer.YES), None)
    return met if item.present is Answer.UNKNOWN and item.passable is not Answer.NO else None


def _one_failure(one: Settled, other: Settled) -> bool:
    """Whether a command's one failure is told by two names, of which one is no thing: a network that is not there."""
    if Barrier.NETWORK not in (one.hypothesis.barrier, other.hypothesis.barrier):
        return False
    mine, its = one.hypothesis, other.hypothesis
    at_once = mine.event is not None and (mine.run_id, mine.event) == (its.run_id, its.event)
    return at_once or not set(mine.targets.commands).isdisjoint(its.targets.commands)


def _brought(item: Settled, *, whole: bool = False) -> Iterator[tuple[Finding, str]]:
    """Its passages that count, with their routes: what a record tells does not where the machine says otherwise.

    The `whole` ones are those behind which the failing command itself worked.
    """
    for finding in item.findings if item.passable is Answer.YES else ():
        if finding.question is Question.PASSABLE and finding.valid_answer is Answer.YES:
            for route in finding.routes:
                if route.result == "passed" and route.tier is not Tier.T3 and not (whole and route.behind):
                    yield finding, route.id


def _things(hypothesis: Hypothesis) -> set[tuple[str, str]]:
    """Names in one spelling, a module under its package's name too; R's packages and paths are apart from the rest."""
    targets = hypothesis.targets
    if entry(hypothesis.barrier).about == "paths":
        return {("path", posixpath.normpath(path.strip())) for path in targets.paths}
    if hypothesis.barrier not in having(Trait.CHOSEN):
        return set()
    roots = [module.partition(".")[0] for module in targets.modules]
    packages = [modules()[root].package for root in roots if root in modules()]
    space = "R" if hypothesis.barrier is Barrier.R_PACKAGE else "name"
    return {(space, _spelt(name)) for name in (*roots, *packages, *targets.packages, *targets.programs)} - {(space, "")}


def _spelt(name: str) -> str:
    return re.sub(r"[-_.]+", "-", re.split(r"[\[<>=!~;@ ]", name.strip())[0]).lower()
