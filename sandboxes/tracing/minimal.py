"""The minimal lift: only what a fact says was missing or forbidden is given, as an empty stand-in, and nothing else.

Where that failure then disappears, it was this that stopped the command, whatever the command meets next.
"""

import posixpath
import shlex
from dataclasses import dataclass

from sandboxes.tracing.fact import Fact, FactKind
from sandboxes.tracing.listening import listener

STUB = "/usr/local"
_ARCHIVE = "!<arch>\\n"
"""An archive of no members, which every linker takes."""
_ANY = "find /lib /lib64 /usr/lib -name 'libdl.so.2' -o -name 'libm.so.6' -o -name 'libc.musl-*.so.1'"
"""Finds a library that every machine has."""
LINKERS = frozenset({"ld", "ld.bfd", "ld.gold", "ld.lld", "lld", "collect2"})
_MODULE = (
    'python3 -c \'import os, sys, sysconfig; top, _, rest = sys.argv[1].partition("."); '
    'place = os.path.join(sysconfig.get_path("purelib"), *sys.argv[1].split(".")); os.makedirs(place, exist_ok=True); '
    'open(os.path.join(place, "__init__.py"), "a").close()\' '
)


@dataclass(frozen=True)
class MinimalLift:
    """What root does in a fresh container, or what the container has, so that one fact is none any more."""

    fact: Fact
    commands: tuple[str, ...] = ()
    memory: float = 1
    """How many times the memory."""
    plain_mounts: bool = False
    """Whether read-only paths, non-executable mounts and small disks are left out."""
    granted: str = ""
    """A system call that is told to have succeeded."""


def minimal_lifts(fact: Fact) -> tuple[MinimalLift, ...]:
    """The least that must make this fact go away, in each form that it may have, the likeliest first; none where
    nothing empty can stand in.
    """
    if fact.kind == "out of memory":
        return (MinimalLift(fact, memory=4),)
    if fact.kind in {"read-only", "no space"}:
        return (MinimalLift(fact, plain_mounts=True),)
    if fact.kind in {"service missing", "service denied"}:
        return (MinimalLift(fact, listener(fact.subject)),)
    if fact.kind == "denied":
        return (MinimalLift(fact, _granted(fact)),)
    if fact.kind in {"not permitted", "unreachable"}:  # no stand-in on the machine can have another one's address
        return (MinimalLift(fact, granted="connect" if fact.kind == "unreachable" else fact.subject),)
    each = [(command,) for command in _files(fact)] if fact.kind == "file missing" else [_commands(fact)]
    return tuple(MinimalLift(fact, commands) for commands in each if commands)


def _files(fact: Fact) -> tuple[str, ...]:
    """A device where one is wanted, a silent one and then one that never ends; a directory where one is to be entered;
    else an empty file and then a directory.

    It comes to where it was looked for first. A link that leads nowhere makes room for it, be it the name itself or a
    folder on the way.
    """
    subject = fact.subject
    path = shlex.quote(subject if subject.startswith("/") else next(iter(fact.places), f"/usr/include/{subject}"))
    if subject.startswith("/dev/"):
        return tuple(f'mkdir -p "$(dirname {path})" && ln -sf {like} {path}' for like in ("/dev/null", "/dev/zero"))
    paths = " ".join((path, *map(shlex.quote, fact.kin)))
    room = 'if [ -L "$d" ] && [ ! -e "$d" ]; then rm -f "$d"; fi'
    unlinked = f'd="$p"; while [ "$d" != / ]; do {room}; d="$(dirname "$d")"; done'
    folder = f'for p in {paths}; do {unlinked}; mkdir -p "$p" && chmod a+rwx "$p" || exit; done'
    if fact.access == "enter":
        return (folder,)
    made = 'mkdir -p "$(dirname "$p")" && touch "$p" && chmod a+rwx "$p" || exit'
    return (f"for p in {paths}; do {unlinked}; {made}; done", folder)


def _program(fact: Fact) -> str:
    """One that does nothing and ends well, on the path and where it was looked for."""
    places = dict.fromkeys((f"{STUB}/bin/{posixpath.basename(fact.subject)}", *fact.places))
    each = " ".join(map(shlex.quote, places))
    made = 'mkdir -p "$(dirname "$p")" && printf \'#!/bin/sh\\nexit 0\\n\' >"$p" && chmod 755 "$p"'
    return f'for p in {each}; do [ -e "$p" ] || {{ {made}; }} || exit; done'


def _commands(fact: Fact) -> tuple[str, ...]:
    if fact.kind == "library missing":
        return _library(fact)
    path = shlex.quote(fact.subject)
    ways: dict[FactKind, str] = {
        "program missing": _program(fact),
        "module missing": f"{_MODULE}{path}",
        "interpreter missing": f"sed -i 's/\\r$//' {path}",
        "host unresolved": f"echo 127.0.0.1 {path} >> /etc/hosts",
        "program unfit": _fit(fact),
    }
    return (ways[fact.kind],) if fact.kind in ways else ()


def _fit(fact: Fact) -> str:
    """In the place of what another machine was meant for: an empty archive, an object of nothing, a library that every
    machine has, or a program that does nothing.
    """
    path, name = shlex.quote(fact.subject), posixpath.basename(fact.subject)
    if name.endswith(".a"):
        return f"printf '{_ARCHIVE}' >{path}"
    if name.endswith(".o"):
        return f"echo | cc -x c -c - -o {path}"
    if name.endswith(".so") or ".so." in name:
        return f'any="$({_ANY} 2>/dev/null | head -1)" && cp -L "$any" {path}'
    return f"printf '#!/bin/sh\\nexit 0\\n' >{path} && chmod 755 {path}"


def _granted(fact: Fact) -> tuple[str, ...]:
    """The rights that were wanted, on the very path and on the way to it; on its directory where it is not there."""
    path, rights = shlex.quote(fact.subject), "a+rwx" if fact.access == "execute" else "a+rwX"
    way = f'd={path}; while d="$(dirname "$d")"; [ "$d" != / ]; do chmod a+x "$d" || break; done'
    return (f'if [ -e {path} ]; then chmod -R {rights} {path}; else chmod a+rwx "$(dirname {path})"; fi; {way}',)


def _library(fact: Fact) -> tuple[str, ...]:
    """An empty archive for a linker; for the loader a library that every machine has, under the missing one's name."""
    name = posixpath.basename(fact.subject)
    if fact.process in LINKERS:
        archive = shlex.quote(f"{STUB}/lib/{name.split('.', maxsplit=1)[0]}.a")
        return (f"printf '{_ARCHIVE}' >{archive}",)
    return (f'any="$({_ANY} 2>/dev/null | head -1)" && cp -L "$any" "$(dirname "$any")"/{shlex.quote(name)}',)
