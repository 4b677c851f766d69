"""A recorded run as files of the field's formats; which of them a world's run is, the world says."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cases import InputError
from cases.sentences import Sentences
from verify.labelled.world import Done, Recording, World

say = Sentences(__name__)

BENCHMARK = "corebench_hard"
CUT = "\n..._This content has been truncated to stay below {} characters_...\n"
CODE = (
    "You solve any task by code blobs. You can call these tools as Python functions:\n```python\n"
    "def execute_bash(command: string) -> string:\n    ...\ndef final_answer(answer: any) -> any:\n    ...\n```"
)
OBSERVED = "Observation:\nExecution logs:\n{}\nLast output from code snippet:\nNone"
STARTED = "2026-01-15T09:00:00Z"


@dataclass(frozen=True)
class Written:
    """One run as a file."""

    name: str
    text: str
    run_id: str | None = None
    """Of a run whose format does not say that it failed, so that a table of outcomes has to."""

    @property
    def outcomes(self) -> str:
        """That table; empty where the format says it."""
        if self.run_id is None:
            return ""
        row = (BENCHMARK, self.run_id.partition(":")[0], "scripted", "scripted", STARTED[:10], "0", self.run_id)
        return f"benchmark,task_id,scaffold,model,date,correct,run_id\n{','.join(row)}\n"


def check_format(world: World) -> None:
    """Check the world's format.

    Raises:
        InputError: there is none of that name; names all that there are.
    """
    if world.format not in FORMATS:
        raise InputError(
            say("labelled.formats.format_choose", id=world.id, format=world.format, formats=", ".join(FORMATS))
        )


def written(world: World, recording: Recording) -> Written:
    """The world's run in the world's format.

    Raises:
        InputError: there is no such format, or it cannot hold the agent's tools.
    """
    check_format(world)
    if world.format not in ANY_TOOL and any(not one.shell for one in recording.steps):
        raise InputError(
            say(
                "labelled.formats.holds_shell_commands_choose",
                id=world.id,
                format=world.format,
                any_tool=", ".join(ANY_TOOL),
            )
        )
    return FORMATS[world.format](world, recording)


def shown(done: Done) -> str:
    """What the harness shows of an output."""
    keep = done.keep
    return done.output[:keep] + CUT.format(keep) if keep is not None and len(done.output) > keep else done.output


def _told(done: Done) -> str:
    """The same as a tool's answer."""
    if not done.shell:
        return shown(done)
    return f"Exit Code: {done.exit_code}\nStdout:\n{shown(done)}\nStderr:\n"


def _arguments(done: Done) -> dict[str, str]:
    name = {"execute_bash": "command", "terminal": "command", "python_interpreter": "code", "visit_webpage": "url"}.get(
        done.tool, "input"
    )
    return {name: done.command}


def _messages(world: World, recording: Recording) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = [{"role": "user", "content": world.prompt}]
    for number, done in enumerate(recording.steps):
        function = {"name": done.tool, "arguments": json.dumps(_arguments(done))}
        call = {"id": f"call{number}", "type": "function", "function": function}
        messages.append({"role": "assistant", "content": done.say, "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": f"call{number}", "content": _told(done)})
    return [*messages, {"role": "assistant", "content": recording.final}]


def _upload(world: World, messages: list[dict[str, Any]]) -> Written:
    """A HAL result file (second generation) with the world's one failed run."""
    entry = {"messages": messages, "call_metadata": [], "model": "scripted", "call_count": 1}
    config = {"agent_name": "Scripted agent", "benchmark_name": BENCHMARK, "date": STARTED[:10]}
    document = {
        "_note": "Synthetic: a run in a labelled world; its outputs were recorded in that world.",
        "config": config | {"run_id": f"{BENCHMARK}_{world.id}", "agent_args": {"model_name": "scripted"}},
        "results": {"accuracy": 0.0, "successful_tasks": [], "failed_tasks": [world.id], "latencies": {}},
        "raw_eval_results": {world.id: {"score": 0.0}},
        "raw_logging_results": {world.id: entry},
        "total_usage": {},
        "total_cost": 0.0,
        "git_info": {},
        "task_prompts": {world.id: world.prompt},
    }
    return Written("run_UPLOAD.json", json.dumps(document))


