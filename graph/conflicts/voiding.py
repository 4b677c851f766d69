"""What one hypothesis calls impassable, and a route of another has made void: behind it nothing was in the way."""

from collections.abc import Sequence
from dataclasses import replace

from cases import patterns as re
from cases.sentences import Sentences
from cases.shell import Command, steps_of
from cases.touches import idle, prepares
from graph.conflicts.passages import BESIDE, brought, met_after, one_failure, works_otherwise, yes
from graph.conflicts.things import things
from graph.rules import Settled
from graph.verdict import Status
from probes import Answer, Barrier, Ground, Hypothesis, Question

say = Sentences(__name__)

_FETCHES = frozenset({Barrier.PIP, Barrier.APT, Barrier.CONDA})
"""Of these only an installer failed, and not what was to be installed."""


_TOLD = re.compile(r"-[qvs]+|-r\w+|--tb=\w+|--no-header|--quiet|--verbose")
"""Options that only say how much is told."""


def voided(item: Settled, settled: Sequence[Settled]) -> Settled:
    """One that another's route has made void: behind it every command of the task's that failed in that run works, or
    the one that alone was seen to need it. That says nothing where such a command works here without any route.
    """
    mine = item.hypothesis
    plain = {command for one in settled if one.present is Answer.NO for command in one.hypothesis.targets.commands}
    if item.status is Status.NOT_SUPPORTED or not mine.targets.commands:
        return item
    for other in settled:
        for finding, route in brought(other) if other is not item and other.hypothesis.run_id == mine.run_id else ():
            if finding.reaches and plain.isdisjoint(finding.reaches):
                shown = ", ".join(f"`{command}`" for command in finding.reaches[:2])
                rival = say("rival.reached", route=route, shown=shown, finding=finding.id)
                return replace(item, passable=Answer.YES, rival=rival)
    if item.status is Status.INCONCLUSIVE and (rival := _prepared_for(item, settled)):
        return replace(item, passable=Answer.YES, rival=rival)
    asked = any(one.question is Question.CAUSED and one.ground is Ground.RECORD for one in yes(item))
    rival = "" if asked else works_otherwise(item, settled) or _done_without(item, settled)
    return replace(item, passable=Answer.YES, rival=rival) if rival else item


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
        works = [step.command for line in its.targets.commands for step in steps_of(line)]
        if met_after(mine, its) and other.caused is Answer.YES and not any(map(prepares, works)):
            for finding, route in brought(other, whole=True):
                return say("rival.same_behind", route=route, finding=finding.id)
    return ""


def _makes_room(command: Command) -> bool:
    """Whether a command beside an installer changes nothing of what it brings, or makes an environment for it."""
    return command.program in {*BESIDE, "virtualenv"} or (command.module is not None and command.module.text == "venv")


def _done_without(item: Settled, settled: Sequence[Settled]) -> str:
    """By which route of another the command that needed something works, where one only failed to fetch that very thing
    and nothing shows that the task needs it; ends a sentence, empty where there is none.
    """
    wanted = _fetched(item, settled) if item.caused is not Answer.YES else set()
    others = [one for one in settled if one is not item and one.hypothesis.run_id == item.hypothesis.run_id]
    if wanted and item.hypothesis.barrier not in (*_FETCHES, Barrier.NETWORK):
        others = [one for one in others if _as_much(item.hypothesis, one.hypothesis)]
    for other in others if wanted else ():
        for finding, route in brought(other, whole=True) if wanted <= things(other.hypothesis) else ():
            return say("rival.done_without", route=route, thing=min(wanted)[1], finding=finding.id)
    return ""


def _fetched(item: Settled, settled: Sequence[Settled]) -> set[tuple[str, str]]:
    """What its command was to fetch, as far as it or another name of the same failure tells, or to run by its name as a
    module of Python's.
    """
    if item.hypothesis.barrier is Barrier.NETWORK:
        same = (one for one in settled if one is not item and one_failure(item, one))
        return {thing for one in same if one.hypothesis.barrier in _FETCHES for thing in things(one.hypothesis)}
    return things(item.hypothesis) if item.hypothesis.barrier in _FETCHES or _runs_it(item.hypothesis) else set()


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
    ran = [step.command for line in lines for step in steps_of(line) if step.command.program not in BESIDE]
    called = [command.module.text if command.module else "" for command in ran]
    return len(named) == 1 and set(called) == set(named)
