"""Whether a later command of the run had the file that was missing: it listed that path, or opened it."""

import posixpath
from collections.abc import Iterator
from pathlib import PurePosixPath

from cases import CommandRun
from cases import patterns as re
from cases.shell import Command, Step
from cases.touches import shows_pointer

_LISTS = frozenset({"ls", "find", "tree"})
_BESIDE = frozenset({"cd", "pwd", "sort", "uniq", "head", "tail", "wc", "grep", "egrep", "echo", "true"})
"""Programs that, beside those that list, print no path of their own; some only behind a pipe."""
_READS = frozenset(
    {"cat", "head", "tail", "wc", "less", "more", "sort", "uniq", "cut", "md5sum", "sha1sum", "sha256sum", "stat", "cp"}
    | {
        "awk",
        "gawk",
        "sed",
        "grep",
        "zcat",
        "gunzip",
        "unzip",
        "tar",
        "python",
        "python3",
        "Rscript",
        "bash",
        "sh",
        "du",
    }
)
_SCRIPTED = frozenset({"awk", "gawk", "sed", "grep"})
"""Their first word is no file."""
_LONG = re.compile(r"^[-dbcps][-rwxsStT]{9}[.+@]?\s.*\s(?P<path>\S+)$")
_BRANCH = re.compile(r"^[\s│├└─|`+-]*")
_ASKS = re.compile(r"\bif\b|\bexists\(|\bis_file\(")
_OPENS = re.compile(
    r"(?:\bopen|\bread_\w+|\bload\w*|\bimread|\bfromfile|\bDataset|\bFile)\(\s*"
    r"r?['\"](?P<path>[^'\"\n]+)['\"](?P<rest>[^)\n]*)"
)
_WRITES = re.compile(r"['\"][wax][bt+]*['\"]")


def listed(path: str, event: CommandRun) -> bool:
    """Whether a listing shows that very path, alone on its line."""
    names = {step.command.program for step in event.steps}
    if not names & _LISTS or names - _LISTS - _BESIDE or any(step.inside == "found" for step in event.steps):
        return False
    said = [word for step in event.steps if step.command.program == "echo" for word in step.command.arguments]
    if any(PurePosixPath(path).name in word for word in said):
        return False
    folders = [folder for step in event.steps for folder in _folders(step)] or [""]
    shown = (_shown(line) for line in (event.output or "").splitlines())
    return any(_same(path, folder, found) for found in shown if found for folder in folders)


def opened(path: str, event: CommandRun) -> bool:
    """Whether a command that surely succeeded read a file of that name."""
    name = PurePosixPath(path).name
    if not name or shows_pointer(event):
        return False
    if any(_reads(step.command, name) for step in event.proven):
        return True
    return any(_opens(code, name) for code in event.code_run)


def _reads(command: Command, name: str) -> bool:
    if command.program not in _READS:
        return False
    files = [word for word in command.arguments if not word.startswith("-")]
    files = files[1:] if command.program in _SCRIPTED else files[:1] if command.program == "cp" else files
    files += [one.target.text for one in command.redirects if one.target and one.operator == "<"]
    return any(PurePosixPath(word).name == name for word in files)


def _opens(code: str, name: str) -> bool:
    if _ASKS.search(code):
        return False
    calls = _OPENS.finditer(code)
    return any(PurePosixPath(call["path"]).name == name and not _WRITES.search(call["rest"]) for call in calls)


def _shown(line: str) -> str | None:
    long = _LONG.match(line)
    bare = long["path"] if long else _BRANCH.sub("", line.rstrip(), count=1)
    return bare if bare and not re.search(r"\s|:$", bare) else None


def _folders(step: Step) -> Iterator[str]:
    """Where the names are that a listing without directories shows."""
    if step.command.program == "ls":
        named = [word for word in step.command.arguments if not word.startswith("-")]
        yield from (posixpath.join(step.folder or "", word) for word in named or [""])


def _same(path: str, folder: str, shown: str) -> bool:
    found = shown if "/" in shown else f"{folder}/{shown}" if folder else shown
    wanted, there = _pieces(path), _pieces(found)
    if path.startswith("/") and found.startswith("/"):
        return wanted == there
    if not path.startswith("/") and not found.startswith("/"):
        return wanted == there
    short, long = sorted((wanted, there), key=len)
    return len(short) > 1 and long[-len(short) :] == short


def _pieces(path: str) -> list[str]:
    return [piece for piece in path.rstrip("*@=|").split("/") if piece not in {"", "."}]
