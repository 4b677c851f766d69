"""Logs of command-line agents and of benchmarks with simulated users or browsers."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from cases import InputError, Outcome
from cases.readers import read
from tests.cases import agent_logs
from tests.cases.reading import kinds, only, opened, shell

COMMANDS: dict[str, tuple[Callable[[Path], Path], list[tuple[str, str | None, int | None]]]] = {
    "openhands_events": (agent_logs.openhands_events, [("wc -l a.csv", "3 a.csv", 0)]),
    "openhands_sdk": (agent_logs.openhands_sdk, [("wc -l a.csv", "no such file", 1)]),
    "claude": (
        agent_logs.claude,
        [
            ("wc -l b.csv", "Exit code 1\nwc: b.csv: No such file or directory", 1),
            ("wc -l a.csv", "3 a.csv", 0),
        ],
    ),
    "codex_exec": (agent_logs.codex_exec, [("wc -l b.csv", "no b.csv", 1)]),
    "codex_session": (agent_logs.codex_session, [("wc -l a.csv", "3 a.csv\n", 0)]),
    "gemini": (agent_logs.gemini, [("wc -l a.csv", "3 a.csv", None)]),
    "gemini_stream": (agent_logs.gemini_stream, [("wc -l b", "no b", None)]),
    "aider": (agent_logs.aider, [("wc -l b.csv", "wc: b.csv: No such file or directory", None)]),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_arrives_with_its_output_and_exit_code(name: str, tmp_path: Path) -> None:
    write, commands = COMMANDS[name]
    case, found = only(write(tmp_path / f"{name}.log"))
    assert shell(found) == commands
    assert case.task.prompt is None or "a.csv" in case.task.prompt
    transcript = case.runs[0].transcript
    assert transcript is not None
    assert transcript.understanding is not None
    assert transcript.understanding.calls == transcript.understanding.calls_read == len(commands)


@pytest.mark.parametrize(
    ("write", "error"),
    [
        (agent_logs.openhands_sdk, "LLMError: no credit"),
        (agent_logs.claude, "API Error: 529"),
        (agent_logs.codex_exec, "stream disconnected"),
    ],
)
def test_the_error_with_which_a_run_ended_is_the_harnesses(
    write: Callable[[Path], Path], error: str, tmp_path: Path
) -> None:
    _, found = only(write(tmp_path / "log.jsonl"))
    assert [one.text for one in found.errors] == [error]


def test_an_answer_in_pieces_is_one_message(tmp_path: Path) -> None:
    case, _ = only(agent_logs.gemini_stream(tmp_path / "log.jsonl"))
    assert case.runs[0].answer == "It is missing."
    assert kinds(case) == "mcrm"


def test_rewards_are_outcomes(tmp_path: Path) -> None:
    library = opened(agent_logs.tau(tmp_path / "gpt-airline.json"))
    cases = [library.case(task) for task in library.tasks()]
    assert [(case.benchmark, case.task_id) for case in cases] == [
        ("tau_bench", "airline-0"),
        ("tau_bench", "airline-1"),
    ]
    assert [case.runs[0].outcome for case in cases] == [Outcome.FAILED, Outcome.PASSED]
    assert cases[0].task.prompt == "You want your money back."


def test_a_simulation_that_was_cut_short_says_so(tmp_path: Path) -> None:
    case, found = only(agent_logs.tau2(tmp_path / "results.json"))
    assert (case.benchmark, case.task_id) == ("tau2_bench", "telecom-t1")
    assert case.runs[0].environment["limit"] == "max_steps"
    assert [(call.tool, call.output) for call in found.calls] == [("get_line", "down")]


def test_actions_without_pages_are_an_incomplete_record(tmp_path: Path) -> None:
    case, found = only(agent_logs.mind2web(tmp_path / "result.json"))
    assert [visit.url for visit in found.visits] == ["https://shop.test/"]
    assert [call.tool for call in found.calls] == ["Click"]
    assert case.runs[0].transcript is not None
    assert not case.runs[0].transcript.complete


def test_a_list_of_conversations_is_one_run_each(tmp_path: Path) -> None:
    library = opened(agent_logs.chat_list(tmp_path / "chats.json"))
    assert [task.task_id for task in library.tasks()] == ["a", "b"]
    assert all(library.case(task).runs[0].transcript for task in library.tasks())


def test_a_conversation_whose_name_says_nothing_is_named_by_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "taskShop--3"
    folder.mkdir()
    talk = agent_logs.chat_list(folder / "x").read_text()
    (folder / "x").unlink()
    (folder / "interact_messages.json").write_text(talk[talk.index("[", 1) : talk.index("]") + 1])
    case, _ = only(folder / "interact_messages.json")
    assert (case.benchmark, case.task_id) == ("webvoyager", "Shop--3")


def test_one_run_of_tau_bench_and_results_without_actions_are_read_and_predictions_are_named(tmp_path: Path) -> None:
    first = json.loads(agent_logs.tau(tmp_path / "gpt-airline.json").read_text())[0]
    (tmp_path / "airline-one.json").write_text(json.dumps(first))
    (run,) = read(tmp_path / "airline-one.json").runs
    assert (run.benchmark, run.task_id, bool(run.load)) == ("tau_bench", "airline-0", True)
    judged = {"task_id": "ab", "task": "Find it.", "final_result_response": "Found.", "judge": {"score": 100}}
    (tmp_path / "result.json").write_text(json.dumps(judged))
    (run,) = read(tmp_path / "result.json").runs
    assert (run.benchmark, run.run.answer, run.load) == ("online_mind2web", "Found.", None)
    (tmp_path / "preds").write_text(json.dumps([{"instance_id": "a", "model_name_or_path": "m", "model_patch": ""}]))
    with pytest.raises(InputError, match="SWE-bench predictions"):
        read(tmp_path / "preds")


def test_a_history_alone_is_a_trajectory_of_swe_agent(tmp_path: Path) -> None:
    call = {"id": "k", "type": "function", "function": {"name": "bash", "arguments": '{"command": "ls"}'}}
    history = [
        {"role": "user", "content": "Fix it.", "agent": "main"},
        {"role": "assistant", "content": "Look.", "agent": "main", "tool_calls": [call]},
        {"role": "tool", "content": "a.py", "agent": "main", "tool_call_ids": ["k"]},
    ]
    (tmp_path / "a.traj").write_text(json.dumps({"history": history}))
    case, found = only(tmp_path / "a.traj")
    assert [(run.command, run.output) for run in found.commands] == [("ls", "a.py")]
    assert case.runs[0].agent == "SWE-agent"


EDITED = """# aider chat started at 2025-01-02 03:04:05