def _hal(world: World, recording: Recording) -> Written:
    return _upload(world, _messages(world, recording))


def _hal_code(world: World, recording: Recording) -> Written:
    """Agents that act by Python code."""
    messages: list[dict[str, Any]] = [{"role": "system", "content": CODE}, {"role": "user", "content": world.prompt}]
    for done in recording.steps:
        code = f"out = execute_bash({done.command!r})\nprint(out)"
        messages.append({"role": "assistant", "content": f"Thought: {done.say}\nCode:\n```py\n{code}\n```<end_code>"})
        messages.append({"role": "user", "content": OBSERVED.format(_told(done))})
    code = f"final_answer({recording.final!r})"
    return _upload(world, [*messages, {"role": "assistant", "content": f"Code:\n```py\n{code}\n```<end_code>"}])


def _chat(world: World, recording: Recording) -> Written:
    row = {"task_id": world.id, "messages": _messages(world, recording)}
    return Written(f"{world.id}.jsonl", json.dumps(row) + "\n", f"{world.id}:1")


def _inspect(world: World, recording: Recording) -> Written:
    messages: list[dict[str, Any]] = [{"role": "user", "content": world.prompt}]
    for number, done in enumerate(recording.steps):
        tool = "bash" if done.tool == "execute_bash" else done.tool
        key = "cmd" if done.shell else ""
        arguments = {key: done.command} if key else _arguments(done)
        call = {"id": f"call{number}", "function": tool, "arguments": arguments, "type": "function"}
        messages.append({"role": "assistant", "content": done.say, "tool_calls": [call]})
        answer = {"role": "tool", "tool_call_id": f"call{number}", "function": tool, "content": shown(done)}
        messages.append(answer)
    messages.append({"role": "assistant", "content": recording.final})
    sample = {"id": world.id, "epoch": 1, "input": world.prompt, "target": "", "messages": messages, "events": []}
    sample |= {"scores": {"check": {"value": "I", "answer": recording.final}}}
    evaluation = {"run_id": f"run-{world.id}", "created": STARTED, "task": "labelled", "model": "scripted"}
    document = {"version": 2, "status": "success", "eval": evaluation, "samples": [sample]}
    return Written("log.json", json.dumps(document))


def _openhands(world: World, recording: Recording) -> Written:
    events: list[dict[str, Any]] = [{"id": 0, "source": "user", "action": "message", "args": {"content": world.prompt}}]
    for number, done in enumerate(recording.steps):
        made = {"tool_call_metadata": {"function_name": "execute_bash", "tool_call_id": f"call{number}"}}
        acted = {"action": "run", "args": {"command": done.command, "thought": done.say}}
        seen = {"observation": "run", "content": shown(done), "extras": {"metadata": {"exit_code": done.exit_code}}}
        events.append({"id": 2 * number + 1, "source": "agent", **acted, **made})
        events.append({"id": 2 * number + 2, "source": "agent", "cause": 2 * number + 1, **seen, **made})
    last = {"action": "finish", "args": {"final_thought": recording.final}, "message": recording.final}
    events.append({"id": len(events), "source": "agent", **last})
    row: dict[str, Any] = {"instance_id": world.id, "instruction": world.prompt, "history": events, "error": None}
    row |= {"metadata": {"agent_class": "CodeActAgent", "llm_config": {"model": "scripted"}}}
    row |= {"test_result": {"git_patch": "", "report": {"resolved": False}}}
    return Written("output.jsonl", json.dumps(row) + "\n")


