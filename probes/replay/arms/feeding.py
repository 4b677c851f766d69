"""Whether what the task asks for reads what the failing command was to make of data that nothing can stand in for."""

from cases.sentences import Sentences
from probes.replay.arms.measuring import traced_in
from probes.replay.resources.log import Log, run
from probes.replay.resources.outcome import Dependency
from probes.replay.resources.run import COMMAND_SECONDS, ReplayRun
from probes.replay.routes.judging import short
from sandboxes import SandboxError

say = Sentences(__name__)

MADE_SINCE = (
    "find . -mindepth 1 -xdev -cnewer {mark} ! -path '*/.git/*' ! -path '*/__pycache__/*' -exec realpath -s {{}} + "
    "| head -500"
)
"""What was made in a folder since; an archive's members bring times of their own, so that only the change tells."""
MARK = "/tmp/.before-it"  # noqa: S108 - in a container of its own


def feeds(work: ReplayRun, command: str) -> None:
    """Behind the failing command, what the task asks for and failed at last: does it open what that made, and fail?

    Where data is damaged or missing, an empty stand-in never brings that to work: what it reads has to tell.
    """
    subject = work.subject
    goals = [goal for goal in subject.goals if not goal.prepares and not goal.means_to]
    if not goals or subject.asked or work.outcome.dependency or not work.outcome.settled:
        return
    log = Log("replay-feeds")
    try:
        with work.containers.start(work.spec) as session:
            session.run(f"touch {MARK}", seconds=30, looks=True)
            run(session, log, command, work.seconds(COMMAND_SECONDS), shell=subject.shell)
            made = set(run(session, log, MADE_SINCE.format(mark=MARK), 60, looks=True).output.splitlines())
            traced = [(goal, traced_in(work, session, goal.line)) for goal in goals[:1]] if made else []
    except SandboxError as error:
        log.note(str(error))
        traced = []
    told = say("feeding.nothing")
    for goal, done in traced:
        read = [path for path in done.opened if path in made]
        told = say("feeding.opened", command=short(goal.command), number=len(read), how=done.done.how)
        if read and not done.done.ok:
            work.outcome.fed = Dependency(goal.command, done.done.how)
    work.observe("what reads it", told, None, work.keep(log))
