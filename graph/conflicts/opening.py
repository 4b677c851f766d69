"""What one hypothesis calls impassable, while it is open whether another is: so that it is open too."""

import posixpath
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from cases import patterns as re
from cases.sentences import Sentences
from cases.shell import steps_of
from cases.touches import idle, prepares
from graph.conflicts.passages import (
    BESIDE,
    brought,
    later,
    met_after,
    needing,
    one_failure,
    open_door,
    unsettled,
    works_otherwise,
    yes,
)
from graph.conflicts.things import spelt, things
from graph.rules import Settled
from probes import Answer, Barrier, Hypothesis, Question
from probes.barriers import Trait, having

say = Sentences(__name__)

_PACKAGE = re.compile(r"[A-Za-z][\w+-]*(?:(?:==|>=|@)[\w.]+)?")
"""A word that names a package: no option, and no file."""


_COMPILER = re.compile(
    r"(?:[\w.-]*-)?(?:gcc|g\+\+|t?cc|c\+\+|clang(?:\+\+)?|gfortran|f77|f95|flang|nvcc|javac|kotlinc|scalac|rustc|ghc"
    r"|ocamlopt|fpc|ldc2|dmd|mcs|csc|swiftc)(?:-\d+)?"
)
"""Programs that compile what they are given."""


def opened(item: Settled, settled: Sequence[Settled]) -> Settled:
    if rival := works_otherwise(item, settled):
        return replace(item, passable=Answer.UNKNOWN, rival=rival)
    for other in settled:
        for finding, route in brought(other) if other is not item and one_failure(item, other) else ():
            rival = say("rival.same_command", route=route, finding=finding.id)
            return replace(item, passable=Answer.UNKNOWN, rival=rival)
        if open_one := open_door(other) if other is not item and one_failure(item, other) else None:
            return replace(item, passable=Answer.UNKNOWN, rival=say("rival.open_door", finding=open_one.id))
        for asked in (_open_around, _open_behind, _open_by_hand, _open_otherwise, _open_without_what_it_brings):
            if rival := asked(item, other):
                return replace(item, passable=Answer.UNKNOWN, rival=rival)
    for other in settled:
        shared = things(item.hypothesis) & things(other.hypothesis) if other is not item else set()
        for finding, route in brought(other) if shared else ():
            rival = say("rival.brought", route=route, thing=min(shared)[1], finding=finding.id)
            return replace(item, passable=Answer.UNKNOWN, rival=rival)
    return item


def _open_around(item: Settled, other: Settled) -> str:
    """Where a command that was seen to need what one is about fails for a thing that has a measured name of its own,
    and whether there is a way around that is open; ends a sentence, empty where this is not so.
    """
    named = other.hypothesis.barrier not in having(Trait.UNNAMED) and item.hypothesis.run_id == other.hypothesis.run_id
    mine = needing(item, other) if named and not needing(item, item) else []
    door = open_door(other) if mine else None
    return say("rival.open_around", needing=mine[0], finding=door.id) if door else ""


def _open_behind(item: Settled, other: Settled) -> str:
    """Where one is about what only prepares the machine, or only that needs it, and there is a way past what failed
    after it for want of what it may have brought, or it is open whether there is; ends a sentence, empty where this is
    not so.
    """
    mine, its = item.hypothesis, other.hypothesis
    seen = [command for one in yes(item) if one.question is Question.CAUSED for command in one.reaches]
    steps = [step.command for command in seen or mine.targets.commands for step in steps_of(command)]
    ready = [command for command in steps if prepares(command)]
    others = (command for command in steps if command.program not in BESIDE)
    works = any(not idle(step.command) for command in its.targets.commands for step in steps_of(command))
    if not later(item, other) or not ready or not all(map(idle, others)) or not works:
        return ""
    named = [{spelt(word) for word in one.arguments[1:] if _PACKAGE.fullmatch(word)} for one in ready]
    if all(named) and set().union(*named).isdisjoint(name for _, name in things(its)):
        return ""
    for finding, route in brought(other, whole=True):
        return say("rival.same_behind", route=route, finding=finding.id)
    door = open_door(other) or unsettled(other)
    return say("rival.open_behind", finding=door.id) if door else ""


def _open_by_hand(item: Settled, other: Settled) -> str:
    """Where the run, for want of a program or of a host, called a compiler itself, and nothing shows that there is no
    way past what that failed for; ends a sentence, empty where this is not so.
    """
    mine, its = item.hypothesis, other.hypothesis
    wanting = mine.barrier in (Barrier.COMMAND, Barrier.NETWORK)
    if not wanting or not met_after(mine, its) or other.passable is Answer.NO:
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
    one, another = (_calls(each.hypothesis) for each in (item, other)) if later(item, other) else ({}, {})
    otherwise = any(bare in one and words.isdisjoint(one[bare]) for bare, words in another.items())
    door = open_door(other) if otherwise else None
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
    missed = {posixpath.dirname(path) for kind, path in things(its) if kind == "path"}
    if named.isdisjoint(missed - {""}):
        return ""
    asked = (one for one in other.findings if one.answer is Answer.UNKNOWN)
    door = next((one for one in asked if any(route.result == "not_tried" for route in one.routes)), None)
    return say("rival.open_without", finding=door.id) if door else ""


def _calls(hypothesis: Hypothesis) -> dict[tuple[str, ...], set[str]]:
    """Its commands that do some work, by their words without options and assignments: as they are spelled."""
    found = defaultdict[tuple[str, ...], set[str]](set)
    for command in (step.command for line in hypothesis.targets.commands for step in steps_of(line)):
        bare = (command.program, *(word for word in command.arguments if word[:1] != "-" and "=" not in word))
        if command.program not in ("", "cd", "export") and not idle(command):
            found[bare].add(command.text)
    return found
