"""SWE-agent trajectories `.traj`: what was said before the first step, then each step with its observation."""

from functools import partial
from pathlib import Path
from typing import Any

from cases.model import Run, Task, Transcript
from cases.readers.base import Found, RunRecord
from cases.readers.clipping import transcript_of_pieces
from cases.readers.fields import listed, mapping, stem_of, text_of, trimmed
from cases.readers.messages import Piece, call_of, clean, dumped, message_of
from cases.readers.sniff import Head
from cases.readers.streams import load_object

SPOKEN = frozenset({"role", "content", "agent"})
"""What each message of a history has; which agent of the scaffold speaks is SWE-agent's own."""
SHELL = "bash"
"""What the agent's actions are: command lines of one shell, its own tools being commands there."""
ENDS = frozenset({"submit", "exit_forfeit"})
"""Of these tools those that end a run: the harness takes them, whatever the machine has. Source: SWE-agent, tools."""


class SweAgentReader:
    """Reads one trajectory a file; these hold no outcome, which is the benchmark's own report."""

    name = "SWE-agent trajectory (.traj)"
    signs = "a trajectory beside info or history, or a history of the agent's own messages"
    omits = "the state after each step, timings and costs"

    def recognises(self, head: Head) -> bool:
        """A list of steps with the run's facts or its history, or the history alone."""
        steps, history = head.shape.get("trajectory"), head.shape.get("history")
        if steps is not None and steps.kind == "array":
            return bool({"info", "history"} & head.json_keys)
        return history is not None and history.kind == "array" and history.keys >= SPOKEN

    def read(self, path: Path) -> Found:
        """One run."""
        data = load_object(path, "trajectory")
        info = mapping(data.get("info"))
        stem = stem_of(path)
        config = mapping(mapping(data.get("replay_config")).get("problem_statement"))
        task_id = trimmed(data.get("instance_id")) or trimmed(config.get("id")) or stem
        status = text_of(info.get("exit_status"))
        run = Run(
            run_id=trimmed(data.get("run_id")) or stem,
            agent="SWE-agent",
            answer=text_of(info.get("submission")),
            environment={"scaffold": "SWE-agent"} | ({"exit_status": status} if status else {}),
            source=str(path),
        )
        task = Task(prompt=text_of(config.get("text")))
        steps = listed(data.get("trajectory")) or listed(data.get("history"))
        load = partial(_transcript, path) if steps else None
        return Found([RunRecord(None, task_id, run, task, load, own_id=False)])


def _transcript(path: Path) -> Transcript | None:
    data = load_object(path, "trajectory")
    history, steps = listed(data.get("history")), listed(data.get("trajectory"))
    if not steps:
        return transcript_of_pieces(piece for raw in history for piece in message_of(raw).pieces)
    pieces = [piece for raw in _before(history) for piece in message_of(raw).pieces]
    for number, raw in enumerate(steps):
        pieces += _step(raw, f"step-{number}")
    return transcript_of_pieces(pieces)


def _before(history: list[Any]) -> list[Any]:
    """What the agent was given: all up to its first answer that is no demonstration."""
    for at, raw in enumerate(history):
        if isinstance(raw, dict) and raw.get("role") == "assistant" and not raw.get("is_demo"):
            return history[:at]
    return history


def _step(raw: object, call_id: str) -> list[Piece]:
    if not isinstance(raw, dict):
        return [Piece("unknown", "message", dumped(raw))]
    action, seen = raw.get("action"), raw.get("observation")
    thought, response = raw.get("thought"), raw.get("response")
    said = thought if action and isinstance(thought, str) else response or thought or ""
    pieces, tool = [Piece("assistant", "message", clean(said) if isinstance(said, str) else dumped(said))], SHELL
    if action:
        command = clean(action.strip("\n")) if isinstance(action, str) else dumped(action)
        tool = command.strip() if command.strip() in ENDS else SHELL
        pieces.append(call_of("assistant", tool, {"command": command} if tool == SHELL else {}, call_id))
    if seen is not None or action:
        text = clean(seen) if isinstance(seen, str) else dumped(seen) if seen is not None else ""
        pieces.append(Piece("tool", "result", text, tool, call_id=call_id))
    return pieces
