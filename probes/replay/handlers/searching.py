"""Where in a container a missing file may lie: under its name, or as the only file of its kind and told size."""

import glob
import posixpath
import shlex
import unicodedata
from dataclasses import dataclass

from cases import Events
from cases import patterns as re
from cases.touches.promises import made_by_run
from probes.replay.resources.context import ContainerContext
from probes.replay.target.model import ReplayTarget
from probes.replay.target.needs import gone_to

NOT_LOOKED_INTO = (
    "\\( -path /proc -o -path /sys -o -path /dev -o -path /usr -o -path /lib -o -path /etc -o -path /var "
    "-o -path /opt/impassable -o -name site-packages -o -name .git \\) -prune -o"
)
FIND = (
    f"find / {NOT_LOOKED_INTO} \\( -type f -o -type d -not -empty \\) \\( {{names}} \\) -print 2>/dev/null | head -40"
)
FIND_SYSTEM = (
    "find /usr /var /etc -type f -not -empty {tests} -readable -not -path '*/doc/*' -print 2>/dev/null | head -5"
)
"""Where a search by name does not look, for it would find what has nothing to do with a task."""
FACTS = (
    'for p in {paths}; do k=file; test -d "$p" && k=directory; '
    'head -c 40 "$p" 2>/dev/null | grep -q "^version https://git-lfs" && k=pointer; '
    'echo "$k $(stat -Lc %s "$p") $p"; done; true'
)
FIND_SIZE = "find {roots} {pruned} -type f \\( {sizes} \\) -print 2>/dev/null | head -40 | xargs -r -d '\\n' cksum"
FIND_BELOW = f"find / {NOT_LOOKED_INTO} -path {{below}} -print 2>/dev/null | head -20"
MOST_BELOW = 3
"""Paths below a missing directory that are looked for elsewhere."""
BEFORE = "(^|[^[:alnum:]_./~-])"
"""What stands before a path where it begins."""
_DIGITS = re.compile(r"\d+")
_POINTER = re.compile(r"(?s)\Aversion https://git-lfs.*^size (\d+)$", re.MULTILINE)
_POINTERS = (re.compile(r"/annex/objects/\S*-s(\d+)--"), re.compile(r"(?m)^[ -]+size: (\d+)$"))
"""How git-annex and DVC tell a size: git-annex's backends page; DVC's `.dvc` files."""
PACKED = (".gz", ".bz2", ".xz", ".zip")


@dataclass(frozen=True)
class Search:
    """What a search brought; paths are absolute."""

    place: str
    """Where the command looks for it."""
    named: tuple[str, ...]
    """All files and directories of that name elsewhere."""
    usable: tuple[str, ...]
    """Those of them that may be it."""
    pointers: tuple[str, ...]
    """Of Git LFS."""
    empty: tuple[str, ...]
    other: tuple[tuple[str, int], ...]
    """Those whose size, in bytes, differs from every told one, or is too small for what is told of it."""
    kin: tuple[str, ...] = ()
    """Those of another number, or of a folder beside it."""


def pointed_at(trial: ContainerContext) -> dict[int, str]:
    """The size that the file itself has, in bytes, by a pointer of Git LFS or a link of git-annex in its place, or by
    DVC's pointer beside it; empty where there is none.
    """
    place, beside = shlex.quote(_place(trial)), shlex.quote(f"{_place(trial)}.dvc")
    asked = f"head -c 400 {place} 2>/dev/null; readlink {place}; head -c 2000 {beside} 2>/dev/null; true"
    done, *_ = trial.run("replay-pointer", asked)
    size = next(filter(None, (pattern.search(done.output) for pattern in (_POINTER, *_POINTERS))), None)
    return {int(size[1]): "the pointer to it"} if size else {}


