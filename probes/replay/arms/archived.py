"""Whether an archive on the machine holds what is missing, in a form that no route puts to use."""

import posixpath

from cases.sentences import Sentences
from probes.replay.handlers.archives import holding, list_archives
from probes.replay.resources.run import ReplayRun
from sandboxes import SandboxError

say = Sentences(__name__)


def look_into_archives(work: ReplayRun) -> None:
    """Leave in the outcome which one has a file or a folder of that name."""
    held = work.subject.handler.held(work.subject)
    if held is None:
        return
    sort, name = held[0], posixpath.basename(held[1])
    names = (f"lib{name}.so", f"lib{name}.a") if sort == "library" else (name,)
    try:
        with work.containers.start(work.spec) as session:
            archives = list_archives(work.trial(session), *names)
    except SandboxError as error:
        work.outcome.archived = say("archived.not_looked", error=error)
        return
    found = next((one for one in (holding(name, archives) for name in names) if one), None)
    if found:
        work.outcome.archived = say("archived.holds", path=found.path, member=found.member)
