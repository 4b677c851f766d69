"""Archives in a container that may hold a missing file."""

import posixpath
import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from cases import patterns as re
from cases.sentences import Sentences
from probes.replay.handlers.searching import NOT_LOOKED_INTO
from probes.replay.resources.context import ContainerContext

say = Sentences(__name__)

MOST = 40
"""Archives that are looked into."""
SECONDS = 180
ZIP = re.compile(r"(?i)\.zip$")
INNER = r"\.(tar|tgz|tbz2?|txz|zip|7z|rar|zst|lz4|lzma|lz|iso|dmg|cab)(\.[a-z0-9]{1,4})?$"
LIST = """
find / {pruned} \\( -path '*/lib/python3*' -o -path '*/conda*/pkgs' \\) -prune -o -type f -not -empty \\
  \\( {endings} \\) -print 2>/dev/null | head -{count} | while IFS= read -r a; do
  case "$a" in
    *.[Zz][Ii][Pp]) timeout 20 python3 -c 'import sys, zipfile
print(*zipfile.ZipFile(sys.argv[1]).namelist(), sep="\\n")' "$a";;
    *) timeout 20 tar --force-local -tf "$a";;
  esac > {list} 2>/dev/null < /dev/null && echo "listed $a" || echo "unlisted $a"
  grep -iE {pattern} {list} | head -60 | sed 's/^/member /'
done; rm -f {list}; true
"""
ENDINGS = (
    *(
        "*.tar",
        "*.tar.*",
        "*.tgz",
        "*.tgz.*",
        "*.tbz",
        "*.tbz2",
        "*.txz",
        "*.zip",
        "*.zip.*",
        "*.z01",
        "*.7z",
        "*.7z.*",
    ),
    *("*.rar", "*.zst", "*.lz4", "*.lz", "*.lzma", "*.iso", "*.cab", "*.sqsh", "*.squashfs"),
)


@dataclass(frozen=True)
class Archive:
    """One that lies in the container."""

    path: str
    """Absolute."""
    members: tuple[str, ...] | None
    """Of the sought name or suffix, and archives in it; None where it could not be listed."""


@dataclass(frozen=True)
class Holding:
    """An archive that holds the sought file or directory."""

    path: str
    member: str
    """As it is called in the archive, without a slash at its end."""

    @property
    def unpacking(self) -> str:
        """The command that unpacks it into the directory that follows."""
        quoted = shlex.quote(self.path)
        return f"python3 -m zipfile -e {quoted}" if ZIP.search(self.path) else f"tar -xf {quoted} -C"

    def base(self, place: str) -> str | None:
        """Where to unpack it so that the member comes to `place`; None where no directory does that."""
        plain = posixpath.normpath(self.member)
        return place.removesuffix(f"/{plain}") or "/" if place.endswith(f"/{plain}") else None


def list_archives(trial: ContainerContext, *names: str) -> tuple[Archive, ...]:
    """Archives of the container, as the ordinary user can list them; the last has an empty path if there are more."""
    suffixes = [f"{re.escape(suffix)}$" for name in names if (suffix := posixpath.splitext(name)[1])]
    wanted = "|".join((*(re.escape(name).replace("\\ ", " ") for name in names), *suffixes, INNER))
    command = LIST.format(
        pruned=NOT_LOOKED_INTO,
        endings=" -o ".join((*(f"-iname '{ending}'" for ending in ENDINGS), *_packed(names))),
        count=MOST + 1,
        list="/tmp/.replay-list",  # noqa: S108
        pattern=shlex.quote(wanted),
    )
    done, *_ = trial.run("replay-archives", command, seconds=SECONDS)
    found = listed(done.output)
    return (*found[:MOST], Archive("", None)) if len(found) > MOST or not done.ok else found


def _packed(names: Iterable[str]) -> Iterator[str]:
    """Tests of find(1) for single packed files of the same suffix or of none, which no listing tells the names in."""
    for end in ("gz", "bz2", "xz"):
        yield f"-iname '*.{end}' -not -name '*.*.*'"
        for name in names:
            suffix = posixpath.splitext(name)[1]
            if suffix:
                yield f"-iname {shlex.quote(f'*{suffix}.{end}')}"


def listed(output: str) -> tuple[Archive, ...]:
    """From the lines of the listing."""
    found: list[Archive] = []
    for line in output.splitlines():
        word, _, rest = line.partition(" ")
        if word == "member" and found:
            last = found[-1]
            found[-1] = Archive(last.path, last.members if last.members is None else (*last.members, rest))
        elif word in {"listed", "unlisted"}:
            found.append(Archive(rest, () if word == "listed" else None))
    return tuple(found)


def holding(place: str, archives: Iterable[Archive]) -> Holding | None:
    """The one with a member of that name whose path agrees most with `place`."""
    name = posixpath.basename(place).lower()
    found = []
    for archive in archives:
        for member in archive.members or ():
            parts = member.rstrip("/").split("/")
            lower = [part.lower() for part in parts]
            if name in lower:
                found.append(Holding(archive.path, "/".join(parts[: lower.index(name) + 1])))
    return max(found, key=lambda one: (one.base(place) is not None, one.member.count("/"), one.path), default=None)


def doubtful(name: str, archives: Sequence[Archive]) -> str:
    """What may hold the file and cannot be seen to; a sentence without its full stop, empty when nothing may."""
    suffix = posixpath.splitext(name)[1].lower()
    for archive in archives:
        if not archive.path:
            return say("archives.there_more_archives")
        if archive.members is None:
            return say("archives.could_not_listed", path=archive.path)
        if inner := next((member for member in archive.members if re.search(INNER, member, re.IGNORECASE)), None):
            return say("archives.holds_not_looked", path=archive.path, inner=inner)
        if suffix and (alike := next((one for one in archive.members if one.lower().endswith(suffix)), None)):
            return say("archives.holds", path=archive.path, alike=alike)
    return ""
