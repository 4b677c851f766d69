"""Agents that call tools in prose: every protocol's calls arrive with what came of them. All texts are made up."""

import json
from pathlib import Path

import pytest

from cases import Block, Events, Transcript, Understanding
from cases.events import events_of, protocol
from cases.understanding import understood

Talk = list[tuple[str, str]]


def transcript(*spoken: tuple[str, str]) -> Transcript:
    blocks = [Block(index=at, role=role, kind="message", text=text) for at, (role, text) in enumerate(spoken)]
    return understood(Transcript(blocks=tuple(blocks)))


def events(*spoken: tuple[str, str]) -> Events:
    return events_of(transcript(*spoken))


def measured(*spoken: tuple[str, str]) -> Understanding:
    found = transcript(*spoken).understanding
    assert found is not None
    return found


def brief(found: Events) -> list[tuple[str, str | None, int | None]]:
    return [(run.command, run.output, run.exit_code) for run in found.commands]


ASK = ("user", "Count the rows.")
JSON_KEYS = json.dumps({"analysis": "a", "commands": [{"keystrokes": "ls\n"}, {"keystrokes": "wc -l a\n"}]})
SCREEN = "New Terminal Output:\nroot@box:/w# ls\na\nroot@box:/w# wc -l a\n3 a\nroot@box:/w#"

