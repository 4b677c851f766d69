"""The log of a tracer, read: which process made which call on which name, and how each ended."""

import codecs
import posixpath
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from cases import patterns as re

_LINE = re.compile(r"(?P<pid>\d+) +(?P<rest>.*)")
_CALL = re.compile(
    r"(?P<name>\w+)\((?P<arguments>.*)\) += (?P<value>-?\d+|0x[0-9a-f]+|\?)(?:<[^>]*>)?(?: (?P<errno>E\w+))?"
)
_EXITED = re.compile(r"\+\+\+ exited with (?P<code>\d+) \+\+\+")
_KILLED = re.compile(r"\+\+\+ killed by (?P<signal>SIG\w+)")
_RESUMED = re.compile(r"<\.\.\. \w+ resumed>,? ?")
_UNFINISHED = " <unfinished ...>"
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
_HERE = re.compile(r"AT_FDCWD<([^>]*)>")
_BELOW = re.compile(r"\d+<(/[^>]*)>, ")
"""The directory from which a name is looked for."""
_OPEN_FILE = re.compile(r"\d+<(/[^>]*)>")
_FILLING = frozenset({"write", "writev", "pwrite64", "fallocate", "copy_file_range"})
_TERMINAL = re.compile(r"2(?:<|,)|1(?:<(?!/(?!dev/))|,)")
"""What it says: its standard error wherever that goes, its standard output where that is no file."""
_ABSTRACT = re.compile(r'sun_path=@"([^"]+)"')
_ASKED = re.compile(r"(?P<fd>\d+)<.*SO_ERROR, \[(?P<errno>E\w+)\]")
"""How a connection ended that was begun without waiting."""
PRIVILEGED = (
    *("mount", "umount2", "unshare", "setns", "ptrace", "bpf", "perf_event_open", "swapon", "swapoff", "reboot"),
    *("pivot_root", "chroot", "init_module", "finit_module", "sethostname", "setdomainname", "keyctl"),
)
"""Calls that a container's policy refuses whoever makes them, whatever they are about."""
_FORKS = frozenset({"clone", "clone3", "fork", "vfork"})
_WRITING = re.compile(r"O_(?:WRONLY|RDWR|CREAT|TRUNC|APPEND)\b|\bW_OK\b")
_OPENING = frozenset({"open", "openat", "openat2", "access", "faccessat", "faccessat2"})
_READING = frozenset({"stat", "lstat", "newfstatat", "statx", "readlink", "readlinkat"})
_EXECUTING = frozenset({"execve", "execveat"})
_TO = re.compile(r'sin6?_port=htons\((?P<port>\d+)\).*?inet_(?:addr|pton)\((?:AF_INET6, )?"(?P<address>[^"]+)"')


Access = Literal["read", "write", "execute", "enter"]


@dataclass(frozen=True, slots=True)
class Call:
    """One system call."""

    name: str
    path: str | None
    """What it was about, absolute where the directory is known: a file, or `address:port`."""
    errno: str | None
    """Such as `ENOENT`; None where it succeeded."""
    strings: tuple[bytes, ...] = ()
    """Every string among its arguments."""
    access: Access = "read"
    """What it wanted of the file."""

    @property
    def text(self) -> str:
        """What it wrote or read, as text."""
        return b"".join(self.strings).decode("utf-8", "replace")


@dataclass(slots=True)
class Process:
    """One process with its threads."""

    pid: int
    parent: "Process | None" = None
    program: str = ""
    """What it last executed."""
    cwd: str | None = None
    calls: list[Call] = field(default_factory=list)
    children: "list[Process]" = field(default_factory=list)
    code: int | None = None
    signal: str | None = None
    began: int = 0
    """The line at which it is first heard of."""
    ended: int = 0
    """The line at which it ended; 0 for one that never did."""
    connecting: dict[str, str] = field(default_factory=dict)
    """Where connections go that were begun without waiting, by their descriptors."""

    @property
    def failed(self) -> bool:
        """Whether it ended with anything but 0, or was killed."""
        return self.signal is not None or self.code not in (0, None)

    @property
    def said(self) -> str:
        """What it wrote to a terminal, as far as the tracer kept it."""
        return "".join(call.text for call in self.calls if call.name == "write")


def exit_code_of(log: str) -> int | None:
    """With what the first process ended, as a shell counts it; None where it did not, or was killed."""
    first = log.split(maxsplit=1)[:1]
    ends = (one for line in log.splitlines() if (one := _LINE.fullmatch(line)) and one["pid"] in first)
    codes = (match["code"] for one in ends if (match := _EXITED.search(one["rest"])))
    return next(map(int, codes), None)


