"""Harbor: agent trajectories (ATIF, `trajectory.json`) and the trial's `result.json` near them."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from cases import benchmarks
from cases.errors import InputError
from cases.links import leads_out
from cases.model import Outcome, Run, Task, Transcript
from cases.readers.base import Found, Problem, RunRecord
from cases.readers.clipping import transcript_of, transcript_of_pieces
from cases.readers.fields import date_of, listed, mapping, number_of, stem_of, text_of, trimmed
from cases.readers.harbor_trial import TRAJECTORY, checks_of, exception_of, of_step, steps_of
from cases.readers.messages import Message, Piece, aside, dumped, message_of
from cases.readers.sniff import Head
from cases.readers.streams import load_json
from cases.sentences import Sentences

say = Sentences(__name__)

RESULT = "result.json"
TRIAL = frozenset({"trial_name", "task_name"})
READ = frozenset({"source", "message", "reasoning_content", "tool_calls", "observation"})
LEFT = frozenset({"step_id", "timestamp", "model_name", "reasoning_effort", "metrics", "is_copied_context"})
DEEPEST = 5
"""Levels of agents that agents call."""


class AtifReader:
    """Reads a trajectory; task, outcome and run id come from the trial's `result.json` beside or above it."""

    name = "Harbor ATIF trajectory.json"
    signs = "steps beside a schema_version that begins with ATIF, or steps with a source and a message"
    omits = "token counts, costs and timings"

    def recognises(self, head: Head) -> bool:
        """The schema's name, or its steps."""
        steps, schema = head.shape.get("steps"), head.shape.get("schema_version")
        if steps is None or steps.kind != "array":
            return False
        return (schema is not None and schema.text.startswith("ATIF")) or {"source", "message"} <= steps.keys

    def read(self, path: Path) -> Found:
        """One run."""
        data = _object(path)
        problems: list[Problem] = []
        record = _trial(path, problems)
        if record and (trial := of_step(path)):
            return Found([_in_steps(record, trial)], problems=problems)
        agent = mapping(data.get("agent"))
        session = trimmed(data.get("session_id"))
        run = record.run if record else Run(run_id=session or stem_of(path), source=str(path))
        run = run.model_copy(
            update={
                "agent": run.agent or text_of(agent.get("name")),
                "model": run.model or text_of(agent.get("model_name")),
                "source": str(path),
            }
        )
        task_id = record.task_id if record else session or path.resolve().parent.name
        return Found(
            [
                RunRecord(
                    record.benchmark if record else None,
                    task_id,
                    run,
                    Task(prompt=_prompt(data)),
                    partial(_transcript, path) if listed(data.get("steps")) else None,
                    own_id=record is not None,
                )
            ],
            problems=problems,
        )


class HarborResultReader:
    """Reads a trial's outcome; the transcript is the trajectory near it."""

    name = "Harbor trial result.json"
    signs = "trial_name and task_name"
    omits = "costs and timings"

    def recognises(self, head: Head) -> bool:
        """The names of trial and task."""
        return head.json_keys >= TRIAL

    def read(self, path: Path) -> Found:
        """One run; its transcript is the trajectory near it, those of its steps, or the exception that left none."""
        record = _record(path, path.parent, _object(path))
        error = record.run.environment.get("error")
        if (path.parent / TRAJECTORY).is_file():
            return Found([record])
        if any(_told(step) for step in steps_of(path.parent).values()):
            record = _in_steps(record, path.parent)
        elif error:
            record = replace(record, load=partial(_raised, error))
        return Found([record])


def _object(path: Path) -> dict[str, Any]:
    data = load_json(path)
    if not isinstance(data, dict):
        raise InputError(say("atif.file_holds_json_object", path=path))
    return data


def _trial(path: Path, problems: list[Problem]) -> RunRecord | None:
    """The nearest trial's result: in the same directory, in the one above, or above its steps."""
    stepped = of_step(path)
    for folder in (path.resolve().parent, path.resolve().parent.parent, *([stepped] if stepped else [])):
        near = folder / RESULT
        try:
            data = _object(near) if near.is_file() and not leads_out(near, folder) else {}
            if data.keys() >= TRIAL:
                return _record(path, folder, data)
        except InputError as error:
            said = str(error).removeprefix(str(near)).lstrip(":, ").rstrip(".")
            remedy = say("atif.trajectory_taken_without")
            problems.append(Problem(file=str(near), place="", message=said, remedy=remedy))
    return None


