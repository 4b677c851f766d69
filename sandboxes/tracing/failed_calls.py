"""What a process's own failed calls say, in no language."""

import errno
import fnmatch
import os
import posixpath
import tomllib
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files

import dns.exception
import dns.message

from cases import patterns as re
from sandboxes.tracing.fact import Fact, FactKind
from sandboxes.tracing.strace import PRIVILEGED, Access, Call, Process

SYSTEM = ("/usr/", "/lib", "/etc/", "/proc/", "/sys/", "/dev/", "/opt/impassable/", "/bin/", "/sbin/")
SHARED = "/dev/shm/"  # noqa: S108 - what processes share
PLACES = 4
"""Of one missing file."""
LICENCE = re.compile(r"(?i)\.lic(?:en[sc]e)?$|licen[sc]e[\w-]*\.(?:dat|key|lic|xml|bin)$")
"""Names of licences: one that comes with a program may be found, and not cover what is asked for."""
_LIBRARY_NAME = re.compile(r"lib([\w.+-]+?)\.(?:so(?:\.\d+)*|a)")
_MARKED = re.compile(r"(?=[a-z].*[-_\d])[\w-]{5,}\.[a-z]\w*", re.IGNORECASE)
"""A name that no other word is by chance."""
_SHORTEST = 4
"""Letters of a library's name that are a word of its own."""
_ERRNO: dict[str, FactKind] = {
    "ENOENT": "file missing",
    "ENOTDIR": "file missing",
    "ENOEXEC": "program unfit",
    "EACCES": "denied",
    "EPERM": "denied",
    "EROFS": "read-only",
    "ENOSPC": "no space",
    "EDQUOT": "no space",
    "ECONNREFUSED": "refused",
    "ENETUNREACH": "unreachable",
    "EHOSTUNREACH": "unreachable",
    "ETIMEDOUT": "timed out",
}
_SERVICE: dict[str, FactKind] = {
    "ENOENT": "service missing",
    "ECONNREFUSED": "service missing",
    "EACCES": "service denied",
    "EPERM": "service denied",
}
_LOOPBACK = re.compile(r"(?:127\.[\d.]+|0\.0\.0\.0|::1|::|::ffff:127\.[\d.]+):(?P<port>\d+)")
_NAME_SERVER = "53"
OPENS = frozenset({"open", "openat", "openat2", "creat"})
_LOOKS = frozenset({"stat", "lstat", "newfstatat", "statx", "access", "faccessat", "faccessat2", "readlink"})
_LINKS = frozenset({"lstat", "readlink", "readlinkat"})
"""Of these a link whose target is missing is there."""
EXECUTES = frozenset({"execve", "execveat"})
_ACCESS: tuple[Access, ...] = ("write", "execute", "read", "enter")
_PROGRAMS = frozenset({"bin", "sbin", "games"})
_MAKES = frozenset({"make", "gmake"})
_IDLE = frozenset({"readlink", "readlinkat", "unlink", "unlinkat", "rmdir"})
"""Of these a missing name says nothing."""


class Names:
    """Which names the trace found somewhere, and which of them somebody printed."""

    def __init__(self, everything: Sequence[Process], output: str) -> None:
        """Of all processes; `output` is what reached the terminal."""
        calls = [call for process in everything for call in process.calls]
        self.paths = {call.path for call in calls if call.path and succeeded(call)}
        ends = [{call.path: call for call in process.calls if call.name == "connect"} for process in everything]
        self.reached = {path for end in ends for path, call in end.items() if path and call.errno is None}
        """Addresses at which something answered in the end: what a program starts itself. How a resolver sorts them
        looks like an answer before a refusal.
        """
        self.names = {posixpath.basename(path) for path in self.paths}
        self._refused = [end for ends_of in ends for end in ends_of.values() if end.errno and end.path]
        self._said = "\n".join([output, *(call.text for call in calls if call.name == "write")])

    def printed(self, name: str, program: str, kind: FactKind) -> bool:
        """Whether an error or any other output names it, in any language; a program's own name says nothing.

        A library has the name that a linker is given, too, and that of what it is for, in large letters or small, as
        has a program that is missing; a file with figures or marks in its name goes without its ending as well.
        """
        stem = _LIBRARY_NAME.fullmatch(name)
        forms = [re.escape(name), *([f"-l{re.escape(stem[1])}"] if stem else [])]
        if _MARKED.fullmatch(name):
            forms.append(re.escape(posixpath.splitext(name)[0]))
        if stem and len(stem[1]) >= _SHORTEST:
            forms.append(f"(?i:{re.escape(stem[1])})")
        if kind == "program missing" and len(name) >= _SHORTEST:
            forms.append(f"(?i:{re.escape(name)})")
        return name != program and any(
            re.search(rf"(?<![\w.-]){form}(?![\w-])", self._said) is not None for form in forms if form
        )

    def only_such(self, call: Call) -> bool:
        """Whether somebody printed the text of a connection's error, and none but to that address failed with it."""
        if call.errno is None or os.strerror(getattr(errno, call.errno, 0)) not in self._said:
            return False
        return {one.path for one in self._refused if one.errno == call.errno} == {call.path}

    def quoted(self, name: str) -> bool:
        """Whether somebody printed it in quotation marks, of whatever language."""
        return re.search(rf"[‘'`\"«»„“](?:[^\s‘'`\"«»„“]*/)?{re.escape(name)}[’'\"»«“”]", self._said) is not None


