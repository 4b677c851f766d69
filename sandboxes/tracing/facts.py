"""Facts: what a trace tells of why a command failed, in no language."""

import fnmatch
import posixpath
import tomllib
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise

import dns.exception
import dns.message

from cases import patterns as re
from sandboxes.tracing.fact import Fact, FactKind
from sandboxes.tracing.hooked import of_hooks
from sandboxes.tracing.strace import Access, Call, Process, processes

KEPT = 12
"""Facts of one command."""
SERIES = 3
"""Missing files whose names differ by numbers alone that make a series."""
KIN = 2000
"""Files of one series."""
OPENED = 60
"""Files that one command opened."""
PLACES = 4
"""Of one missing file."""
SAID = 12
"""Lines of one process."""
_SYSTEM = ("/usr/", "/lib", "/etc/", "/proc/", "/sys/", "/dev/", "/opt/impassable/", "/bin/", "/sbin/")
_INTERPRETER = re.compile(r"(?:python|perl|ruby|node|nodejs|Rscript|R|php|julia|lua|bash|dash|sh|zsh|java)[\d.]*")
_LIBRARY = re.compile(r"\.so(?:\.[\d.]+)?$")
OF_LIBRARIES = re.compile(r"/(?:site-packages|dist-packages|node_modules|R/library)/")
"""Where packages are installed."""
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
_PRIVILEGED = frozenset(
    {"mount", "umount2", "unshare", "setns", "ptrace", "bpf", "perf_event_open", "swapon", "swapoff", "reboot"}
    | {
        "pivot_root",
        "chroot",
        "init_module",
        "finit_module",
        "sethostname",
        "setdomainname",
        "keyctl",
        "iopl",
        "ioperm",
    }
)
_SERVICE: dict[str, FactKind] = {
    "ENOENT": "service missing",
    "ECONNREFUSED": "service missing",
    "EACCES": "service denied",
    "EPERM": "service denied",
}
_LOOPBACK = re.compile(r"(?:127\.[\d.]+|0\.0\.0\.0|::1|::|::ffff:127\.[\d.]+):(?P<port>\d+)")
_NAME_SERVER = "53"
_OPENS = frozenset({"open", "openat", "openat2", "creat"})
_LOOKS = frozenset({"stat", "lstat", "newfstatat", "statx", "access", "faccessat", "faccessat2", "readlink"})
_LINKS = frozenset({"lstat", "readlink", "readlinkat"})
"""Of these a link whose target is missing is there."""
_EXECUTES = frozenset({"execve", "execveat"})
_ACCESS: tuple[Access, ...] = ("write", "execute", "read", "enter")
_MAKES = frozenset({"make", "gmake"})
_IDLE = frozenset({"readlink", "readlinkat", "unlink", "unlinkat", "rmdir"})
"""Of these a missing name says nothing."""
_LIBRARY_NAME = re.compile(r"lib([\w.+-]+?)\.(?:so(?:\.\d+)*|a)")


def facts_of(log: str, hooks: str, output: str, *, oom: bool = False, within: bool = False) -> tuple[Fact, ...]:
    """What mattered, the likeliest cause first; empty where nothing failed.

    `log` is the tracer's, `hooks` what interpreters told (a JSON object a line), `output` what the command printed.
    The last process that failed is followed down to the one where it began; of its failed calls those count whose name
    was found nowhere, named ones before the last, and after them those of other processes that failed. `within` a
    command that ended well counts what failed all the same, as in a script that goes on after a failure.
    """
    everything = processes(log)
    told = of_hooks(hooks, output)
    if not everything:
        return told
    chain = _chain(everything[0]) or (_unheeded(everything) if within else [])
    names = Names(everything, output)
    others = [process for process in _failing(everything[0]) if process not in chain]
    facts = [fact for process in reversed(chain) for fact in _of_process(process, names)]
    beside = [fact for process in others for fact in _of_process(process, names)] if chain else []
    killed = next((process for process in reversed(chain) if process.signal not in (None, "SIGPIPE")), None)
    ended: list[Fact] = []
    if oom:
        ended = [Fact(kind="out of memory", subject="memory", process=(killed or everything[0]).program)]
    elif killed and killed.signal:
        ended = [Fact(kind="killed", subject=killed.signal, process=killed.program)]
    measured = (*facts, *beside)
    ranked = (*ended, *told, *(fact for fact in measured if fact.named), *(fact for fact in measured if not fact.named))
    first = {fact.key: fact for fact in reversed(ranked)}
    return tuple(_with_kin([first[key] for key in dict.fromkeys(fact.key for fact in ranked)]))[:KEPT]


