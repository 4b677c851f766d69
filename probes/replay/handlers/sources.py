"""The sources of what a command runs, and what a compiled program has among its texts."""

import posixpath
import shlex
from collections.abc import Sequence
from fnmatch import fnmatch

from cases import patterns as re
from cases.shell import steps_of
from probes.replay.handlers.settings import PLAIN, is_given
from probes.replay.resources.context import ContainerContext
from probes.replay.target.needs import gone_to, scripts_of

MOST = 240_000
"""Bytes of sources that are read."""
NAMES = (
    "*.py",
    "*.sh",
    "*.R",
    "*.r",
    "*.pl",
    "*.pm",
    "*.rb",
    "*.lua",
    "*.tcl",
    "*.js",
    "*.jl",
    "*.mk",
    "Makefile",
    "makefile",
    "Snakefile",
    "*.cmake",
)
COMPILED = 'head -c 4 {} | LC_ALL=C grep -qa "^.ELF"'
PRINTABLE = "LC_ALL=C grep -aoE '[[:print:]]{6,}'"
LIBRARIES = (
    "/lib*/*/libc.so.6 /lib*/*/ld-linux*.so.* /lib/ld-musl-*.so.1 /usr/lib*/*/libstdc++.so.6 /usr/lib*/*/libgomp.so.1"
)
OF_THE_SYSTEM = ("/usr/bin/", "/bin/", "/usr/sbin/", "/sbin/", "/usr/lib/", "/opt/impassable/")
IN_PROGRAM = (
    r"^\s*(-[a-zA-Z])[ =,]+<?(?i:n|num|number|int|size|mb|bytes|entries)>?\s",
    r"^\s*(-[a-zA-Z])\s+\S+\s.*(?:\[|[Dd]efault\W{0,3})\d",
    r"(?:^|[\s\[|,(])(--[a-z][\w-]+)(?=[\s=,\])|]|$)",
    r"^[^\w\s]{0,2}(?!LD_|GLIBC_|MALLOC_)([A-Z][A-Z0-9]+_[A-Z0-9_]{2,})$",
    r"^([\w./%-]*\w\.(?:conf|cfg|ini|ya?ml|toml|json|env|properties|config))$",
)


def programs_elsewhere(trial: ContainerContext) -> tuple[str, ...]:
    """Where the programs lie that the failing command called and that are none of the system's."""
    command = trial.subject.attempts[0].command
    called = [one.words[0] for one in trial.outcome.called if one.words]
    names = dict.fromkeys((*(step.command.program for step in steps_of(command)), *called))
    plain = [name for name in names if name and not name.startswith("-")]
    if not plain:
        return ()
    ask = f"for p in {shlex.join(plain)}; do command -v -- \"$p\" | grep '^/'; done; true"
    found = trial.run("replay-programs-elsewhere", ask, seconds=20)[0].output.splitlines()
    return tuple(path for path in dict.fromkeys(found) if not path.startswith(OF_THE_SYSTEM))


def sources(trial: ContainerContext, command: str, programs: Sequence[str] = ()) -> str | None:
    """The texts of the script that a command runs and of those beside it, and of programs that lie elsewhere; None
    where they could not be read whole.
    """
    here = gone_to(command) or "."
    scripts = [posixpath.join(here, path) for path in scripts_of(command)]
    places = dict.fromkeys(posixpath.normpath(posixpath.dirname(path) or ".") for path in scripts) or {here: None}
    listed = " -o ".join(f"-name {shlex.quote(name)}" for name in NAMES)
    found = (
        f"find {' '.join(map(shlex.quote, places))} -maxdepth 6 -type f -size -200k -not -path '*/.*/*' "
        f"\\( {listed} \\) -print0 2>/dev/null | sort -z | head -z -n 60"
    )
    met = dict.fromkeys(filter(None, map(_source_of, map(posixpath.basename, trial.outcome.opened))))
    if met:  # of what lies beside, only what the command was seen to open
        names = "|".join(map(re.escape, met))
        found += f" | grep -zE {shlex.quote(f'/({names})$')}"
    beside = f"{found} | xargs -0 -r cat"
    first = "".join(f"{COMPILED.format(path)} || cat {path}; " for path in map(shlex.quote, (*scripts, *programs)))
    done = trial.run("replay-settings", f"{{ {first}{beside}; }} 2>/dev/null | head -c {MOST}", seconds=30)[0]
    return done.output if done.ok and done.size < MOST else None


def _source_of(name: str) -> str:
    """The name where it is a source's; empty where it is none."""
    return name if any(fnmatch(name, pattern) for pattern in NAMES) else ""


def in_program(trial: ContainerContext, command: str, programs: Sequence[str] = ()) -> tuple[str, ...] | None:
    """Options, variables and files of settings that a compiled program has among its texts and the system's libraries
    have not; None where they could not be read whole. `programs` are those of the command that lie elsewhere.
    """
    here = gone_to(command) or "."
    paths = [shlex.quote(path) for path in (*(posixpath.join(here, one) for one in scripts_of(command)), *programs)]
    if not paths:
        return ()
    known = (
        f"trap 'rm -f $HOME/.libraries-texts' EXIT; cat {LIBRARIES} 2>/dev/null | {PRINTABLE} > $HOME/.libraries-texts"
    )
    each = " ".join(f"{COMPILED.format(path)} && {PRINTABLE} {path};" for path in paths)
    own = f"{{ {each} }} 2>/dev/null | grep -avxFf $HOME/.libraries-texts | sort -u | head -c {MOST}"
    done = trial.run("replay-program", f"{known}; {own}", seconds=60)[0]
    if not done.ok or done.size >= MOST:
        return None
    found = (match for pattern in IN_PROGRAM for match in re.findall(pattern, done.output, re.MULTILINE))
    return tuple(dict.fromkeys(word for word in found if not PLAIN.fullmatch(word) and not is_given(word, command)))
