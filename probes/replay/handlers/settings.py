"""What a script reads besides its input, by which it may be told to do its work otherwise."""

import ast
import contextlib
import json
import posixpath
import shlex
import tomllib
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from itertools import zip_longest

from cases import patterns as re
from cases.sentences import Sentences
from cases.shell import steps_of
from cases.touches.names import plain_words
from probes.replay.resources.context import ContainerContext
from probes.replay.target.needs import gone_to, scripts_of

say = Sentences(__name__)

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
PARSERS = r"\b[Cc]onfig[Pp]arser\b|\bjson\.load|\byaml\b|\btomli?(?:lib)?\b|\bdotenv\b"
SETTINGS = (
    rf"os\.environ|\bgetenv\b|Sys\.getenv|process\.env|\bENV\[|{PARSERS}"
    r"|\bsource\(|\bexec\(|\b(?:hydra|omegaconf|pydantic|dynaconf|configargparse)\b",
    r"['\"/ ][\w./-]*\w\.(?:conf|cfg|ini|ya?ml|toml|json|env|properties|config)\b(?!\.\w|\s*\()",
    r"\$\{?(?!(?:HOME|PATH|PWD|USER|SHELL|TMPDIR|LANG)\b)[A-Z]\w+|\$\{[A-Za-z_]\w*:?[-=]",
    r"(?m)^\w+\s*[?:]*=[^=].*\n(?:.*\n)*?[\w.%-]+:.*\n\t",
)
SETTINGS_FILE = re.compile(
    r"(?:['\"]|(?m:^|[;&])[ \t]*(?:\.|source)[ \t]+)"
    r"(?P<file>[\w./-]+\.(?:json|toml|ya?ml|ini|cfg|conf|env|properties)|\.env)(?![\w./-])"
)
"""As sources quote it, or as a shell reads it in."""
OF_A_BUILD = re.compile(
    r"(?m)^(?:CC|CXX|CPP|FC|AR|AS|LD|RM|CFLAGS|CXXFLAGS|CPPFLAGS|FFLAGS|FCFLAGS|ARFLAGS|ASFLAGS|LDFLAGS|LDLIBS|LIBS)"
    r"[ \t]*[?:+]*=.*$"
)
"""Variables by which GNU make's own rules call compilers, and LIBS by custom: none of what is built then reads them."""
QUOTED_OPTION = re.compile(r"['\"](?P<flag>--?[a-zA-Z][\w-]*)['\"=]")
_SPELLED_TWICE = re.compile(r"['\"](-[a-zA-Z])['\"][ \t]*,[ \t]*['\"](--[a-zA-Z][\w-]*)['\"]")
"""One option, as argparse, click and their like are told it."""
_CALLED = re.compile(r"\[\s*['\"]\w[\w./+-]*['\"]\s*,[^\[\]]*\]")
"""A program with its words, as Python's `subprocess` takes them."""
_PASSED_ON = re.compile(r"(?:\bdict\(\s*|\*\*\s*|\benv\s*=\s*)os\.environ\b(?:\s*[,)}\]\n])|os\.environ\.copy\(\)")
_OF_SEVERAL = re.compile(r"(?:add_argument|option)\([^()]*\b(?:choices\s*=|Choice\()", re.IGNORECASE)
"""An option that has its values listed: the one that the command gives may be the run's own choice."""
PLAIN = re.compile(
    r"-[hvVq]|--(?:help|version|verbose|quiet|silent|debug|seed|log[-_]?(?:level|file)|color|no-color|force|yes)"
)
ARGUMENTS = re.compile(
    r"\bargv\b|commandArgs|add_argument\(|\bclick\.|\btyper\b|\bfire\b|\$[1-9@*]|getopts?|docopt|\bARGV\b"
)
AMOUNTS = "numbers among its arguments"
NUMBER = re.compile(r"\A(?:\S*=)?\d[\d_.]*[kKmMgG]?")
COMPILED = 'head -c 4 {} | LC_ALL=C grep -qa "^.ELF"'
PRINTABLE = "LC_ALL=C grep -aoE '[[:print:]]{6,}'"
LIBRARIES = (
    "/lib*/*/libc.so.6 /lib*/*/ld-linux*.so.* /lib/ld-musl-*.so.1 /usr/lib*/*/libstdc++.so.6 /usr/lib*/*/libgomp.so.1"
)
_ASSIGNED = re.compile(r"(?m)^[ \t]*(?:export[ \t]+)?(?P<name>[A-Za-z_]\w{2,})=")
_FIXED = re.compile(
    r"(?:export[ \t]+)?['\"]?(?:\$\{\w+:-)?(?:\w+://\S+|\.{0,2}/[\w./-]*|[0-9a-fA-F]{16,})['\"]?[ \t]*(?:#.*)?"
)
"""What a script sets for good, in a line of its own: an address, a path, a checksum; also as what stands for a variable
that is not set.
"""
_ASKED = (
    r"(?:-[zn]|\[)[ \t]+\"?\$\{?NAME\b",
    r"\$\{NAME[+?]",
    r"\b(?:read|for|getopts)\b.*\bNAME\b",
)
"""How a script asks whether a variable is set, or sets it by something else."""
_LINE = re.compile(r"[\w.-]+\s*[:=]\s*(?P<value>.*)")
OF_THE_SYSTEM = ("/usr/bin/", "/bin/", "/usr/sbin/", "/sbin/", "/usr/lib/", "/opt/impassable/")
IN_PROGRAM = (
    r"^\s*(-[a-zA-Z])[ =,]+<?(?i:n|num|number|int|size|mb|bytes|entries)>?\s",
    r"^\s*(-[a-zA-Z])\s+\S+\s.*(?:\[|[Dd]efault\W{0,3})\d",
    r"(?:^|[\s\[|,(])(--[a-z][\w-]+)(?=[\s=,\])|]|$)",
    r"^[^\w\s]{0,2}(?!LD_|GLIBC_|MALLOC_)([A-Z][A-Z0-9]+_[A-Z0-9_]{2,})$",
    r"^([\w./%-]*\w\.(?:conf|cfg|ini|ya?ml|toml|json|env|properties|config))$",
)
READ = re.compile(
    r"(?:environ(?:\.get)?|getenv|\bENV|\benv(?:\.\w+)?|process\.env|Deno\.env\.get|std::env::var|LookupEnv|Getenv)\W{1,4}(?P<name>[A-Z]\w{2,})"
    r"|\$\{?(?P<shell>[A-Z][A-Z0-9]*_[A-Z0-9_]+)|(?m:^(?P<line>[A-Z][A-Z0-9]*_[A-Z0-9_]{2,})$)"
)
"""A variable that a source reads."""
URL = re.compile(
    r"(?:environ\.get|getenv|ENV\.fetch|config|env)\(\s*['\"](?P<name>[A-Z][A-Z0-9_]{2,})['\"]"
    r"(?:,\s*(?:default=)?|\)\s*(?:or|\|\||\?\?)\s*)"
    r"['\"](?P<scheme>[a-z][a-z0-9+.]+)://"
    r"|\$\{(?P<shell>[A-Z][A-Z0-9_]{2,}):?-(?P<other>[a-z][a-z0-9+.]+)://"
)
"""A variable that a source reads, with the scheme of the address that is taken where it is not set."""
SCHEME = re.compile(r"['\"](?P<scheme>[a-z][a-z0-9+]{2,})(?::/{0,3})?['\"]")
_TAKEN = re.compile(r"\bargv\s*\[\s*1|\bcommandArgs\(\s*T|\bARGV\s*\[|\$\{?1\b|add_argument\(\s*['\"]\w")
"""Where a program takes a word of its command line."""
_SPELLED = re.compile(r"['\"](?P<path>(?:/|\.{1,2}/)[\w.-]+(?:/[\w.-]+)*)['\"]")
OF_THE_MACHINE = (*OF_THE_SYSTEM, "/etc/", "/proc/", "/sys/", "/dev/", "/run/", "/usr/")
_FRAME = re.compile(r"(?m)^\s*File \"[^\"\n]+\", line \d+, in (\w+)")
_FETCHED = frozenset({"http", "https", "ftp", "ssh", "git", "tcp"})


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
    """The source's own name, of Python's compiled one too; empty of what is no source."""
    compiled = re.fullmatch(r"([\w-]+)\.[\w-]+\.pyc", name)
    name = f"{compiled[1]}.py" if compiled else name
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
    return tuple(dict.fromkeys(word for word in found if not PLAIN.fullmatch(word) and not _given(word, command)))


