"""Whether the barrier makes a difference: the run's own steps with it in place and without."""

import hashlib
import posixpath
import shlex

from cases import CommandRun
from cases.sentences import Sentences
from cases.task_words import prompt_of
from probes.model import Barrier
from probes.replay.arms.going_on import SECONDS, files_after, repeated, through
from probes.replay.handlers.disk_full import NAMED
from probes.replay.resources.log import Log, run
from probes.replay.resources.run import ReplayRun
from probes.replay.routes.judging import short
from probes.replay.target.model import Goal
from probes.replay.target.script import in_its_place
from sandboxes import Executed, Session

say = Sentences(__name__)

MARK = "/tmp/.before-these-steps"  # noqa: S108 - in a container of its own
_KEPT = "! -path '*/.git/*' ! -path '*/__pycache__/*' ! -path '*/.route-*'"
_WRITTEN = f"-type f -cnewer {MARK} {_KEPT} -exec sha256sum {{}} + | sort"
PRODUCTS = f"find . -xdev {_WRITTEN}"
"""What was written in the working directory since, by name and sum; a program's caches are no product."""
PRODUCTS_ANYWHERE = f"find / \\( -path /proc -o -path /sys -o -path /dev \\) -prune -o {_WRITTEN}"
"""The same of all places."""
_EMPTY = hashlib.sha256().hexdigest()


def manage_without(work: ReplayRun) -> None:
    """The run's own steps to what the task asks for, with the barrier in place: what works so needs nothing of it."""
    steps = work.subject.beside
    if not steps:
        return
    log = Log("replay-beside")
    with work.containers.start(work.spec) as session:
        went = through(work, files_after(work, session, log), steps)
    told = say("difference.with_it_in_place", ok=sum(one.ok for one in went), steps=len(steps))
    work.observe("beside it", told, None, work.keep(log))
    if _as_in_the_run(steps, went):
        work.outcome.needless = say("difference.worked_beside", command=short(in_its_place(steps[-1])))


def makes_none(work: ReplayRun, session: Session, way: str) -> bool:
    """What the task asks for and worked in the run, in a container without the barrier and in one with it: where all
    that it prints and writes without the barrier it prints and writes with it as well, nothing was kept from it.

    What it prints besides, such as a warning of what is missing, is no work.
    """
    goals = work.subject.apart
    if not goals:
        return False
    log = Log("replay-difference")
    log.note(f"without the barrier ({way})")
    without = _made(work, session, log, goals)
    log.note("the same with the barrier in place")
    with work.containers.start(work.spec) as other:
        within = _made(work, other, log, goals)
    alike = bool(without) and without <= within
    told = say("difference.alike" if alike else "difference.otherwise", goals=len(goals))
    work.observe("difference", told, None, work.keep(log))
    if alike:
        work.outcome.needless = say("difference.makes_none", command=short(goals[-1].command))
    return alike


def makes_what_is_named(work: ReplayRun, command: str) -> None:
    """Leaves a missing network open where the failing command makes a file that the prompt names all the same: what it
    wanted of the host may have come behind the work.
    """
    if work.subject.barrier is not Barrier.NETWORK or work.outcome.unread:
        return
    prompt, log = prompt_of(work.context.case), Log("replay-made")
    with work.containers.start(work.spec) as session:
        session.run(f"touch {MARK}", seconds=30, looks=True)
        run(session, log, command, work.seconds(), shell=work.subject.shell)
        listed = run(session, log, f"cd {shlex.quote(session.spec.workdir)} && {PRODUCTS}", 60, looks=True)
    made = (line.partition("  ")[2] for line in listed.output.splitlines() if _EMPTY not in line)
    found = next((path for path in made if NAMED.within(posixpath.basename(path), prompt)), "")
    if found:
        work.observe("made all the same", found, None, work.keep(log))
        work.outcome.unread = say("difference.made_named", path=found.removeprefix("./"))


def _made(work: ReplayRun, session: Session, log: Log, goals: tuple[Goal, ...]) -> frozenset[tuple[int, str]]:
    """Each line that each of them prints, and each file that they write, by its sum; nothing where one fails."""
    session.run(f"touch {MARK}", seconds=30, looks=True)
    lines = [(goal.event, f"exec 2>/dev/null\n{goal.line}") for goal in goals]
    went = repeated(work, files_after(work, session, log), lines, SECONDS)
    listed = run(session, log, f"cd {shlex.quote(session.spec.workdir)} && {PRODUCTS}", 60, looks=True)
    if len(went) < len(goals) or not all(one.ok for one in went):
        return frozenset()
    said = (*went, listed)
    return frozenset(
        (place, line) for place, one in enumerate(said) for line in one.output.splitlines() if line.strip()
    )


def _as_in_the_run(steps: tuple[CommandRun, ...], went: list[Executed]) -> bool:
    """Whether all that worked in the run, and the last, worked here."""
    asked = [one for step, one in zip(steps, went, strict=False) if step.failed == "no" or step is steps[-1]]
    return len(went) == len(steps) and all(one.ok for one in asked)
