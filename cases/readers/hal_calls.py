"""The calls that a generation 1 HAL file logs for one task, rebuilt into one conversation."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from cases.model import Transcript
from cases.readers.clipping import transcript_of
from cases.readers.messages import Message, aside, clean, message_of
from cases.readers.windows import Call, Pool, merged
from cases.sentences import Sentences, counted

say = Sentences(__name__)

SHORT_PROMPT = 200
SHORT_ANSWER = 100
WINDOW_NAMES = ("messages", "dialogue_history", "input")


def task_of(raw: dict[str, Any]) -> str | None:
    """The task that a logged call belongs to."""
    attributes, inputs = raw.get("attributes"), raw.get("inputs")
    found = (
        raw.get("task_id"),
        attributes.get("weave_task_id") if isinstance(attributes, dict) else None,
        raw.get("weave_task_id"),
        inputs.get("task_id") if isinstance(inputs, dict) else None,
    )
    named = (clean(str(value)).strip() for value in found if isinstance(value, str | int | float))
    return next((name for name in named if name), None)


def shows_messages(raw: dict[str, Any]) -> bool:
    """Whether a logged call is one of a model."""
    inputs = raw.get("inputs")
    return isinstance(inputs, dict) and bool(_shown(inputs))


def talk_of(value: Any) -> list[Any]:  # noqa: ANN401 - a log may hold anything
    """The messages of a task's entry in a log by tasks, or (in some files) its calls."""
    entries = value.get("messages") if isinstance(value, dict) else value
    return entries if isinstance(entries, list) else []


class CallLog:
    """Collects the calls of one task; equal messages are held once, so that cumulative windows stay small."""

    def __init__(self, loose: int = 0) -> None:
        """Collect, where so many other calls name no task."""
        self._pool = Pool()
        self._calls: list[Call] = []
        self._others: Counter[str] = Counter()
        self._loose = loose
        self._unread = 0

    def add(self, raw: Any) -> None:  # noqa: ANN401
        """Take one of the task's entries of the log."""
        if not isinstance(raw, dict):
            return
        inputs = raw.get("inputs")
        window = _window(inputs if isinstance(inputs, dict) else {})
        if window is None:
            self._others[str(raw.get("op_name") or "unnamed")[:80]] += 1
            return
        outputs = _answers(raw.get("output"))
        if outputs is None:
            self._unread += 1
        exception = raw.get("exception")
        error = aside("harness", exception if isinstance(exception, str) else str(exception)) if exception else None
        output = raw.get("output")
        self._calls.append(
            Call(
                tuple(self._pool.add(message) for message in window),
                tuple(self._pool.add(message) for message in outputs or ()),
                self._pool.add(error) if error else None,
                str(raw.get("started_at") or raw.get("created_timestamp") or ""),
                _id(raw.get("id")),
                _id(raw.get("parent_id")),
                _id(output.get("id")) if isinstance(output, dict) else None,
            )
        )

    def transcript(self) -> Transcript | None:
        """The rebuilt conversation with notes of what was left out; None when nothing was said."""
        notes = []
        calls = sorted(self._calls, key=lambda call: call.started)
        calls, twice = _once(calls)
        calls, warmups = _without_warmups(calls, self._pool)
        if self._others:
            names = ", ".join(f"{name} ({count})" for name, count in sorted(self._others.items()))
            notes.append(
                say(
                    "hal_calls.left_out_logged_operations",
                    others=counted(self._others.total(), "logged operation"),
                    names=names,
                )
            )
        if self._loose:
            notes.append(say("hal_calls.left_out_logged_calls", loose=counted(self._loose, "logged call")))
        if twice:
            notes.append(say("hal_calls.left_out_calls_log", twice=counted(twice, "call")))
        for call in warmups:
            prompt = self._pool.messages[call.window[-1]].body
            notes.append(say("hal_calls.left_out_unrelated_warm", prompt=prompt))
        if self._unread:
            notes.append(say("hal_calls.calls_no_readable_answer", unread=counted(self._unread, "call")))
        messages = merged(calls, self._pool)
        return transcript_of(messages, notes) if messages else None