def own_settings(text: str, command: str) -> tuple[str, ...]:
    """What in sources may change what the command does, as they spell it; empty where nothing does."""
    text = _handing_nothing_on(text)
    read = (re.search(pattern, OF_A_BUILD.sub("", text)) for pattern in SETTINGS)
    found = [" ".join(match[0].split())[:40].strip("'\"/ ") for match in read if match]
    flags = dict.fromkeys(match["flag"] for match in QUOTED_OPTION.finditer(text))
    chosen = {one["flag"] for match in _OF_SEVERAL.finditer(text) for one in QUOTED_OPTION.finditer(match[0])}
    given = {flag for flag in flags if _given(flag, command)}
    for both in (match.groups() for match in _SPELLED_TWICE.finditer(text)):
        given |= set(both) if given.intersection(both) else set()
    found += [flag for flag in flags if not PLAIN.fullmatch(flag) and (flag in chosen or flag not in given)]
    numbers = any(NUMBER.fullmatch(word) for step in steps_of(command) for word in step.command.arguments)
    return (*found, *([AMOUNTS] if ARGUMENTS.search(text) and numbers else []))


def _handing_nothing_on(text: str) -> str:
    """Sources without the options that they give to other programs, and without the environment that they pass on."""
    called = _CALLED.finditer(text)
    for match in reversed(list(called)):
        text = text[: match.start()] + QUOTED_OPTION.sub("''", match[0]) + text[match.end() :]
    return _PASSED_ON.sub("", text)


