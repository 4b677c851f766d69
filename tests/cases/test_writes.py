"""Files that editors wrote are events of their own, in order with the commands."""

from cases import Block, Transcript
from cases.events import events_of


def call(index: int, tool: str, **arguments: object) -> Block:
    return Block(index=index, role="assistant", kind="call", text=f"{tool}()", tool=tool, arguments=dict(arguments))


def result(index: int, tool: str, text: str) -> Block:
    return Block(index=index, role="tool", kind="result", text=text, tool=tool)


def events(*blocks: Block):
    return events_of(Transcript(blocks=blocks))


def test_structured_editors_are_put_between_the_commands_around_them():
    found = events(
        call(0, "bash", command="mkdir src"),
        result(1, "bash", ""),
        call(2, "write_file", path="src/a.py", content="x = 1\n"),
        result(3, "write_file", "ok"),
        call(4, "bash", command="python src/a.py"),
        result(5, "bash", ""),
        call(6, "str_replace_editor", command="str_replace", path="src/a.py", old_str="1", new_str="2"),
        result(7, "str_replace_editor", "The file has been edited."),
        call(8, "str_replace_editor", command="insert", path="src/a.py", insert_line=1, new_str="y = 3\n"),
        result(9, "str_replace_editor", "The file has been edited."),
    )
    assert [(w.path, w.how, w.content, w.old, w.line, w.after) for w in found.writes] == [
        ("src/a.py", "whole", "x = 1\n", None, None, 1),
        ("src/a.py", "replace", "2", "1", None, 2),
        ("src/a.py", "insert", "y = 3\n", None, 1, 2),
    ]


def test_what_only_looked_or_was_refused_is_no_write():
    found = events(
        call(0, "str_replace_editor", command="view", path="a.py"),
        result(1, "str_replace_editor", "1 x"),
        call(2, "str_replace_editor", command="create", path="a.py", file_text="y"),
        result(3, "str_replace_editor", "ERROR: File already exists at: a.py"),
        call(4, "search", path="a.py", content="z"),
    )
    assert found.writes == ()


CODE = """```python
text = "import sys\\n"
print(execute_bash("mkdir -p code"))
edit_file(command="create", path="code/run.py", content=text + "print(sys.version)")
edit_file("create", "notes.txt", "remember")
if failed:
    edit_file(command="create", path="never.py", content="x")
print(execute_bash("python code/run.py"))
```<end_code>"""


def test_editors_called_in_code_stand_between_the_shell_commands_of_that_code():
    observation = "Observation:\nExit Code: 0\nStdout:\n\nStderr:\n\nExit Code: 1\nStdout:\n\nStderr:\nboom\n"
    found = events(
        Block(index=0, role="assistant", kind="message", text=CODE),
        Block(index=1, role="user", kind="message", text=observation),
    )
    assert [command.kind for command in found.commands] == ["python", "shell", "shell"]
    assert [(w.path, w.content, w.after) for w in found.writes] == [
        ("code/run.py", "import sys\nprint(sys.version)", 2),
        ("notes.txt", "remember", 2),
    ]


IN_VAIN = """Code:
```py
write_file('solution.py', 'print(1)')
```<end_code>"""


def test_what_a_code_called_in_vain_wrote_nothing():
    refused = "Forbidden function evaluation: 'write_file' is not among the explicitly allowed tools"
    told = f"Error:\nCode execution failed at line 'write_file('solution.py', 'print(1)')' due to: {refused}"
    found = events(
        Block(index=0, role="assistant", kind="message", text=IN_VAIN),
        Block(index=1, role="user", kind="message", text=told),
    )
    assert found.writes == ()


def test_editors_listed_by_name_keep_all_their_arguments():
    listed = "Calling tools:\n" + str(
        [
            {
                "id": "1",
                "type": "function",
                "function": {
                    "name": "edit_file",
                    "arguments": {"command": "create", "path": "a.txt", "content": "it's"},
                },
            }
        ]
    )
    found = events(
        Block(index=0, role="assistant", kind="message", text=listed),
        Block(index=1, role="user", kind="message", text="Observation:\nFile created"),
    )
    assert [(w.path, w.content) for w in found.writes] == [("a.txt", "it's")]


def test_code_that_names_its_file_is_saved_before_it_runs():
    fence = "```python\n# filename: get.py\nprint(1)\n```"
    found = events(
        Block(index=0, role="assistant", kind="message", text=fence),
        Block(index=1, role="terminal", kind="message", text="exitcode: 0 (execution succeeded)\nCode output: 1"),
    )
    assert [(w.path, w.content, w.after) for w in found.writes] == [("get.py", "# filename: get.py\nprint(1)\n", 0)]