def search_by_name(trial: ContainerContext, told: dict[int, str], least: int) -> Search:
    """Look for the name everywhere; `told` are the sizes that it may have, empty for any of `least` bytes or more."""
    subject = trial.subject
    names = _spelled(posixpath.basename(subject.about.rstrip("/")))
    done, *_ = trial.run("replay-search", FIND.format(names=" -o ".join(f"-iname {shlex.quote(one)}" for one in names)))
    place = _place(trial)
    found = sorted(path for path in done.output.splitlines() if path.startswith("/"))
    found = [path for path in found if path != place and not path.startswith(f"{place}/")]
    folder = posixpath.dirname(place)
    around = _facts(trial, [place, folder])
    own = [fact for fact in around if fact[0] == "pointer"]
    parted = folder if any(path == folder for _, _, path in around) and _inside(folder, trial) else ""
    return sorted_out(place, [*_facts(trial, found), *own], told, least, parted)


def _inside(folder: str, trial: ContainerContext) -> bool:
    """Whether it lies in a folder of the task's, and not only in that of the whole task."""
    return posixpath.dirname(folder).startswith(f"{trial.session.spec.workdir.rstrip('/')}/")


def _spelled(name: str) -> list[str]:
    """A file's name as it may lie on a disk: composed or decomposed (Unicode Standard Annex 15), packed or not."""
    forms = dict.fromkeys((name, unicodedata.normalize("NFC", name), unicodedata.normalize("NFD", name)))
    return [f"{one}{end}" for one in forms for end in ("", *PACKED)] + [
        f"{one.rpartition('.')[0] or one}.zip" for one in forms
    ]


def large_enough(least: int) -> str:
    """For find(1): a directory, or a file of so many bytes; where that is 0, what is not empty."""
    return f"\\( -type d -o -size +{least - 1}c \\)" if least else "-not -empty"


def sorted_out(
    place: str, facts: list[tuple[str, int, str]], told: dict[int, str], least: int = 0, parted: str = ""
) -> Search:
    """By what is known of each: kind, bytes and path; what lies in a folder beside a `parted` one may be another's, as
    `models/small/weights.bin` is not `models/large/weights.bin`.
    """
    pointers = tuple(path for kind, _, path in facts if kind == "pointer")
    empty = tuple(path for kind, size, path in facts if kind == "file" and size == 0)
    plain = [(path, size) for kind, size, path in facts if kind == "file" and size and not path.endswith(PACKED)]
    other = tuple((path, size) for path, size in plain if size < least or (told and size not in told))
    kin = tuple(path for _, _, path in facts if of_another_number(place, path) or (parted and _beside(parted, path)))
    out = {*pointers, *empty, *kin, *(path for path, _ in other)}
    named = tuple(path for _, _, path in facts)
    return Search(place, named, tuple(path for path in named if path not in out), pointers, empty, other, kin)


def of_another_number(path: str, other: str) -> bool:
    """Whether a path is another's but for a number in a folder's name: `data/2022/x.csv` is not `data/2023/x.csv`."""
    pairs = zip(
        reversed(posixpath.dirname(path).split("/")), reversed(posixpath.dirname(other).split("/")), strict=False
    )
    return any(mine != theirs and _DIGITS.sub("#", mine) == _DIGITS.sub("#", theirs) for mine, theirs in pairs)


def _beside(folder: str, path: str) -> bool:
    theirs = posixpath.dirname(path)
    return theirs != folder and posixpath.dirname(theirs) == posixpath.dirname(folder)


def holder_of(trial: ContainerContext, place: str) -> str | None:
    """The directory that has below it what the command looked for below the missing one, once one was put there."""
    asked = [fact.subject for fact in trial.outcome.behind if fact.kind == "file missing"]
    for path in [one for one in asked if one.startswith(f"{place}/")][:MOST_BELOW]:
        below = posixpath.relpath(path, place)
        done, *_ = trial.run("replay-search-below", FIND_BELOW.format(below=shlex.quote(f"*/{glob.escape(below)}")))
        found = [one.removesuffix(f"/{below}") for one in done.output.splitlines() if one.startswith("/")]
        elsewhere = [one for one in found if one and not f"{one}/".startswith(f"{place}/")]
        if elsewhere:
            return min(elsewhere, key=lambda one: (len(one), one))
    return None


