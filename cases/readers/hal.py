"""HAL result files `*_UPLOAD.json`, both generations, gzipped or not, an entry at a time.

Generation 1 logs a list of model calls, each with its window of the conversation; generation 2 a list of messages for
each task.
"""

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

from cases import benchmarks
from cases.errors import InputError
from cases.model import HAL, HARNESS, Run, Task, Transcript
from cases.readers.base import MOST_RUNS, Found, Problem, RunRecord
from cases.readers.clipping import transcript_of
from cases.readers.fields import date_of, mapping, number_of, text_of
from cases.readers.hal_calls import CallLog, talk_of
from cases.readers.hal_index import LOG, Index, Logged, index_of, values
from cases.readers.hal_scores import Scores
from cases.readers.messages import message_of
from cases.readers.sniff import Head
from cases.readers.streams import Opener
from cases.sentences import Sentences

say = Sentences(__name__)

NAMED = 5
"""Task ids that a message lists before it only counts them."""


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
    index, parts = index_of(path, opener)
    config = mapping(parts.get("config"))
    results = mapping(parts.get("results"))
    prompts = mapping(parts.get("task_prompts"))
    stated = text_of(config.get("benchmark_name"))
    scores = Scores.of(benchmarks.normalised(stated or ""), results, parts.get("raw_eval_results"))
    tasks = list(dict.fromkeys([*scores.tasks, *index.logged, *map(str, prompts)]))
    if len(tasks) > MOST_RUNS:
        raise InputError(say("hal.file_names_tasks_more", path=path, number=len(tasks)))
    only = tasks[0] if len(tasks) == 1 and index.loose.messages and not index.logged else None
    found = Found(problems=[*_log_problems(path, index, tasks, only), *scores.problems(path)])
    for task_id in tasks:
        logged = index.loose if task_id == only else index.logged.get(task_id)
        found.runs.append(
            RunRecord(
                benchmarks.normalised(stated) if stated else None,
                task_id,
                _run(path, config, task_id, scores),
                Task(prompt=text_of(prompts.get(task_id))),
                partial(_transcript, path, opener, index, logged) if logged and logged.messages else None,
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


def _log_problems(path: Path, index: Index, tasks: list[str], only: str | None) -> list[Problem]:
    file = str(path)
    if not tasks:
        return [Problem(file=file, place="", message=say("hal.file_names_no_task"), remedy=say("hal.hal_file_results"))]
    spoken = {task for task, logged in index.logged.items() if logged.messages} | {only}
    empty = [task for task in tasks if task not in spoken]
    if len(empty) == len(tasks) and not index.logged:
        message = say("hal.file_holds_outcomes_tasks", number=len(tasks))
        remedy = say("hal.file_single_run_log")
        return [Problem(file=file, place=LOG, message=message, remedy=remedy)]
    if not empty:
        return []
    names = ", ".join(empty[:NAMED]) + (say("hal.more", number=len(empty) - NAMED) if len(empty) > NAMED else "")
    message = say("hal.log_no_messages", names=names)
    return [Problem(file=file, place=LOG, message=message, remedy=say("hal.these_runs_taken_without"))]


def _transcript(path: Path, opener: Opener | None, index: Index, logged: Logged) -> Transcript | None:
    found = values(path, index, logged.places, opener)
    if not index.listed:
        return next((transcript for value in found if (transcript := _keyed(value))), None)
    loose = 0 if logged is index.loose else len(index.loose.places)
    return _of_calls(found, loose)


def _of_calls(entries: Iterable[Any], loose: int = 0) -> Transcript | None:
    calls = CallLog(loose)
    for entry in entries:
        calls.add(entry)
    return calls.transcript()


def _keyed(value: object) -> Transcript | None:
    """A task's entry of generation 2: its messages, or (in some files) its calls."""
    entries = talk_of(value)
    if not entries:
        return None
    if all(isinstance(entry, dict) and "inputs" in entry for entry in entries):
        return _of_calls(entries)
    return transcript_of(message_of(entry) for entry in entries)
