"""Whether an archive on the machine holds what is missing, and whether that helps where it is looked for."""

import posixpath
import shlex

from cases.sentences import Sentences
from probes.barriers import RoutePlan
from probes.model import Barrier, Route, Tier
from probes.replay.arms.going_on import reached
from probes.replay.handlers.archives import Holding, holding, list_archives
from probes.replay.handlers.searching import NOT_LOOKED_INTO
from probes.replay.resources.contents import Sort
from probes.replay.resources.log import Log, run
from probes.replay.resources.outcome import Tried
from probes.replay.resources.run import COMMAND_SECONDS, ReplayRun
from sandboxes import SandboxError, Session

say = Sentences(__name__)

PLAN = RoutePlan(
    id="archive-where-it-is-looked-for",
    tier=Tier.T2,
    needs=("shell",),
    commands=(),
    source="tar(1), Python's zipfile: what lies beside the missing file in the archive, where that is looked for",
)
_PACKED = r"\x1f\x8b\x08|\xfd7zXZ|BZh[1-9]1AY|ustar"
_ENCODED = "^[A-Za-z0-9+/]{60,80}$"
_HOLDS = f'LC_ALL=C grep -qaP \'{_PACKED}\' "$f" || [ "$(grep -cE \'{_ENCODED}\' "$f")" -ge 10 ]'
UNPACKING = f"""find . / -xdev {NOT_LOOKED_INTO} -type f -size +1 -size -200000k -readable -print0 2>/dev/null |
while IFS= read -r -d '' f; do
[ "$(head -c 2 "$f" | tr -d '\\0')" = '#!' ] && {{ {_HOLDS}; }} && echo "$f"
done | head -1"""
"""Finds a script that holds an archive."""
MOST = 3
"""Folders of the task's into which it is unpacked."""


def look_into_archives(work: ReplayRun) -> None:
    """Try what an archive holds that has a file or a folder of that name; leave in the outcome which one has, or a
    script that may, since an archive is in it.
    """
    held = work.subject.handler.held(work.subject)
    try:
        if held:
            _look_for(work, *held)
        elif work.subject.barrier is Barrier.MISSING_DATA:  # files by its name were looked for already
            with work.containers.start(work.spec) as session:
                _doubt_what_unpacks_itself(work, session)
    except SandboxError as error:
        work.outcome.archived = work.outcome.archived or say("archived.not_looked", error=error)


def _look_for(work: ReplayRun, sort: Sort, path: str) -> None:
    name = posixpath.basename(path)
    names = (f"lib{name}.so", f"lib{name}.a") if sort == "library" else (name,)
    places = _looked_for(work)
    with work.containers.start(work.spec) as session:
        archives = list_archives(work.trial(session), *names, *places)
        found = next((one for one in (holding(name, archives) for name in names) if one), None)
        if found is None:
            _doubt_what_unpacks_itself(work, session)
            return
    work.outcome.archived = say("archived.holds", path=found.path, member=found.member)
    members = {
        posixpath.basename(one) for archive in archives if archive.path == found.path for one in archive.members or ()
    }
    folders = dict.fromkeys(folder for one, folders in places.items() if one in members for folder in folders)
    if folders and work.outcome.decisive:
        _unpack(work, found, list(folders)[:MOST], work.outcome.decisive.command)


def _doubt_what_unpacks_itself(work: ReplayRun, session: Session) -> None:
    done = run(session, Log("replay-unpacking-itself"), UNPACKING, COMMAND_SECONDS, looks=True)
    found = next((line for line in done.output.splitlines() if line.startswith(("/", "./"))), "")
    work.outcome.archived = say("archived.unpacks_itself", path=found) if found else ""


def _looked_for(work: ReplayRun) -> dict[str, list[str]]:
    """Names of files that the failing command did not find, each with the task's folders where it looked."""
    root, found = f"{work.spec.workdir.rstrip('/')}/", dict[str, list[str]]()
    for fact in work.outcome.facts:
        for path in (fact.subject, *fact.places) if fact.kind == "file missing" else ():
            if path.startswith(root):
                found.setdefault(posixpath.basename(path), []).append(posixpath.dirname(path))
    return found


def _unpack(work: ReplayRun, held: Holding, folders: list[str], command: str) -> None:
    inside = posixpath.dirname(held.member)
    steps = [f"mkdir -p .unpacked && {held.unpacking} .unpacked"]
    source = shlex.quote(posixpath.join(".unpacked", inside, "."))
    steps += [f"mkdir -p {shlex.quote(folder)} && cp -r {source} {shlex.quote(folder)}" for folder in folders]
    log = Log(f"replay-route-{PLAN.id}")
    with work.containers.start(work.spec) as session:
        failed = work.steps(session, log, tuple(steps), "", COMMAND_SECONDS)
        done = failed or run(session, log, command, work.seconds(), shell=work.subject.shell)
        passed = failed is None and done.ok and not work.subject.handler.met(work.subject, done)
        others = [goal for goal in work.subject.goals if not goal.prepares]
        behind = reached(work, session, log) if passed and others else ()
    digest = work.keep(log)
    if not passed:
        work.observe(f"route: {PLAN.id}", done.how, done.seconds, digest)
        return
    note = say("archived.unpacked", path=held.path)
    route = Route(id=PLAN.id, tier=PLAN.tier, commands=tuple(steps), result="passed", note=note, artifact=digest)
    work.settle(Tried(PLAN, route, done.seconds, reached=(command, *behind) if behind or not others else ()))