def processes(log: str) -> "list[Process]":
    """Every process of a log that `strace -f -y` wrote, the first one first; lines of another form are passed over."""
    table: dict[int, Process] = {}
    order: list[Process] = []

    def of(pid: int) -> Process:
        if pid not in table:
            table[pid] = Process(pid)
            order.append(table[pid])
        return table[pid]

    for number, pid, rest in _whole_lines(log):
        process = of(pid)
        process.began = process.began or number
        if exited := _EXITED.match(rest):
            _end(process, pid, number, code=int(exited["code"]))
        elif killed := _KILLED.match(rest):
            _end(process, pid, number, signal=killed["signal"])
        elif call := _CALL.match(rest):
            _note(process, call)
            if call["name"] in _FORKS and call["errno"] is None and call["value"].isdigit():
                child = int(call["value"])
                if "CLONE_THREAD" in call["arguments"]:
                    table[child] = process
                else:
                    made = of(child)
                    made.parent, made.cwd, made.program = (
                        process,
                        made.cwd or process.cwd,
                        made.program or process.program,
                    )
                    process.children.append(made)
    return order


def _whole_lines(log: str) -> Iterator[tuple[int, int, str]]:
    """Number, process and text of each line, those that were interrupted put together again."""
    begun: dict[int, str] = {}
    for number, line in enumerate(log.splitlines(), 1):
        match = _LINE.match(line)
        if match is None:
            continue
        pid, rest = int(match["pid"]), match["rest"]
        if rest.endswith(_UNFINISHED):
            begun[pid] = rest.removesuffix(_UNFINISHED)
            continue
        if resumed := _RESUMED.match(rest):
            rest = begun.pop(pid, "") + rest[resumed.end() :]
        yield number, pid, rest


def _end(process: Process, pid: int, number: int, *, code: int | None = None, signal: str | None = None) -> None:
    if pid == process.pid:
        process.code, process.signal, process.ended = code, signal, number


def _note(process: Process, match: re.Match[str]) -> None:
    arguments, errno = match["arguments"], match["errno"]
    name = "lstat" if "AT_SYMLINK_NOFOLLOW" in arguments else match["name"]
    if here := _HERE.search(arguments):
        process.cwd = here[1]
    strings = tuple(_bytes(text) for text in _STRING.findall(arguments))
    path = name if name in PRIVILEGED else _path(process, strings, arguments)
    if name in {"connect", "sendto", "sendmsg", "sendmmsg"}:
        path = _address(arguments, path)
    if errno is None and name == "chdir" and path:
        process.cwd = path
    if errno is None and name in {"execve", "execveat"} and path:
        process.program = posixpath.basename(path)
    if name in _FILLING:
        _note_filled(process, arguments, errno, strings)
        return
    if name == "getsockopt":
        if (asked := _ASKED.match(arguments)) and (to_whom := process.connecting.pop(asked["fd"], None)):
            process.calls.append(Call("connect", to_whom, asked["errno"]))
        return
    if name == "connect" and errno == "EINPROGRESS" and path:
        process.connecting[arguments.partition("<")[0]] = path
    process.calls.append(Call(name, path, errno, strings, _access(name, arguments)))


def _note_filled(process: Process, arguments: str, errno: str | None, strings: tuple[bytes, ...]) -> None:
    """What went to a terminal, and what could not go to a file."""
    files = _OPEN_FILE.findall(_STRING.sub("", arguments)) if errno is not None else []
    if files:
        process.calls.append(Call("fill", files[-1], errno, (), "write"))
    elif _TERMINAL.match(arguments):
        process.calls.append(Call("write", None, errno, strings, "write"))


def _address(arguments: str, path: str | None) -> str | None:
    """Where a connection goes: `address:port`, a socket's path, `@` before one that has no file."""
    if to := _TO.search(arguments):
        return f"{to['address']}:{to['port']}"
    if abstract := _ABSTRACT.search(arguments):
        return f"@{abstract[1]}"
    return path if "sun_path" in arguments else None


def _access(name: str, arguments: str) -> Access:
    """What a call wants of its file: by its flags, else by what it does."""
    if name in _EXECUTING or (name in _OPENING and "X_OK" in arguments):
        return "execute"
    if name == "chdir" or "O_DIRECTORY" in arguments:
        return "enter"
    if name in _OPENING:
        return "write" if _WRITING.search(_STRING.sub("", arguments)) else "read"
    return "read" if name in _READING else "write"


def _bytes(text: str) -> bytes:
    decoded, _ = codecs.escape_decode(text.encode("latin-1", "replace"))
    return bytes(decoded)


def _path(process: Process, strings: tuple[bytes, ...], arguments: str) -> str | None:
    if not strings or not strings[0]:
        return None
    text = strings[0].decode("utf-8", "replace")
    if text.startswith("/"):
        return posixpath.normpath(text)
    below = _BELOW.match(arguments)
    folder = below[1] if below else process.cwd
    return posixpath.normpath(posixpath.join(folder, text)) if folder else text
