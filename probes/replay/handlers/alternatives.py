"""What a program may be led to besides what failed: another kind of address, other data, another call of its own."""

import ast
import contextlib
import shlex
from collections.abc import Iterator

from cases import patterns as re
from cases.sentences import Sentences
from cases.shell import steps_of
from cases.touches.names import plain_words
from probes.replay.handlers.settings import QUOTED_OPTION, READ, handing_nothing_on, is_given
from probes.replay.handlers.sources import OF_THE_SYSTEM
from probes.replay.resources.context import ContainerContext
from probes.replay.target.needs import scripts_of

say = Sentences(__name__)

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
    for match in QUOTED_OPTION.finditer(handing_nothing_on(source)):
        words = set(re.split(r"[^a-z]+", match["flag"].lower()))
        told = words & _OF_DATA or _LEAVES_OUT.match(match["flag"])
        if told and not words & _BESIDE_A_CONNECTION and not is_given(match["flag"], command):
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