def succeeded(call: Call) -> bool:
    """Whether something of that name is there, by what this call came back with."""
    return call.errno is None and call.path is not None and call.name in (OPENS | _LOOKS | EXECUTES) - _LINKS


def facts_in(process: Process, names: Names) -> list[Fact]:
    """The process's own failed calls, folded by name, the last first."""
    groups: dict[tuple[str, FactKind], list[Call]] = {}
    for call in process.calls:
        kind = _kind(call, process, names)
        if kind is None or call.path is None or noise(call.path):
            continue
        if kind == "service missing" and call.path in names.reached:
            continue
        local = _LOOPBACK.fullmatch(call.path) if kind in _SERVICE.values() else None
        name = local["port"] if local else posixpath.basename(call.path) if kind == "file missing" else call.path
        groups[name, kind] = [*groups.pop((name, kind), ()), call]
    refused = {path for path, kind in groups if kind != "file missing"}
    kept = [
        (kind, calls) for (_, kind), calls in groups.items() if kind != "file missing" or calls[-1].path not in refused
    ]
    last = kept[-1] if kept and process.failed else None
    facts = [_fact(process, *one, names, last=one is last) for one in reversed(kept)]
    return [*_of_names(process), *_of_shared_memory(process), *facts]


def _of_shared_memory(process: Process) -> Iterator[Fact]:
    """What a process was writing in shared memory when a page of it could not be had, as shm_overview(7) has it."""
    if process.signal == "SIGBUS":
        wrote = [call.path for call in process.calls if call.access == "write" and call.errno is None and call.path]
        for path in [path for path in wrote if path.startswith(SHARED)][-1:]:
            yield Fact(kind="no space", subject=path, process=process.program, last=True, access="write")


def _to_be_made(call: Call, process: Process, names: Names) -> bool:
    """Whether make only looks whether a target is there; what it cannot make it puts in quotation marks.

    What it looks for along the path of programs it wants to run.
    """
    if process.program not in _MAKES or call.name not in _LOOKS:
        return False
    folder, name = posixpath.split(call.path or "")
    if posixpath.basename(folder) not in _PROGRAMS:
        return not names.quoted(name)
    looked = [one.path for one in process.calls if one.path and posixpath.basename(one.path) == name]
    return not names.quoted(name) and not _along_the_path(looked)


def _along_the_path(paths: Sequence[str]) -> bool:
    """Whether these are places of one program in several folders of programs."""
    folders = {posixpath.dirname(path) for path in paths}
    return len(folders) > 1 and {posixpath.basename(folder) for folder in folders} <= _PROGRAMS


def _kind(call: Call, process: Process, names: Names) -> FactKind | None:
    if call.errno is None or call.path is None:
        return None
    if call.name in PRIVILEGED:
        return "not permitted" if call.errno in {"EPERM", "ENOSYS", "EACCES"} else None
    if call.name == "connect":
        return _connecting(call.path, call.errno)
    kind = _ERRNO.get(call.errno)
    if kind == "file missing":
        return None if _to_be_made(call, process, names) else _absent(call, call.path, names)
    return None if call.name in _LOOKS and kind != "denied" else kind


