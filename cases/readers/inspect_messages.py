"""The conversation of one Inspect AI sample, and its scores."""

from collections.abc import Sequence
from typing import Any

from cases.model import Outcome, Transcript
from cases.readers.clipping import transcript_of
from cases.readers.fields import listed, mapping, number_of, text_of
from cases.readers.messages import Message, aside, message_of
from cases.readers.windows import Call, Pool, merged
from cases.sentences import Sentences

say = Sentences(__name__)

ATTACHMENT = "attachment://"
_MOST = 4_000_000
"""Messages that all events of a sample together may name by their places."""
LETTERS = {
    "C": (Outcome.PASSED, 1.0),
    "I": (Outcome.FAILED, 0.0),
    "P": (Outcome.FAILED, 0.5),
    "N": (Outcome.FAILED, 0.0),
}
"""Inspect AI's own grades: correct, incorrect, partial, no answer."""


def conversation(sample: dict[str, Any]) -> Transcript | None:
    """All messages; rebuilt from the model's calls where the list of messages lacks answers that these show."""
    kept = mapping(sample.get("attachments"))
    messages = [_message(raw, kept) for raw in listed(sample.get("messages"))]
    pool = Pool()
    folded = _numbers(listed(mapping(sample.get("events_data")).get("messages")), kept, pool)
    calls: list[Call] = []
    room = _MOST
    for event in listed(sample.get("events")):
        if call := _call(event, kept, pool, folded[:room]):
            calls.append(call)
            room = max(0, room - len(call.window))
    known = {message.body for message in messages}
    lacking = sum(any(pool.messages[number].body not in known for number in call.outputs) for call in calls)
    notes = []
    if lacking:
        notes.append(say("inspect_messages.list_messages_lacks_answers", lacking=lacking, number=len(calls)))
        last = [message for message in messages if message.role == "tool"][-1:]
        rebuilt = merged(calls, pool)
        messages = [*rebuilt, *(message for message in last if message.key not in {one.key for one in rebuilt})]
    if error := sample.get("error"):
        told = (text_of(mapping(error).get(name)) for name in ("message", "traceback"))
        messages.append(aside("harness", "\n".join(text for text in told if text) or str(error)))
    return transcript_of(messages, notes) if messages else None


def _message(raw: object, kept: dict[str, Any]) -> Message:
    """Inspect names a call's tool `function`, and keeps a tool's error apart from its output."""
    raw = _resolved(raw, kept)
    if not isinstance(raw, dict):
        return message_of(raw)
    fields = dict(raw)
    calls = [_plain(call) for call in listed(raw.get("tool_calls"))]
    if calls:
        fields["tool_calls"] = calls
    if raw.get("role") == "tool":
        fields["name"] = raw.get("function")
        said = text_of(mapping(raw.get("error")).get("message"))
        content = raw.get("content")
        if said and isinstance(content, str) and said not in content:
            fields["content"] = f"{content}\n{said}".lstrip("\n")
        elif said and not isinstance(content, str):
            fields["content"] = [*listed(content), {"type": "text", "text": said}]
    return message_of(fields)


def _plain(call: object) -> Any:  # noqa: ANN401
    if not isinstance(call, dict) or not isinstance(call.get("function"), str):
        return call
    return {"id": call.get("id"), "function": {"name": call["function"], "arguments": call.get("arguments")}}


def _resolved(value: object, kept: dict[str, Any], depth: int = 0) -> Any:  # noqa: ANN401
    """The value with the texts that it only refers to; a reference within such a text is not followed."""
    if isinstance(value, str):
        if value.startswith(ATTACHMENT):
            found = kept.get(value.removeprefix(ATTACHMENT))
            return found if isinstance(found, str) else value
        return value
    if depth > 20:
        return value
    if isinstance(value, dict):
        return {key: _resolved(inner, kept, depth + 1) for key, inner in value.items()}
    if isinstance(value, list):
        return [_resolved(inner, kept, depth + 1) for inner in value]
    return value


def _call(event: object, kept: dict[str, Any], pool: Pool, folded: tuple[int, ...]) -> Call | None:
    event = mapping(event)
    if event.get("event") != "model":
        return None
    choices = listed(mapping(event.get("output")).get("choices"))
    said = [mapping(choice).get("message") for choice in choices]
    error = text_of(event.get("error"))
    given = _numbers(listed(event.get("input")), kept, pool)
    return Call(
        given or _unfolded(listed(event.get("input_refs")), folded),
        _numbers([message for message in said if message is not None], kept, pool),
        pool.add(aside("harness", error)) if error else None,
    )


def _unfolded(ranges: Sequence[Any], folded: tuple[int, ...]) -> tuple[int, ...]:
    """The messages that an event names by their places among those that all events share; no more than these."""
    found: list[int] = []
    for one in ranges:
        match one:
            case [int(first), int(end)] if first >= 0:
                found += folded[first:end]
        if len(found) >= len(folded):
            break
    return tuple(found[: len(folded)])


def _numbers(raw: Sequence[Any], kept: dict[str, Any], pool: Pool) -> tuple[int, ...]:
    return tuple(pool.add(_message(message, kept)) for message in raw)


def graded(scores: object) -> tuple[Outcome, float | None, str | None]:
    """Outcome, score and answer, empty where scorers say that there was none.

    Scorers that disagree leave the outcome open, and the first one's score stands.
    """
    grades = [_grade(mapping(score).get("value")) for score in mapping(scores).values()]
    outcomes = {outcome for outcome, _ in grades if outcome is not Outcome.UNKNOWN}
    answers = [text_of(mapping(score).get("answer")) for score in mapping(scores).values()]
    none = "" if any(mapping(score).get("answer") == "" for score in mapping(scores).values()) else None
    outcome = outcomes.pop() if len(outcomes) == 1 else Outcome.UNKNOWN
    return outcome, grades[0][1] if grades else None, next((answer for answer in answers if answer), none)


def _grade(value: object) -> tuple[Outcome, float | None]:
    """A letter, a truth value or a number; a number between 0 and 1 is no pass, but whether it is a failure is open."""
    if isinstance(value, str) and value in LETTERS:
        return LETTERS[value]
    if isinstance(value, bool):
        return (Outcome.PASSED if value else Outcome.FAILED), float(value)
    number = number_of(value)
    if number is None:
        return Outcome.UNKNOWN, None
    whole = {0.0: Outcome.FAILED, 1.0: Outcome.PASSED}
    return whole.get(number, Outcome.UNKNOWN), number
