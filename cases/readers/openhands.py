"""OpenHands: `output.jsonl` with one run a line, and exports that are the bare list of one run's events."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from cases import benchmarks
from cases import patterns as re
from cases.links import leads_out
from cases.model import Outcome, Run, Task, Transcript
from cases.readers.base import Found, Problem, RunRecord
from cases.readers.clipping import transcript_of_pieces
from cases.readers.events_log import events
from cases.readers.fields import date_of, listed, mapping, stem_of, text_of, trimmed
from cases.readers.messages import Piece, clean
from cases.readers.openhands_events import pieces_of
from cases.readers.records import Place, records
from cases.readers.sniff import Head
from cases.sentences import Sentences

say = Sentences(__name__)

PART = re.compile(r"event-\d{1,9}-[^/]*\.json\Z")
"""What the SDK calls the file of one event."""


class OpenHandsReader:
    """Reads histories of all generations: events, pairs of an action and its observation, and the SDK's events."""

    name = "OpenHands output.jsonl or events"
    signs = "instance_id beside a history, or events with a source and an action, an observation or a kind"
    omits = "costs, token counts, and the model's raw responses behind each event"

    def recognises(self, head: Head) -> bool:
        """An instance with its history, or the events of one."""
        if _is_event(head.listed_keys) or (_is_event(head.json_keys) and "kind" in head.json_keys):
            return True
        items = head.item_keys("history")
        return "history" in head.json_keys and ("instance_id" in head.json_keys or {"action", "args"} <= items)

    def read(self, path: Path) -> Found:
        """One run a line, or the one of a list of events."""
        found = Found()
        head = Head.of(path)
        if "history" not in head.json_keys:
            parts = _parts(path)
            if parts[0] == path:
                stem = stem_of(path) if len(parts) == 1 else clean(path.resolve().parents[1].name) or stem_of(path)
                history = [event for part in parts for event in events(part)]
                found.runs.append(_record(path, {"history": history}, stem, stem, partial(_exported, parts)))
            return found

        def take(data: dict[str, Any], place: Place) -> None:
            task_id = trimmed(data.get("instance_id")) or (stem_of(path) if place.line == 1 else None)
            if task_id is None:
                message, remedy = say("openhands.instance_id_missing"), say("openhands.run_left_out")
                where = f"line {place.line}"
                found.problems.append(Problem(file=str(path), place=where, message=message, remedy=remedy))
            else:
                name = f"{stem_of(path)}:{place.line}"
                found.runs.append(_record(path, data, task_id, name, partial(_transcript, place)))

        found.problems += records(path, take)
        return found


def _is_event(keys: frozenset[str]) -> bool:
    named = {"action", "observation", "llm_message", "system_prompt", "tool_call_id"} & keys
    return "source" in keys and (bool(named) or {"id", "timestamp", "kind"} <= keys)


def _parts(path: Path) -> list[Path]:
    """The files of a conversation that keeps one event a file, in their order; the first stands for the run."""
    if not PART.match(path.name):
        return [path]
    beside = (path.with_name(one.name) for one in path.parent.iterdir())
    events = (one for one in beside if PART.match(one.name) and not leads_out(one, path.parent))
    return sorted(events, key=lambda one: int(one.name.split("-")[1]))


def _record(
    path: Path, data: dict[str, Any], task_id: str, run_id: str, read: Callable[[], Transcript | None]
) -> RunRecord:
    metadata, test = mapping(data.get("metadata")), mapping(data.get("test_result"))
    history = list(_events(data.get("history")))
    facts = {"error": text_of(data.get("error")), "container": text_of(mapping(data.get("instance")).get("image_name"))}
    run = Run(
        run_id=run_id,
        agent=text_of(metadata.get("agent_class")) or "OpenHands",
        model=text_of(mapping(metadata.get("llm_config")).get("model")),
        date=next((day for raw in history if (day := date_of(mapping(raw).get("timestamp")))), None),
        outcome=_outcome(mapping(data.get("report")), mapping(test.get("report"))),
        answer=text_of(test.get("git_patch")) or text_of(data.get("git_patch")),
        environment={"scaffold": "OpenHands"} | {key: value for key, value in facts.items() if value},
        source=str(path),
    )
    known = benchmarks.mentioned(text_of(metadata.get("dataset")) or "")
    load = read if history or data.get("error") else None
    return RunRecord(known, task_id, run, Task(prompt=text_of(data.get("instruction"))), load, own_id=False)


def _outcome(*reports: dict[str, Any]) -> Outcome:
    """What a report says that some runs are stored with."""
    said = next((report["resolved"] for report in reports if isinstance(report.get("resolved"), bool)), None)
    return Outcome.UNKNOWN if said is None else Outcome.PASSED if said else Outcome.FAILED


def _events(history: object) -> Iterator[Any]:
    for entry in listed(history):
        if isinstance(entry, list):
            yield from entry
        else:
            yield entry


def _exported(parts: Sequence[Path]) -> Transcript | None:
    return _told({"history": [event for part in parts for event in events(part)]})


def _transcript(place: Place) -> Transcript | None:
    return _told(place.read())


def _told(data: dict[str, Any]) -> Transcript | None:
    pieces: list[Piece] = []
    for number, raw in enumerate(_events(data.get("history"))):
        pieces += pieces_of(raw, number)
    if error := text_of(data.get("error")):
        pieces.append(Piece("harness", "result", error))
    return transcript_of_pieces(pieces)
