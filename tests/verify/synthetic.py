"""Small synthetic inputs for the real program, and how its failures are read."""

import subprocess
from collections.abc import Callable
from typing import Any

Verify = Callable[..., subprocess.CompletedProcess[str]]


def upload(task_id: str, messages: list[dict[str, Any]], benchmark: str = "synthetic_bench") -> dict[str, Any]:
    """A synthetic HAL result file (second generation) with one failed run of one task."""
    return {
        "_note": "Synthetic: written for the tests.",
        "config": {
            "agent_name": "Synthetic agent",
            "benchmark_name": benchmark,
            "date": "2026-01-15",
            "run_id": f"{benchmark}_{task_id}",
            "agent_args": {"model_name": "synthetic"},
        },
        "results": {"accuracy": 0.0, "successful_tasks": [], "failed_tasks": [task_id], "latencies": {}},
        "raw_eval_results": {task_id: {"score": 0.0}},
        "raw_logging_results": {
            task_id: {"messages": messages, "call_metadata": [], "model": "synthetic", "call_count": 1}
        },
        "total_usage": {},
        "total_cost": 0.0,
        "git_info": {},
        "task_prompts": {task_id: "Add two and two."},
    }


QUIET_RUN = [
    {"role": "user", "content": "Add two and two."},
    {"role": "assistant", "content": "I believe that it is five."},
]
"""A complete run in which no barrier was met."""


def one_sentence(done: subprocess.CompletedProcess[str]) -> str:
    """The one line on stderr that says what went wrong; anything else is a failure."""
    lines = [line for line in done.stderr.splitlines() if line.startswith("verify: ") and "warning" not in line]
    assert len(lines) == 1, done.stderr
    assert "Traceback" not in done.stderr + done.stdout
    return lines[0]
