"""Codex: what `codex exec --json` prints, and the sessions (`rollout-*.jsonl`) that it keeps."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from cases.model import Run, Task, Transcript
from cases.readers.base import Found, RunRecord
from cases.readers.clipping import transcript_of_pieces
from cases.readers.events_log import events, inner
from cases.readers.fields import date_of, exit_code_of, mapping, stem_of, text_of, trimmed
from cases.readers.messages import Piece, call_of, clean, dumped, message_of
from cases.readers.sniff import Head

FIRST = frozenset({"thread.started", "turn.started", "session_meta"})
SHELL = "shell"
LEFT = frozenset(
    {"thread.started", "turn.started", "turn.completed", "session_meta", "turn_context", "item.started", "item.updated"}
)
SAID = frozenset({"agent_message", "agent_reasoning", "reasoning"})
FAILED = frozenset({"error", "turn.failed", "turn_aborted", "stream_error"})


class CodexReader:
    """Reads one run a file, of three generations; it names no task, so that the file's name stands for it."""

    name = "Codex exec events or session"
    signs = "a first event of type thread.started or session_meta, or an id beside a msg that has a type"
    omits = "token counts, reasoning that is encrypted, and patches' previews"

    def recognises(self, head: Head) -> bool:
        """The first event's type and keys."""
        stated, keys = head.shape.get("type"), head.json_keys
        if stated is not None and stated.text in FIRST:
            return bool({"thread_id", "payload"} & keys) or keys == {"type"}
        return ({"id", "msg"} <= keys and "type" in head.item_keys("msg")) or {"workdir", "provider"} <= keys

    def read(self, path: Path) -> Found:
        """One run."""
        pieces = _pieces(path)
        asked = next((piece.text for piece in pieces if piece.role == "user" and not piece.text.startswith("<")), None)
        seen = [mapping(event) for event in events(path)]
        session = next((found for event in seen if (found := trimmed(_session(event)))), None)
        error = next((piece.text for piece in reversed(pieces) if piece.role == "harness"), None)
        said = [piece for piece in pieces if piece.role == "assistant" and piece.kind == "message"]
        run = Run(
            run_id=session or stem_of(path),
            agent="Codex",
            model=next((model for event in seen if (model := text_of(_payload(event).get("model")))), None),
            date=next((day for event in seen if (day := date_of(event.get("timestamp")))), None),
            answer=said[-1].text if said and not error else None,
            environment={"scaffold": "Codex"} | ({"error": error} if error else {}),
            source=str(path),
        )
        task_id = stem_of(path)
        load = partial(_transcript, path) if pieces else None
        return Found([RunRecord(None, task_id, run, Task(prompt=asked), load, own_id=session is not None)])


def _payload(event: dict[str, Any]) -> dict[str, Any]:
    return mapping(event.get("payload")) or mapping(event.get("msg")) or event


def _session(event: dict[str, Any]) -> Any:  # noqa: ANN401
    return event.get("thread_id") or (_payload(event).get("id") if event.get("type") == "session_meta" else None)


def _transcript(path: Path) -> Transcript | None:
    return transcript_of_pieces(_pieces(path))


def _pieces(path: Path) -> list[Piece]:
    found: list[Piece] = []
    for raw in events(path):
        if isinstance(raw, dict):
            found += _of(raw, {piece.text for piece in found[-4:]})
        else:
            found.append(Piece("harness", "message", raw if isinstance(raw, str) else dumped(raw)))
    return found


