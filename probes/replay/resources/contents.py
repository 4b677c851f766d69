"""Which Debian package holds a file: the release's own lists of what its packages contain, kept reduced in a cache."""

import gzip
import hashlib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

import platformdirs

from cases import patterns as re
from cases.sentences import Sentences
from sandboxes import ContainerPool, Limits, SandboxError, Spec
from sandboxes.told import told

say = Sentences(__name__)

Sort = Literal["program", "header", "library", "shared library", "module", "R package", "TeX file", "library file"]

SECONDS = 600
MOST_BYTES = 40_000_000
"""Of a reduced list, compressed; Debian's has three million."""
RELEASE = (
    '. /etc/os-release && echo "$ID-$VERSION_ID" && dpkg --print-architecture'
    " && apt-get indextargets --format '$(URI)' 'Created-By: Packages' | sort"
)
WANTED = (
    r"^(usr/)?(s?bin|games)/|/bin/[^/ ]+ |^usr/include/|^(usr/)?lib[^ ]*\.(so[.0-9]*|a|pc) "
    r"|^usr/lib/python3/dist-packages/[^/ ]+(/__init__\.py|\.py|\.so|/METADATA|/PKG-INFO|\.egg-info)? "
    r"|^usr/lib/R/(site-)?library/[^/]+/DESCRIPTION "
    r"|^usr/share/(texmf|texlive/texmf-dist)/[^ ]*\.(cls|clo|sty|def|fd|ldf|tfm|bst|bbx|cbx|lbx) "
    r"|^usr/(share|lib)/[^ ]*\.(pm|rb|lua|tcl|jl) "
)
REDUCED = "/tmp/contents.gz"  # noqa: S108 - in a container of its own
TARGET = """Acquire::IndexTargets::deb::Contents-deb {
MetaKey "$(COMPONENT)/Contents-$(ARCHITECTURE)"; flatMetaKey "Contents-$(ARCHITECTURE)";
Description "$(RELEASE)/$(COMPONENT) Contents"; flatDescription "$(RELEASE) Contents";
ShortDescription "Contents"; Identifier "Contents-deb"; PDiffs "false"; KeepCompressed "true"; };"""
COMMANDS = (
    f"printf '%s' '{TARGET}' > /tmp/contents.conf && APT_CONFIG=/tmp/contents.conf apt-get update -qq",
    "cd /var/lib/apt/lists && ls *Contents* && for list in *Contents*; do /usr/lib/apt/apt-helper cat-file $list; done"
    f" | LC_ALL=C grep -aE '{WANTED}' | gzip > {REDUCED}",
)
_PLACES: dict[Sort, tuple[str, ...]] = {
    "program": (r"(?:usr/)?(?:s?bin|games)/NAME", r".*/bin/NAME"),
    "header": (r"usr/include/NAME", r"usr/include/.*/NAME"),
    "library": (r"(?:usr/)?lib/(?:[^/\s]+/)?libNAME\.(?:so|a)", r"(?:usr/)?lib/.*/libNAME\.(?:so|a)"),
    "shared library": (r"(?:usr/)?lib/(?:[^/\s]+/)?NAME", r".*/NAME"),
    "module": (r"usr/lib/python3/dist-packages/NAME(?:/__init__\.py|\.py|\.[^/\s]*so)",),
    "R package": (r"usr/lib/R/(?:site-)?library/NAME/DESCRIPTION",),
    "library file": (r"usr/(?:share|lib)/.*/NAME",),
    "TeX file": (r"usr/share/(?:texmf|texlive/texmf-dist)/.*/NAME",),
}
"""Where such a thing lies, the ordinary place first."""
_PARTS: dict[Sort, str] = {"library": "/libNAME."}
"""What every line about it holds, where that is not its name behind a slash."""
_INFO = re.compile(r"usr/lib/python3/dist-packages/([^/]+?)-\d[^/]*\.(?:dist|egg)-info\b.*")


