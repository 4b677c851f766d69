"""Gemini CLI: the sessions that it keeps, and what `--output-format stream-json` prints."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from cases.model import Run, Task, Transcript
from cases.readers.base import Found, RunRecord
from cases.readers.clipping import transcript_of_pieces
from cases.readers.events_log import events
from cases.readers.fields import date_of, listed, mapping, stem_of, text_of, trimmed
from cases.readers.messages import Piece, call_of, dumped, message_of
from cases.readers.sniff import Head

AGENT = frozenset({"gemini", "model", "assistant"})


class GeminiReader:
    """Reads one run a file; it names no task, so that the file's name stands for it."""

    name = "Gemini CLI session or stream-json"
    signs = "messages beside sessionId and projectHash or startTime, or a first event of type init with session_id"
    omits = "token counts and the display of results"

    def recognises(self, head: Head) -> bool:
        """The session's keys, or the first event's."""
        keys, stated = head.json_keys, head.shape.get("type")
        if "sessionId" in keys and bool({"projectHash", "startTime"} & keys):
            return "messages" in keys or "kind" in keys
        return {"type", "session_id", "model"} <= keys and stated is not None and stated.text == "init"

    def read(self, path: Path) -> Found:
        """One run."""
        pieces = list(_pieces(path))
        first = next((mapping(event) for event in events(path)), {})
        session = trimmed(first.get("sessionId")) or trimmed(first.get("session_id"))
        said = [piece for piece in pieces if piece.role == "assistant" and piece.kind == "message" and piece.text]
        error = next((piece.text for piece in reversed(pieces) if piece.role == "harness"), None)
        run = Run(
            run_id=session or stem_of(path),
            agent="Gemini CLI",
            model=text_of(first.get("model")),
            date=date_of(first.get("startTime") or first.get("timestamp")),
            answer=said[-1].text if said and not error else None,
            environment={"scaffold": "Gemini CLI"} | ({"error": error} if error else {}),
            source=str(path),
        )
        task_id = stem_of(path)
        prompt = next((piece.text for piece in pieces if piece.role == "user" and piece.text), None)
        load = partial(_transcript, path) if pieces else None
        return Found([RunRecord(None, task_id, run, Task(prompt=prompt), load, own_id=session is not None)])


def _transcript(path: Path) -> Transcript | None:
    return transcript_of_pieces(_pieces(path))


def _pieces(path: Path) -> Iterator[Piece]:
    begun = ""
    for raw in _single(path):
        event = mapping(raw)
        if isinstance(raw, str):
            yield Piece("harness", "message", raw)
        elif event.get("type") == "message" and event.get("delta"):
            begun += text_of(event.get("content")) or ""
            continue
        elif begun:
            yield Piece("assistant", "message", begun)
            begun = ""
        yield from _of(event)
    if begun:
        yield Piece("assistant", "message", begun)


def _single(path: Path) -> Iterator[Any]:
    """The messages of a session in one object, or the events of a stream."""
    for raw in events(path):
        if isinstance(raw, str) or "messages" not in mapping(raw):
            yield raw
        else:
            yield from listed(raw["messages"])


def _of(event: dict[str, Any]) -> Iterator[Piece]:
    kind = text_of(event.get("type")) or ""
    role = "assistant" if kind in AGENT or event.get("role") in AGENT else "user"
    match kind:
        case "tool_use":
            yield call_of("assistant", event.get("tool_name"), event.get("parameters"), event.get("tool_id"))
        case "tool_result":
            told = text_of(event.get("output")) or text_of(mapping(event.get("error")).get("message")) or ""
            yield Piece("tool", "result", told, call_id=trimmed(event.get("tool_id")))
        case "error":
            yield Piece("harness", "result", text_of(event.get("message", event.get("content"))) or dumped(event))
        case "result" if event.get("error"):
            yield Piece("harness", "result", text_of(mapping(event.get("error")).get("message")) or dumped(event))
        case "user" | "gemini" | "model" | "assistant" | "message":
            yield from message_of({"role": role, "content": event.get("content")}).pieces
            yield from _calls(event)


def _calls(event: dict[str, Any]) -> Iterator[Piece]:
    """A session keeps each call with its results."""
    for raw in listed(event.get("toolCalls")):
        call = mapping(raw)
        call_id = trimmed(call.get("id"))
        yield call_of("assistant", call.get("name"), call.get("args"), call_id)
        told = [_response(mapping(part)) for part in listed(call.get("result"))]
        if told or call.get("status"):
            yield Piece("tool", "result", "\n".join(told) or text_of(call.get("status")) or "", call_id=call_id)


def _response(part: dict[str, Any]) -> str:
    response = mapping(mapping(part.get("functionResponse")).get("response"))
    told = text_of(response.get("output")) or text_of(response.get("error")) or text_of(part.get("text"))
    return told or dumped(response or part)
