"""Chat messages in the shapes that logs hold them, taken apart without losing anything.

Understood: OpenAI chat and responses items, Anthropic content lists, LangChain's serialised messages (`lc`, `kwargs`),
bare strings; anything else is kept as its JSON text.
"""

import itertools
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from cases import patterns as re
from cases.model import Block

LANGCHAIN_ROLES = {
    "HumanMessage": "user",
    "AIMessage": "assistant",
    "AIMessageChunk": "assistant",
    "SystemMessage": "system",
    "ToolMessage": "tool",
    "FunctionMessage": "function",
    "human": "user",
    "ai": "assistant",
}
ASSISTANT_ROLES = frozenset({"assistant", "ai", "model"})
TEXT_PARTS = frozenset({"text", "input_text", "output_text", "summary_text"})
PART_NOTES = {
    "image_url": "[image]",
    "image": "[image]",
    "input_image": "[image]",
    "input_audio": "[audio]",
    "audio": "[audio]",
    "file": "[file]",
    "input_file": "[file]",
    "document": "[file]",
}
MOST_BLOCKS = 100_000
"""Entries of one transcript, a hundred times what the longest runs have."""
_PAIR = re.compile(r"[\ud800-\udbff][\udc00-\udfff]")
_HALVES = re.compile(r"[\ud800-\udfff]+")
KEPT = ("role", "kind", "text", "arguments", "call_id", "exit_code", "url")


@dataclass(frozen=True, slots=True)
class Piece:
    """One block to be, before it has a place in a transcript."""

    role: str
    kind: str
    text: str
    tool: str | None = None
    arguments: dict[str, Any] | None = None
    call_id: str | None = None
    aside: bool = False
    """Shown once, never repeated in later windows (a model's reasoning, an error of the provider)."""
    exit_code: int | None = None
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """One message: its pieces, and a key that is equal for the same message in two windows."""

    pieces: tuple[Piece, ...]
    key: tuple[Any, ...]
    body: str
    """The text without white space at its ends."""
    calls: tuple[tuple[str, str], ...]
    """Name and canonical arguments of each tool call."""

    @property
    def role(self) -> str:
        """Who speaks."""
        return self.pieces[-1].role


def clean(text: str) -> str:
    """The text without lone surrogates, which no UTF-8 file can hold."""
    if text.isascii() or not _HALVES.search(text):
        return text
    joined = _PAIR.sub(lambda pair: pair[0].encode("utf-16", "surrogatepass").decode("utf-16"), text)
    return _HALVES.sub(lambda halves: "\ufffd" * len(halves[0]), joined)


def message_of(raw: object) -> Message:
    """Take one logged message apart."""
    if isinstance(raw, str):
        return _message([Piece("unknown", "message", clean(raw))], ())
    if not isinstance(raw, dict):
        return _message([Piece("unknown", "message", _dump(raw))], ())
    role, fields = _unwrapped(raw)
    if fields.get("type") in ("function_call", "function_call_output", "reasoning"):
        return _responses_item(role, fields)
    if not {"content", "tool_calls", "function_call", "refusal", "parts"} & fields.keys():
        return _message([Piece(role, "message", _dump(raw))], ())
    pieces, marks = _content(role, fields.get("content", fields.get("parts")))
    if not any(piece.text for piece in pieces) and isinstance(fields.get("refusal"), str):
        pieces = [Piece(role, "message", clean(fields["refusal"]))]
    calls = list(_calls(role, fields))
    if role in ("tool", "function") or fields.get("tool_call_id"):
        pieces = [_as_result(piece, fields) for piece in pieces]
    if calls and len(pieces) == 1 and not pieces[0].text and pieces[0].kind == "message":
        pieces = []
    reasoning = fields.get("reasoning_content") or fields.get("reasoning")
    aside = [Piece(role, "message", clean(reasoning), aside=True)] if isinstance(reasoning, str) else []
    return _message([*aside, *pieces, *calls], marks)


def aside(role: str, text: str) -> Message:
    """Something that is part of the record but never of a later window, such as a provider's error."""
    return _message([Piece(role, "result", clean(text), aside=True)], ())


def blocks_of(messages: Iterable[Message]) -> tuple[Block, ...]:
    """The messages' pieces as blocks."""
    return blocks_of_pieces(piece for message in messages for piece in message.pieces)


def blocks_of_pieces(pieces: Iterable[Piece]) -> tuple[Block, ...]:
    """The pieces as numbered blocks; a result without a tool's name gets it from its call."""
    tools: dict[str, str] = {}
    blocks: list[Block] = []
    for piece in itertools.islice(pieces, MOST_BLOCKS):
        if piece.kind == "call" and piece.call_id and piece.tool:
            tools[piece.call_id] = piece.tool
        tool = piece.tool or (tools.get(piece.call_id) if piece.call_id else None)
        fields = {name: getattr(piece, name) for name in KEPT}
        blocks.append(Block.model_validate(fields | {"index": len(blocks), "tool": tool}))
    return tuple(blocks)


def call_of(role: str, tool: object, arguments: object, call_id: object = None) -> Piece:
    """A call of a tool; its arguments may be a mapping or JSON text."""
    return _call(role, tool, arguments, call_id)


def dumped(value: object) -> str:
    """JSON text of a value of no known shape, so that nothing of it gets lost."""
    return _dump(value)