def values_in(text: str) -> list[str]:
    """The values of a file of settings: JSON, TOML, or lines of names and values."""
    for parse in (json.loads, tomllib.loads):
        try:
            return [str(value) for value in _leaves(parse(text))]
        except ValueError:
            continue
    lines = (match for line in text.splitlines() if (match := _LINE.fullmatch(line.strip())))
    return [match["value"].strip("'\"") for match in lines if match["value"]]


def variables_in(text: str) -> list[str]:
    """The variables that a file sets which a shell reads in."""
    return [match["name"] for match in _ASSIGNED.finditer(text)]


def set_by_itself(text: str) -> list[str]:
    """Variables to which a shell script always gives an address, a path or a checksum.

    What may be a switch is left out, for it may be meant to be set otherwise, and so is what the script asks about,
    reads in or sets for one case only.
    """
    values: dict[str, list[str]] = {}
    for match in _ASSIGNED.finditer(text):
        before, rest = match[0].partition(match["name"])[0], text[match.end() :].partition("\n")[0]
        values.setdefault(match["name"], []).append(before + rest)
    fixed = [name for name, each in values.items() if all(_FIXED.fullmatch(one) for one in each)]
    return [name for name in fixed if not any(re.search(one.replace("NAME", name), text) for one in _ASKED)]


def _leaves(value: object) -> Iterator[object]:
    if isinstance(value, dict):
        for inner in value.values():
            yield from _leaves(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner)
    else:
        yield value


def _given(flag: str, command: str) -> bool:
    """Whether the command has the option already, with a value that is no number."""
    for step in steps_of(command):
        for word, following in zip_longest(step.command.arguments, step.command.arguments[1:], fillvalue=""):
            name, joined, value = word.partition("=")
            if name == flag and not NUMBER.fullmatch(value if joined else following):
                return True
    return False


