"""What single OpenHands events say, of the generation up to 0.x (`action`, `observation`) and of the SDK (`kind`)."""

from typing import Any

from cases.readers.fields import exit_code_of, mapping, text_of, trimmed
from cases.readers.messages import Piece, call_of, clean, dumped, message_of

SPOKEN = frozenset({"message", "system"})
"""Actions that only say something."""
TOOLS = {"run": "execute_bash", "run_ipython": "execute_ipython_cell"}
"""Which tool an action stands for that names none."""
ROLES = {"agent": "assistant", "user": "user", "environment": "environment"}
SILENT = frozenset(
    {"ConversationStateUpdateEvent", "TokenEvent", "CondensationRequest", "PauseEvent", "LLMCompletionLogEvent"}
)


def pieces_of(raw: object, number: int) -> list[Piece]:
    """The pieces of one event, the `number`th of its run."""
    if not isinstance(raw, dict):
        return [Piece("unknown", "message", dumped(raw))]
    source = str(raw.get("source") or "unknown")
    role = ROLES.get(source, clean(source))
    if isinstance(raw.get("kind"), str):
        return _of_kind(raw, role)
    call = mapping(raw.get("tool_call_metadata"))
    stated = text_of(call.get("tool_call_id"))
    tool = text_of(call.get("function_name"))
    if raw.get("observation") is not None:
        return [_observed(raw, stated or f"event-{raw.get('cause', number)}", tool)]
    action, arguments = text_of(raw.get("action")), mapping(raw.get("args"))
    if action is None:
        return [Piece(role, "message", dumped(raw))]
    if action in SPOKEN:
        said = arguments.get("content", raw.get("message"))
        return [Piece("system" if action == "system" else role, "message", _text(said))]
    return _acted(role, tool or TOOLS.get(action, action), arguments, stated or f"event-{raw.get('id', number)}")


def _acted(role: str, tool: str, arguments: dict[str, Any], call_id: str) -> list[Piece]:
    """The thought, where there is one, and the call."""
    thought = text_of(arguments.get("thought"))
    rest = {key: value for key, value in arguments.items() if key != "thought" or not thought}
    said = [Piece(role, "message", thought)] if thought else []
    return [*said, call_of(role, tool, rest, call_id)]


def _observed(raw: dict[str, Any], call_id: str, tool: str | None) -> Piece:
    extras = mapping(raw.get("extras"))
    code = exit_code_of(mapping(extras.get("metadata")).get("exit_code", extras.get("exit_code")))
    return Piece(
        "tool",
        "result",
        _text(raw.get("content", raw.get("message"))),
        tool or text_of(raw.get("observation")),
        call_id=call_id,
        exit_code=code,
        url=text_of(extras.get("url")),
    )


def _of_kind(raw: dict[str, Any], role: str) -> list[Piece]:
    """An event of the SDK."""
    kind = raw["kind"]
    found = [Piece(role, "message", dumped(raw))]
    if kind in SILENT:
        found = []
    elif kind == "SystemPromptEvent":
        found = list(message_of({"role": "system", "content": [raw.get("system_prompt")]}).pieces)
    elif kind == "MessageEvent":
        said = mapping(raw.get("llm_message"))
        found = list(message_of({"role": role, "content": said.get("content")}).pieces)
    elif kind == "ActionEvent":
        found = _called(raw, role)
    elif "observation" in raw or kind == "AgentErrorEvent":
        found = [_answered(raw)]
    elif "Error" in kind:
        told = [text_of(raw.get(name)) for name in ("code", "detail", "error", "message")]
        found = [Piece("harness", "result", ": ".join(part for part in told if part) or dumped(raw))]
    return found


def _called(raw: dict[str, Any], role: str) -> list[Piece]:
    thought = message_of({"role": role, "content": raw.get("thought")}).body
    given = mapping(raw.get("action")) or mapping(raw.get("tool_call")).get("arguments")
    rest = {key: value for key, value in given.items() if key != "kind"} if isinstance(given, dict) else given
    call = call_of(role, raw.get("tool_name"), rest, raw.get("tool_call_id"))
    return [Piece(role, "message", thought), call] if thought else [call]


def _answered(raw: dict[str, Any]) -> Piece:
    seen = mapping(raw.get("observation"))
    told = seen.get("content", seen.get("output", raw.get("error")))
    return Piece(
        "tool",
        "result",
        message_of({"role": "tool", "content": told}).body if isinstance(told, list) else _text(told),
        text_of(raw.get("tool_name")),
        call_id=trimmed(raw.get("tool_call_id")),
        exit_code=exit_code_of(mapping(seen.get("metadata")).get("exit_code", seen.get("exit_code"))),
        url=text_of(seen.get("url")),
    )


def _text(value: object) -> str:
    return clean(value) if isinstance(value, str) else "" if value is None else dumped(value)
