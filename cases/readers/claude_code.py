"""Claude Code: what `--output-format stream-json` prints, and the sessions that it keeps."""

from functools import partial
from pathlib import Path
from typing import Any

from cases.model import Run, Task, Transcript
from cases.readers.base import Found, RunRecord
from cases.readers.clipping import transcript_of_pieces
from cases.readers.events_log import events
from cases.readers.fields import date_of, listed, mapping, stem_of, text_of, trimmed
from cases.readers.messages import Piece, message_of
from cases.readers.sniff import Head

SPOKEN = frozenset({"user", "assistant"})
TYPES = frozenset({"system", "user", "assistant", "result", "summary", "file-history-snapshot", "queue-operation"})
MARKED = frozenset({"Bash"})
"""Tools whose result is marked as an error exactly where what they ran failed."""


class ClaudeCodeReader:
    """Reads one run a file; it names no task, so that the file's name stands for it."""

    name = "Claude Code stream-json or session"
    signs = "a type that Claude Code gives its events, beside a session's id or a message"
    omits = "usage, costs, file snapshots, and the list of tools"

    def recognises(self, head: Head) -> bool:
        """The first event's keys."""
        if {"type", "session_id"} <= head.listed_keys:
            return True
        stated, keys = head.shape.get("type"), head.json_keys
        if stated is None or stated.text not in TYPES:
            return False
        session = bool({"session_id", "sessionId", "leafUuid", "parentUuid", "isSnapshotUpdate", "cwd"} & keys)
        return session and bool({"message", "subtype", "summary", "snapshot", "operation"} & keys)

    def read(self, path: Path) -> Found:
        """One run."""
        seen = [mapping(event) for event in events(path)]
        said = [event for event in seen if str(event.get("type")) in SPOKEN]
        begun = next((event for event in seen if event.get("subtype") == "init"), {})
        ended: dict[str, Any] = next((event for event in reversed(seen) if event.get("type") == "result"), {})
        spoken = [mapping(event.get("message")) for event in said]
        model = text_of(begun.get("model")) or next((m for one in spoken if (m := text_of(one.get("model")))), None)
        asked = next((one for one in spoken if one.get("role") == "user" and message_of(one).body), {})
        session = next((found for event in seen if (found := trimmed(_session(event)))), None)
        facts = {"scaffold": "Claude Code", "exit_status": text_of(ended.get("subtype")), "error": _failed(ended)}
        run = Run(
            run_id=session or stem_of(path),
            agent="Claude Code",
            model=model,
            date=next((day for event in seen if (day := date_of(event.get("timestamp")))), None),
            answer=text_of(ended.get("result")) if not facts["error"] else None,
            environment={key: value for key, value in facts.items() if value},
            source=str(path),
        )
        task_id = stem_of(path)
        task = Task(prompt=message_of(asked).body or None if asked else None)
        load = partial(_transcript, path) if said else None
        return Found([RunRecord(None, task_id, run, task, load, own_id=session is not None)])


def _session(event: dict[str, Any]) -> Any:  # noqa: ANN401
    return event.get("session_id") or event.get("sessionId")


def _failed(ended: dict[str, Any]) -> str | None:
    """The provider's error with which a run ended."""
    return text_of(ended.get("result")) if ended.get("is_error") else None


def _transcript(path: Path) -> Transcript | None:
    pieces: list[Piece] = []
    shell: set[str] = set()
    for raw in events(path):
        event = mapping(raw)
        if isinstance(raw, str):
            pieces.append(Piece("harness", "message", raw))
        elif str(event.get("type")) in SPOKEN and isinstance(event.get("message"), dict):
            pieces += _spoken(event["message"], shell)
        elif event.get("type") == "result" and (error := _failed(event)):
            pieces.append(Piece("harness", "result", error))
    return transcript_of_pieces(pieces)


def _spoken(message: dict[str, Any], shell: set[str]) -> list[Piece]:
    """A message's pieces; `shell` collects the calls whose results are marked."""
    found = list(message_of(message).pieces)
    marks = {
        str(part.get("tool_use_id")): part.get("is_error")
        for part in listed(message.get("content"))
        if isinstance(part, dict) and part.get("type") == "tool_result"
    }
    shell.update(piece.call_id for piece in found if piece.call_id and piece.tool in MARKED)
    return [
        Piece(piece.role, "result", piece.text, call_id=piece.call_id, exit_code=0)
        if piece.kind == "result" and piece.call_id in shell and marks.get(piece.call_id or "") is False
        else piece
        for piece in found
        if piece.text or piece.kind != "message" or not marks
    ]
