"""Files that a run wrote with tools that are no shell: editors called by name, as structured calls or in code."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cases.events import codeagent, terminal
from cases.events.acts import Act
from cases.events.data import is_tool, kind_of, tools
from cases.events.folding import tool_uses
from cases.failing.forms import refused
from cases.model import CommandRun, FileWrite

CONTENT = ("content", "file_text", "contents", "text", "new_content", "file_content")
OLD = ("old_str", "old_string", "old_text")
NEW = ("new_str", "new_string", "new_text", "insert_text", *CONTENT)
LINE = ("insert_line", "line_number", "line")
COMMANDS = {"create": "whole", "write": "whole", "overwrite": "whole", "append": "append", "insert": "insert"}
POSITIONS = ("command", "path", "content", "line_number", "old_str", "new_str")
"""What the positional arguments of HAL's `edit_file` mean; `write_file(path, content)` begins one later."""


def writes(acts: Sequence[Act], commands: Sequence[CommandRun]) -> tuple[FileWrite, ...]:
    """Every file written, in order; `commands` are the run's, in theirs. What a tool refused, or may not have run, is
    left out."""
    beside = _Beside(commands)
    found = [*_called(acts, beside), *_in_code(acts, beside), *_scripts(commands)]
    return tuple(sorted(found, key=lambda write: (write.after, write.blocks[0])))


class _Beside:
    """The run's commands by where they stand: a long run has as many of them as acts."""

    def __init__(self, commands: Sequence[CommandRun]) -> None:
        self._firsts = sorted(command.blocks[0] for command in commands)
        self._at: dict[tuple[int, ...], list[CommandRun]] = defaultdict(list)
        for command in commands:
            self._at[command.blocks].append(command)

    def before(self, block: int) -> int:
        """How many begin before a block."""
        return bisect_left(self._firsts, block)

    def at(self, blocks: tuple[int, ...]) -> list[CommandRun]:
        """Those that stand in just these blocks."""
        return self._at.get(blocks, [])


def _called(acts: Sequence[Act], commands: _Beside) -> Iterator[FileWrite]:
    """Editors called by their names."""
    for act in acts:
        if act.ran and kind_of(act.tool) == "write" and not refused(act.output or ""):
            after = commands.before(act.blocks[0]) + (len(commands.at(act.blocks)) if act.nested else 0)
            yield from _write(act.tool, act.arguments, after, act.blocks)


def _scripts(commands: Sequence[CommandRun]) -> Iterator[FileWrite]:
    """Code that a terminal agent saves under the name in its first line before it runs it."""
    for index, command in enumerate(commands):
        match = terminal.FILE_NAME.match(command.command)
        if match and command.kind == "python":
            whole = command.command + "\n"
            tool = command.tool or "python"
            yield FileWrite(path=match[1], how="whole", content=whole, tool=tool, after=index, blocks=command.blocks)


def _in_code(acts: Sequence[Act], commands: _Beside) -> Iterator[FileWrite]:
    """Editors that a code calls."""
    for act in acts:
        code = codeagent.code_of(act) if act.nested else ""
        own = commands.at(act.blocks) if code else []
        first = commands.before(act.blocks[0]) if code else 0
        shells = [command.command for command in own if command.kind == "shell"]
        passed = len(own) - len(shells)
        for use in tool_uses(code, tools().shell, tools().write) if code else ():
            if is_tool(tools().shell, use.tool):
                if shells and use.argument == shells[0]:
                    shells.pop(0)
                    passed += 1
            elif not use.conditional and not codeagent.refused_in(act, use):
                yield from _write(use.tool, _named(use.tool, dict(use.words)), first + passed, act.blocks)


def _named(tool: str, words: dict[str, str]) -> dict[str, str]:
    """Positional arguments under their names."""
    names = POSITIONS if "edit" in tool else POSITIONS[1:]
    return {
        names[int(word)] if word.isdigit() and int(word) < len(names) else word: text for word, text in words.items()
    }


def _write(tool: str, given: Mapping[str, Any], after: int, blocks: tuple[int, ...]) -> Iterator[FileWrite]:
    path, content = _first(given, tools().write.arguments), _first(given, CONTENT)
    old, new, line = _first(given, OLD), _first(given, NEW), _first(given, LINE)
    command = str(given.get("command") or given.get("mode") or "")
    how = COMMANDS.get(command, "append" if "append" in tool else "whole")
    if command in {"view", "undo_edit", "delete"} or not path:
        return
    if old:
        yield FileWrite(path=path, how="replace", content=new or "", old=old, tool=tool, after=after, blocks=blocks)
    elif how == "insert":
        if new is not None and line is not None and line.isdigit():
            at = int(line)
            yield FileWrite(path=path, how="insert", content=new, line=at, tool=tool, after=after, blocks=blocks)
    elif content is not None:
        kind = "append" if how == "append" else "whole"
        yield FileWrite(path=path, how=kind, content=content, tool=tool, after=after, blocks=blocks)


def _first(given: Mapping[str, Any], names: Sequence[str]) -> str | None:
    found = (given[name] for name in names if isinstance(given.get(name), str | int))
    return next((str(value) for value in found), None)
