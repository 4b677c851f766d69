"""Whose files are and what may be done with them, as the run's own listings show it: a copy has neither."""

import posixpath
import shlex
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from cases import CommandRun
from cases import patterns as re
from cases.shell import Step

MOST = 400
"""Entries of all listings together."""
_LONG = re.compile(r"-[a-zA-Z1]*l[a-zA-Z1]*")
_ENTRY = re.compile(
    r"(?P<kind>[-d])(?P<mode>[r-][w-][xsS-][r-][w-][xsS-][r-][w-][xtT-])[+.@]?\s+\d+\s+(?P<owner>[a-z_][\w.-]*)\s+"
    r"(?P<group>[a-z_][\w.-]*)\s+[\d.,]+[KMGTP]?\s+\S+\s+(?:\d+\s+)?\S+\s+(?P<name>[\w./@%+,-]+)"
)
"""GNU ls -l, --time-style= iso, long-iso and locale's: a name without blanks."""
_FOLDER = re.compile(r"(?P<folder>[\w./@%+,-]+):")


class Entry(NamedTuple):
    """One line of a listing."""

    path: str
    """Absolute."""
    owner: str
    group: str
    mode: str
    """As chmod(1) takes it: `u=rwx,g=rx,o=`."""
    folder: bool


def entries(commands: Iterable[CommandRun], workdir: str) -> tuple[Entry, ...]:
    """What listings of a run show, each path once, as it was first shown; folders before what is in them."""
    found: dict[str, Entry] = {}
    for command in commands:
        steps = [step for step in command.steps if step.command.program == "ls"]
        if len(steps) == 1 and any(_LONG.fullmatch(word) for word in steps[0].command.arguments):
            for entry in _listed(steps[0], command.output or "", posixpath.join(workdir, command.cwd or "")):
                found.setdefault(entry.path, entry)
    return tuple(sorted(found.values(), key=lambda entry: entry.path.count("/"))[:MOST])


def shows(user: str, commands: Iterable[CommandRun]) -> bool:
    """Whether id(1), or a file's owner, tells that a run had the user: a profile may only suppose it."""
    told = re.compile(rf"\buid=\d+\({re.escape(user)}\)")
    owned = (match["owner"] for command in commands for match in _ENTRY.finditer(command.output or ""))
    return any(told.search(command.output or "") for command in commands) or user in owned


def _listed(step: Step, output: str, cwd: str) -> Iterator[Entry]:
    places = [word for word in step.command.arguments if not word.startswith("-")]
    folder = step.at(places[0] if len(places) == 1 else ".", cwd)
    itself = any(word.startswith("-") and not word.startswith("--") and "d" in word for word in step.command.arguments)
    base = step.at(".", cwd) if itself or len(places) > 1 else folder
    for line in output.splitlines():
        if heading := _FOLDER.fullmatch(line.strip()):
            base = step.at(heading["folder"], cwd)
        elif base is not None and (match := _ENTRY.fullmatch(line.strip())) and match["name"] != "..":
            path = step.at(match["name"], cwd) if match["name"] in places else posixpath.join(base, match["name"])
            yield Entry(
                posixpath.normpath(path or match["name"]),
                match["owner"],
                match["group"],
                _symbolic(match["mode"]),
                match["kind"] == "d",
            )


def _symbolic(mode: str) -> str:
    parts = (mode[place : place + 3].lower().replace("-", "").replace("t", "x") for place in (0, 3, 6))
    return ",".join(f"{who}={part}" for who, part in zip("ugo", parts, strict=True))


def given_back(shown: Iterable[Entry], workdir: str, user: str) -> str:
    """What root does so that what lies in the working directory belongs to whom it belonged to, where that was not the
    user; empty where nothing did.
    """
    below = workdir.rstrip("/") + "/"
    mine = [entry for entry in shown if f"{entry.path}/".startswith(below)]
    if all(entry.owner == user for entry in mine):
        return ""
    lines = []
    for entry in mine:
        path, owner = shlex.quote(entry.path), shlex.quote(f"{entry.owner}:{entry.group}")
        every = "-R " if entry.folder else ""
        lines.append(f"[ ! -e {path} ] || {{ chown {every}-h {owner} {path} && chmod {entry.mode} {path}; }}")
    return "; ".join((*lines, "true"))
