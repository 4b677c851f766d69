"""Whether something lies on the machine's disk, wherever, so that its want is not settled."""

import shlex

from cases import patterns as re
from cases.sentences import Sentences
from probes.replay.resources.context import ContainerContext

say = Sentences(__name__)

FIND = r"find / \( -path /proc -o -path /sys \) -prune -o \( {} \) -print 2>/dev/null | head -1"
COMMITTED = r"""find / -xdev \( -path /proc -o -path /sys \) -prune -o -name HEAD -type f -print 2>/dev/null |
while IFS= read -r h; do d="$(dirname "$h")"; [ -d "$d/objects" ] || continue
git -c safe.directory='*' --git-dir="$d" ls-tree -r --name-only HEAD |
grep -xE '(.*/)?'{name} | sed "s|^|$d: |"
done 2>/dev/null | head -1; true"""
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


def committed(trial: ContainerContext, name: str) -> str | None:
    """Why it is open, where a repository of git's on the disk holds a file of that name; ends a sentence."""
    ask = COMMITTED.format(name=shlex.quote(re.escape(name)))
    found = trial.run("replay-committed", ask, seconds=SECONDS)[0].output.strip()
    return say("lying.committed", file=found) if found else None
