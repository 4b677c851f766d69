"""Builders of small synthetic input files; nothing in them comes from a real run."""

import csv
import gzip
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

RUBRIC = ("task_id", "criteria", "grade", "correct", "explanation", "model_run")
JUDGE = ("task_id", "final_grade", "satisfies_rubric", "num_evaluations", "model_runs", "reasoning")
OUTCOMES = ("benchmark", "task_id", "scaffold", "model", "date", "correct", "run_id")

Message = dict[str, Any]


def said(role: str, content: Any, **more: Any) -> Message:
    return {"role": role, "content": content, **more}


def call(
    window: Sequence[Any],
    answer: Any = None,
    *,
    task: str | None = "task-1",
    minute: int = 0,
    **more: Any,
) -> dict[str, Any]:
    """One logged call of generation 1; `answer` is the answering message or None."""
    entry = {
        "id": f"call-{minute}",
        "op_name": "openai.chat.completions.create",
        "started_at": f"2025-01-01T{minute // 60:02}:{minute % 60:02}:00+00:00",
        "inputs": {"model": "synthetic", "messages": list(window)},
        "output": {"choices": [{"index": 0, "message": answer}]} if answer is not None else None,
        "exception": None,
        "attributes": {"weave_task_id": task} if task else {},
        "weave_task_id": task,
    }
    return entry | more


def hal(
    path: Path,
    log: Any,
    *,
    benchmark: str = "synthetic_bench",
    failed: Iterable[Any] = ("task-1",),
    passed: Iterable[Any] = (),
    **more: Any,
) -> Path:
    """A HAL file; `log` is a list of calls (generation 1) or a dictionary by task (generation 2)."""
    data = {
        "config": {
            "agent_name": "Synthetic Agent",
            "benchmark_name": benchmark,
            "date": "2025-01-02",
            "run_id": "synthetic_run_1",
            "agent_args": {"model_name": "synthetic/model"},
            "run_command": "hal-eval --benchmark synthetic --docker",
        },
        "results": {"successful_tasks": list(passed), "failed_tasks": list(failed), "latencies": {}},
        "raw_eval_results": {},
        "raw_logging_results": log,
    }
    data.update(more)
    text = json.dumps(data)
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode()))
    else:
        path.write_text(text, "utf-8")
    return path


def hal_v2(path: Path, messages: Sequence[Any], task: str = "task-1", **more: Any) -> Path:
    entry = {"messages": list(messages), "call_metadata": [], "model": "synthetic", "call_count": 1}
    return hal(path, {task: entry}, task_prompts={task: "What is asked?"}, **more)


def whowhen(path: Path, history: Sequence[Message], **more: Any) -> Path:
    data = {
        "is_correct": False,
        "question": "Which synthetic shop is nearest?",
        "question_ID": "ab" * 32,
        "ground_truth": "The first",
        "mistake_agent": "Surfer",
        "mistake_step": "3",
        "mistake_reason": "It guessed.",
        "history": list(history),
    }
    path.write_text(json.dumps(data | more), "utf-8")
    return path


def table(path: Path, columns: Sequence[str], rows: Iterable[Sequence[Any]], newline: str = "\n") -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator=newline)
        writer.writerow(columns)
        writer.writerows(rows)
    return path


def cumulative(conversation: Sequence[Message], task: str = "task-1") -> list[dict[str, Any]]:
    """The conversation as calls: one for each assistant message, shown all that came before."""
    return [
        call(conversation[:at], message, task=task, minute=at)
        for at, message in enumerate(conversation)
        if message["role"] == "assistant"
    ]
