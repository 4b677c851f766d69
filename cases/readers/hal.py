"""HAL result files `*_UPLOAD.json`, both generations, gzipped or not, streamed.

Generation 1 logs a list of model calls, each with its window of the conversation; generation 2 a list of messages for
each task.
"""

from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import ijson

from cases import benchmarks
from cases.errors import InputError
from cases.model import HAL, HARNESS, Run, Task, Transcript
from cases.readers.base import MOST_RUNS, Found, Problem, RunRecord
from cases.readers.clipping import transcript_of
from cases.readers.fields import date_of, mapping, number_of, text_of
from cases.readers.hal_calls import CallLog
from cases.readers.hal_scores import Scores
from cases.readers.messages import message_of
from cases.readers.pacing import HostileError
from cases.readers.sniff import Head
from cases.readers.streams import BUFFER, Opener, check_depth, check_held, items, pairs, stream_json

LOG = "raw_logging_results"
KEPT = frozenset({"config", "results", "raw_eval_results", "task_prompts"})
MOST_CALLS = 1_000_000
MOST_EVENTS = 10_000_000
"""JSON events of one logged call, or (in a log by tasks) between one task and the next."""
NAMED = 5
"""Task ids that a message lists before it only counts them."""
WINDOWS = tuple(f"{LOG}.item.inputs.{name}.item" for name in ("messages", "dialogue_history", "input"))
CALL_IDS = (
    f"{LOG}.item.task_id",
    f"{LOG}.item.attributes.weave_task_id",
    f"{LOG}.item.weave_task_id",
    f"{LOG}.item.inputs.task_id",
)


@dataclass(slots=True)
class _Index:
    """A file's small parts, and which tasks its log speaks of."""

    parts: dict[str, Any] = field(default_factory=dict)
    logged: dict[str, bool] = field(default_factory=dict)
    """Task id to whether there is at least one message."""
    loose: bool = False
    """Whether there are model calls that name no task."""
    listed: bool = False
    """Whether the log is a list of calls (generation 1)."""

    def seen(self, task_id: str, has_messages: bool) -> None:
        self.logged[task_id] = self.logged.get(task_id, False) or has_messages


class HalReader:
    """Reads `*_UPLOAD.json`."""

    name = "HAL result file (*_UPLOAD.json)"
    signs = "a log of calls, raw results, or a configuration beside results"
    omits = "token counts, costs and latencies"

    def recognises(self, head: Head) -> bool:
        """A log of calls, or a configuration beside results."""
        keys = head.json_keys
        return LOG in keys or "raw_eval_results" in keys or {"config", "results"} <= keys

    def read(self, path: Path) -> Found:
        """Tasks, outcomes, and which of them have a transcript."""
        return read_hal(path)


def read_hal(path: Path, opener: Opener | None = None) -> Found:
    """The same of what `opener` opens in the file's place.

    Raises:
        InputError: the file is damaged.
    """
    index = stream_json(path, partial(_indexed, path), opener)
    config = mapping(index.parts.get("config"))
    results = mapping(index.parts.get("results"))
    prompts = mapping(index.parts.get("task_prompts"))
    stated = text_of(config.get("benchmark_name"))
    scores = Scores.of(benchmarks.normalised(stated or ""), results, index.parts.get("raw_eval_results"))
    tasks = list(dict.fromkeys([*scores.tasks, *index.logged, *map(str, prompts)]))
    if len(tasks) > MOST_RUNS:
        raise InputError(f"{path}: the file names {len(tasks)} tasks, more than a benchmark has; split it.")
    only = tasks[0] if len(tasks) == 1 and index.loose and not index.logged else None
    found = Found(problems=[*_log_problems(path, index, tasks, only), *scores.problems(path)])
    for task_id in tasks:
        has = index.logged.get(task_id, False) or task_id == only
        found.runs.append(
            RunRecord(
                benchmarks.normalised(stated) if stated else benchmarks.of_task_id(task_id),
                task_id,
                _run(path, config, task_id, scores),
                Task(prompt=text_of(prompts.get(task_id))),
                partial(_transcript, path, opener, task_id, listed=index.listed, loose=task_id == only)
                if has
                else None,
                own_id=text_of(config.get("run_id")) is not None,
            )
        )
    return found


def _run(path: Path, config: dict[str, Any], task_id: str, scores: Scores) -> Run:
    arguments = mapping(config.get("agent_args"))
    agent = text_of(config.get("agent_name"))
    environment = {HARNESS: HAL} | ({"scaffold": agent} if agent else {})
    command = f" {text_of(config.get('run_command')) or ''} "
    if container := next((kind for kind in ("docker", "vm") if f" --{kind} " in command), None):
        environment["container"] = container
    run_id = text_of(config.get("run_id")) or path.name.split(".json")[0]
    return Run(
        run_id=run_id.removesuffix("_UPLOAD"),
        agent=agent,
        model=text_of(arguments.get("model_name")) or text_of(arguments.get("agent.model.name")),
        date=date_of(config.get("date")),
        outcome=scores.outcome(task_id),
        score=number_of(scores.score(task_id)),
        environment=environment,
        source=str(path),
    )


