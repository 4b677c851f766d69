"""Aider's `.aider.chat.history.md`: what was asked, what the model said, and what aider told of its doing."""

from collections.abc import Iterator
from functools import partial
from itertools import groupby
from pathlib import Path

from cases import patterns as re
from cases.errors import InputError
from cases.model import Run, Task, Transcript
from cases.readers.base import Found, RunRecord
from cases.readers.clipping import transcript_of_pieces
from cases.readers.fields import date_of, trimmed
from cases.readers.messages import Piece, call_of, clean
from cases.readers.sniff import Head
from cases.readers.streams import WHOLE_LIMIT, opened
from cases.sentences import Sentences

say = Sentences(__name__)

STARTED = re.compile(r"^# aider chat started at (?P<day>\d{4}-\d\d-\d\d)", re.MULTILINE)
RUNNING = re.compile(r"^Running (?P<command>.+)$")
APPLIED = re.compile(r"^>\s*Applied edit to (?P<path>\S.*?)\s*$", re.MULTILINE)
SEARCH, DIVIDED, REPLACED, FENCE = "<<<<<<< SEARCH", "=======", ">>>>>>> REPLACE", "```"
EDITOR = "edit_file"
ASKED, TOLD = "#### ", "> "


class AiderReader:
    """Reads one run a file, all its chats one after another; it names no task."""

    name = "Aider chat history (.aider.chat.history.md)"
    signs = "a line that says when an aider chat was started"
    omits = ""

    def recognises(self, head: Head) -> bool:
        """The line with which each chat begins."""
        return head.text is not None and STARTED.search(head.text) is not None

    def read(self, path: Path) -> Found:
        """One run."""
        pieces = list(_pieces(path))
        begun = STARTED.search("".join(piece.text + "\n" for piece in pieces if piece.role == "harness"))
        asked = next((piece.text for piece in pieces if piece.role == "user"), None)
        folder = trimmed(path.resolve().parent.name) or "aider"
        run = Run(
            run_id=folder,
            agent="Aider",
            date=date_of(begun["day"]) if begun else None,
            environment={"scaffold": "Aider"},
            source=str(path),
        )
        load = partial(_transcript, path) if pieces else None
        return Found([RunRecord(None, folder, run, Task(prompt=asked), load, own_id=False)])


def _transcript(path: Path) -> Transcript | None:
    return transcript_of_pieces(_pieces(path))


def _pieces(path: Path) -> Iterator[Piece]:
    with opened(path) as stream:
        raw = stream.read(WHOLE_LIMIT + 1)
    if len(raw) > WHOLE_LIMIT:
        raise InputError(say("aider.chat_history_too_large", path=path))
    lines = clean(raw.decode("utf-8", "replace")).split("\n")
    calls = 0
    edits: list[tuple[str, str, str]] = []
    for kind, group in groupby(lines, _kind):
        told = list(group)
        text = "\n".join(line.removeprefix(kind).rstrip() if kind.strip() else line for line in told).strip("\n")
        if not text.strip():
            continue
        if kind == TOLD:
            for piece in (*_applied("\n".join(told), edits, calls), *_told(text, calls)):
                calls += piece.kind == "call"
                yield piece
        else:
            edits = list(_edits(text)) if not kind else edits
            yield Piece({ASKED: "user", "# ": "harness"}.get(kind, "assistant"), "message", text)


def _edits(text: str) -> Iterator[tuple[str, str, str]]:
    """Path, old and new text of each edit in a message; the path stands before its fence, or first within it."""
    before, path, parts = ("", ""), "", list[list[str]]()
    for line in text.split("\n"):
        if line.rstrip() == SEARCH:
            path, parts = before[0] if before[1].startswith(FENCE) else before[1], [[]]
        elif parts and line.rstrip() == DIVIDED and len(parts) == 1:
            parts.append([])
        elif len(parts) == 2 and line.rstrip() == REPLACED:
            yield path.strip(), "\n".join(parts[0]), "\n".join(parts[1])
            before, parts = (FENCE, path), []
            continue
        elif parts:
            parts[-1].append(line)
        before = before[1], line.strip()


def _applied(told: str, edits: list[tuple[str, str, str]], number: int) -> Iterator[Piece]:
    """The edits that aider says it made, each a call with its answer."""
    for path in dict.fromkeys(match["path"] for match in APPLIED.finditer(told)):
        for _, old, new in (one for one in edits if one[0] == path):
            number += 1
            changed = {"old_str": old, "new_str": new} if old else {"content": new}
            yield call_of("assistant", EDITOR, {"path": path, **changed}, f"edit-{number}")
            yield Piece("tool", "result", f"Applied edit to {path}", EDITOR, call_id=f"edit-{number}")


def _kind(line: str) -> str:
    if STARTED.match(line):
        return "# "
    marked = (mark for mark in (ASKED, TOLD) if line.startswith(mark.rstrip()) and not line.startswith(REPLACED))
    return next(marked, "")


def _told(text: str, number: int) -> Iterator[Piece]:
    """What aider says; a command that it runs is a call, and what follows its output."""
    said: list[str] = []
    call_id: str | None = None
    for line in text.split("\n"):
        line_ = line.lstrip(">").strip()
        if match := RUNNING.match(line_):
            yield from _said(said, call_id)
            said, number = [], number + 1
            call_id = f"run-{number}"
            yield call_of("assistant", "shell", {"command": match["command"]}, call_id)
        else:
            said.append(line_ if call_id is None else line)
    yield from _said(said, call_id)


def _said(lines: list[str], call_id: str | None) -> Iterator[Piece]:
    if text := "\n".join(lines).strip("\n"):
        yield Piece("tool", "result" if call_id else "message", text, "shell" if call_id else None, call_id=call_id)
