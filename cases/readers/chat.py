"""OpenAI chat logs: one conversation `{"messages": […]}` a line, or one a file, or the bare list of its messages."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from cases import benchmarks
from cases import patterns as re
from cases.model import Run, Task, Transcript
from cases.readers.base import Found, RunRecord
from cases.readers.clipping import transcript_of
from cases.readers.fields import listed, mapping, stem_of, text_of, trimmed
from cases.readers.messages import message_of
from cases.readers.records import Place, records
from cases.readers.sniff import Head
from cases.readers.streams import load_json

WEBVOYAGER, CHAT_OF = "webvoyager", "interact_messages"
"""What WebVoyager calls the conversation of the task that its folder names."""
_SHOWN = re.compile(r"(?m)^[ \t]*(?:Observation:|\[\d+\] RootWebArea\b)")
"""How what a page shows begins, in WebVoyager's messages and in Chromium's outline."""
_BARE = {"role", "content"}
"""What the first message of a bare list has."""
OTHERS = frozenset({"trajectory_format", "original_response"})
"""What messages have beside them in mini-swe-agent's trajectories and Terminus's raw calls."""
IDS = ("task_id", "question_id", "instance_id", "custom_id", "id")


class ChatReader:
    """Reads plain conversations; the task's id is what the line says, else the file's name and line."""

    name = "OpenAI chat jsonl"
    signs = "messages that have roles, in a field or as a bare list"
    omits = "fields beside messages, ids, model and benchmark"

    def recognises(self, head: Head) -> bool:
        """A list of messages, bare or as a field."""
        if head.listed_keys >= _BARE or "messages" in head.listed_keys:
            return True
        messages = head.shape.get("messages")
        if messages is None or messages.kind != "array" or OTHERS & head.json_keys:
            return False
        return not messages.items or "role" in messages.keys

    def read(self, path: Path) -> Found:
        """One run a line, or the one of a bare list."""
        found = Found()
        if Head.of(path).listed_keys >= _BARE:
            messages = partial(_bare, path)
            found.runs.append(_record(path, {"messages": messages()}, 1, messages))
            return found

        def take(data: dict[str, Any], place: Place) -> None:
            found.runs.append(_record(path, data, place.line, partial(_field, place)))

        found.problems = records(path, take)
        return found


def _record(path: Path, data: dict[str, Any], line: int, again: Callable[[], list[Any]]) -> RunRecord:
    """The run of one conversation, whose messages are read `again` once they are needed."""
    fields = {**mapping(data.get("metadata")), **data}
    stem = _named(path)
    stated = next((found for name in IDS if (found := trimmed(fields.get(name)))), None)
    task_id = stated or (stem if line == 1 else f"{stem}:{line}")
    messages = listed(data.get("messages"))
    users = (message_of(raw) for raw in messages if isinstance(raw, dict) and raw.get("role") == "user")
    benchmark = text_of(fields.get("benchmark"))
    known = benchmarks.normalised(benchmark) if benchmark else None
    known = known or (WEBVOYAGER if stem_of(path) == CHAT_OF else None)
    run = Run(
        run_id=trimmed(fields.get("run_id")) or f"{stem}:{line}",
        model=text_of(fields.get("model")),
        source=str(path),
    )
    task = Task(prompt=next((_asked(message.body) for message in users if message.body), None))
    load = partial(_transcript, again) if messages else None
    return RunRecord(known, task_id, run, task, load, own_id=trimmed(fields.get("run_id")) is not None)


def _asked(text: str) -> str:
    """The text of the first message without the page that it goes on to show, as WebVoyager's does."""
    shown = _SHOWN.search(text)
    return text[: shown.start()].rstrip() or text if shown else text


def _named(path: Path) -> str:
    """What the file is called, or its folder where its name says nothing."""
    folder = trimmed(path.resolve().parent.name) if stem_of(path) == CHAT_OF else None
    return folder.removeprefix("task") if folder else stem_of(path)


def _bare(path: Path) -> list[Any]:
    return listed(load_json(path))


def _field(place: Place) -> list[Any]:
    return listed(place.read().get("messages"))


def _transcript(again: Callable[[], list[Any]]) -> Transcript | None:
    messages = again()
    return transcript_of(message_of(raw) for raw in messages) if messages else None
