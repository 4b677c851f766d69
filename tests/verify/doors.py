"""Three runs, one passed, one failed by the agent and one impassable, as the field's own projects write them down."""

import json
from pathlib import Path
from typing import Any

from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalSample, EvalSpec, write_eval_log
from inspect_ai.model import ChatMessage
from inspect_ai.scorer import Score
from pydantic import TypeAdapter

from tests.verify.synthetic import QUIET_RUN

DEMO = Path(__file__).parents[2] / "verify" / "demo" / "missing_header_UPLOAD.json"
IMPASSABLE, FAILED, PASSED = "demo-missing-header", "sum-of-two", "sum-of-ten"
BENCHMARK = "three_doors"
_MESSAGES: TypeAdapter[list[ChatMessage]] = TypeAdapter(list[ChatMessage])


def runs() -> dict[str, list[dict[str, Any]]]:
    """The conversation of each task's run."""
    [demo] = json.loads(DEMO.read_text("utf-8"))["raw_logging_results"].values()
    return {IMPASSABLE: demo["messages"], FAILED: QUIET_RUN, PASSED: QUIET_RUN}


def inspect_log(place: Path) -> Path:
    """A log that Inspect itself writes; its form follows the place's ending."""
    samples = [
        EvalSample(
            id=task,
            epoch=1,
            input=next(one["content"] for one in messages if one["role"] == "user"),
            target="",
            messages=_MESSAGES.validate_python([_inspect_message(one) for one in messages]),
            scores={"match": Score(value="C" if task == PASSED else "I")},
            uuid=f"uuid-of-{task}",
        )
        for task, messages in runs().items()
    ]
    spec = EvalSpec(
        run_id="run-1",
        created="2026-01-15T00:00:00+00:00",
        task=BENCHMARK,
        dataset=EvalDataset(),
        model="mockllm/model",
        config=EvalConfig(),
    )
    write_eval_log(EvalLog(eval=spec, samples=samples, status="success"), str(place))
    return place


def _inspect_message(message: dict[str, Any]) -> dict[str, Any]:
    told = {key: value for key, value in message.items() if key in ("role", "content", "tool_call_id")}
    if "tool_calls" in message:
        told["tool_calls"] = [
            {
                "id": call["id"],
                "function": call["function"]["name"],
                "arguments": json.loads(call["function"]["arguments"]),
            }
            for call in message["tool_calls"]
        ]
    return told | ({"function": message["name"]} if message["role"] == "tool" else {})


def harbor_job(job: Path) -> Path:
    """A job's folder with a trial of each, in Harbor's layout."""
    for task, messages in runs().items():
        trial(job, task, messages, reward=float(task == PASSED))
    return job


def trial(job: Path, task: str, messages: list[dict[str, Any]], reward: float, place: Path | None = None) -> Path:
    """One trial, of a task whose folder is at `place`."""
    folder = job / f"{task}__1"
    for name in ("agent", "verifier"):
        (folder / name).mkdir(parents=True)
    result = {
        "task_name": task,
        "trial_name": folder.name,
        "trial_uri": folder.as_uri(),
        "task_id": {"path": str(place or f"tasks/{task}")},
        "task_checksum": "0",
        "source": BENCHMARK,
        "config": {"task": {"path": str(place or f"tasks/{task}")}},
        "agent_info": {"name": "terminus", "version": "1", "model_info": {"name": "synthetic"}},
        "verifier_result": {"rewards": {"reward": reward}},
        "started_at": "2026-01-15T00:00:00Z",
    }
    (folder / "result.json").write_text(json.dumps(result))
    (folder / "config.json").write_text(json.dumps(result["config"] | {"trial_name": folder.name}))
    steps = list(_steps(messages))
    trajectory = {"schema_version": "ATIF-v1.7", "session_id": "s", "agent": {"name": "terminus", "version": "1"}}
    (folder / "agent" / "trajectory.json").write_text(json.dumps(trajectory | {"steps": steps}))
    return folder


def _steps(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    steps: list[dict[str, Any]] = []
    for one in messages:
        if one["role"] == "tool":
            told = {"source_call_id": one["tool_call_id"], "content": one["content"]}
            steps[-1].setdefault("observation", {"results": []})["results"].append(told)
            continue
        source = {"assistant": "agent"}.get(one["role"], one["role"])
        step: dict[str, Any] = {"step_id": len(steps) + 1, "source": source, "message": one["content"]}
        if calls := one.get("tool_calls"):
            step["tool_calls"] = [
                {
                    "tool_call_id": call["id"],
                    "function_name": call["function"]["name"],
                    "arguments": json.loads(call["function"]["arguments"]),
                }
                for call in calls
            ]
        steps.append(step)
    return steps
