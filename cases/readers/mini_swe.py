"""mini-swe-agent trajectories `.traj.json`: a chat whose answers each hold one shell command."""

from functools import partial
from pathlib import Path
from typing import Any

from cases import patterns as re
from cases.model import Run, Task, Transcript
from cases.readers.base import Found, RunRecord
from cases.readers.clipping import transcript_of_pieces
from cases.readers.fields import exit_code_of, listed, mapping, stem_of, text_of, trimmed
from cases.readers.messages import Piece, call_of, clean, message_of
from cases.readers.sniff import Head
from cases.readers.streams import load_object

FENCE = re.compile(r"```(?:bash|mswea_bash_command)[ \t]*\n(.*?)\n[ \t]*```", re.DOTALL)
RETURNED = re.compile(r"<returncode>\s*(-?\d{1,9})\s*</returncode>")
RESULT = re.compile(r"\A\s*(?:<returncode>|Observation:|<exception>|The last command <command>)")


class MiniSweReader:
    """Reads one trajectory a file, of both generations (commands in fences, and as tool calls)."""

    name = "mini-swe-agent trajectory (.traj.json)"
    signs = "messages beside info with an exit status, or a trajectory_format that names it"
    omits = "costs and the agent's configuration"

    def recognises(self, head: Head) -> bool:
        """Its format's name, or the run's facts beside a chat."""
        stated = head.shape.get("trajectory_format")
        named = stated is not None and stated.text.startswith("mini-swe-agent")
        return "messages" in head.json_keys and (named or "exit_status" in head.item_keys("info"))

    def read(self, path: Path) -> Found:
        """One run."""
        data = load_object(path, "trajectory")
        info = mapping(data.get("info"))
        stem = stem_of(path)
        task_id = trimmed(data.get("instance_id")) or stem
        status = text_of(info.get("exit_status"))
        config = mapping(info.get("config"))
        image = text_of(mapping(config.get("environment")).get("image"))
        facts = {"scaffold": "mini-swe-agent", "exit_status": status, "container": image}
        run = Run(
            run_id=stem,
            agent="mini-swe-agent",
            model=text_of(mapping(config.get("model")).get("model_name")),
            answer=text_of(info.get("submission")),
            environment={key: value for key, value in facts.items() if value},
            source=str(path),
        )
        messages = listed(data.get("messages"))
        prompts = (message_of(raw).body for raw in messages if mapping(raw).get("role") == "user")
        task = Task(prompt=next((text for text in prompts if text), None))
        load = partial(_transcript, path) if messages else None
        return Found([RunRecord(None, task_id, run, task, load, own_id=False)])


def _transcript(path: Path) -> Transcript | None:
    pieces: list[Piece] = []
    pending: str | None = None
    data = load_object(path, "trajectory")
    for number, raw in enumerate(listed(data.get("messages"))):
        message = message_of(raw)
        fields = mapping(raw)
        extra = mapping(fields.get("extra"))
        if message.role == "assistant":
            pieces += message.pieces
            commands = [] if message.calls else _commands(extra, message.body)
            pieces += [call_of("assistant", "bash", {"command": command}, f"step-{number}") for command in commands]
            pending = f"step-{number}" if commands else None
        else:
            is_answer = pending is not None and RESULT.match(message.body) is not None
            pieces += [_result(piece, pending if is_answer else None, extra, is_answer) for piece in message.pieces]
            pending = None if is_answer else pending
    if raised := text_of(mapping(data.get("info")).get("traceback")):
        pieces.append(Piece("harness", "result", raised))
    return transcript_of_pieces(pieces)


def _commands(extra: dict[str, Any], text: str) -> list[str]:
    """The one command that was run; an answer with several, or none, is refused by the agent."""
    stated = [text_of(mapping(action).get("command")) for action in listed(extra.get("actions"))]
    if found := [command for command in stated if command]:
        return found
    fenced = FENCE.findall(text)
    return [clean(fenced[0].strip())] if len(fenced) == 1 else []


def _result(piece: Piece, call_id: str | None, extra: dict[str, Any], is_answer: bool) -> Piece:
    returned = RETURNED.search(piece.text[:2000]) if is_answer or piece.kind == "result" else None
    code = exit_code_of(extra.get("returncode"))
    code = int(returned[1]) if code is None and returned else code
    if is_answer and piece.kind == "message":
        return Piece(piece.role, "result", piece.text, "bash", call_id=call_id, exit_code=code)
    if piece.kind == "result":
        return Piece(piece.role, "result", piece.text, piece.tool, call_id=piece.call_id, exit_code=code)
    return piece
