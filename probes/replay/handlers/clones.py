"""What lies on the machine of a repository that the run could not clone."""

import posixpath
import shlex
from dataclasses import dataclass
from pathlib import PurePosixPath

from cases import patterns as re
from cases.shell import steps_of
from cases.task_words import prompt_of
from probes.replay.resources.context import ContainerContext
from probes.replay.target.model import ReplayTarget

_FILE = re.compile(r"[\w-][\w.-]*\.[a-z]\w{0,7}")
_SEARCH = """
n={name}
find / \\( -path /proc -o -path /sys -o -path /etc -o -path /var/lib -o -path /usr/lib -o -path /usr/share \
-o -path /usr/include \\) -prune -o \\( -type d \\( -name "$n" -o -name "$n.git" \\) -o -type f \\( -name "$n.bundle" \
-o -name "$n.zip" -o -name "$n.tar" -o -name "$n.t[gbx]z" -o -name "$n.tar.*" \\) \\) -print 2>/dev/null |
grep -vxF {made} | while IFS= read -r d; do
if [ -f "$d" ]; then echo "?$d"; continue; fi
[ -n "$(find "$d" -type f -size +0 ! -iname 'readme*' -print -quit)" ] || continue
if git -C "$d" config --get-regexp '^remote\\.' 2>/dev/null | grep -qF {whose} ||
grep -rIsqF --exclude-dir=.git {whose} "$d" || printf '%s\\n' {files} | while IFS= read -r f; do
[ -e "$f" ] || find "$d" -name .git -prune -o -type f -name "$f" ! -iname 'readme*' -print -quit
done | grep -q .; then echo "=$d"; else echo "?$d"; fi
done"""
"""Folders and archives of its name: `=` before one that tells whose it is or holds what the prompt names, else `?`."""


@dataclass(frozen=True)
class Lying:
    """A folder, or an archive, of the repository's name that the run did not make."""

    path: str
    is_known: bool
    """Whether it tells by its own remote or texts that it is the repository, or holds a file that the task names and
    does not have itself."""


def name_at(path: str) -> str:
    """The name that what lies at a URL's path has on disk, without a revision; empty where it has none."""
    name = posixpath.basename(path.rstrip("/")).partition("@")[0].removesuffix(".git")
    return name if re.fullmatch(r"[\w.+-]+", name) else ""


def clones(command: str) -> bool:
    """Whether a line has git clone something, or an installer that is given a repository."""
    each = [step.command for step in steps_of(command)]
    return any(
        (one.program == "git" and "clone" in one.arguments) or any("git+" in word for word in one.arguments)
        for one in each
    )


def lying_repository(trial: ContainerContext, path: str) -> Lying | None:
    """A folder that may be the repository at a URL's path, a known one first; None where none lies there."""
    command = trial.subject.attempts[0].command
    name = name_at(path)
    if not name or not clones(command):
        return None
    owned = path.strip("/").partition("@")[0].removesuffix(".git")
    files = dict.fromkeys(_FILE.findall(prompt_of(trial.context.case)))
    made = (posixpath.join(trial.session.spec.workdir, one) for one in folders_made(trial.subject))
    search = _SEARCH.format(
        name=shlex.quote(name),
        made=shlex.quote("\n".join(made) or "-"),
        whose=shlex.quote(owned),
        files=shlex.quote("\n".join(files) or "-"),
    )
    [done] = trial.run("replay-repository", search, seconds=120)
    lying = [Lying(line[1:], line.startswith("=")) for line in done.output.splitlines() if line[:2] in {"=/", "?/"}]
    return next((one for one in lying if one.is_known), next(iter(lying), None))


def folders_made(subject: ReplayTarget) -> list[str]:
    """The directories that the run made itself, which hold no more than it put there; as it named them where it worked
    in the task's own.
    """
    found = dict[str, None]()
    for event in subject.events.commands:
        where = event.cwd or ""
        for command in (step.command for step in event.steps):
            words = [word for word in command.arguments if not word.startswith("-")]
            if command.program == "cd" and words:
                where = posixpath.join(where, words[0])
            for word in words if command.program == "mkdir" else ():
                made = PurePosixPath(posixpath.normpath(posixpath.join(where, word)))
                found |= dict.fromkeys(map(str, (made, *made.parents)))
    return list(found)