def _unwrapped(raw: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Role and fields of a message, out of LangChain's envelope if it is in one."""
    fields = raw
    kind = raw.get("role")
    if isinstance(raw.get("kwargs"), dict):
        names = raw.get("id")
        fields = raw["kwargs"]
        kind = fields.get("role") or (names[-1] if isinstance(names, list) and names else fields.get("type"))
    elif isinstance(raw.get("data"), dict) and "content" in raw["data"]:
        fields = raw["data"]
        kind = fields.get("role") or raw.get("type") or fields.get("type")
    elif kind is None and raw.get("type") in LANGCHAIN_ROLES:
        kind = raw["type"]
    name = str(kind) if kind else "unknown"
    return clean(LANGCHAIN_ROLES.get(name, name)), fields


def _content(role: str, content: object) -> tuple[list[Piece], tuple[int, ...]]:
    """Pieces of a message's content, and marks that tell apart parts whose text does not (two screenshots)."""
    if content is None or isinstance(content, str):
        return [Piece(role, "message", clean(content or ""))], ()
    if not isinstance(content, list):
        return [Piece(role, "message", _dump(content))], ()
    texts: list[str] = []
    others: list[Piece] = []
    marks: list[int] = []
    for part in content:
        kind = str(part.get("type")) if isinstance(part, dict) else None
        if isinstance(part, str):
            texts.append(clean(part))
        elif kind == "tool_use":
            others.append(_call(role, part.get("name"), part.get("input"), part.get("id")))
        elif kind == "tool_result":
            inner, more = _content(role, part.get("content"))
            marks.extend(more)
            others.extend(Piece(role, "result", p.text, call_id=_text_or_none(part.get("tool_use_id"))) for p in inner)
        else:
            texts.append(_part_text(part))
            if kind not in TEXT_PARTS:
                marks.append(hash(_dump(part)))
    pieces = [Piece(role, "message", "\n".join(texts))] if texts or not others else []
    return [*pieces, *others], tuple(marks)


def _part_text(part: object) -> str:
    if not isinstance(part, dict):
        return _dump(part)
    kind = str(part.get("type", ""))
    for name in ("text", "thinking", "refusal"):
        if isinstance(part.get(name), str):
            return clean(part[name])
    if kind in PART_NOTES:
        return PART_NOTES[kind]
    return f"[{kind}]" if kind else _dump(part)


def _calls(role: str, fields: dict[str, Any]) -> Iterable[Piece]:
    """Tool calls wherever the message keeps them; LangChain keeps the same ones twice."""
    extra = fields.get("additional_kwargs")
    found = fields.get("tool_calls") or (extra.get("tool_calls") if isinstance(extra, dict) else None)
    for call in found if isinstance(found, list) else []:
        if not isinstance(call, dict):
            yield _call(role, None, call, None)
            continue
        function = call.get("function")
        inner = function if isinstance(function, dict) else call
        yield _call(role, inner.get("name"), inner.get("arguments", inner.get("args")), call.get("id"))
    legacy = fields.get("function_call") or (extra.get("function_call") if isinstance(extra, dict) else None)
    if isinstance(legacy, dict):
        yield _call(role, legacy.get("name"), legacy.get("arguments"), None)


def _call(role: str, name: object, arguments: object, call_id: object) -> Piece:
    tool = clean(name) if isinstance(name, str) and name else "unknown"
    text = clean(arguments) if isinstance(arguments, str) else _dump(arguments)
    try:
        parsed = json.loads(text)
        kept = json.loads(_dump(parsed)) if isinstance(parsed, dict) else None
    except (ValueError, RecursionError):
        kept = None
    return Piece(role, "call", f"{tool}({text})", tool, kept, _text_or_none(call_id))


def _responses_item(role: str, fields: dict[str, Any]) -> Message:
    call_id = fields.get("call_id") or fields.get("id")
    match fields["type"]:
        case "function_call":
            return _message([_call("assistant", fields.get("name"), fields.get("arguments"), call_id)], ())
        case "function_call_output":
            output = fields.get("output")
            text = clean(output) if isinstance(output, str) else _dump(output)
            return _message([Piece("tool", "result", text, call_id=_text_or_none(call_id))], ())
        case _:
            pieces, _ = _content(role if role != "unknown" else "assistant", fields.get("summary"))
            return _message(pieces, ())


def _as_result(piece: Piece, fields: dict[str, Any]) -> Piece:
    if piece.kind != "message":
        return piece
    name = fields.get("name")
    tool = clean(name) if isinstance(name, str) and name else None
    return Piece(piece.role, "result", piece.text, tool, call_id=_text_or_none(fields.get("tool_call_id")))


def _message(pieces: list[Piece], marks: tuple[int, ...]) -> Message:
    spoken = [piece for piece in pieces if not piece.aside]
    body = "\n".join(piece.text.strip() for piece in spoken if piece.kind != "call").strip()
    calls = tuple((piece.tool or "", _canonical(piece)) for piece in spoken if piece.kind == "call")
    ids = tuple(piece.call_id for piece in spoken if piece.kind == "result")
    role = "assistant" if pieces[-1].role in ASSISTANT_ROLES else pieces[-1].role
    key: tuple[Any, ...] = (role, body, calls, ids, marks)
    if not spoken:
        key = ("aside", role, *(piece.text for piece in pieces))
    return Message(tuple(pieces), key, body, calls)


def _canonical(piece: Piece) -> str:
    return piece.text if piece.arguments is None else json.dumps(piece.arguments, sort_keys=True)


def _dump(value: object) -> str:
    try:
        return clean(json.dumps(value, ensure_ascii=False, default=str))
    except RecursionError:
        return "[nested too deeply]"


def _text_or_none(value: object) -> str | None:
    return clean(str(value)) if value else None
