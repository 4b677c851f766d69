"""What is remembered of a model between audits: replies, the method a server understands, and the last conversation."""

import hashlib
import json
import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from cases import Case
from cases import patterns as re

_METHODS = "methods.json"
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


def conversation_of(case: Case) -> str:
    """The journal's name for a case: readable, and safe as a folder."""
    readable = _UNSAFE.sub("-", case.task_id)[:60].strip(".-") or "task"
    named = hashlib.sha256(f"{case.benchmark} {case.task_id}".encode("utf-8", "replace"))
    return f"{readable}-{named.hexdigest()[:12]}"


def digest(value: object) -> str:
    """SHA-256 of a JSON value."""
    return hashlib.sha256(json.dumps(value, sort_keys=True, ensure_ascii=False).encode("utf-8", "replace")).hexdigest()


class Memory:
    """A directory of JSON files; without one nothing is remembered. A file that cannot be read counts as absent."""

    def __init__(self, root: Path | None) -> None:
        """`root` is made when something is kept."""
        self._root = root

    def recall(self, key: str) -> dict[str, Any] | None:
        """The reply kept under a key."""
        return self._load(f"replies/{key[:2]}/{key}.json")

    def keep(self, key: str, reply: Mapping[str, Any]) -> None:
        """Remember a reply."""
        self._store(f"replies/{key[:2]}/{key}.json", dict(reply))

    def method(self, server: str) -> str | None:
        """The method that a server and model were found to understand."""
        known = (self._load(_METHODS) or {}).get(server)
        return known if isinstance(known, str) else None

    def learn(self, server: str, method: str) -> None:
        """Remember that method."""
        self._store(_METHODS, (self._load(_METHODS) or {}) | {server: method})

    def tell(self, conversation: str, entry: Mapping[str, Any], *, first: bool) -> None:
        """Write an exchange into the journal; the first of a conversation replaces the one before."""
        folder = self._folder(conversation)
        before = sorted(folder.glob("*.json")) if folder is not None else []
        for old in before if first else ():
            old.unlink(missing_ok=True)
        number = 1 if first else len(before) + 1
        self._store(f"journal/{conversation}/{number:03}.json", dict(entry))

    def told(self, conversation: str) -> Iterator[dict[str, Any]]:
        """The exchanges of the last conversation of that name."""
        folder = self._folder(conversation)
        for path in sorted(folder.glob("*.json")) if folder is not None else ():
            entry = self._load(f"journal/{conversation}/{path.name}")
            if entry:
                yield entry

    def conversations(self, task_id: str) -> list[str]:
        """Names of those about a task, by the beginning of its id."""
        folder = self._folder(".")
        readable = _UNSAFE.sub("-", task_id)[:60].strip(".-")
        found = folder.iterdir() if folder is not None and folder.is_dir() else ()
        return sorted(path.name for path in found if readable and path.name.startswith(readable))

    def _folder(self, conversation: str) -> Path | None:
        return None if self._root is None else self._root / "journal" / conversation

    def _load(self, name: str) -> dict[str, Any] | None:
        if self._root is None:
            return None
        try:
            value = json.loads((self._root / name).read_text("utf-8"))
        except (OSError, ValueError):
            return None
        return value if isinstance(value, dict) else None

    def _store(self, name: str, value: dict[str, Any]) -> None:
        if self._root is None:
            return
        path = self._root / name
        for folder in reversed([path.parent, *path.parent.parents]):
            if folder.is_relative_to(self._root):
                folder.mkdir(0o700, parents=True, exist_ok=True)
        partial = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
        try:
            partial.touch(mode=0o600)
            partial.write_text(json.dumps(value, ensure_ascii=False, indent=1), "utf-8", "backslashreplace")
            partial.replace(path)
        finally:
            with suppress(OSError):
                partial.unlink(missing_ok=True)
