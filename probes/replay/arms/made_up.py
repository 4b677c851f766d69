"""A file that the task's words speak of, put there by the run itself: of the task's data, or of nothing."""

import shlex
from itertools import islice

from cases import CommandRun
from cases import patterns as re
from cases.sentences import Sentences
from cases.touches.names import SOURCE
from cases.touches.promises import made_by_run
from probes.model import Barrier
from probes.replay.arms.feeding import MARK
from probes.replay.arms.going_on import files_after
from probes.replay.arms.measuring import traced_in
from probes.replay.handlers.file_details import FileDetails
from probes.replay.resources.log import Log, run
from probes.replay.resources.run import COMMAND_SECONDS, ReplayRun
from probes.replay.routes.judging import short
from probes.replay.target.data_parts import SETTINGS
from probes.replay.target.script import in_its_place, replayable
from sandboxes import SandboxError, Session

say = Sentences(__name__)

_CHANCE = re.compile(
    r"\b(?:random|rand[ni]?t?|r(?:norm|unif|binom|pois|exp|gamma|beta)|sample|urandom|shuf|default_rng)\b"
)
"""What Python, NumPy, R, Julia, MATLAB and the shell call their generators."""
STEPS = 10
"""Of the run's later ones, until the file is there."""


def made_of_nothing(work: ReplayRun, command: str) -> None:
    """Leave in the outcome the run's step that made the file, where that reads none of what the task gave, and the
    failing command works on it: so it did in the run, and proves nothing.
    """
    subject, outcome = work.subject, work.outcome
    if subject.barrier is not Barrier.MISSING_DATA or not subject.overcome or subject.event is None:
        return
    details = subject.told(FileDetails)
    spoken = (details.told.to_fetch or details.told.promised) and not details.told.to_make
    if not spoken or SOURCE.search(details.place) or SETTINGS.search(details.place):
        return
    log = Log("replay-made-up")
    try:
        with work.containers.start(work.spec) as session:
            maker = _maker(work, session, log, details.place)
            if maker and not details.told.to_fetch and not _by_chance(work, maker):
                maker = None
            if maker and run(session, log, command, work.seconds(COMMAND_SECONDS), shell=subject.shell).ok:
                outcome.made_up = short(maker.command)
    except SandboxError as error:
        log.note(str(error))
    told = say("made_up.of_nothing", command=outcome.made_up) if outcome.made_up else say("made_up.not")
    work.observe("what the run put there", told, None, work.keep(log))


def _by_chance(work: ReplayRun, maker: CommandRun) -> bool:
    """Whether it, or a file that the run wrote, draws numbers: an empty table to begin with is no made-up data."""
    place = work.subject.events.commands.index(maker)
    texts = (maker.command, *(one.content for one in work.subject.events.writes if one.after <= place))
    return any(_CHANCE.search(text) for text in texts)


def _maker(work: ReplayRun, session: Session, log: Log, place: str) -> CommandRun | None:
    """The step behind which the file is there; None where none is, or it read what the task gave."""
    subject, there = work.subject, f"test -s {shlex.quote(place)}"
    files = files_after(work, session, log)
    start = 0 if subject.event is None else subject.event + 1
    later = ((number, step) for number, step in enumerate(subject.events.commands) if number >= start)
    for number, step in islice(((n, one) for n, one in later if replayable(one) and not one.only_looks), STEPS):
        files.up_to(number)
        session.run(f"touch {MARK}", seconds=30, looks=True)
        traced = traced_in(work, session, in_its_place(step))
        if run(session, log, there, 20, looks=True).ok:
            others = [one for one in subject.events.commands if one is not step]
            own = (one for one in traced.opened if made_by_run(one, "", others, subject.events.writes))
            opened = sorted(set(traced.opened).difference((place, *own)))
            older = f'for p in {shlex.join(opened)}; do [ -f "$p" ] && [ ! "$p" -nt {MARK} ] && echo "$p"; done; true'
            read = run(session, log, older, 20, looks=True).output if opened else ""
            return None if read.strip() else step
    return None