def _log_problems(path: Path, index: _Index, tasks: list[str], only: str | None) -> list[Problem]:
    file = str(path)
    if not tasks:
        return [Problem(file=file, place="", message="the file names no task", remedy="give a HAL file with results")]
    empty = [task for task in tasks if not index.logged.get(task) and task != only]
    if len(empty) == len(tasks) and not index.logged:
        message = f"the file holds outcomes of {len(tasks)} tasks but no transcripts"
        remedy = "give the file of a single run, or one whose log was not removed, where the transcript matters"
        return [Problem(file=file, place=LOG, message=message, remedy=remedy)]
    if not empty:
        return []
    names = ", ".join(empty[:NAMED]) + (f" and {len(empty) - NAMED} more" if len(empty) > NAMED else "")
    message = f"the log has no messages for {names}"
    return [Problem(file=file, place=LOG, message=message, remedy="these runs are taken without a transcript")]


def _indexed(path: Path, stream: BinaryIO) -> _Index:
    """One pass over the file that holds on to nothing large."""
    index = _Index()
    builder = ijson.ObjectBuilder()
    top = ""
    log = _LogScan(index)
    held = 0
    for prefix, event, value in ijson.parse(stream, buf_size=BUFFER, use_float=True):
        check_depth(path, prefix)
        if not prefix and event in ("map_key", "end_map"):
            if top in KEPT:
                index.parts[top] = builder.value
            top, builder = value or "", ijson.ObjectBuilder()
        elif top == LOG:
            log.event(prefix, event, value)
        elif top in KEPT:
            builder.event(event, value)
            check_held(path, held := held + 1)
    return index


class _LogScan:
    """Follows the events of the log, keeping task ids only."""

    def __init__(self, index: _Index) -> None:
        self._index = index
        self._ids: dict[str, str] = {}
        self._messages = False
        self._task: str | None = None
        self._prefixes: tuple[str, ...] = ()
        self._entries = 0
        self._events = 0

    def event(self, prefix: str, event: str, value: Any) -> None:  # noqa: ANN401
        self._events += 1
        if prefix == f"{LOG}.item" and event.startswith("start_"):
            self._entries, self._events = self._entries + 1, 0
        if self._entries > MOST_CALLS or self._events > MOST_EVENTS:
            raise HostileError("its log holds more than any run makes")
        if prefix == LOG:
            self._top(event, value)
        elif self._task is not None:
            if prefix in self._prefixes:
                self._index.seen(self._task, has_messages=True)
        elif prefix in WINDOWS:
            self._messages = True
        elif prefix in CALL_IDS and event in ("string", "number") and str(value).strip():
            self._ids[prefix] = str(value).strip()
        elif prefix == f"{LOG}.item" and event == "end_map":
            self._call_ended()

    def _top(self, event: str, value: Any) -> None:  # noqa: ANN401
        if event == "start_array":
            self._index.listed = True
        elif event == "map_key":
            self._events = 0
            self._task = str(value)
            inner = f"{LOG}.{self._task}"
            self._prefixes = (f"{inner}.messages.item", f"{inner}.item")
            self._index.seen(self._task, has_messages=False)

    def _call_ended(self) -> None:
        task_id = next((self._ids[place] for place in CALL_IDS if place in self._ids), None)
        if task_id is not None:
            self._index.seen(task_id, self._messages)
        elif self._messages:
            self._index.loose = True
        self._ids, self._messages = {}, False


def _transcript(path: Path, opener: Opener | None, task_id: str, *, listed: bool, loose: bool) -> Transcript | None:
    return stream_json(path, partial(_listed, task_id, loose) if listed else partial(_keyed, task_id), opener)


def _listed(task_id: str, loose: bool, stream: BinaryIO) -> Transcript | None:
    calls = CallLog(None if loose else task_id)
    for raw in items(stream, f"{LOG}.item"):
        calls.add(raw)
    return calls.transcript()


def _keyed(task_id: str, stream: BinaryIO) -> Transcript | None:
    return next((_logged(value) for key, value in pairs(stream, LOG) if str(key) == task_id), None)


def _logged(value: Any) -> Transcript | None:  # noqa: ANN401
    """A task's entry of generation 2: its messages, or (in some files) its calls."""
    entries = value.get("messages") if isinstance(value, dict) else value
    if not isinstance(entries, list) or not entries:
        return None
    if all(isinstance(entry, dict) and "inputs" in entry for entry in entries):
        calls = CallLog(None)
        for entry in entries:
            calls.add(entry, anyway=True)
        return calls.transcript()
    return transcript_of(message_of(entry) for entry in entries)
