"""`unpacked-beside`: an archive in the task's own folder, whole or in parts, unpacked before the failing command."""

import posixpath
import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from cases import patterns as re
from cases.sentences import Sentences
from probes.barriers import RoutePlan
from probes.model import Tier
from probes.replay.arms.documented.asking import strictly
from probes.replay.arms.documented.survey import Survey
from probes.replay.arms.documented.way import Try, Way

say = Sentences(__name__)

PLAN = RoutePlan(
    id="unpacked-beside",
    tier=Tier.T2,
    needs=("shell",),
    commands=(),
    source="tar(1), gzip(1), split(1): parts are put together by cat(1); Python's zipfile",
)
MOST = 4
"""Archives."""
JOINED = "$HOME/.joined"
_PART = re.compile(r"(?P<whole>.+?)[._-](?:part[._-]?)?(?P<number>\d{1,3}|[a-z]{2})")
_PACKED = re.compile(r"(?i)(?P<name>.+?)\.(?P<how>tar(?:\.\w{2,4})?|t(?:gz|bz2?|xz|zst)|zip|gz|bz2|xz|zst)")
_FIRST = frozenset({"0", "1", "00", "01", "000", "001", "aa"})
_SINGLE = {"gz": "gzip", "bz2": "bzip2", "xz": "xz", "zst": "zstd"}


@dataclass(frozen=True)
class Packed:
    """One archive."""

    files: tuple[str, ...]
    """Absolute; parts in their order."""
    name: str
    """What it is called, without its ending."""
    how: str
    """Its ending."""

    @property
    def commands(self) -> tuple[str, ...]:
        """What unpacks it where it lies."""
        folder, file = shlex.quote(posixpath.dirname(self.files[0])), shlex.quote(self.files[0])
        join = () if len(self.files) == 1 else (f"cat {shlex.join(self.files)} > {JOINED}",)
        file = JOINED if join else file
        if self.how in _SINGLE:
            return (*join, f"{_SINGLE[self.how]} -dc < {file} > {shlex.quote(self.name)}")
        unpack = f"python3 -m zipfile -e {file} {folder}" if self.how == "zip" else f"tar -xf {file} -C {folder}"
        return (*join, unpack)


def unpacked_beside(survey: Survey) -> Way:
    """The failing command behind the unpacking of each; files that are not there must make it fail still."""
    find = "find \"$PWD\" -maxdepth 3 -type f -not -path '*/.*' -size +0 2>/dev/null | sort | head -2000"
    files = survey.ask("packed", f"cd {shlex.quote(survey.folder)} && {find}")
    found = [one for one in packed(files) if not any(map(survey.of_the_run, one.files))][:MOST]
    if not found:
        return Way(PLAN, lacking=say("unpacking.no_archive"))
    blind = survey.blind()
    return Way(PLAN, tuple(_try(survey, one, blind) for one in found))


def packed(files: Iterable[str]) -> Iterator[Packed]:
    """Those among files, sets of parts first."""
    whole, parts = list[str](), dict[str, dict[str, str]]()
    for file in files:
        part = _PART.fullmatch(file)
        if part and _PACKED.fullmatch(part["whole"]):
            parts.setdefault(part["whole"], {})[part["number"]] = file
        elif _PACKED.fullmatch(file):
            whole.append(file)
    sets = ((name, tuple(one[number] for number in sorted(one))) for name, one in parts.items() if _complete(one))
    for name, members in (*sets, *((file, (file,)) for file in whole)):
        if match := _PACKED.fullmatch(name):
            yield Packed(members, match["name"], match["how"].lower())


def _complete(numbers: Iterable[str]) -> bool:
    """Whether there are several, from a first one on; that none is missing in between the unpacking tells."""
    ordered = sorted(numbers)
    return len(ordered) > 1 and ordered[0] in _FIRST


def _try(survey: Survey, archive: Packed, blind: str | None) -> Try:
    before = tuple(f"{command} || exit" for command in archive.commands)
    refuted = strictly(blind, *before) if blind else None
    return Try(strictly(survey.command, *before), (*archive.commands, survey.command), refuted)