def _window(inputs: dict[str, Any]) -> list[Message] | None:
    """The messages that a call was given; None when it is no call of a model."""
    raw = _shown(inputs)
    if raw is None:
        return None
    instructions = inputs.get("system") or inputs.get("instructions")
    first = [{"role": "system", "content": instructions}] if instructions else []
    nested = len(raw) == 1 and isinstance(raw[0], list)
    return [message_of(message) for message in [*first, *(raw[0] if nested else raw)]]


def _shown(inputs: dict[str, Any]) -> list[Any] | None:
    """The window as it is logged."""
    raw = next((inputs[name] for name in WINDOW_NAMES if inputs.get(name)), None)
    if isinstance(raw, str) and "model" in inputs:
        return [{"role": "user", "content": raw}]
    return raw if isinstance(raw, list) else None


def _answers(output: Any) -> list[Message] | None:  # noqa: ANN401
    """The messages of a call's answer; empty when there is none, None when it is in no known shape."""
    if output in (None, "", {}):
        return []
    said: list[Any] | None = None
    match output:
        case str():
            said = [{"content": output}]
        case {"choices": list(choices)}:
            said = [choice.get("message") for choice in choices if isinstance(choice, dict)]
        case {"output": list(items)}:
            said = items
        case {"message": dict(message)}:
            said = [message]
        case {"kwargs": _} | {"content": _} | {"tool_calls": _}:
            said = [output]
    if said is None:
        return None
    return [message_of(_as_assistant(message)) for message in said if message is not None]


def _as_assistant(message: Any) -> Any:  # noqa: ANN401
    """An answer that does not name its role is the assistant's."""
    unnamed = isinstance(message, dict) and not {"role", "kwargs", "type"} & message.keys()
    return {"role": "assistant"} | message if unnamed else message


def _once(calls: Sequence[Call]) -> tuple[list[Call], int]:
    """The calls without those that a wrapped library logged again: the same answer, or the child of the same call."""
    windows = {call.call_id: call.window for call in calls if call.call_id}
    responses: set[str] = set()
    kept = []
    for call in calls:
        inner = call.parent_id is not None and windows.get(call.parent_id) == call.window
        if inner or (call.response_id is not None and call.response_id in responses):
            continue
        if call.response_id is not None:
            responses.add(call.response_id)
        kept.append(call)
    return kept, len(calls) - len(kept)


def _without_warmups(calls: Sequence[Call], pool: Pool) -> tuple[list[Call], list[Call]]:
    """Split off trivial one-off calls before the conversation (such as asking for the capital of France).

    A call counts as one only if it shares no message with any other, while all the others hang together.
    """
    uses = Counter(number for call in calls for number in {*call.window, *call.outputs})
    first = next((n for n, call in enumerate(calls) if not _trivial(call, pool, uses)), len(calls))
    rest = calls[first:]
    if len(rest) < 2 or not all(any(uses[number] > 1 for number in call.window) for call in rest):
        return list(calls), []
    return list(rest), list(calls[:first])


def _trivial(call: Call, pool: Pool, uses: Counter[int]) -> bool:
    if any(uses[number] > 1 for number in (*call.window, *call.outputs)) or call.error is not None:
        return False
    if len(call.window) > 2 or not call.window or len(call.outputs) != 1:
        return False
    if any(pool.messages[number].calls for number in (*call.window, *call.outputs)):
        return False
    return _size(call.window, pool) <= SHORT_PROMPT and _size(call.outputs, pool) <= SHORT_ANSWER


def _size(numbers: Iterable[int], pool: Pool) -> int:
    return sum(len(pool.messages[number].body) for number in numbers)


def _id(value: object) -> str | None:
    return str(value) if value else None