def _with_kin(facts: Sequence[Fact]) -> Iterator[Fact]:
    """Several missing files of one series as one: what works once all are there needs more than one of them."""
    series = defaultdict[tuple[str, str], list[str]](list)
    for fact in facts:
        series[_series(fact)].append(fact.subject)
    for fact in facts:
        first, *kin = series[_series(fact)]
        if fact.kind != "file missing" or len(kin) + 1 < SERIES:
            yield fact
        elif fact.subject == first:
            yield fact.model_copy(update={"kin": tuple(kin[:KIN])})


def _series(fact: Fact) -> tuple[str, str]:
    folder, name = posixpath.split(fact.subject)
    return (f"{fact.kind} {folder}", re.sub(r"\d+", "#", name)) if re.search(r"\d", name) else fact.key


def said_of(log: str) -> tuple[str, ...]:
    """The last lines that each process wrote in which a failure began."""
    return tuple(line for one in _leaves(log) for line in one.said.splitlines()[-SAID:] if line.strip())


def ended_in(log: str) -> tuple[str, ...]:
    """The programs in which a failure began, each once."""
    return tuple(dict.fromkeys(one.program for one in _leaves(log) if one.program))


def beside_of(log: str, output: str) -> tuple[str, ...]:
    """Scripts, not of the system, that failed in the same command before the process in which its failure began, with
    nothing measured that says why: what else was missing, they would fail all the same.
    """
    everything = processes(log)
    if not everything:
        return ()
    names, chain = Names(everything, output), _chain(everything[0])
    found: list[str] = []
    for process, following in pairwise(chain):
        for child in _failed_children(process):
            script = _script(child) if child is not following and child.ended < following.ended else ""
            own = (fact for one in _failing(child) for fact in _of_process(one, names))
            if script and not any(fact.named for fact in own):
                found.append(script)
    return tuple(dict.fromkeys(found))


def _script(process: Process) -> str:
    """The file, not of the system, that it last executed or had an interpreter run; empty where there is none."""
    calls = [call for call in process.calls if call.name in _EXECUTES and call.errno is None and call.path]
    if not calls:
        return ""
    words = [calls[-1].path or "", *(string.decode("utf-8", "replace") for string in calls[-1].strings[2:])]
    opened = {call.path for call in process.calls if call.name in _OPENS and _found(call) and call.path}
    for place, word in enumerate(words):
        if place and not _INTERPRETER.fullmatch(process.program):
            break
        if not word.startswith(("-", *_SYSTEM)) and any(
            f"/{path}".endswith(f"/{word.removeprefix('./')}") for path in opened
        ):
            return word
    return ""


def _leaves(log: str) -> list[Process]:
    everything = processes(log)
    return [one for one in _failing(everything[0]) if not _failed_children(one)] if everything else []


def opened_of(log: str) -> tuple[str, ...]:
    """Files that any process of a log opened, the last first, without those of the system; where there are too many,
    those of installed packages go first.
    """
    calls = (call for process in processes(log) for call in process.calls if call.name in _OPENS and _found(call))
    paths = dict.fromkeys(call.path for call in calls if call.path and not call.path.startswith(_SYSTEM))
    found = [path for path in reversed(paths) if not _noise(path)]
    kept = set(sorted(found, key=lambda path: OF_LIBRARIES.search(path) is not None)[:OPENED])
    return tuple(path for path in found if path in kept)


def loaded_of(log: str) -> tuple[str, ...]:
    """Names of the shared libraries that any process of a log opened, each once."""
    calls = (call for process in processes(log) for call in process.calls if call.name in _OPENS and _found(call))
    names = (posixpath.basename(call.path) for call in calls if call.path)
    return tuple(dict.fromkeys(name for name in names if _LIBRARY.search(name)))


class Names:
    """Which names the trace found somewhere, and which of them somebody printed."""

    def __init__(self, everything: Sequence[Process], output: str) -> None:
        """Of all processes; `output` is what reached the terminal."""
        calls = [call for process in everything for call in process.calls]
        self.paths = {call.path for call in calls if call.path and _found(call)}
        self.names = {posixpath.basename(path) for path in self.paths}
        self._said = "\n".join([output, *(call.text for call in calls if call.name == "write")])

    def printed(self, name: str, program: str) -> bool:
        """Whether an error or any other output names it, in any language; a program's own name says nothing."""
        stem = _LIBRARY_NAME.fullmatch(name)
        forms = [name, *([f"-l{stem[1]}"] if stem else [])]
        return name != program and any(
            re.search(rf"(?<![\w.-]){re.escape(form)}(?![\w-])", self._said) is not None for form in forms if form
        )

    def quoted(self, name: str) -> bool:
        """Whether somebody printed it in quotation marks, of whatever language."""
        return re.search(rf"[‘'`\"«»„“](?:[^\s‘'`\"«»„“]*/)?{re.escape(name)}[’'\"»«“”]", self._said) is not None


