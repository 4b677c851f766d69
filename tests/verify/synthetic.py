"""Small synthetic inputs for the real program, and how its failures are read."""

import os
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

Verify = Callable[..., subprocess.CompletedProcess[str]]


SECRET_NAMES = ("OPENAI_API_KEY",)


LISTS = Path(tempfile.gettempdir(), "impassable-tests")
"""The cache of every program that the tests start: a release's list of contents, fetched once."""


def environment(home: Path) -> dict[str, str]:
    """Of a program that knows nothing of this machine's user, and fetches no data set."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("VERIFY_")}
    kept = {name: value for name, value in kept.items() if name not in SECRET_NAMES}
    kept |= {"HOME": str(home), "XDG_CONFIG_HOME": str(home / "config"), "XDG_STATE_HOME": str(home / "state")}
    kept |= {"XDG_CACHE_HOME": str(LISTS)}
    # Playwright looks for its browsers below HOME, which is another one here.
    browsers = os.environ.get("PLAYWRIGHT_BROWSERS_PATH", str(Path.home() / ".cache" / "ms-playwright"))
    return kept | {"HF_ENDPOINT": "http://127.0.0.1:9", "COLUMNS": "200", "PLAYWRIGHT_BROWSERS_PATH": browsers}


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
