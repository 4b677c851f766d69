"""Small synthetic files of every format that others write; nothing in them comes from a real run."""

import base64
import json
import pickle
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from cryptography.fernet import Fernet
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.pbkdf2 import PBKDF2HMAC

from tests.cases import agent_logs, terminals
from tests.cases.case_files import JUDGE, OUTCOMES, RUBRIC, cumulative, hal, hal_v2, said, table, whowhen

TALK = [said("user", "Do it."), said("assistant", "Doing."), said("user", "Well?"), said("assistant", "Done.")]
HEX = "ab" * 32
TRIAL = {"task_id": "t", "trial_name": "t.1", "is_resolved": False, "instruction": "Do it.", "failure_mode": "unset"}
LS = {"id": "c1", "function": "bash", "arguments": {"cmd": "ls"}, "type": "function"}


def lines(path: Path, rows: Iterable[Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def whole(path: Path, data: Any) -> Path:
    path.write_text(json.dumps(data, indent=1), "utf-8")
    return path


def inspect_sample(**more: Any) -> dict[str, Any]:
    """Five messages, one call; the tool's error stands apart, one text is an attachment."""
    return {
        "id": "t1",
        "epoch": 1,
        "input": "Find the flag.",
        "target": ["flag{x}", "flag{y}"],
        "messages": [
            {"role": "system", "content": "You play."},
            {"role": "user", "content": "attachment://a1"},
            {"role": "assistant", "content": "", "tool_calls": [LS]},
            {
                "role": "tool",
                "content": "",
                "tool_call_id": "c1",
                "function": "bash",
                "error": {"type": "timeout", "message": "Command timed out"},
            },
            {"role": "assistant", "content": "I give up."},
        ],
        "attachments": {"a1": "Find the flag.", "loop": "attachment://loop"},
        "scores": {"includes": {"value": "I", "answer": "none"}},
        "events": [],
    } | more


INSPECT_EVAL = {"run_id": "r1", "created": "2025-02-03T00:00:00Z", "task": "suite/synthetic_ctf", "model": "m"}


def inspect_zip(path: Path, *samples: dict[str, Any], compression: int = zipfile.ZIP_DEFLATED) -> Path:
    from cases.readers.archives import zipfile as zips

    with zips.ZipFile(path, "w", compression) as archive:
        for sample in samples:
            archive.writestr(f"samples/{sample['id']}_epoch_{sample['epoch']}.json", json.dumps(sample))
        archive.writestr("header.json", json.dumps({"version": 2, "status": "success", "eval": INSPECT_EVAL}))
    return path


def inspect_json(path: Path, *samples: dict[str, Any]) -> Path:
    return whole(path, {"version": 2, "status": "success", "eval": INSPECT_EVAL, "samples": list(samples)})


def encrypted(plain: bytes, passphrase: str = "hal1234") -> dict[str, str]:
    salt = b"0123456789abcdef"
    key = PBKDF2HMAC(algorithm=hashes.SHA256(), length=32, salt=salt, iterations=480_000).derive(passphrase.encode())
    token = Fernet(base64.urlsafe_b64encode(key)).encrypt(plain)
    return {"encrypted_data": base64.b64encode(token).decode(), "salt": base64.b64encode(salt).decode()}


def hal_zip(path: Path, passphrase: str = "hal1234") -> Path:
    plain = hal_v2(path.with_suffix(".plain"), TALK)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("run.json.encrypted", json.dumps(encrypted(plain.read_bytes(), passphrase)))
    plain.unlink()
    return path


def openhands(path: Path, **more: Any) -> Path:
    """Six events, one thought, one error of the harness: eight blocks."""
    made = {"tool_call_metadata": {"function_name": "execute_bash", "tool_call_id": "t1"}}
    events = [
        {"id": 0, "source": "agent", "action": "system", "args": {"content": "You are."}},
        {"id": 1, "source": "user", "action": "message", "args": {"content": "Fix it."}},
        {"id": 2, "source": "agent", "action": "run", "args": {"command": "make", "thought": "Build."}, **made},
        {
            "id": 3,
            "source": "agent",
            "cause": 2,
            "observation": "run",
            "content": "make: not found",
            "extras": {"metadata": {"exit_code": 127}},
            **made,
        },
        {"id": 4, "source": "agent", "action": "browse", "args": {"url": "https://shop.test/", "thought": ""}},
        {"id": 5, "cause": 4, "source": "agent", "observation": "browse", "content": "", "extras": {"url": "u"}},
    ]
    row = {"instance_id": "a__b-1", "instruction": "Fix it.", "history": events, "error": "RuntimeError: limit"}
    return lines(path, [row | {"metadata": {"agent_class": "CodeActAgent"}, "test_result": {"git_patch": "x"}} | more])


def swe_agent(path: Path, **more: Any) -> Path:
    """Two messages given, two steps of three blocks each."""
    history = [
        {"role": "system", "content": "You are."},
        {"role": "user", "content": "Fix it."},
        {"role": "assistant", "content": "Look.", "action": "ls", "thought": "Look."},
        {"role": "user", "content": "a.py", "message_type": "observation"},
    ]
    steps = [
        {"action": "ls\n", "observation": "a.py", "response": "Look.", "thought": "Look.", "state": {}},
        {"action": "submit", "observation": "", "response": "", "thought": ""},
    ]
    data = {"trajectory": steps, "history": history, "info": {"exit_status": "submitted", "submission": "diff"}}
    return whole(path, data | more)


def mini_swe(path: Path, **more: Any) -> Path:
    """Six messages and one command that was run: seven blocks."""
    messages = [
        {"role": "system", "content": "You are."},
        {"role": "user", "content": "Fix it."},
        {"role": "assistant", "content": "Look.\n\n```bash\npytest -x\n```"},
        {"role": "user", "content": "<returncode>2</returncode>\n<output>\nno tests\n</output>"},
        {"role": "assistant", "content": "```bash\na\n```\n```bash\nb\n```"},
        {"role": "user", "content": "Please always provide EXACTLY ONE action."},
    ]
    info = {"exit_status": "LimitsExceeded", "submission": "", "config": {"model": {"model_name": "m"}}}
    return whole(path, {"info": info, "messages": messages, "trajectory_format": "mini-swe-agent-1"} | more)


def atif(path: Path, **more: Any) -> Path:
    """Three steps; one thinks, speaks, calls twice and sees one result; one has an agent of its own: eight blocks."""
    steps = [
        {"step_id": 1, "source": "user", "message": "Fix it."},
        {
            "step_id": 2,
            "source": "agent",
            "message": "Look.",
            "reasoning_content": "Hm.",
            "tool_calls": [
                {"tool_call_id": "k1", "function_name": "bash_command", "arguments": {"keystrokes": "ls\n"}},
                {"tool_call_id": "k2", "function_name": "think", "arguments": {}},
            ],
            "observation": {"results": [{"source_call_id": "k1", "content": "a.py"}]},
        },
        {"step_id": 3, "source": "agent", "message": ""},
    ]
    inner = [{"steps": [{"step_id": 1, "source": "agent", "message": "Inner."}]}]
    data = {"schema_version": "ATIF-v1.7", "session_id": "s1", "agent": {"name": "terminus", "model_name": "m"}}
    return whole(path, data | {"steps": steps, "subagent_trajectories": inner} | more)


def harbor_result(path: Path, **more: Any) -> Path:
    data = {
        "task_name": "fix-git",
        "trial_name": "fix-git__abc",
        "source": "terminal-bench",
        "agent_info": {"name": "terminus", "model_info": {"name": "m"}},
        "verifier_result": {"rewards": {"reward": 0.0}},
        "started_at": "2025-03-04T00:00:00Z",
        "exception_info": None,
    }
    return whole(path, data | more)


def browser_use(path: Path, **more: Any) -> Path:
    """Two steps: page, thought, two actions, two results; page, no answer of the model, one result: eight blocks."""
    page = {"url": "https://shop.test/", "title": "Shop", "tabs": [{"url": "https://shop.test/", "title": "Shop"}]}
    first = {
        "model_output": {
            "current_state": {"memory": "x", "next_goal": "y"},
            "action": [{"go_to_url": {"url": "https://shop.test/a"}}, {"wait": {"seconds": 1}}],
        },
        "result": [{"error": "net::ERR_NAME_NOT_RESOLVED"}, {"extracted_content": ""}],
        "state": page,
    }
    judgement = {"verdict": False, "impossible_task": True, "reached_captcha": True, "reasoning": "A wall."}
    last = {"is_done": True, "success": False, "extracted_content": "no", "judgement": judgement}
    return whole(path, {"history": [first, {"model_output": None, "result": [last], "state": page}]} | more)


class Step:
    """As AgentLab pickles one."""

    def __init__(self, **fields: Any) -> None:
        self.__dict__.update(fields)


def agentlab(folder: Path) -> Path:
    """One observation with a goal, thought and action; one observation: two, three and one blocks."""
    folder.mkdir(parents=True)
    talk = [{"role": "assistant", "message": "Hi."}, {"role": "user", "message": "Buy it."}]
    seen = {"goal": "Buy it.", "chat_messages": talk, "url": "https://shop.test/", "axtree_txt": "Root"}
    steps = [
        Step(step=0, obs=seen, action="goto('https://shop.test/a')", agent_info={"think": "Go."}),
        Step(step=1, obs=seen | {"url": "https://shop.test/a", "last_action_error": "Timeout"}, action=None),
    ]
    for number, step in enumerate(steps):
        (folder / f"step_{number}.pkl").write_bytes(pickle.dumps(step))
    summary = {"n_steps": 2, "cum_reward": 0, "err_msg": None, "terminated": True, "truncated": False}
    return whole(folder / "summary_info.json", summary | {"stats.cum_cost": float("nan")})


def chat(path: Path) -> Path:
    call = {"id": "k", "type": "function", "function": {"name": "bash", "arguments": '{"command": "ls"}'}}
    messages = [
        *TALK,
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "k", "content": "a.py"},
    ]
    return lines(path, [{"messages": messages, "task_id": "t1"}, {"messages": TALK}])


def bare_chat(path: Path) -> Path:
    """The messages of one conversation and nothing else."""
    first, *_ = chat(path).read_text().splitlines()
    path.write_text(json.dumps(json.loads(first)["messages"]))
    return path


AGENTRX = {"task_id": "a", "failures": [{"task_id": "a", "failure_case": 9, "description": "a wall", "step_number": 3}]}
AGENTDEBUG = {
    "trace_id": "t1",
    "task_id": "a",
    "root_cause_event_id": "e2",
    "root_cause_step_index": 2,
    "findings": [
        {"event_id": "e1", "failure_mode": {"mode_id": "action.wrong_tool", "name": "Wrong tool selection"}},
        {
            "event_id": "e2",
            "failure_mode": {"mode_id": "system.environment_error", "name": "Environment error"},
            "evidence": ["HTTP 403"],
        },
    ],
    "summary": "The site refused.",
}
FEEDBACK = {"benchmark": "gaia", "task_id": "a", "says": "false alarm", "because": "it works here", "by": "Ann"}
SCOUT = ("transcript_task_id", "transcript_task_set", "value", "answer", "explanation")


SAMPLES: dict[str, Callable[[Path], Path]] = {
    "v1": lambda folder: hal(folder / "v1", cumulative(TALK)),
    "v2": lambda folder: hal_v2(folder / "v2", TALK),
    "gzip": lambda folder: hal_v2(folder / "v.gz", TALK),
    "hal_zip": lambda folder: hal_zip(folder / "hal_zip"),
    "inspect_zip": lambda folder: inspect_zip(folder / "inspect_zip", inspect_sample()),
    "inspect_json": lambda folder: inspect_json(folder / "inspect_json", inspect_sample()),
    "whowhen": lambda folder: whowhen(folder / "whowhen", TALK),
    "openhands": lambda folder: openhands(folder / "openhands"),
    "swe_agent": lambda folder: swe_agent(folder / "swe_agent"),
    "mini_swe": lambda folder: mini_swe(folder / "mini_swe"),
    "atif": lambda folder: atif(folder / "atif"),
    "harbor_result": lambda folder: harbor_result(folder / "harbor_result"),
    "browser_use": lambda folder: browser_use(folder / "browser_use"),
    "agentlab": lambda folder: agentlab(folder / "agent_on_webarena.12_3"),
    "chat": lambda folder: chat(folder / "chat"),
    "bare_chat": lambda folder: bare_chat(folder / "bare_chat"),
    "chat_list": lambda folder: agent_logs.chat_list(folder / "chat_list"),
    "tau": lambda folder: agent_logs.tau(folder / "tau"),
    "tau2": lambda folder: agent_logs.tau2(folder / "tau2"),
    "openhands_events": lambda folder: agent_logs.openhands_events(folder / "openhands_events"),
    "openhands_sdk": lambda folder: agent_logs.openhands_sdk(folder / "openhands_sdk"),
    "claude": lambda folder: agent_logs.claude(folder / "claude"),
    "codex_exec": lambda folder: agent_logs.codex_exec(folder / "codex_exec"),
    "codex_session": lambda folder: agent_logs.codex_session(folder / "codex_session"),
    "gemini": lambda folder: agent_logs.gemini(folder / "gemini"),
    "gemini_stream": lambda folder: agent_logs.gemini_stream(folder / "gemini_stream"),
    "mind2web": lambda folder: agent_logs.mind2web(folder / "mind2web"),
    "aider": lambda folder: agent_logs.aider(folder / "aider"),
    "predictions": lambda folder: lines(folder / "predictions", [{"id": HEX, "answer": "20"}]),
    "submissions": lambda folder: lines(folder / "x_RAW_SUBMISSIONS.jsonl", [{HEX: "20"}, {"b": {"answer": "1"}}]),
    "rubric": lambda folder: table(folder / "rubric", RUBRIC, [("a", "gaia", "1", "0", 'te"xt\nlines', "r")] * 4),
    "judge": lambda folder: table(folder / "judge", JUDGE, [("a", "1", "1", "2", "r;s", "why\nnot")] * 3),
    "agentrx": lambda folder: whole(folder / "agentrx", {"summary": {}, "detailed_results": [AGENTRX]}),
    "agentdebug": lambda folder: whole(folder / "agentdebug", AGENTDEBUG),
    "feedback": lambda folder: whole(folder / "feedback", {"schema": "impassable/1", "feedback": FEEDBACK}),
    "scout": lambda folder: table(folder / "scout", SCOUT, [("a", "gaia", "1", "yes", "why")] * 3),
    "issues": lambda folder: table(folder / "issues", ("task_id", "issue"), [("a", "https://forge.test/i/1")] * 3),
    "swebench_ids": lambda folder: whole(folder / "ids", {"resolved_ids": ["a__a-1"], "unresolved_ids": ["a__a-2"]}),
    "swebench_lists": lambda folder: whole(folder / "lists", {"no_generation": ["a__a-1"], "resolved": ["a__a-2"]}),
    "swebench_instance": lambda folder: whole(folder / "one", {"a__a-1": {"resolved": True, "patch_exists": True}}),
    "terminal_bench": lambda folder: whole(
        folder / "trials",
        {"results": [TRIAL, TRIAL | {"trial_name": "t.2"}], "resolved_ids": [], "unresolved_ids": ["t"]},
    ),
    "terminal_bench_trial": lambda folder: whole(folder / "trial", TRIAL),
    "recording": lambda folder: terminals.cast(folder / "recording"),
    "recording_first": lambda folder: terminals.cast(folder / "recording_first", version=1),
    "terminal_log": lambda folder: terminals.log(folder / "terminal_log"),
    "terminus": lambda folder: whole(
        folder / "terminus",
        {"messages": [{"role": "user", "content": "Do it."}], "original_response": "Error code: 500"},
    ),
    "swe_agent_history": lambda folder: whole(
        folder / "swe_agent_history",
        {
            "history": [
                {"role": "user", "content": "Fix it.", "agent": "main"},
                {"role": "assistant", "content": "a", "agent": "main"},
            ]
        },
    ),
    "outcomes": lambda folder: table(folder / "outcomes", OUTCOMES, [("gaia", "a", "s", "m", "d", "1", "r")] * 4),
}
"""Every format; each is written into an empty folder and named so that its name says nothing."""