def _of(event: dict[str, Any], just: set[str]) -> Iterator[Piece]:
    """One event's pieces; `just` is what was said last, which sessions keep twice."""
    kind = str(event.get("type"))
    if kind in FAILED:
        told = mapping(event.get("error")).get("message", event.get("message"))
        yield Piece("harness", "result", text_of(told) or dumped(event))
    elif kind in LEFT:
        return
    elif isinstance(event.get("item"), dict):
        yield from _item(event["item"])
    elif kind == "response_item":
        yield from _response(mapping(event.get("payload")))
    elif kind == "event_msg" or isinstance(event.get("msg"), dict):
        yield from (piece for piece in _told(_payload(event)) if piece.text not in just)
    elif kind in ("message", "function_call", "function_call_output", "reasoning", "local_shell_call"):
        yield from _response(event)
    elif text := text_of(event.get("prompt")):
        yield Piece("user", "message", text)


def _item(item: dict[str, Any]) -> Iterator[Piece]:
    """An item of the newest generation: a call together with what came of it."""
    kind, call_id = item.get("type", item.get("item_type")), trimmed(item.get("id"))
    match kind:
        case "command_execution":
            yield call_of("assistant", SHELL, {"command": item.get("command")}, call_id)
            output, code = text_of(item.get("aggregated_output")) or "", exit_code_of(item.get("exit_code"))
            yield Piece("tool", "result", output, SHELL, call_id=call_id, exit_code=code)
        case "agent_message" | "assistant_message" | "reasoning" | "user_message":
            yield Piece("user" if kind == "user_message" else "assistant", "message", text_of(item.get("text")) or "")
        case "error":
            yield Piece("harness", "result", text_of(item.get("message")) or dumped(item))
        case _:
            tool = item.get("tool") or kind
            rest = {key: value for key, value in item.items() if key not in ("id", "type", "result", "status", "error")}
            yield call_of("assistant", tool, mapping(inner(item.get("arguments"))) or rest, call_id)
            told = item.get("result") or item.get("error")
            if told is not None or item.get("status"):
                text = text_of(told) or (dumped(told) if told is not None else text_of(item.get("status")) or "")
                yield Piece("tool", "result", text, call_id=call_id)


def _response(item: dict[str, Any]) -> Iterator[Piece]:
    """An item as the model's provider words it."""
    call_id = trimmed(item.get("call_id")) or trimmed(item.get("id"))
    match item.get("type"):
        case "local_shell_call":
            yield call_of("assistant", SHELL, {"command": mapping(item.get("action")).get("command")}, call_id)
        case "custom_tool_call":
            yield call_of("assistant", item.get("name"), {"input": item.get("input")}, call_id)
        case "function_call_output" | "custom_tool_call_output" | "local_shell_call_output":
            told = inner(item.get("output"))
            output = text_of(mapping(told).get("output", mapping(told).get("content")))
            code = exit_code_of(mapping(mapping(told).get("metadata")).get("exit_code"))
            text = output if output is not None else clean(told) if isinstance(told, str) else dumped(told)
            yield Piece("tool", "result", text, call_id=call_id, exit_code=code)
        case _:
            yield from message_of(item).pieces


def _told(told: dict[str, Any]) -> Iterator[Piece]:
    """What older generations say of a run while it goes on."""
    call_id = trimmed(told.get("call_id"))
    match told.get("type"):
        case "exec_command_begin":
            arguments = {"command": told.get("command"), "cwd": told.get("cwd")}
            yield call_of("assistant", SHELL, arguments, call_id)
        case "exec_command_end":
            parts = [text_of(told.get(name)) for name in ("stdout", "stderr")]
            output = "\n".join(part for part in parts if part) or text_of(told.get("aggregated_output")) or ""
            yield Piece("tool", "result", output, SHELL, call_id=call_id, exit_code=exit_code_of(told.get("exit_code")))
        case "tool_call":
            yield call_of("assistant", told.get("name"), told.get("input"), call_id)
        case "user_message":
            yield Piece("user", "message", text_of(told.get("message")) or "")
        case str(kind) if kind in SAID:
            yield Piece("assistant", "message", text_of(told.get("message", told.get("text"))) or "")
        case str(kind) if kind in FAILED:
            yield Piece("harness", "result", text_of(told.get("message", told.get("reason"))) or dumped(told))
