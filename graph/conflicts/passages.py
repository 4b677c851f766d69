"""What a hypothesis's findings tell of the ways past it, as far as it bears on another."""

from collections.abc import Iterator, Sequence

from cases.sentences import Sentences
from graph.conflicts.things import about_the_same
from graph.rules import Settled
from probes import Answer, Barrier, Finding, Ground, Hypothesis, Question, Tier
from probes.barriers import Trait, having

say = Sentences(__name__)

BESIDE = frozenset({"", "cd", "export", "head", "tail"})
"""Programs beside an installer that change nothing of what it brings."""


def yes(item: Settled) -> Iterator[Finding]:
    """Its findings that count and answer their question with yes."""
    return (finding for finding in item.findings if finding.valid_answer is Answer.YES)


def brought(item: Settled, *, whole: bool = False) -> Iterator[tuple[Finding, str]]:
    """Its passages that count, with their routes: what a record tells does not where the machine says otherwise.

    The `whole` ones are those behind which the failing command itself worked.
    """
    for finding in item.findings if item.passable is Answer.YES else ():
        if finding.question is Question.PASSABLE and finding.valid_answer is Answer.YES:
            for route in finding.routes:
                if route.result == "passed" and route.tier is not Tier.T3 and not (whole and route.behind):
                    yield finding, route.id


def open_door(item: Settled) -> Finding | None:
    """Where the machine left it open whether there is a way past what was seen to be there."""
    measured = (one for one in item.findings if one.question is Question.PASSABLE and one.ground is Ground.MACHINE)
    return next((one for one in measured if item.present is Answer.YES and one.answer is Answer.UNKNOWN), None)


def unsettled(item: Settled) -> Finding | None:
    """Where the machine met what one is about but a control failed, and no way past it was ruled out."""
    measured = (one for one in item.findings if one.question is Question.PRESENT and one.ground is Ground.MACHINE)
    met = next((one for one in measured if one.answer is Answer.YES), None)
    return met if item.present is Answer.UNKNOWN and item.passable is not Answer.NO else None


def later(item: Settled, other: Settled) -> bool:
    """Whether another thing was met later in the same run, by a name of its own, and not by the run's own doing."""
    mine, its = item.hypothesis, other.hypothesis
    named = its.barrier not in having(Trait.UNNAMED) and not about_the_same(mine, its)
    return met_after(mine, its) and named and other.caused is not Answer.NO


def met_after(one: Hypothesis, other: Hypothesis) -> bool:
    """Whether another was met later than one, in the same run."""
    return one.run_id == other.run_id and one.event is not None and (other.event or 0) > one.event


def one_failure(one: Settled, other: Settled) -> bool:
    """Whether a command's one failure is told by two names, of which one is no thing: a network that is not there."""
    if Barrier.NETWORK not in (one.hypothesis.barrier, other.hypothesis.barrier):
        return False
    mine, its = one.hypothesis, other.hypothesis
    at_once = mine.event is not None and (mine.run_id, mine.event) == (its.run_id, its.event)
    return at_once or not set(mine.targets.commands).isdisjoint(its.targets.commands)


def needing(item: Settled, other: Settled) -> list[str]:
    """The commands of a hypothesis that were seen to need what one is about."""
    seen = [command for one in yes(item) if one.question is Question.CAUSED for command in one.reaches]
    return [one for one in seen if any(one in whole for whole in other.hypothesis.targets.commands)]


def works_otherwise(item: Settled, settled: Sequence[Settled]) -> str:
    """By which route of another, which is about that command itself, a command works that was seen to need what one is
    about; ends a sentence, empty where there is none.
    """
    for other in settled:
        mine = needing(item, other) if other is not item else []
        for finding, route in brought(other, whole=True) if mine else ():
            return say("rival.needing", route=route, needing=mine[0], finding=finding.id)
    return ""