RUN: dict[str, tuple[Talk, list[tuple[str, str | None, int | None]]]] = {
    "autogen": (
        [("Coder", "```sh\nls x\n```"), ("Terminal", "exitcode: 2 (execution failed)\nCode output: no x\n")],
        [("ls x", "no x\n", 2)],
    ),
    "agentbench": (
        [("assistant", "Think: look.\n\nAct: bash\n\n```bash\nls /etc\n```"), ("user", "The output of the OS:\nhosts")],
        [("ls /etc", "hosts", None)],
    ),
    "anthropic": (
        [
            ("assistant", '<invoke name="bash">\n<parameter name="command">ls</parameter>\n</invoke>'),
            ("user", "<function_results>\n<output>a</output>\n</function_results>"),
        ],
        [("ls", "a", None)],
    ),
    "cline": (
        [
            ("assistant", "<execute_command>\n<command>ls</command>\n</execute_command>"),
            ("user", "[execute_command for 'ls'] Result:\nCommand executed.\nOutput:\na"),
        ],
        [("ls", "Command executed.\nOutput:\na", None)],
    ),
    "hermes": (
        [
            ("assistant", '<tool_call>\n{"name": "bash", "arguments": {"command": "ls"}}\n</tool_call>'),
            ("user", "<tool_response>\na\n</tool_response>"),
        ],
        [("ls", "a", None)],
    ),
    "mini_swe_agent": (
        [
            ("assistant", "THOUGHT: look\n\n```mswea_bash_command\nls\n```"),
            ("user", "<returncode>1</returncode>\n<output>\nno\n</output>"),
        ],
        [("ls", "no", 1)],
    ),
    "openhands": (
        [
            ("assistant", "Look.\n<function=execute_bash>\n<parameter=command>ls x</parameter>\n</function>"),
            (
                "user",
                "EXECUTION RESULT of [execute_bash]:\nno x\n[The command completed with exit code 2.]\n"
                "[Current working directory: /w]",
            ),
        ],
        [("ls x", "no x\n[The command completed with exit code 2.]\n[Current working directory: /w]", 2)],
    ),
    "openhands_tags": (
        [
            ("assistant", "<execute_bash>\nls\n</execute_bash>"),
            ("user", "OBSERVATION:\na\n[Command finished with exit code 0]"),
        ],
        [("ls", "a\n[Command finished with exit code 0]", 0)],
    ),
    "react": (
        [
            ("assistant", "Thought: look\nAction: bash\nAction Input: ls x\n"),
            ("user", "Observation: no x"),
        ],
        [("ls x", "no x", None)],
    ),
    "smolagents": (
        [
            ("assistant", "Thought: x\nCode:\n```py\nprint(1)\n```<end_code>"),
            ("user", "Observation:\nExecution logs:\n1"),
        ],
        [("print(1)", "Observation:\nExecution logs:\n1", None)],
    ),
    "swe_agent": (
        [
            ("ai", "DISCUSSION\nLook.\n```\nls\n```"),
            ("user", "a\n\n(Open file: n/a)\n(Current directory: /w)\nbash-$"),
        ],
        [("ls", "a", None)],
    ),
    "terminus": (
        [("assistant", JSON_KEYS), ("user", SCREEN)],
        [("ls\n", "a\nroot@box:/w# ", None), ("wc -l a\n", "3 a\nroot@box:/w#", None)],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", RUN)
def test_a_call_arrives_with_its_output_and_exit_code(name: str) -> None:
    talk, commands = RUN[name]
    assert brief(events(ASK, *talk)) == commands
    found = measured(ASK, *talk)
    assert (found.calls, found.calls_read, found.observations) == (len(commands), len(commands), 1)
    assert found.complete


def test_every_protocol_has_a_sample() -> None:
    folder = Path(protocol.__file__).with_name(protocol.FOLDER)
    assert {file.stem for file in folder.glob("*.toml")} == set(RUN)
    assert len(protocol.protocols()) == len(RUN)


def test_where_a_command_ran_is_read() -> None:
    talk, _ = RUN["swe_agent"]
    assert events(ASK, *talk).commands[0].cwd == "/w"


def test_the_example_in_a_prompt_is_no_call() -> None:
    example = "Here is an example.\n<function=execute_bash>\n<parameter=command>pwd</parameter>\n</function>"
    assert events(("user", example), ("user", "EXECUTION RESULT of [finish]:\nok")).commands == ()


def test_calls_and_output_in_one_message() -> None:
    text = (
        "Thought: a\nAction: bash\nAction Input: ls\nObservation: one\nThought: b\nAction: bash\nAction Input: pwd\n"
        "Observation: two\nFinal Answer: done"
    )
    assert brief(events(ASK, ("assistant", text))) == [("ls", "one\n", None), ("pwd", "two\n", None)]


def test_action_lines_without_a_marked_answer_are_calls_where_the_agent_always_writes_them() -> None:
    turns = [("assistant", f"Action: go to shelf {n}") for n in range(3)]
    talk = [part for turn in turns for part in (turn, ("user", "On the shelf you see nothing."))]
    found = events(ASK, *talk)
    assert [(call.tool, call.output) for call in found.calls] == [("go", "On the shelf you see nothing.")] * 3


def test_a_message_with_two_commands_is_refused_where_one_is_asked_for() -> None:
    talk, _ = RUN["mini_swe_agent"]
    two = ("assistant", "```bash\na\n```\n```bash\nb\n```")
    found = events(ASK, *talk, two, ("user", "Please always provide EXACTLY ONE action."))
    assert [run.command for run in found.commands] == ["ls"]
    assert measured(ASK, *talk, two, ("user", "Please.")).complete


class TestUnderstanding:
    """How far a record was understood stands beside its events."""

    def test_calls_in_a_form_that_nothing_reads_are_counted(self) -> None:
        talk = [("assistant", "```bash\nls\n```"), ("user", ">>> a")] * 3
        found = measured(ASK, *talk)
        assert (found.calls, found.calls_read) == (3, 0)
        assert not found.complete
        assert found.told == "we could read only 0 of 3 calls"

    def test_many_messages_without_an_event_are_not_understood(self) -> None:
        talk = [("assistant", "[[run]] ls"), ("user", "-> a")] * 5
        found = measured(ASK, *talk)
        assert not found.complete
        assert found.told == "we could make out only 0 of the agent's steps in its 11 blocks"

    def test_a_question_and_its_answer_are(self) -> None:
        assert measured(ASK, ("assistant", "Three.")).complete

    def test_code_in_an_answer_is_no_call(self) -> None:
        assert measured(ASK, ("assistant", "```python\nprint(3)\n```")).complete

    def test_speakers_are_told_apart_by_what_they_do(self) -> None:
        page = "I typed 'x'.\n\nHere is a screenshot of [Shop](https://shop.invalid/). The viewport shows 10%."
        found = measured(
            ("human", "Find it."),
            ("Lead (thought)", "Plan."),
            ("Lead (-> Surfer)", "Look there."),
            ("Surfer", page),
            ("Shell", "exitcode: 0 (execution succeeded)\nCode output: 1"),
        )
        assert {one.name: one.does for one in found.speakers} == {
            "human": "asks",
            "Lead (thought)": "acts",
            "Lead (-> Surfer)": "acts",
            "Surfer": "answers",
            "Shell": "answers",
        }


TRACEBACK = """Error processing publish message
Traceback (most recent call last):
  File "/usr/lib/python3/site-packages/autogen_core/_runtime.py", line 410, in _process
    await x
  File "/usr/lib/python3/site-packages/openai/_base_client.py", line 1638, in _request
    raise y
openai.BadRequestError: Error code: 400 - {'error': {'code': 'content_filter'}}
FINAL ANSWER: 3
"""


class TestHarnessErrors:
    """Found in whoever's message they stand, and told apart from errors of the agent's own code."""

    @pytest.mark.parametrize("speaker", ["Surfer", "Lead (thought)", "assistant", "tool"])
    def test_a_traceback_of_the_scaffold(self, speaker: str) -> None:
        found = events(ASK, (speaker, "I clicked.\n" + TRACEBACK)).errors
        assert [(error.text, error.blocks) for error in found] == [
            ("openai.BadRequestError: Error code: 400 - {'error': {'code': 'content_filter'}}", (1,))
        ]

    def test_a_traceback_of_the_agents_code_is_none(self) -> None:
        own = TRACEBACK.replace("/usr/lib/python3/site-packages/autogen_core/_runtime.py", "/w/solve.py")
        assert events(ASK, ("Terminal", f"exitcode: 1 (execution failed)\nCode output: {own}")).errors == ()

    def test_the_line_with_which_a_run_breaks(self) -> None:
        found = events(ASK, ("Surfer", "Reading.\nSCENARIO.PY EXITED WITH CODE: 1 !#!#\nRUN.SH COMPLETE !#!#")).errors
        assert [error.text for error in found] == ["SCENARIO.PY EXITED WITH CODE: 1 !#!#"]
        assert events(ASK, ("Surfer", "SCENARIO.PY COMPLETE !#!#")).errors == ()
