"""What measured facts say a failure is: the barrier, and what it is about, in no language."""

import posixpath
from collections.abc import Collection, Sequence

from cases import patterns as re
from cases.failing.forms import exception_in
from probes.model import Barrier
from sandboxes.tracing import Fact, FactKind
from sandboxes.tracing.failed_calls import LICENCE
from sandboxes.tracing.minimal import LINKERS

_BARRIERS: dict[FactKind, Barrier] = {
    "out of memory": Barrier.CRASH,
    "program missing": Barrier.COMMAND,
    "interpreter missing": Barrier.INTERPRETER,
    "program unfit": Barrier.PROGRAM_UNFIT,
    "library missing": Barrier.SHARED_LIBRARY,
    "module missing": Barrier.MODULE,
    "package missing": Barrier.R_PACKAGE,
    "file missing": Barrier.MISSING_DATA,
    "denied": Barrier.PERMISSION,
    "read-only": Barrier.READ_ONLY,
    "no space": Barrier.DISK_FULL,
    "host unresolved": Barrier.NETWORK,
    "unreachable": Barrier.NETWORK,
    "not permitted": Barrier.SYSTEM_CALL,
    "service missing": Barrier.SERVICE,
    "service denied": Barrier.SERVICE,
    "data damaged": Barrier.DAMAGED_DATA,
    "data sealed": Barrier.SEALED_DATA,
    "part missing": Barrier.INCOMPLETE_DATA,
    "cases contradict": Barrier.CONTRADICTORY_CASES,
    "refused": Barrier.NETWORK,
    "timed out": Barrier.NETWORK,
}
_SURE: frozenset[FactKind] = frozenset({"out of memory", "module missing", "package missing", "interpreter missing"})
"""Kinds that say what ended the command by themselves; others do where somebody printed the name."""
_LAST: frozenset[FactKind] = frozenset({"service missing", "service denied"})
"""Kinds that do where the failing process ended with them."""
_LIKELY: frozenset[FactKind] = frozenset(
    {"denied", "read-only", "no space", "library missing", "program unfit", *_LAST}
)
_SPEAKS_OF_ONE = re.compile(r"(?i)li[cz]en[cszç]")
"""What languages that write it with Latin letters call a licence."""
_LAST_LINES = 3
_HEADERS = (".h", ".hh", ".hpp", ".hxx", ".mod")
DEVICES = "/dev/"
OF_LIBRARIES = (".pm", ".rb", ".lua", ".tcl", ".jl")
"""Of files that Perl, Ruby, Lua, Tcl and Julia look for along a path."""
NODE_MODULES = "node_modules/"
"""The folder in which Node.js looks for packages."""
_NODE = frozenset({"node", "nodejs"})
_OWN_ENDING = re.compile(r"\.(?:json|node)$")
"""What Node.js itself puts behind a module's name, as files that it may be."""
_PACKAGE_OF_NODE = re.compile(r"(?:^|/)(?:node_modules|nodejs)/((?:@[\w.-]+/)?[\w.-]+)")
_OF_TEX = (".cls", ".clo", ".sty", ".def", ".fd", ".ldf", ".tfm", ".bst", ".bbx", ".cbx", ".lbx")


def names(fact: Fact) -> tuple[Barrier, str] | None:
    """Barrier and subject of a fact that ended a command; None for one that has no barrier."""
    if is_licence(fact):
        return Barrier.LICENCE, fact.subject
    if fact.kind == "file missing" and fact.subject.endswith(_HEADERS):
        return Barrier.HEADER, _include(fact.subject)
    if fact.kind == "file missing" and fact.subject.endswith(_OF_TEX):
        return Barrier.SUPPORT_FILE, posixpath.basename(fact.subject)
    if fact.kind == "library missing" and fact.process in LINKERS:
        return Barrier.HEADER, f"-l{posixpath.basename(fact.subject).removeprefix('lib').split('.')[0]}"
    return (_BARRIERS[fact.kind], fact.subject) if fact.kind in _BARRIERS else None


def in_a_library(fact: Fact) -> str | None:
    """An interpreter's module that is missing, as it lies below each folder where it is looked for; None for others."""
    if fact.kind != "file missing":
        return None
    if fact.process in _NODE and (package := _PACKAGE_OF_NODE.search("\n".join((fact.subject, *fact.places)))):
        return f"{NODE_MODULES}{_OWN_ENDING.sub('', package[1])}"
    if not fact.subject.endswith(OF_LIBRARIES):
        return None
    return posixpath.basename(fact.subject) if fact.subject.startswith("/") else fact.subject


def is_licence(fact: Fact) -> bool:
    """Whether it is a licence that was looked for; the text of a source's licence is none."""
    return fact.kind == "file missing" and LICENCE.search(posixpath.basename(fact.subject)) is not None


def licences(facts: Sequence[Fact], output: str) -> list[Fact]:
    """Licences that were looked for where nobody printed, of a command whose exception or last words speak of one."""
    last = exception_in(output) or "\n".join([line for line in output.splitlines() if line.strip()][-_LAST_LINES:])
    return [fact for fact in facts if not fact.named and is_licence(fact) and _SPEAKS_OF_ONE.search(last)]


def telling(facts: Sequence[Fact], wanted: Collection[str] = ()) -> list[Fact]:
    """Facts that say by themselves what may have ended the command, those of one of these names first.

    A linker that another program asks where a library lies links nothing: what then cannot be loaded is the library.
    """
    loaded = {_stem(fact) for fact in facts if fact.kind == "library missing" and fact.process not in LINKERS}
    told = [
        fact
        for fact in facts
        if (fact.named or fact.kind in _SURE or (fact.last and fact.kind in _LAST))
        and not (fact.kind == "library missing" and fact.process in LINKERS and _stem(fact) in loaded)
    ]
    return sorted(told, key=lambda fact: posixpath.basename(fact.subject) not in wanted)


def named_by(facts: Sequence[Fact], wanted: Collection[str] = ()) -> tuple[Barrier, str] | None:
    """Barrier and subject of the first fact that says by itself what ended the command; None where none does."""
    return next((names(fact) for fact in telling(facts, wanted)), None)


def unnamed(facts: Sequence[Fact], folder: str) -> list[Fact]:
    """Those that nobody printed and that may have: only trying tells; files are devices and those below the folder."""
    return [
        fact
        for fact in facts
        if fact not in telling(facts)
        and (fact.kind in _LIKELY or (fact.kind == "file missing" and fact.subject.startswith((f"{folder}/", DEVICES))))
    ]


def _stem(fact: Fact) -> str:
    return posixpath.basename(fact.subject).split(".")[0]


def _include(path: str) -> str:
    """A header as a source asks for it: what was looked for in several directories is that already."""
    return posixpath.basename(path) if path.startswith("/") else path