@dataclass(frozen=True)
class Contents:
    """What the packages of one release hold."""

    path: Path

    def packages(self, sort: Sort, name: str) -> tuple[str, ...]:
        """Those that hold it in its ordinary place, the likeliest first."""
        return self._holding(sort, name, _PLACES[sort][0])

    def elsewhere(self, sort: Sort, name: str) -> tuple[str, ...]:
        """Those that hold it in another place only, where it is found by who looks there."""
        ordinary = self.packages(sort, name)
        others = (self._holding(sort, name, place) for place in _PLACES[sort][1:])
        return tuple(package for found in others for package in found if package not in ordinary)

    def _holding(self, sort: Sort, name: str, place: str) -> tuple[str, ...]:
        part = _PARTS.get(sort, "/NAME").replace("NAME", name)
        known = re.compile(place.replace("NAME", re.escape(name)))
        found = {one for path, packages in _lines(self.path, part) if known.fullmatch(path) for one in packages}
        return tuple(dict.fromkeys(each for one in sorted(found, key=_unlikely) for each in _names(one)))

    def distribution(self, package: str) -> str | None:
        """The name in the Python index of what a Debian package of Python modules holds."""
        infos = (_INFO.fullmatch(path) for path, packages in _lines(self.path, f"/{package}") if package in packages)
        return next((match[1] for match in infos if match), None)


def release_contents(
    containers: ContainerPool, image: str, tell: Callable[[str], None], *, offline: bool
) -> Contents | None:
    """Of the image's release; None where it is no Debian, or its lists are neither cached nor to be had."""
    try:
        [said] = told(containers, Spec(image=image, user="root", workdir="/"), (RELEASE,))
    except SandboxError:
        return None
    if said.code != 0 or not said.output.strip():
        return None
    digest = hashlib.sha256(f"{WANTED}\n{said.output}".encode()).hexdigest()
    name = f"{said.output.split()[0]}-{digest[:12]}.gz"
    path = Path(platformdirs.user_cache_dir("impassable", appauthor=False), "contents", name)
    if not path.is_file() and (offline or not _fetched(containers, image, path, tell)):
        return None
    return Contents(path)


def _fetched(containers: ContainerPool, image: str, path: Path, progress: Callable[[str], None]) -> bool:
    progress(say("resources.contents.fetching_package_index"))
    spec = Spec(image=image, network="indexes", user="root", workdir="/", limits=Limits(disk_mb=None))
    try:
        with containers.start(spec) as session:
            if not all(session.run(command, seconds=SECONDS).ok for command in COMMANDS):
                return False
            data = session.get(REDUCED, limit=MOST_BYTES)
    except SandboxError:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(f".{os.getpid()}")
    part.write_bytes(data)
    part.replace(path)
    return True


def _unlikely(package: str) -> tuple[bool, int, str]:
    """Smaller is likelier: what is built for another architecture has that in its name, and a main package is short."""
    return "-cross" in package or "mingw" in package or "emscripten" in package, len(package), package


def _names(package: str) -> tuple[str, ...]:
    """A package `x-common` is of use with `x`, which brings it."""
    return (package.removesuffix("-common"), package) if package.endswith("-common") else (package,)


@lru_cache(maxsize=1)
def _read(path: Path) -> bytes:
    return gzip.decompress(path.read_bytes())


def _lines(path: Path, part: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Paths with their packages, of the lines that hold `part` anywhere; a path begins without a slash."""
    data, sought, end = b"\n" + _read(path), part.encode(), 0
    while (place := data.find(sought, end)) >= 0:
        start, end = data.rfind(b"\n", 0, place) + 1, data.find(b"\n", place)
        end = len(data) if end < 0 else end
        found, _, packages = data[start:end].decode("utf-8", "replace").rstrip().rpartition(" ")
        yield found.rstrip(), tuple(one.rpartition("/")[2] for one in packages.split(","))
