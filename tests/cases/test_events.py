"""Events: what the blocks show being run and visited, with output, exit code, and the blocks that show it."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import Block, CommandRun, Events, Transcript
from cases.events import events_of
from cases.events.data import tools
from cases.events.folding import tool_uses


def transcript(*spoken: tuple[str, str] | Block) -> Transcript:
    blocks = []
    for index, entry in enumerate(spoken):
        if isinstance(entry, Block):
            blocks.append(entry.model_copy(update={"index": index}))
        else:
            blocks.append(Block(index=index, role=entry[0], kind="message", text=entry[1]))
    return Transcript(blocks=tuple(blocks))


def events(*spoken: tuple[str, str] | Block) -> Events:
    return events_of(transcript(*spoken))


def brief(commands: tuple[CommandRun, ...]) -> list[tuple[str, str, int | None, tuple[int, ...]]]:
    return [(run.kind, run.command, run.exit_code, run.blocks) for run in commands]


class TestTerminalAgent:
    """Fenced code, executed by the agent that speaks next."""

    FAILED = "exitcode: 1 (execution failed)\nCode output: "

    def test_code_and_its_result(self) -> None:
        found = events(
            ("Expert", "Run this:\n```python\nimport shop\n```\nThanks."),
            ("Computer_terminal", self.FAILED + "Traceback ...\nModuleNotFoundError: No module named 'shop'\n"),
        ).commands
        assert brief(found) == [("python", "import shop", 1, (0, 1))]
        assert found[0].output == "Traceback ...\nModuleNotFoundError: No module named 'shop'\n"
        assert found[0].tool == "Computer_terminal"

    def test_several_fences_run_in_order(self) -> None:
        text = "```sh\npip install shop\n```\nthen\n```python\nimport shop\nprint(1)\n```"
        found = events(("E", text), ("T", "exitcode: 0 (execution succeeded)\nCode output: 1\n")).commands
        assert brief(found) == [
            ("shell", "pip install shop", 0, (0, 1)),
            ("python", "import shop\nprint(1)", 0, (0, 1)),
        ]
        assert [run.output for run in found] == [None, "1\n"]

    def test_the_fence_that_the_traceback_quotes_is_the_one_that_failed(self) -> None:
        text = "```python\nimport a\n```\n```python\nimport b\n```\n```python\nimport c\n```"
        trace = 'Traceback (most recent call last):\n  File "/x/tmp_code_1.py", line 1, in <module>\n    import b\nE: b'
        found = events(("E", text), ("T", self.FAILED + trace)).commands
        assert brief(found) == [("python", "import a", 0, (0, 1)), ("python", "import b", 1, (0, 1))]

    def test_a_message_without_code_runs_nothing(self) -> None:
        none = "There is no code from the last 1 message for me to execute. Group chat manager should ..."
        assert events(("E", "Let us think."), ("Computer_terminal", none)) == Events()

    def test_code_that_nobody_ran_is_no_event(self) -> None:
        assert events(("E", "```python\nprint(1)\n```"), ("F", "Fine.")) == Events()

    def test_a_fence_of_another_language_is_not_run(self) -> None:
        found = events(
            ("E", '```json\n{"a": 1}\n```\n```sh\nls\n```'), ("T", "exitcode: 0 (ok)\nCode output: a")
        ).commands
        assert [run.command for run in found] == ["ls"]

    def test_magentic_ones_executor(self) -> None:
        result = "The script ran, then exited with Unix exit code: 2\nIts output was:\nls: cannot access 'x'"
        found = events(("Coder", "```bash\nls x\n```"), ("ComputerTerminal", result)).commands
        assert brief(found) == [("shell", "ls x", 2, (0, 1))]
        assert found[0].output == "ls: cannot access 'x'"

    def test_a_result_without_its_code_is_kept(self) -> None:
        found = events(("T", self.FAILED + "boom")).commands
        assert (found[0].command, found[0].output, found[0].exit_code) == ("", "boom", 1)


def tool_call(tool: str, call_id: str | None = None, **arguments: Any) -> Block:
    text = f"{tool}({arguments})"
    return Block(
        index=0, role="assistant", kind="call", text=text, tool=tool, arguments=arguments or None, call_id=call_id
    )


def tool_result(text: str, call_id: str | None = None) -> Block:
    return Block(index=0, role="tool", kind="result", text=text, call_id=call_id)


class TestToolCalls:
    """Structured calls, matched to their results by id."""

    def test_results_out_of_order(self) -> None:
        found = events(
            tool_call("bash", "1", command="ls"),
            tool_call("functions.execute_bash", "2", cmd="pwd", cwd="/srv"),
            tool_result("/srv\nExit Code: 0", "2"),
            tool_result("[The command completed with exit code 2.]", "1"),
        ).commands
        assert brief(found) == [("shell", "ls", 2, (0, 3)), ("shell", "pwd", 0, (1, 2))]
        assert found[1].cwd == "/srv"

    def test_a_call_without_result(self) -> None:
        found = events(tool_call("python", "1", code="print(1)")).commands
        assert brief(found) == [("python", "print(1)", None, (0,))]
        assert found[0].output is None

    def test_a_list_of_words_as_command(self) -> None:
        found = events(tool_call("shell", "1", command=["bash", "-lc", "apt-get update"])).commands
        assert found[0].command == "apt-get update"

    def test_other_tools_are_no_commands(self) -> None:
        found = events(tool_call("calculator", "1", code="1+1"), tool_result("2", "1"))
        assert (found.commands, found.visits) == ((), ())
        assert [(call.tool, call.arguments, call.output) for call in found.calls] == [
            ("calculator", {"code": "1+1"}, "2")
        ]

    def test_pages(self) -> None:
        found = events(
            tool_call("visit_webpage", "1", url="https://shop.invalid/a"),
            tool_result("Error fetching the webpage: 403 Client Error: Forbidden for url: https://shop.invalid/a", "1"),
        ).visits
        assert found[0].url == "https://shop.invalid/a"
        assert found[0].error is not None
        assert "403" in found[0].error
        assert found[0].blocks == (0, 1)


def code(body: str, calling: str = "") -> tuple[str, str]:
    return "assistant", f"Thought: try.\n\nCode:\n```py\n{body}\n```<end_code>{calling}"


def section(exit_code: int, out: str = "", err: str = "") -> str:
    return f"Exit Code: {exit_code}\nStdout:\n{out}\nStderr:\n{err}"


def observed(*sections: str, last: str = "None") -> tuple[str, str]:
    logs = "\n\n".join(sections)
    return "user", f"Observation:\nExecution logs:\n{logs}\nLast output from code snippet:\n{last}"


class TestCodeAgent:
    """Python that an agent writes, the shell commands in it, and their printed results."""

    def test_a_printed_command(self) -> None:
        found = events(code('out = execute_bash("ls")\nprint(out)'), observed(section(0, "a"))).commands
        assert brief(found) == [
            ("python", 'out = execute_bash("ls")\nprint(out)', None, (0, 1)),
            ("shell", "ls", 0, (0, 1)),
        ]
        assert found[1].output == "Stdout:\na\nStderr:"
        assert found[1].tool == "execute_bash"

    def test_sections_go_to_the_calls_in_order(self) -> None:
        body = 'a = execute_bash("test -d x")\nprint(a)\nif "no" in a:\n    print(execute_bash(command="mkdir x"))'
        found = events(code(body), observed(section(0, "no"), section(1, "", "mkdir: denied"))).commands
        assert [(run.command, run.exit_code) for run in found[1:]] == [("test -d x", 0), ("mkdir x", 1)]
        assert found[2].output is not None
        assert "mkdir: denied" in found[2].output

    def test_a_branch_that_printed_nothing_was_not_run(self) -> None:
        body = 'a = execute_bash("test -d x")\nprint(a)\nif "no" in a:\n    print(execute_bash("mkdir x"))'
        found = events(code(body), observed(section(0, "yes"))).commands
        assert [(run.command, run.exit_code) for run in found[1:]] == [("test -d x", 0)]

    def test_a_command_whose_result_is_not_printed_gets_none(self) -> None:
        body = 'execute_bash("cd x")\nprint(execute_bash("ls"))'
        found = events(code(body), observed(section(2))).commands
        assert [(run.command, run.exit_code) for run in found[1:]] == [("cd x", None), ("ls", 2)]

    def test_numbers_that_do_not_add_up_are_not_assigned(self) -> None:
        found = events(code('print(execute_bash("ls"))'), observed(section(0), section(1))).commands
        assert [(run.command, run.exit_code) for run in found[1:]] == [("ls", None)]

    def test_the_value_of_the_last_expression(self) -> None:
        found = events(code('execute_bash("false")'), observed("", last=section(1))).commands
        assert [(run.command, run.exit_code) for run in found[1:]] == [("false", 1)]

    def test_a_loop_over_known_commands(self) -> None:
        body = 'for pkg in ["a", "b"]:\n    print(execute_bash(f"pip install {pkg}"))'
        found = events(code(body), observed(section(0), section(1))).commands
        assert [(run.command, run.exit_code) for run in found[1:]] == [("pip install a", 0), ("pip install b", 1)]

    def test_the_list_of_calls_is_the_same_code_not_more(self) -> None:
        body = 'print(execute_bash("ls"))'
        listed = [{"id": "1", "type": "function", "function": {"name": "python_interpreter", "arguments": body}}]
        found = events(code(body, f"\nCalling tools:\n{listed}"), observed(section(0))).commands
        assert [run.kind for run in found] == ["python", "shell"]

    def test_the_list_of_calls_as_a_message_of_its_own(self) -> None:
        body = 'print(execute_bash("ls"))'
        listed = [{"id": "1", "type": "function", "function": {"name": "python_interpreter", "arguments": body}}]
        found = events(code(body), ("assistant", f"Calling tools:\n{listed}"), observed(section(0))).commands
        assert ("shell", "ls", 0, (0, 1, 2)) in brief(found)
        assert len(found) == 2

    def test_a_tool_called_by_name(self) -> None:
        listed = [{"id": "1", "function": {"name": "execute_bash", "arguments": {"command": "ls"}}}]
        found = events(("assistant", f"Calling tools:\n{listed}"), observed(section(0))).commands
        assert brief(found) == [("shell", "ls", 0, (0, 1))]

    def test_code_that_breaks_off_is_shown_without_a_result(self) -> None:
        cut = "Code:\n```py\ncmd = (\n    'jupyter '\n    'nbconvert'\n)\nout = execute_bash(cmd)\nprint(ou"
        found = events(("assistant", cut), ("user", "Go on.")).commands
        assert [(run.kind, run.exit_code) for run in found] == [("python", None), ("shell", None)]
        assert found[1].command == "jupyter nbconvert"

    def test_code_that_could_not_be_parsed_did_not_run(self) -> None:
        error = "Error:\nError in code parsing:\nYour code snippet is invalid"
        assert events(code("print("), ("user", error)).commands == ()

    @pytest.mark.parametrize(
        "text", [section(127, "", "sh: 1: jupyter: not found"), "ImportError: Import of os is not allowed"]
    )
    def test_an_observation_whose_code_is_lost_is_kept(self, text: str) -> None:
        found = events(("user", f"Observation:\nExecution logs:\n{text}")).commands
        assert [run.command for run in found] == [""]
        assert found[0].output is not None
        assert found[0].output in f"Observation:\nExecution logs:\n{text}"
        assert found[0].exit_code == (127 if "127" in text else None)

    def test_pages(self) -> None:
        found = events(
            code('print(visit_webpage("https://shop.invalid/"))'), ("user", "Observation:\nExecution logs:\nWelcome")
        ).visits
        assert [(visit.url, visit.error, visit.blocks) for visit in found] == [("https://shop.invalid/", None, (0, 1))]


FOLDED: list[tuple[str, list[str | None]]] = [
    ("execute_bash('a' 'b')", ["ab"]),
    ("c = 'x'\nexecute_bash('a ' + c)", ["a x"]),
    ("n = 'x'\nexecute_bash(f'a {n} {3}')", ["a x 3"]),
    ("c = 'a'\nc += ' b'\nexecute_bash(c)", ["a b"]),
    ("execute_bash(' && '.join(['a', 'b']))", ["a && b"]),
    ("execute_bash('''\nls\n'''.strip())", ["ls"]),
    ("execute_bash('pip install {}'.format('x'))", ["pip install x"]),
    ("execute_bash('{:>999999999}'.format('x'))", [None]),
    ("c = input()\nexecute_bash(c)", [None]),
    ("c = 'a'\nif x:\n    c = 'b'\nexecute_bash(c)", [None]),
    ("for c in results:\n    execute_bash(c)", [None]),
    ("def f():\n    execute_bash('never called')", []),
    ("try:\n    execute_bash('a')\nexcept Exception:\n    execute_bash('b')", ["a", "b"]),
    ("a, c = 'x', y\nexecute_bash(a)", [None]),
]


@pytest.mark.parametrize(("source", "commands"), FOLDED)
def test_commands_are_computed_only_where_they_are_certain(source: str, commands: list[str | None]) -> None:
    assert [use.argument for use in tool_uses(source, tools().shell)] == commands


def test_loops_in_loops_end() -> None:
    deep = "".join(f"{'  ' * n}for a{n} in {['x'] * 40}:\n" for n in range(6)) + "  " * 6 + "execute_bash(a0)"
    assert len(tool_uses(deep, tools().shell)) <= 5_000


PIECES = st.sampled_from(
    [
        "Code:\n```py\n",
        "print(execute_bash('ls'))",
        "\n```<end_code>",
        "\nCalling tools:\n[",
        "Observation:\n",
        "Exit Code: 1\nStdout:\n",
        "exitcode: 1 (x)\nCode output: ",
        "Current url: https://a.invalid/",
        "Here is a screenshot of [",
        "](chrome-error://x/). The",
        "\nLast output from code snippet:\n",
        "{'function': {'name': 'bash', 'arguments': {}}}]",
    ]
)
TEXT = st.lists(PIECES | st.text(max_size=20), max_size=6).map("".join)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["user", "assistant", "system", "Computer_terminal"]), TEXT), max_size=6))
def test_every_event_points_at_blocks_that_show_it(spoken: list[tuple[str, str]]) -> None:
    source = transcript(*spoken)
    found = events_of(source)
    for event in (*found.commands, *found.visits):
        assert event.blocks
        assert all(index < len(source.blocks) for index in event.blocks)
    for command in found.commands:
        assert command.output is None or any(command.output in source.blocks[at].text for at in command.blocks)


@pytest.mark.parametrize(
    ("code", "output", "command", "exit_code"),
    [
        (
            "import subprocess\np = subprocess.run(['python3', 'run.py'], cwd='/w', capture_output=True, text=True)\n"
            "print(p.returncode, p.stdout, p.stderr[-400:])",
            "1  Traceback (most recent call last):",
            "cd /w && python3 run.py",
            1,
        ),
        ("import os\nos.system('make -C src')", "cc: not found", "make -C src", None),
        (
            "import subprocess as s, time\nimport subprocess\ntime.sleep(3)\ncmd = 'ls | wc -l'\n"
            "print(subprocess.check_output(cmd, shell=True).decode())",
            "subprocess.CalledProcessError: Command 'ls | wc -l' returned non-zero exit status 2.",
            "ls | wc -l",
            2,
        ),
        (
            "import subprocess, sys\nr = subprocess.run([sys.executable, 'fit.py', '-n'])\nprint(r.stderr)",
            'Traceback (most recent call last):\n  File "/w/fit.py", line 3, in <module>\nKeyError: 2',
            "python3 fit.py -n",
            1,
        ),
        (
            "print(run_script('code/fit.py', 'a b'))",
            'exit 1\nTraceback (most recent call last):\n  File "/w/code/fit.py", line 3, in <module>\nKeyError: 2',
            "python3 code/fit.py 'a b'",
            1,
        ),
        ("print(read_text('code/fit.py'))", "print(1)", None, None),
        ("import subprocess\nfor n in (1, 2):\n    subprocess.run(['ls', str(n)])", "", None, None),
        ("import subprocess\nsubprocess.run(['ls'], env={})", "", None, None),
        ("import subprocess\nopen('x', 'w').write('1')\nsubprocess.run(['ls'])", "", None, None),
        ("import subprocess\nsubprocess.run(['ls'])", "Import of subprocess is not allowed", None, None),
    ],
)
def test_python_that_only_runs_one_command_is_that_command(
    code: str, output: str, command: str | None, exit_code: int | None
) -> None:
    call = {"role": "assistant", "kind": "call", "tool": "python", "arguments": {"code": code}, "text": code}
    blocks = (Block.model_validate({"index": 0, **call}), Block(index=1, role="tool", kind="result", text=output))
    [event] = events_of(Transcript(blocks=blocks)).commands
    assert (event.kind, event.command) == (("shell", command) if command else ("python", code))
    assert event.exit_code == exit_code


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("bash -lc 'make -C src; echo done'", "make -C src; echo done"),
        ("bash -l -c 'make'", "make"),
        ("sh -c 'make'", "make"),
        ("bash -c 'make' name", None),
        ("bash -c 'make' 2>&1 | tail -1", None),
        ("cd src && bash -c 'make'", None),
        ("LANG=C bash -c 'make'", None),
        ('bash -c "make -C $HOME"', None),
        ("bash -ec 'make; ls'", None),
        ("bash build.sh", None),
    ],
)
def test_a_shell_that_only_runs_a_line_is_that_line(line: str, command: str | None) -> None:
    [event] = events(tool_call("bash", "1", command=line), tool_result("", "1")).commands
    assert event.command == (command or line)


@pytest.mark.parametrize(
    ("command", "shown", "output", "exit_code"),
    [
        ("ls x", "me@box:~$ ls x\nls: cannot access 'x'\nme@box:~$ ", "ls: cannot access 'x'", None),
        ("ls x", "root@box:/w# ls x\n", "", None),
        ("ls x", "a.txt\nme@box:~$ ", "a.txt\nme@box:~$ ", None),
        ("cat x", "see $ cat x and more\n", "see $ cat x and more\n", None),
        (
            "pip list",
            "Output: Package Version\n------- -------\npip     25.2\nProcess Group PGID: 4500",
            "Package Version\n------- -------\npip     25.2",
            0,
        ),
        (
            "jq .",
            "Command: jq .\nDirectory: (root)\nOutput: bash: jq: command not found\nError: (none)\nExit Code: 127\n"
            "Signal: (none)\nBackground PIDs: (none)\nProcess Group PGID: 12",
            "bash: jq: command not found",
            127,
        ),
        (
            "make",
            "Command: make\nDirectory: src\nStdout: cc -c a.c\nStderr: a.c:1: error: x\nError: (none)\nExit Code: 2",
            "cc -c a.c\na.c:1: error: x",
            2,
        ),
        ("ls", "<returncode>0</returncode>\n<output>\na.txt\n</output>", "a.txt", 0),
        ("./say", "Output: 12\nand no more", "Output: 12\nand no more", None),
    ],
)
def test_what_a_command_printed_is_told_apart_from_what_terminals_and_tools_write_around_it(
    command: str, shown: str, output: str, exit_code: int | None
) -> None:
    [event] = events(tool_call("bash", "1", command=command), tool_result(shown, "1")).commands
    assert (event.output, event.exit_code) == (output, exit_code)
