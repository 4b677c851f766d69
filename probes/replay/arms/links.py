"""A link of the task's that leads nowhere, where a folder of one's own may stand."""

import posixpath
import shlex

from cases.sentences import Sentences
from probes.barriers import RoutePlan
from probes.model import Barrier, Route, Tier
from probes.replay.arms.going_on import reached
from probes.replay.resources.log import Log, run
from probes.replay.resources.outcome import Tried
from probes.replay.resources.run import ReplayRun

say = Sentences(__name__)

PLAN = RoutePlan(
    id="folder-for-a-dangling-link",
    tier=Tier.T2,
    commands=(),
    source="symlink(7): a link is removed by who may write its folder, whoever owns what it leads to",
)
_BARRIERS = frozenset({Barrier.PERMISSION, Barrier.READ_ONLY, Barrier.MISSING_DATA})
_FIND = "find . -maxdepth 4 -xtype l -printf '%P\\t%l\\n' 2>/dev/null | head -20"
SECONDS = 30


def put_folder_for_link(work: ReplayRun, command: str) -> None:
    """Where what is to be written lies behind such a link, and the task's commands work with a folder in its place,
    that is a way.
    """
    writes = any(fact.access == "write" for fact in work.outcome.facts)
    if work.subject.barrier not in _BARRIERS or not writes:
        return
    about, log = work.subject.about, Log(f"replay-route-{PLAN.id}")
    with work.containers.start(work.spec) as session:
        listed = run(session, log, _FIND, SECONDS, looks=True).output.splitlines()
        links = dict(line.split("\t") for line in listed if line.count("\t") == 1)
        behind = [link for link, target in links.items() if _leads_to(link, target, about)]
        if not behind:
            return
        commands = tuple(f"rm {shlex.quote(link)} && mkdir {shlex.quote(link)}" for link in behind[:1])
        done = run(session, log, commands[0], SECONDS)
        again = run(session, log, command, work.seconds(), shell=work.subject.shell) if done.ok else done
        goals = reached(work, session, log) if done.ok else ()
    digest = work.keep(log)
    works = again.ok and not work.subject.handler.met(work.subject, again)
    others = [goal for goal in work.subject.goals if not goal.prepares]
    if goals or (works and not others):
        note = say("links.folder", link=behind[0], target=links[behind[0]])
        route = Route(id=PLAN.id, tier=PLAN.tier, commands=commands, result="passed", note=note, artifact=digest)
        work.settle(Tried(PLAN, route, done.seconds, reached=goals))
    else:
        work.observe(f"route: {PLAN.id}", again.how, again.seconds, digest)


def _leads_to(link: str, target: str, about: str) -> bool:
    """Whether what it is about is the link, what is below it, or lies on the way to what it leads to."""
    path, end = (f"{posixpath.normpath(one)}/" for one in (about, target))
    return f"/{link}/" in f"/{path}" or end.startswith(path) or path.startswith(end)
