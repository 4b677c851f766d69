"""Is the truth true? A world's way is walked on a fresh machine, and where all is shut, every known way is tried."""

from dataclasses import dataclass
from typing import Literal

from cases.sentences import Sentences
from sandboxes import Engine, Session
from verify.labelled.machine import image_of
from verify.labelled.recording import SECONDS, machine
from verify.labelled.sets import LabelledSet
from verify.labelled.world import World

say = Sentences(__name__)


@dataclass(frozen=True)
class Proof:
    """What became of one world's truth."""

    world: World
    holds: Literal["proved", "refuted", "unproved"]
    because: str


def prove(world: World, labelled: LabelledSet, engine: Engine) -> Proof:
    """Walk its way, or try every way that is said to be shut."""
    if not world.way and not world.shut:
        return Proof(world, "unproved", say("labelled.ways.says_neither_way_nor"))
    image = image_of(world, labelled, engine)
    if world.way:
        with machine(world, image, engine) as session:
            if (gap := _walked(world, session)) is not None:
                return Proof(world, "refuted", gap)
    for command in world.shut:
        with machine(world, image, engine) as session:
            if _works(session, command) and (world.goal is None or _works(session, world.goal)):
                return Proof(world, "refuted", say("labelled.ways.not_shut", command=command))
    return Proof(
        world, "proved", say("labelled.ways.commands_way_work_others", way=len(world.way), shut=len(world.shut))
    )


def _walked(world: World, session: Session) -> str | None:
    for command in world.way:
        done = session.run(command, seconds=SECONDS)
        if not done.ok:
            return say("labelled.ways.way_ends", how=done.how, command=command, output=done.output.strip()[-300:])
    if world.goal is not None and not _works(session, world.goal):
        return say("labelled.ways.way_not_reach_goal", goal=world.goal)
    return None


def _works(session: Session, command: str) -> bool:
    return session.run(command, seconds=SECONDS).ok