def _record(path: Path, trial: Path, data: dict[str, Any]) -> RunRecord:
    task_id = trimmed(data.get("task_name"))
    run_id = trimmed(data.get("trial_name"))
    if task_id is None or run_id is None:
        raise InputError(say("atif.trial_task_empty_result", path=path))
    agent = mapping(data.get("agent_info"))
    verifier = mapping(data.get("verifier_result"))
    reward = _reward(verifier)
    steps = [mapping(one) for one in listed(data.get("step_results"))]
    outcomes = {0.0: Outcome.FAILED, 1.0: Outcome.PASSED}
    outcome = Outcome.UNKNOWN if reward is None else outcomes.get(reward, Outcome.UNKNOWN)
    if outcome is Outcome.UNKNOWN and any(_reward(mapping(one.get("verifier_result"))) == 0 for one in steps):
        outcome = Outcome.FAILED
    error = next(filter(None, (_exception(one) for one in (data, *steps))), "") or exception_of(trial)
    source = text_of(data.get("source"))
    run = Run(
        run_id=run_id,
        agent=text_of(agent.get("name")),
        model=text_of(mapping(agent.get("model_info")).get("name")),
        date=date_of(data.get("started_at")),
        outcome=outcome,
        score=reward,
        checks=checks_of(trial),
        environment={"scaffold": "harbor"} | ({"error": error} if error else {}),
        source=str(path),
    )
    known = benchmarks.normalised(source) if source else None
    return RunRecord(known, task_id, run, own_id=True)


def _reward(verifier: dict[str, Any]) -> float | None:
    return number_of(mapping(verifier.get("rewards")).get("reward", verifier.get("reward")))


def _exception(result: dict[str, Any]) -> str:
    """What was raised in a trial or a step, as its result tells it."""
    raised = mapping(result.get("exception_info"))
    told = (text_of(raised.get(f"exception_{name}")) for name in ("type", "message", "traceback"))
    return "\n".join(text for text in told if text)


def _prompt(data: dict[str, Any]) -> str | None:
    """What a trajectory's first user says."""
    users = (entry for entry in listed(data.get("steps")) if mapping(entry).get("source") == "user")
    return next((text for entry in users if (text := message_of(_said(mapping(entry))).body)), None)


def _in_steps(record: RunRecord, trial: Path) -> RunRecord:
    """The record with what was asked and done in all steps of its trial."""
    prompts = (_prompt(data) for data in _steps(trial))
    prompt = "\n\n".join(dict.fromkeys(text for text in prompts if text)) or None
    return replace(record, task=Task(prompt=prompt), load=partial(_of_steps, trial))


def _steps(trial: Path) -> Iterator[dict[str, Any]]:
    """The trajectories of a trial's steps, each without what an earlier one holds already."""
    told = _object(trial / RESULT).get("step_results") if (trial / RESULT).is_file() else None
    last: list[Any] = []
    for folder in steps_of(trial, told).values():
        if not _told(folder):
            continue
        data = _object(folder / TRAJECTORY)
        now = listed(data.get("steps"))
        known = len(last) if now[: len(last)] == last else 0
        yield data | {"steps": now[known:]}
        last = now


def _told(step: Path) -> bool:
    return (step / TRAJECTORY).is_file() and not leads_out(step / TRAJECTORY, step)


def _of_steps(trial: Path) -> Transcript | None:
    return transcript_of_pieces(piece for data in _steps(trial) for piece in _trajectory(data, DEEPEST))


def _raised(error: str) -> Transcript | None:
    return transcript_of([aside("harness", error)])


def _transcript(path: Path) -> Transcript | None:
    return transcript_of_pieces(_trajectory(_object(path), DEEPEST))


def _trajectory(data: dict[str, Any], levels: int) -> Iterator[Piece]:
    for raw in listed(data.get("steps")):
        if not isinstance(raw, dict):
            yield Piece("unknown", "message", dumped(raw))
            continue
        yield from _message(raw).pieces
        observation = raw.get("observation")
        if text := text_of(observation):
            yield Piece("tool", "result", text)
        for result in listed(mapping(observation).get("results")):
            yield from message_of(
                {
                    "role": "tool",
                    "tool_call_id": mapping(result).get("source_call_id"),
                    "content": mapping(result).get("content") if isinstance(result, dict) else dumped(result),
                }
            ).pieces
        if rest := _rest(raw):
            yield Piece("harness", "message", dumped(rest))
    for inner in listed(data.get("subagent_trajectories")) if levels else []:
        yield from _trajectory(mapping(inner), levels - 1)


def _rest(raw: dict[str, Any]) -> dict[str, Any]:
    """What a step has beyond what is read of it: notes, references, what others added."""
    inner = {key: value for key, value in mapping(raw.get("observation")).items() if key != "results"}
    rest = {key: value for key, value in raw.items() if key not in READ | LEFT}
    return {key: value for key, value in (rest | inner).items() if value not in (None, "", [], {})}


def _message(raw: dict[str, Any]) -> Message:
    return message_of(_said(raw))


def _said(raw: dict[str, Any]) -> dict[str, Any]:
    """A step as a chat message."""
    source = text_of(raw.get("source")) or "unknown"
    calls = [
        {
            "id": mapping(call).get("tool_call_id"),
            "function": {"name": mapping(call).get("function_name"), "arguments": mapping(call).get("arguments")},
        }
        if isinstance(call, dict)
        else call
        for call in listed(raw.get("tool_calls"))
    ]
    return {
        "role": "assistant" if source == "agent" else source,
        "content": raw.get("message"),
        "tool_calls": calls,
        "reasoning_content": raw.get("reasoning_content"),
    }