_OF_A_CONNECTION = re.compile(
    "url|uri|dsn|host|hostname|hosts|port|addr|address|server|service|endpoint|bind|socket|sock|ssl|tls|cert|ca|user"
    "|username|pass|password|passwd|pwd|key|token|secret|auth|db|database|dbname|schema|name|queue|topic|channel|prefix"
    "|pool|size|timeout|retries|retry|wait|interval|debug|log|level|verbose|quiet|color|seed|home|path|lang|tz|tmpdir"
    r"|shell|term|display|jobs|workers|threads|locale|language|pg[a-z]+"
)
"""Words of variables that say where a service is, how it is talked to, or nothing of it."""
_OF_DATA = frozenset(
    {"path", "file", "dir", "folder", "store", "dump", "export", "copy", "snapshot", "backup", "sqlite"}
)
_LEAVES_OUT = re.compile(r"(?i)--?(?:no|without|skip|disable)-?[a-z]|--?(?:offline|local)\b")
"""Options that leave out a part of the work."""
_BESIDE_A_CONNECTION = frozenset({"ca", "cert", "key", "log", "pass", "pid", "socket", "sock", "ssl", "tls"})
"""Words with which a file is one that a connection takes."""


def other_variables(source: str) -> Iterator[str]:
    """Variables that sources read and whose names say nothing of how a service is reached, or speak of a place of data:
    what they may lead to is something else.
    """
    for match in READ.finditer(source):
        name = match["name"] or match["shell"] or ""
        if name and name != "PATH" and _leads_elsewhere(name):
            yield name


def _leads_elsewhere(name: str) -> bool:
    words = set(re.split(r"[^a-z]+", name.lower()))
    if words & _OF_DATA and not words & _BESIDE_A_CONNECTION:
        return True
    return not any(map(_OF_A_CONNECTION.fullmatch, words))


def other_arguments(source: str, command: str) -> Iterator[str]:
    """What a program may be told on its command line that speaks of a place of data, or leaves something out; any word
    where it takes words and the command gives it none.
    """
    for match in QUOTED_OPTION.finditer(_handing_nothing_on(source)):
        words = set(re.split(r"[^a-z]+", match["flag"].lower()))
        told = words & _OF_DATA or _LEAVES_OUT.match(match["flag"])
        if told and not words & _BESIDE_A_CONNECTION and not _given(match["flag"], command):
            yield match["flag"]
    ran = [step.command for step in steps_of(command) if step.command.file]
    bare = any(set(plain_words(one, frozenset())) <= {one.file.text} for one in ran if one.file)
    if bare and _TAKEN.search(source):
        yield say("settings.word")


def other_data(trial: ContainerContext, source: str) -> str:
    """A file of data that lies on the machine, that sources spell whole and that the failing command did not open."""
    spelled = dict.fromkeys(match["path"] for match in _SPELLED.finditer(source))
    known = {*trial.outcome.opened, *scripts_of(trial.subject.attempts[0].command)}
    paths = [path for path in spelled if path not in known and not path.startswith(OF_THE_MACHINE)][:20]
    if not paths:
        return ""
    ask = f'for p in {shlex.join(paths)}; do test -f "$p" -a -s "$p" && echo "$p"; done; true'
    return next(iter(trial.run("replay-other-data", ask, seconds=20)[0].output.splitlines()), "")


def other_calls(source: str, output: str) -> Iterator[str]:
    """What a function of the program's own gives in another case, by another call: of the functions that a traceback
    names, or else of all.
    """
    with contextlib.suppress(SyntaxError, ValueError, RecursionError):
        named = set(_FRAME.findall(output))
        functions = [one for one in ast.walk(ast.parse(source)) if isinstance(one, ast.FunctionDef)]
        for function in [one for one in functions if one.name in named] or functions:
            ends = [one.value for one in ast.walk(function) if isinstance(one, ast.Return) and one.value]
            called = [one for one in ends if isinstance(one, ast.Call)]
            if len(ends) > 1 and len({ast.unparse(one.func) for one in called}) > 1:
                yield ast.unparse(min(called, key=lambda one: one.lineno))


def other_schemes(source: str) -> Iterator[str]:
    """Variables in whose place sources take an address where they are not set, each with another kind of address that
    the sources know.
    """
    lines = [line for line in source.splitlines() if "scheme" in line.lower() or "://" in line]
    known = dict.fromkeys(match["scheme"] for line in lines for match in SCHEME.finditer(line))
    for match in URL.finditer(source):
        name, own = match["name"] or match["shell"], match["scheme"] or match["other"]
        for scheme in known:
            if scheme[:4] != own[:4] and scheme not in _FETCHED:
                yield f"{name}={scheme}://"
