"""Whether something lies on the machine's disk, wherever, so that its want is not settled."""

from cases.sentences import Sentences
from probes.replay.resources.context import ContainerContext

say = Sentences(__name__)

FIND = r"find / \( -path /proc -o -path /sys \) -prune -o \( {} \) -print 2>/dev/null | head -1"
SECONDS = 120
ARCHIVES = ("tar", "tar.*", "tgz", "tbz", "txz", "zip", "deb", "rpm", "conda", "AppImage")


def packed(name: str) -> str:
    """A test of find(1) for archives with this in their names."""
    return " -o ".join(f"-iname '*{name}*.{ending}'" for ending in ARCHIVES)


def lying(trial: ContainerContext, *tests: str) -> str | None:
    """Why it is open, where a path meets one of find(1)'s tests or the search does not end; ends a sentence."""
    done = trial.run("replay-on-disk", FIND.format(" -o ".join(tests)), seconds=SECONDS)[0]
    if not done.ok:
        return say("lying.disk_could_not", how=done.how)
    path = done.output.strip()
    return say("lying.lies_disk_though", path=path) if path else None