def hard_coded(trial: ContainerContext, about: str, found: str | None) -> tuple[str, str] | None:
    """How the task's own files spell the path that is missing, and what leads to where it lies: all of it, or its
    beginning where the rest is alike.
    """
    pairs: list[tuple[str, str]] = []
    old, new = about.rstrip("/"), found or ""
    while new.strip("/") and old.strip("./~"):
        pairs.append((old, new))
        if posixpath.basename(old) != posixpath.basename(new):
            break
        old, new = posixpath.dirname(old), posixpath.dirname(new)
    home = trial.subject.home.rstrip("/")
    for old, new in pairs:
        for spelled in dict.fromkeys((old, old.replace(home, "~", 1) if old.startswith(f"{home}/") else old)):
            asked = f"timeout 40 grep -rqIE --exclude-dir=.git {shlex.quote(BEFORE + pattern_of(spelled))} ."
            if trial.run("replay-hard-coded", asked)[0].ok:
                return spelled, new
    return None


def pattern_of(path: str) -> str:
    """A path as an extended regular expression of POSIX."""
    return re.sub(r"[][.+^\\]", r"\\\g<0>", path)


def in_the_system(trial: ContainerContext, place: str) -> tuple[str, ...]:
    """Files of that name among the system's own; none for a name without a suffix."""
    name = posixpath.basename(place)
    if not posixpath.splitext(name)[1]:
        return ()
    done, *_ = trial.run("replay-search-system", FIND_SYSTEM.format(tests=f"-iname {shlex.quote(name)}"))
    return tuple(path for path in done.output.splitlines() if path.startswith("/") and path != place)


def search_by_size(trial: ContainerContext, told: dict[int, str], place: str) -> tuple[str | None, int]:
    """The only file of the task's of a told size and the same kind of name, and how many different ones there are."""
    if not told:
        return None, 0
    roots = roots_of(trial, place)
    sizes = " -o ".join(f"-size {size}c" for size in told)
    command = FIND_SIZE.format(roots=" ".join(map(shlex.quote, roots)), pruned=NOT_LOOKED_INTO, sizes=sizes)
    done, *_ = trial.run("replay-search-by-size", command)
    lines = (line for line in done.output.splitlines() if not of_another_number(line.partition("/")[2], place[1:]))
    return only_one(trial.subject, "\n".join(lines))


def roots_of(trial: ContainerContext, place: str) -> list[str]:
    """Directories where a task's files lie."""
    return sorted({trial.context.envelope.workdir.value, trial.session.spec.workdir, posixpath.dirname(place)} - {"/"})


def only_one(subject: ReplayTarget, listed: str) -> tuple[str | None, int]:
    """The one file that the lines of cksum(1) leave, by its shortest path, and how many different ones they leave."""
    alike: dict[str, list[str]] = {}
    for line in listed.splitlines():
        match = re.fullmatch(r"(?P<sum>\d+ \d+) (?P<path>/.+)", line)
        if match and _same_kind(subject.about, match["path"]) and not _of_the_run(match["path"], subject.events):
            alike.setdefault(match["sum"], []).append(match["path"])
    if len(alike) != 1:
        return None, len(alike)
    [paths] = alike.values()
    return min(paths, key=lambda path: (len(path), path)), 1


def _place(trial: ContainerContext) -> str:
    subject = trial.subject
    here = posixpath.join(trial.session.spec.workdir, gone_to(subject.attempts[0].command))
    return posixpath.normpath(posixpath.join(here, subject.about))


def _facts(trial: ContainerContext, paths: list[str]) -> list[tuple[str, int, str]]:
    if not paths:
        return []
    done, *_ = trial.run("replay-found", FACTS.format(paths=" ".join(map(shlex.quote, paths))))
    found = []
    for line in done.output.splitlines():
        kind, size, path = [*line.split(" ", 2), "", ""][:3]
        if size.isdigit() and path:
            found.append((kind, int(size), path))
    return found


def _same_kind(about: str, path: str) -> bool:
    wanted, has = (posixpath.splitext(name)[1].lower() for name in (about, path))
    return has in {wanted, ""}


def _of_the_run(path: str, events: Events) -> bool:
    """Whether the run may have made it."""
    return made_by_run(path, "", events.commands, events.writes)
