"""What is known of a missing file, and what its routes are filled with."""

import posixpath
import shlex
from collections.abc import Collection
from dataclasses import dataclass

from cases import patterns as re
from cases.sentences import Sentences
from probes.replay.handlers.archives import Holding
from probes.replay.handlers.makers import MAKEFILE
from probes.replay.handlers.searching import BEFORE, PACKED, pattern_of
from probes.replay.target.data_state import empty_by_name
from probes.replay.target.details import Details, Named
from probes.replay.target.model import ReplayTarget
from probes.replay.target.needs import gone_to

say = Sentences(__name__)

RUNNERS = {
    ".py": "python3",
    ".R": "Rscript",
    ".r": "Rscript",
    ".sh": "bash",
    ".bash": "bash",
    ".pl": "perl",
    ".js": "node",
    ".jl": "julia",
}
"""What runs a script, by the ending of its name."""
UNPACKED = ".route-unpacked"
"""Below the home directory; the routes write it so."""


@dataclass(frozen=True)
class Told:
    """What the task's words and the run's record say of the file."""

    promised: str = ""
    """Which text speaks of it as something that is there; empty when none does."""
    to_make: bool = False
    to_fetch: bool = False
    listed: str | None = None
    """Where a listing of the run showed a file of that name."""
    absent_there: str | None = None
    """The command with which the run listed its directory without it."""
    taken: str = ""
    """Where it was before the run's first step, if what the run did took it away."""


@dataclass(frozen=True)
class FileDetails(Details):
    """What is said of the file, and what in the container may be it."""

    told: Told = Told()
    place: str = ""
    """Where the command looks for it; absolute."""
    of_the_machine: bool = False
    """Whether that is a place outside the task's own directory in which its user may write nothing."""
    sizes: tuple[int, ...] = ()
    """In bytes, one of which it should have; empty where none is told."""
    least: int = 0
    """Bytes that it must have for all that the task's texts count in it; 0 where they count nothing."""
    found: str | None = None
    """The likeliest file or directory of its name, packed or not."""
    around: str | None = None
    """A directory that has what was looked for below the missing one."""
    written: tuple[str, str] | None = None
    """How the task's own files spell the path that leads to it, and what leads to where it was found."""
    sized: str | None = None
    """The only file of a told size and its type."""
    held: Holding | None = None
    maker: str = ""
    """A script that came with the task and may make it."""
    kin: tuple[str, ...] = ()
    """Files of its type with a like name, or in its folder."""
    invented: bool = False
    """Whether the run's own command spells its name and nothing of the task's does."""
    other_doubts: tuple[str, ...] = ()
    """What else may be the file; each a sentence without its full stop."""
    empty: str | None = None
    """One of its name without anything in it."""
    pointer: str | None = None
    """One of its name that is a pointer of Git LFS."""
    unlike: bool = False
    """Whether something of its name lies in the folder of another number."""

    @property
    def doubts(self) -> tuple[str, ...]:
        """What may be the file, those of its kin too; each a sentence without its full stop."""
        kin = (say("missing_data.same_type_like", kin=one) for one in self.kin[:1])
        return (*self.other_doubts, *kin)


def file_values(subject: ReplayTarget, command: str) -> Named:
    """The path from where the command itself looks, and where what may be the file lies."""
    details, about = subject.told(FileDetails), subject.about
    whole = posixpath.normpath(posixpath.join(gone_to(command), about))
    packed = details.found if is_packed(about, details.found) else None
    found, sized, held = details.found if packed is None else None, details.sized, details.held
    return {
        "path": shlex.quote(whole),
        "pointer": shlex.quote(details.pointer) if details.pointer in (whole, details.place) else None,
        "empty": empty_by_name(),
        "name": shlex.quote(posixpath.basename(whole)),
        "folder": shlex.quote(posixpath.dirname(whole) or "."),
        "spoken": about,
        "sought": None if details.unlike else _sought(details.sizes),
        "found": _quoted(found),
        "around": _quoted(details.around),
        "base": _quoted(_base(about, found)),
        "written": f"{BEFORE}{pattern_of(details.written[0])}" if details.written else None,
        "instead": details.written[1] if details.written else None,
        "packed": _quoted(packed),
        "sized": _quoted(sized),
        "command_found": _with(subject, found),
        "command_kin": _with(subject, next(iter(details.kin), None)) if details.invented else None,
        "command_sized": _with(subject, sized),
        "unpacking": held.unpacking if held else None,
        "unpacked_base": _quoted(held.base(details.place) if held else None),
        "member": _quoted(held.member if held else None),
        "making": _making(details.maker, details.place),
        "folders": shlex.join(folders_of(details.maker, command)),
        "command_unpacked": _with(subject, f"{subject.home}/{UNPACKED}/{held.member}" if held else None),
    }


def _making(maker: str, place: str) -> str | None:
    """How a script of the task's is run that may make the file; None where there is none, or that is not known."""
    if MAKEFILE.search(maker):
        return f'make -f {shlex.quote(maker)} "$(realpath -m --relative-to=. {shlex.quote(place)})"'
    runner = RUNNERS.get(posixpath.splitext(maker)[1])
    return f"{runner} {shlex.quote(maker)}" if runner else None


def folders_of(maker: str, command: str) -> tuple[str, ...]:
    """From where it may be meant to be run: where the failing command is, its own folder, and the one around that."""
    own = posixpath.dirname(maker)
    return tuple(dict.fromkeys((gone_to(command) or ".", own or ".", posixpath.dirname(own) or ".")))


def agreeing(about: str, path: str) -> int:
    """How many parts of the path are those of the one asked for, counted from the end, whatever their case."""
    pairs = zip(reversed(posixpath.normpath(about).split("/")), reversed(path.split("/")), strict=False)
    count = 0
    for one, other in pairs:
        if one.lower() != other.lower():
            break
        count += 1
    return count


def is_packed(about: str, path: str | None) -> bool:
    """Whether it has to be unpacked first to be what is asked for."""
    return path is not None and path.endswith(PACKED) and not about.endswith(PACKED)


def _base(about: str, found: str | None) -> str | None:
    """The directory in which the path leads to what was found; None where none does."""
    relative = posixpath.normpath(about)
    if found is None or relative.startswith(("/", "..")) or not found.endswith(f"/{relative}"):
        return None
    return found.removesuffix(f"/{relative}")


def _quoted(path: str | None) -> str | None:
    return shlex.quote(path) if path else None


def _with(subject: ReplayTarget, path: str | None) -> str | None:
    """The failing command with another path; None where it does not name the file, or the path is no plain one."""
    if path is None:
        return None
    about, command = subject.about, subject.attempts[0].command
    exact = re.compile(rf"(?<![\w./-]){re.escape(about)}(?![\w.-])")
    return path.join(exact.split(command)) if re.fullmatch(r"[\w./-]+", path) and exact.search(command) else None


def _sought(sizes: Collection[int]) -> str:
    """For find(1): of any size but none, or one of the told ones."""
    wanted = " -o ".join(f"-size {size}c" for size in sizes)
    return f"-type f \\( {wanted} \\)" if wanted else "-not -empty"