#### Greet in English.

I change the greeting and add a note.

```python
greet.py
<<<<<<< SEARCH
print("Hallo")
=======
print("Hello")
>>>>>>> REPLACE
```

note.md
```
<<<<<<< SEARCH
=======
A note.
>>>>>>> REPLACE
```

lost.py
```
<<<<<<< SEARCH
not there
=======
there
>>>>>>> REPLACE
```

> Tokens: 1k sent, 1k received.
> Applied edit to greet.py
> Applied edit to note.md
"""


def test_edits_that_aider_applied_are_files_that_were_written(tmp_path: Path) -> None:
    (tmp_path / ".aider.chat.history.md").write_text(EDITED)
    case, found = only(tmp_path)
    written = [(one.path, one.how, one.old, one.content) for one in found.writes]
    assert written == [
        ("greet.py", "replace", 'print("Hallo")', 'print("Hello")'),
        ("note.md", "whole", None, "A note."),
    ]
    transcript = case.runs[0].transcript
    assert transcript
    assert ">>>>>>> REPLACE" in next(block.text for block in transcript.blocks if block.role == "assistant")


def test_what_a_step_says_and_does_is_one_call(tmp_path: Path) -> None:
    response = "I look.\n<function=bash>\n<parameter=command>ls</parameter>\n</function>"
    step = {"thought": "I look.", "response": response, "action": "ls", "observation": "a.py"}
    (tmp_path / "a.traj").write_text(json.dumps({"trajectory": [step], "info": {}}))
    _, found = only(tmp_path / "a.traj")
    assert [(run.command, run.output) for run in found.commands] == [("ls", "a.py")]


def test_a_conversation_with_one_event_a_file_is_one_run(tmp_path: Path) -> None:
    whole = agent_logs.openhands_sdk(tmp_path / "whole")
    kept = [json.loads(line) for line in whole.read_text().splitlines()]
    folder = tmp_path / "talk-1" / "events"
    folder.mkdir(parents=True)
    for number, event in enumerate(kept):
        (folder / f"event-{number:05}-{number}a.json").write_text(json.dumps(event))
    case, found = only(folder.parent)
    assert case.task_id == "talk-1"
    assert found == only(whole)[1]


def test_a_log_of_events_may_begin_with_a_change_of_state(tmp_path: Path) -> None:
    state = {"id": "1", "timestamp": "2026-06-16T05:39:18", "source": "environment", "key": "execution_status"}
    rest = agent_logs.openhands_sdk(tmp_path / "whole").read_text()
    (tmp_path / "log").write_text(
        json.dumps(state | {"value": "running", "kind": "ConversationStateUpdateEvent"}) + "\n" + rest
    )
    assert only(tmp_path / "log")[1].commands


def test_a_simulation_in_a_file_of_its_own_is_read(tmp_path: Path) -> None:
    (one,) = json.loads(agent_logs.tau2(tmp_path / "results.json").read_text())["simulations"][:1]
    folder = tmp_path / "telecom" / "simulations"
    folder.mkdir(parents=True)
    (folder / "0a.json").write_text(json.dumps(one))
    (run,) = read(folder / "0a.json").runs
    assert (run.benchmark, run.task_id, bool(run.load)) == ("tau2_bench", one["task_id"], True)