def _openhands_sdk(world: World, recording: Recording) -> Written:
    def text(words: str) -> list[dict[str, str]]:
        return [{"type": "text", "text": words}]

    said = {"kind": "MessageEvent", "source": "user", "llm_message": {"role": "user", "content": text(world.prompt)}}
    rows: list[dict[str, Any]] = [said]
    for number, done in enumerate(recording.steps):
        tool = {"tool_name": "terminal", "tool_call_id": f"call{number}"}
        action = {"kind": "TerminalAction", "command": done.command}
        call = {"id": f"call{number}", "name": "terminal", "arguments": json.dumps({"command": done.command})}
        rows.append(
            {"kind": "ActionEvent", "source": "agent", "thought": text(done.say), "action": action, "tool_call": call}
            | tool
        )
        seen = {"kind": "TerminalObservation", "content": text(shown(done)), "exit_code": done.exit_code}
        rows.append({"kind": "ObservationEvent", "source": "environment", "observation": seen} | tool)
    last = {"role": "assistant", "content": text(recording.final)}
    rows.append({"kind": "MessageEvent", "source": "agent", "llm_message": last})
    return Written(f"{world.id}.jsonl", _lines(rows), world.id)


def _swe_agent(world: World, recording: Recording) -> Written:
    setting = "SETTING: You are an autonomous programmer, working directly in the command line."
    given = [{"role": "system", "content": setting}, {"role": "user", "content": world.prompt}]
    steps = [
        {
            "action": f"{done.command}\n",
            "observation": f"{shown(done)}\n",
            "response": f"{done.say}\n```\n{done.command}\n```",
            "thought": done.say,
            "state": {},
        }
        for done in recording.steps
    ]
    last = {"action": "submit", "observation": "", "response": recording.final, "thought": recording.final}
    info = {"exit_status": "submitted", "submission": ""}
    told = {"problem_statement": {"id": world.id, "text": world.prompt}}
    document = {"trajectory": [*steps, last], "history": given, "info": info, "replay_config": told}
    return Written(f"{world.id}.traj", json.dumps(document), world.id)


def _mini_swe(world: World, recording: Recording) -> Written:
    messages = [
        {"role": "system", "content": "You answer with one command."},
        {"role": "user", "content": world.prompt},
    ]
    for done in recording.steps:
        messages.append({"role": "assistant", "content": f"THOUGHT: {done.say}\n\n```bash\n{done.command}\n```"})
        answer = f"<returncode>{done.exit_code}</returncode>\n<output>\n{shown(done)}</output>"
        messages.append({"role": "user", "content": answer})
    messages.append({"role": "assistant", "content": recording.final})
    info = {"exit_status": "Submitted", "submission": "", "config": {"model": {"model_name": "scripted"}}}
    document = {"instance_id": world.id, "info": info, "messages": messages, "trajectory_format": "mini-swe-agent-1"}
    return Written(f"{world.id}.traj.json", json.dumps(document), world.id)


def _claude(world: World, recording: Recording) -> Written:
    session = {"session_id": world.id}

    def line(kind: str, content: str | list[dict[str, Any]]) -> dict[str, Any]:
        return {"type": kind, "message": {"role": kind, "content": content}, **session}

    begun = {
        "type": "system",
        "subtype": "init",
        "cwd": "/home/agent",
        "model": "scripted",
        "tools": ["Bash"],
        **session,
    }
    rows: list[dict[str, Any]] = [begun, line("user", world.prompt)]
    for number, done in enumerate(recording.steps):
        said: list[dict[str, Any]] = [{"type": "text", "text": done.say}] if done.say else []
        used = {"type": "tool_use", "id": f"call{number}", "name": "Bash", "input": {"command": done.command}}
        rows.append(line("assistant", [*said, used]))
        answer = f"Exit code {done.exit_code}\n{shown(done)}" if done.failed else shown(done)
        came = {"type": "tool_result", "tool_use_id": f"call{number}", "content": answer, "is_error": done.failed}
        rows.append(line("user", [came]))
    rows.append(line("assistant", [{"type": "text", "text": recording.final}]))
    rows.append({"type": "result", "subtype": "success", "is_error": False, "result": recording.final, **session})
    return Written(f"{world.id}.jsonl", _lines(rows), world.id)


