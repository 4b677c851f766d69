"""A version of a shared library that a program or module was built for and that no library it finds has."""

import posixpath
import shlex

from cases import patterns as re
from cases.sentences import Sentences
from probes.model import Barrier, Targets
from probes.replay.handlers.base import BarrierHandler
from probes.replay.handlers.lying import FIND, SECONDS
from probes.replay.handlers.shared_library import LibraryDetails
from probes.replay.resources.context import ContainerContext
from probes.replay.resources.outcome import Outcome
from probes.replay.target.details import Named
from probes.replay.target.model import ReplayTarget
from probes.replay.target.needs import gone_to

say = Sentences(__name__)

TOLD = r"(?P<library>[^\s:'\"]+): version `{version}' not found \(required by (?P<needing>[^)\n]+)\)"
SOURCES = ("*.c", "*.cc", "*.cpp", "*.cxx", "*.f", "*.f90", "*.go", "*.rs", "*.pyx", "CMakeLists.txt", "Cargo.toml")


class LibraryVersion(BarrierHandler):
    """``version `GLIBC_2.38' not found``, as the loader says it."""

    barriers = (Barrier.LIBRARY_VERSION,)
    noun = "version"
    valid = re.compile(r"[A-Za-z][\w.+-]{0,80}")
    details = LibraryDetails

    def named(self, targets: Targets) -> tuple[str, ...]:
        """The version's name."""
        return targets.libraries

    def same(self, subject: str, about: str) -> bool:
        """Each version is one of its own."""
        return subject == about

    def values(self, subject: ReplayTarget, command: str) -> Named:
        """The library that was found, what such a one may be called, who needs the version, and its demand's bytes."""
        told = re.search(TOLD.format(version=re.escape(subject.about)), subject.output)
        if told is None:
            return dict.fromkeys(("version", "library", "libraries", "needing", "demand"))
        library, needing = posixpath.basename(told["library"]), told["needing"].strip()
        demand = "".join(f"\\x{byte:02x}" for byte in _hash(subject.about).to_bytes(4, "little"))
        return {
            "version": shlex.quote(subject.about),
            "library": shlex.quote(library),
            "libraries": shlex.quote(f"{library.partition('.so')[0]}*.so*"),
            "needing": shlex.quote(posixpath.join(gone_to(command), needing)),
            "demand": demand,
        }

    def learn(self, trial: ContainerContext) -> LibraryDetails:
        """Whether a library that has the version, or what the program was built from, lies there, or can be fetched."""
        named = self.values(trial.subject, trial.subject.attempts[0].command)
        if named["version"] is None:
            return LibraryDetails()
        if trial.session.spec.network != "none":
            return LibraryDetails(say("library_version.network_may_bring"))
        having = f"-name {named['libraries']} -type f -exec grep -qaF {named['version']} {{}} \\;"
        sources = " -o ".join(f"-name {shlex.quote(name)}" for name in SOURCES)
        asked = f"{FIND.format(having)}; find . -maxdepth 4 \\( {sources} \\) | head -1"
        done = trial.run("replay-on-disk", asked, seconds=SECONDS)[0]
        if not done.ok:
            return LibraryDetails(say("lying.disk_could_not", how=done.how))
        path = done.output.strip().splitlines()[:1]
        return LibraryDetails(say("lying.lies_disk_though", path=path[0]) if path else None)

    def unsettled(self, subject: ReplayTarget, outcome: Outcome) -> str | None:
        """What lies there, or could be fetched, could be put to use in a way that no route knows."""
        del outcome
        return subject.told(LibraryDetails).doubt


def _hash(name: str) -> int:
    """Of a version's name, as ELF has it (System V ABI, Hash Table)."""
    value = 0
    for byte in name.encode():
        value = (value << 4) + byte
        high = value & 0xF0000000
        value = (value ^ (high >> 24)) & ~high
    return value & 0xFFFFFFFF
