"""tau-bench and tau2-bench results: one run a task and trial, with the reward that its world's state earned."""

from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from cases.model import Outcome, Run, Task, Transcript
from cases.readers.base import MOST_RUNS, Found, Problem, RunRecord
from cases.readers.clipping import transcript_of
from cases.readers.fields import date_of, listed, mapping, number_of, stem_of, text_of, trimmed
from cases.readers.messages import Message, message_of
from cases.readers.pacing import HostileError
from cases.readers.sniff import Head
from cases.readers.streams import load_json
from cases.sentences import Sentences

say = Sentences(__name__)

FIRST = frozenset({"task_id", "reward", "traj"})
SECOND = frozenset({"simulations", "tasks"})
ONE = frozenset({"id", "task_id", "trial", "termination_reason"})
"""What a simulation has that lies in a file of its own."""
ENDED = frozenset({"user_stop", "agent_stop"})
"""Why a simulation ends that nothing cut short."""
DOMAINS = ("airline", "retail", "telecom", "banking_knowledge", "mock")


class TauReader:
    """Reads both generations: a list of runs, and simulations beside their tasks."""

    name = "tau-bench results"
    signs = "runs with reward and traj, simulations beside tasks, or one simulation"
    omits = "costs, seeds, and how the reward was composed"

    def recognises(self, head: Head) -> bool:
        """The runs' keys."""
        return head.listed_keys >= FIRST or any(head.json_keys >= keys for keys in (FIRST, SECOND, ONE))

    def read(self, path: Path) -> Found:
        """One run a task and trial.

        Raises:
            HostileError: it holds more runs than a benchmark has.
        """
        data = load_json(path)
        found = Found()
        domain = _domain(path, data)
        entries = _runs(data)
        if len(entries) > MOST_RUNS:
            raise HostileError(say("tau.holds_more_runs_than"))
        asked = {str(mapping(task).get("id")): mapping(task) for task in listed(mapping(data).get("tasks"))}
        model = text_of(mapping(mapping(mapping(data).get("info")).get("agent_info")).get("llm"))
        for number, raw in enumerate(entries):
            entry = mapping(raw)
            task_id = trimmed(entry.get("task_id"))
            if task_id is None:
                place, message = f"run {number + 1}", say("tau.task_id_missing")
                found.problems.append(Problem(file=str(path), place=place, message=message, remedy=say("tau.left_out")))
                continue
            task = Task(prompt=_prompt(entry, asked.get(task_id, {})))
            name = f"{domain}-{task_id}" if domain else task_id
            has = bool(listed(entry.get("traj", entry.get("messages"))))
            load = partial(_transcript, path, number) if has else None
            benchmark = "tau_bench" if "traj" in entry else "tau2_bench"
            found.runs.append(RunRecord(benchmark, name, _run(path, name, entry, model), task, load, own_id=False))
        return found


def _domain(path: Path, data: object) -> str:
    info = mapping(mapping(mapping(data).get("info")).get("environment_info"))
    stated = trimmed(info.get("domain_name"))
    return stated or next((domain for domain in DOMAINS if domain in path.name.lower()), "")


def _run(path: Path, name: str, entry: dict[str, Any], model: str | None) -> Run:
    reward = number_of(entry.get("reward", mapping(entry.get("reward_info")).get("reward")))
    reason = text_of(entry.get("termination_reason"))
    told = mapping(entry.get("info"))
    error = text_of(told.get("traceback")) or text_of(told.get("error"))
    facts = {"limit": None if reason in ENDED else reason, "error": error}
    return Run(
        run_id=f"{stem_of(path)}:{name}:{trimmed(entry.get('trial')) or 0}",
        model=model,
        date=date_of(entry.get("start_time")),
        outcome=Outcome.UNKNOWN if reward is None else Outcome.PASSED if reward >= 1 else Outcome.FAILED,
        score=reward,
        environment={key: value for key, value in facts.items() if value},
        source=str(path),
    )


def _prompt(entry: dict[str, Any], task: dict[str, Any]) -> str | None:
    """What the simulated user was told to want."""
    scenario = mapping(task.get("user_scenario")).get("instructions")
    told = mapping(scenario)
    parts = [text_of(told.get(key)) for key in ("reason_for_call", "task_instructions")]
    stated = "\n".join(part for part in parts if part) or text_of(scenario)
    return stated or text_of(mapping(mapping(entry.get("info")).get("task")).get("instruction"))


def _transcript(path: Path, number: int) -> Transcript | None:
    status = path.stat()
    entry = mapping(_entries(path, status.st_mtime_ns, status.st_size)[number])
    messages = [_message(raw) for raw in listed(entry.get("traj", entry.get("messages")))]
    return transcript_of(messages) if messages else None


@lru_cache(maxsize=1)
def _entries(path: Path, _changed: int, _size: int) -> list[Any]:
    """The file's runs, which are mostly asked for one after another."""
    return _runs(load_json(path))


def _runs(data: object) -> list[Any]:
    """The runs of a file: a list, what simulations there are, or the one that it is."""
    if not isinstance(data, dict):
        return listed(data)
    return [data] if data.keys() >= FIRST or data.keys() >= ONE else listed(data.get("simulations"))


def _message(raw: Any) -> Message:  # noqa: ANN401
    """tau2-bench names a result's call `id`, and says apart whether it is an error."""
    fields = mapping(raw)
    if fields.get("role") == "tool" and "tool_call_id" not in fields:
        return message_of(fields | {"tool_call_id": fields.get("id")})
    return message_of(raw)