def _codex(world: World, recording: Recording) -> Written:
    rows: list[dict[str, Any]] = [
        {"timestamp": STARTED, "type": "session_meta", "payload": {"id": world.id, "cwd": "/"}}
    ]
    items: list[dict[str, Any]] = [_spoken("user", "input_text", world.prompt)]
    for number, done in enumerate(recording.steps):
        items += [_spoken("assistant", "output_text", done.say)] if done.say else []
        arguments = json.dumps({"command": ["bash", "-lc", done.command]})
        items.append({"type": "function_call", "name": "shell", "arguments": arguments, "call_id": f"call{number}"})
        told = json.dumps({"output": shown(done), "metadata": {"exit_code": done.exit_code}})
        items.append({"type": "function_call_output", "call_id": f"call{number}", "output": told})
    items.append(_spoken("assistant", "output_text", recording.final))
    rows += [{"timestamp": STARTED, "type": "response_item", "payload": item} for item in items]
    return Written(f"{world.id}.jsonl", _lines(rows), world.id)


def _spoken(role: str, kind: str, text: str) -> dict[str, Any]:
    return {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}


def _gemini(world: World, recording: Recording) -> Written:
    messages: list[dict[str, Any]] = [{"type": "user", "content": world.prompt}]
    for number, done in enumerate(recording.steps):
        name, call = "run_shell_command", f"call{number}"
        told = f"Command: {done.command}\nOutput: {shown(done)}\nExit Code: {done.exit_code}"
        result = [{"functionResponse": {"id": call, "name": name, "response": {"output": told}}}]
        calls = [{"id": call, "name": name, "args": {"command": done.command}, "result": result, "status": "success"}]
        messages.append({"type": "gemini", "content": done.say, "toolCalls": calls})
    messages.append({"type": "gemini", "content": recording.final})
    document = {"sessionId": world.id, "projectHash": "0", "startTime": STARTED, "messages": messages}
    return Written(f"{world.id}.json", json.dumps(document), world.id)


def _atif(world: World, recording: Recording) -> Written:
    steps: list[dict[str, Any]] = [{"step_id": 1, "source": "user", "message": world.prompt}]
    for number, done in enumerate(recording.steps):
        call = {"tool_call_id": f"call{number}", "function_name": "bash", "arguments": {"command": done.command}}
        told = f"{shown(done)}\n[exit code {done.exit_code}]" if done.failed else shown(done)
        seen = {"results": [{"source_call_id": f"call{number}", "content": told}]}
        step = {"step_id": number + 2, "source": "agent", "message": done.say, "tool_calls": [call]}
        steps.append(step | {"observation": seen})
    steps.append({"step_id": len(steps) + 1, "source": "agent", "message": recording.final})
    agent = {"name": "scripted", "version": "1", "model_name": "scripted"}
    document = {"schema_version": "ATIF-v1.6", "session_id": world.id, "agent": agent, "steps": steps}
    return Written(f"{world.id}.json", json.dumps(document), world.id)


def _lines(rows: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


FORMATS: dict[str, Callable[[World, Recording], Written]] = {
    "hal": _hal,
    "hal-code": _hal_code,
    "chat": _chat,
    "inspect": _inspect,
    "openhands": _openhands,
    "openhands-sdk": _openhands_sdk,
    "swe-agent": _swe_agent,
    "mini-swe-agent": _mini_swe,
    "claude-code": _claude,
    "codex": _codex,
    "gemini": _gemini,
    "atif": _atif,
}
ANY_TOOL = ("hal", "chat", "inspect")
"""Formats that hold calls of tools that are no shell."""