def _absent(call: Call, path: str, names: Names) -> FactKind | None:
    """What a name says that is not there: nothing where the same was found elsewhere, or is what is being made."""
    if call.name in EXECUTES and path in names.paths:
        return "interpreter missing"
    name = posixpath.basename(path)
    found = name in names.names and not LICENCE.search(name)
    return None if found or call.name in _IDLE else "file missing"


def _connecting(path: str, error: str) -> FactKind | None:
    """What a failed connection says: of a service of this machine, its name server left out, or of another machine."""
    local = _LOOPBACK.fullmatch(path)
    if local or path.startswith(("/", "@")):
        return None if local and local["port"] == _NAME_SERVER else _SERVICE.get(error)
    return _ERRNO.get(error)


def _fact(process: Process, kind: FactKind, calls: Sequence[Call], names: Names, *, last: bool) -> Fact:
    end = calls[-1]
    paths = list(dict.fromkeys(call.path for call in calls if call.path))
    subject = _tail(paths)
    if kind in _SERVICE.values():
        subject = min(paths, key=lambda path: (not path.startswith("127."), path))
    wanted = {call.access for call in calls}
    name = posixpath.basename(subject)
    if kind == "file missing":
        kind = _what(calls, paths, name)
        subject = subject if kind == "file missing" else name
    spelled = (name, name.strip("[]").rpartition(":")[0].strip("[]")) if end.name == "connect" else (name,)
    return Fact(
        kind=kind,
        subject=subject,
        process=process.program,
        errno=end.errno,
        named=(kind == "unreachable" and names.only_such(end))
        or (kind != "not permitted" and any(names.printed(one, process.program, kind) for one in spelled)),
        last=last,
        places=() if subject in paths else tuple(path for path in paths if path.startswith("/"))[:PLACES],
        access=_wanted(kind, wanted),
    )


def _wanted(kind: FactKind, wanted: Collection[Access]) -> Access | None:
    if kind == "file missing":
        return "enter" if "enter" in wanted else "write" if set(wanted) == {"write"} else None
    return next(one for one in _ACCESS if one in wanted) if kind == "denied" else None


def _what(calls: Sequence[Call], paths: Sequence[str], name: str) -> FactKind:
    """A name that is missing: a library, a program that was looked for on the path, or a file."""
    if _LIBRARY_NAME.fullmatch(name):
        return "library missing"
    if any(call.name in EXECUTES for call in calls) or _along_the_path(paths):
        return "program missing"
    return "file missing"


def _tail(paths: Sequence[str]) -> str:
    """The one path, or what the paths have in common at their ends."""
    if len(paths) == 1:
        return paths[0]
    parts = [path.split("/")[::-1] for path in paths]
    common = []
    for words in zip(*parts, strict=False):
        if len(set(words)) > 1:
            break
        common.append(words[0])
    return "/".join(reversed(common)) or posixpath.basename(paths[-1])


def _of_names(process: Process) -> Iterator[Fact]:
    """Hosts that were asked for by name, where nothing but name servers was ever reached."""
    asked = dict.fromkeys(name for call in process.calls for name in _questions(call))
    reached = any(
        call.name == "connect" and call.errno in (None, "EINPROGRESS") and call.path and not call.path.startswith("/")
        and not call.path.endswith(":53") for call in process.calls
    )  # fmt: skip
    if not reached:
        for name in asked:
            yield Fact(kind="host unresolved", subject=name, process=process.program, named=True)


def _questions(call: Call) -> Iterator[str]:
    if call.name not in {"sendto", "sendmsg", "sendmmsg"}:
        return
    for data in call.strings:
        try:
            message = dns.message.from_wire(data, ignore_trailing=True)
        except (dns.exception.DNSException, ValueError):
            continue
        yield from (question.name.to_text(omit_final_dot=True) for question in message.question)


@cache
def _globs() -> re.Pattern[str]:
    data = tomllib.loads(files(__package__).joinpath("noise.toml").read_text("utf-8"))
    globs: Iterable[str] = (path for entry in data["noise"] for path in entry["paths"])
    return re.compile("|".join(fnmatch.translate(glob).replace("(?>", "(?:") for glob in globs))


def noise(path: str) -> bool:
    return _globs().match(path) is not None