def _chain(first: Process) -> list[Process]:
    """From the first process down to where its failure began: each time the child that failed last."""
    chain, process = [first], first
    while True:
        failed = _failed_children(process)
        if not failed:
            break
        process = max(failed, key=lambda child: child.ended)
        chain.append(process)
    return chain if any(process.failed for process in chain) else []


def _unheeded(everything: Sequence[Process]) -> list[Process]:
    """Processes whose failure nobody above them took up, with what they began; the last failure last."""
    first = [one for one in everything if one.failed and one.signal != "SIGPIPE"]
    alone = (one for one in first if one.parent is None or not one.parent.failed)
    return [process for one in sorted(alone, key=lambda one: one.ended) for process in _chain(one)]


def _failed_children(process: Process) -> list[Process]:
    return [child for child in process.children if child.failed and child.signal != "SIGPIPE"]


def _failing(process: Process) -> Iterator[Process]:
    """Every process that failed, what it started before itself, the last to end first."""
    for child in sorted(_failed_children(process), key=lambda child: -child.ended):
        yield from _failing(child)
    if process.failed:
        yield process


def _found(call: Call) -> bool:
    return call.errno is None and call.path is not None and call.name in (_OPENS | _LOOKS | _EXECUTES) - _LINKS


def _of_process(process: Process, names: Names) -> list[Fact]:
    """The process's own failed calls, folded by name, the last first."""
    groups: dict[tuple[str, FactKind], list[Call]] = {}
    for call in process.calls:
        kind = _kind(call, process, names)
        if kind is None or call.path is None or _noise(call.path):
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
    return [*_of_names(process), *facts]


def _to_be_made(call: Call, process: Process, names: Names) -> bool:
    """Whether make only looks whether a target is there; what it cannot make it puts in quotation marks."""
    return process.program in _MAKES and call.name in _LOOKS and not names.quoted(posixpath.basename(call.path or ""))


def _kind(call: Call, process: Process, names: Names) -> FactKind | None:
    if call.errno is None or call.path is None:
        return None
    if call.name in _PRIVILEGED:
        return "not permitted" if call.errno in {"EPERM", "ENOSYS", "EACCES"} else None
    if call.name == "connect":
        return _connecting(call.path, call.errno)
    kind = _ERRNO.get(call.errno)
    if kind == "file missing":
        return None if _to_be_made(call, process, names) else _absent(call, call.path, names)
    return None if call.name in _LOOKS and kind != "denied" else kind


def _absent(call: Call, path: str, names: Names) -> FactKind | None:
    """What a name says that is not there: nothing where the same was found elsewhere, or is what is being made."""
    if call.name in _EXECUTES and path in names.paths:
        return "interpreter missing"
    return None if posixpath.basename(path) in names.names or call.name in _IDLE else "file missing"


def _connecting(path: str, errno: str) -> FactKind | None:
    """What a failed connection says: of a service of this machine, its name server left out, or of another machine."""
    local = _LOOPBACK.fullmatch(path)
    if local or path.startswith(("/", "@")):
        return None if local and local["port"] == _NAME_SERVER else _SERVICE.get(errno)
    return _ERRNO.get(errno)


def _fact(process: Process, kind: FactKind, calls: Sequence[Call], names: Names, *, last: bool) -> Fact:
    end = calls[-1]
    paths = list(dict.fromkeys(call.path for call in calls if call.path))
    subject = end.name if kind == "not permitted" else _tail(paths)
    if kind in _SERVICE.values():
        subject = min(paths, key=lambda path: (not path.startswith("127."), path))
    wanted = {call.access for call in calls}
    name = posixpath.basename(subject)
    if kind == "file missing":
        kind = _what(calls, paths, name)
        subject = subject if kind == "file missing" else name
    return Fact(
        kind=kind,
        subject=subject,
        process=process.program,
        errno=end.errno,
        named=kind != "not permitted" and names.printed(name, process.program),
        last=last,
        places=() if subject in paths else tuple(path for path in paths if path.startswith("/"))[:PLACES],
        access=_wanted(kind, wanted),
    )


def _wanted(kind: FactKind, wanted: Collection[Access]) -> Access | None:
    if kind == "file missing":
        return "enter" if "enter" in wanted else None
    return next(one for one in _ACCESS if one in wanted) if kind == "denied" else None


def _what(calls: Sequence[Call], paths: Sequence[str], name: str) -> FactKind:
    """A name that is missing: a library, a program that was looked for on the path, or a file."""
    if _LIBRARY_NAME.fullmatch(name):
        return "library missing"
    folders = {posixpath.basename(posixpath.dirname(path)) for path in paths}
    if any(call.name in _EXECUTES for call in calls) or (len(paths) > 1 and folders <= {"bin", "sbin", "games"}):
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


def _noise(path: str) -> bool:
    return _globs().match(path) is not None
