"""Permanent links: where anybody reads a task's own files, at one commit of a public repository."""

import hashlib
import os
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import quote

from cases import patterns as re
from cases.benchmarks import HubDataset
from cases.loading import load
from cases.model import Link, Model

LARGEST = 64_000_000
"""Bytes of a file that is compared with its commit."""
TEXTS = ("task.yaml", "task.toml", "instruction.md")
MACHINES = ("Dockerfile", "environment/Dockerfile")
_REMOTE = re.compile(
    r"^(?:https?://(?:[^/@\s]+@)?|ssh://(?:[^/@\s]+@)?|(?:[\w.-]+@)?)(?P<host>[\w.-]+)(?::\d+)?[:/]"
    r"(?P<path>(?:datasets/)?[\w.-]+/[\w./-]+?)(?:\.git)?/?$"
)
_QUIET = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
}
"""A stranger's repository may ask for programs to be run: nothing here fetches, and no file is looked at by git."""


class Forge(Model):
    """How a public site spells the link to a file's lines at a commit."""

    host: str
    file: str
    lines: str
    source: str


class Checkout(Model):
    """A clone whose commit its public site has."""

    root: Path
    forge: Forge
    repository: str
    commit: str
    blobs: dict[str, str]
    """The files of the commit, each with its object's name."""

    def link(self, file: Path, first: int = 0, last: int = 0) -> Link | None:
        """To lines of a file, counted from 1 and `last` included, or to the whole of it.

        None where it is not as in the commit.

        Raises:
            ValueError: it does not lie below the root.
            OSError: it cannot be read.
        """
        path = file.relative_to(self.root).as_posix()
        if path not in self.blobs or file.is_symlink() or file.stat().st_size > LARGEST:
            return None
        held = file.read_bytes()
        if hashlib.sha1(b"blob %d\0%s" % (len(held), held), usedforsecurity=False).hexdigest() != self.blobs[path]:
            return None
        return Link(
            path=path, url=_url(self.forge, self.repository, self.commit, path, first, last), commit=self.commit
        )


def of_row(file: Path, line: int) -> tuple[Link, ...]:
    """Of a line of a file of tasks."""
    checkout = _checkout(str(file.resolve().parent))
    found = checkout.link(file.resolve(), line, line) if checkout else None
    return (found,) if found else ()


def of_dataset(dataset: HubDataset, line: int) -> tuple[Link, ...]:
    """Of a line of a data set on the hub, whose revision is known."""
    hub = _forges()["huggingface.co"]
    url = _url(hub, f"datasets/{dataset.repository}", dataset.revision, dataset.file, line, line)
    return (Link(path=dataset.file, url=url, commit=dataset.revision),)


def of_folder(folder: Path, prompt: str | None) -> tuple[Link, ...]:
    """Of what a task's own files say of the work, and of the machine."""
    checkout = _checkout(str(folder.resolve()))
    return tuple(_of_files(checkout, folder.resolve(), prompt or "")) if checkout else ()


def _of_files(checkout: Checkout, folder: Path, prompt: str) -> Iterator[Link]:
    for name in (*TEXTS, *MACHINES):
        if (folder / name).is_file():
            lines = _lines(folder / name, prompt) if name in TEXTS else (0, 0)
            found = checkout.link(folder / name, *lines)
            if found:
                yield found


def _lines(file: Path, prompt: str) -> tuple[int, int]:
    """The first and last line of a file on which a text stands; (0, 0) where they cannot be told."""
    asked = [line.strip() for line in prompt.splitlines() if line.strip()]
    held = [line.strip() for line in file.read_text("utf-8", errors="replace").splitlines()]
    if not asked:
        return 0, 0
    first = next((at for at, line in enumerate(held, 1) if line.endswith(asked[0])), 0)
    last = next((at for at, line in enumerate(held, 1) if at >= first and line.startswith(asked[-1])), 0)
    return (first, last) if first and last else (0, 0)


def _url(forge: Forge, repository: str, commit: str, path: str, first: int, last: int) -> str:
    url = forge.file.format(repository=repository, commit=commit, path=quote(path))
    return url + forge.lines.format(first=first, last=last) if first else url


@cache
def _checkout(folder: str) -> Checkout | None:
    """The clone that a folder lies in; None where its site or its commit is nobody else's to see."""
    root, remote = (
        _git(folder, "rev-parse", "--show-toplevel"),
        _git(folder, "config", "--local", "--no-includes", "--get", "remote.origin.url"),
    )
    named = _REMOTE.match(remote)
    forge = _forges().get(named["host"].lower()) if named else None
    return _at(root, forge, named["path"]) if root and named and forge else None


@cache
def _at(root: str, forge: Forge, repository: str) -> Checkout | None:
    commit = _git(root, "rev-parse", "--verify", "HEAD^{commit}")
    shared = ("refs/remotes", "refs/tags")
    if not commit or not _git(root, "for-each-ref", "--count=1", "--contains", commit, *shared):
        return None
    listed = (line.partition("\t") for line in _git(root, "ls-tree", "-r", "-z", commit).split("\0"))
    blobs = {path: about.split()[2] for about, _, path in listed if path and about.split()[1] == "blob"}
    return Checkout(root=Path(root), forge=forge, repository=repository, commit=commit, blobs=blobs)


def _git(folder: str, *asked: str) -> str:
    command = ["git", "-C", folder, "--no-pager", "--no-replace-objects", *asked]
    try:
        done = subprocess.run(command, capture_output=True, check=False, timeout=30, env={**os.environ, **_QUIET})
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode("utf-8", "replace").strip() if done.returncode == 0 else ""


@cache
def _forges() -> dict[str, Forge]:
    return {one.host: one for one in load(tuple[Forge, ...], "cases", "forges.toml", "forge")}
