"""Fenced code that an agent writes and a terminal agent runs (AutoGen, Magentic-One)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from cases.events.folding import LONGEST
from cases.model import Block, CommandRun

RESULT = re.compile(
    r"\Aexitcode: (?P<a>-?\d{1,9}) \([^)\n]*\)\nCode output: ?"
    r"|\AThe script ran,? then exited with (?:Unix )?exit code: (?P<b>-?\d{1,9})\s*Its output was:\s?"
)
FENCE = re.compile(r"^[ \t]*```[ \t]*([\w+-]*)[^\n`]*\n(.*?)^[ \t]*```", re.MULTILINE | re.DOTALL)
SHELL = frozenset({"sh", "bash", "shell", "zsh", "console", "terminal"})
PYTHON = frozenset({"python", "py", "python3"})
FRAME = re.compile(
    r'^  File "[^"]*[/\\]?(?P<file>[^"/\\]+)", line (?P<line>\d{1,6}), in .*\n    (?P<code>.+)$', re.MULTILINE
)
FILE_NAME = re.compile(r"\A\s*# filename: *(\S+)")


@dataclass(frozen=True, slots=True)
class Fence:
    """One fenced block of code."""

    kind: Literal["shell", "python"]
    code: str


def commands(blocks: Sequence[Block]) -> list[CommandRun]:
    """Every result of a terminal agent with the code of the message before it."""
    found: list[CommandRun] = []
    last = -1
    for block in blocks:
        match = RESULT.match(block.text) if is_result(block) else None
        if not match:
            continue
        source, fences = _code_before(blocks, block.index, last)
        found += _runs(fences, source, block, int(match["a"] or match["b"]), block.text[match.end() :])
        last = block.index
    return found


def is_result(block: Block) -> bool:
    """Whether a terminal speaks here of code it ran; an agent that writes so itself has run nothing."""
    return block.role != "assistant" and RESULT.match(block.text) is not None


def _code_before(blocks: Sequence[Block], index: int, last: int) -> tuple[Block | None, list[Fence]]:
    """The nearest earlier message with code, but none from before the previous result."""
    for block in reversed(blocks[last + 1 : index]):
        if fences := fences_of(block.text):
            return block, fences
    return None, []


def fences_of(text: str) -> list[Fence]:
    """The fenced code that AutoGen would run, in order; fences of other languages are none."""
    found = []
    for match in FENCE.finditer(text):
        language, code = match[1].lower(), match[2]
        if language in SHELL or (not language and re.match(r"\s*(?:python3? |pip3? )", code)):
            found.append(Fence("shell", code.strip()))
        elif language in PYTHON or (not language and _compiles(code)):
            found.append(Fence("python", code.strip("\n")))
    return found


def _compiles(code: str) -> bool:
    if len(code) > LONGEST:
        return False
    try:
        compile(code, "fence", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return False
    return bool(code.strip())


def _runs(fences: list[Fence], source: Block | None, result: Block, exit_code: int, output: str) -> list[CommandRun]:
    """AutoGen runs fences in order and stops at the first that fails; there is one exit code and one output for all."""
    if source is None:
        unknown = CommandRun(
            kind="shell", command="", tool=result.role, output=output, exit_code=exit_code, blocks=(result.index,)
        )
        return [unknown]
    ended = _failed(fences, output) if exit_code else len(fences) - 1
    return [
        CommandRun(
            kind=fence.kind,
            command=fence.code,
            tool=result.role,
            output=output if number == ended else None,
            exit_code=exit_code if number == ended else 0,
            blocks=(source.index, result.index),
        )
        for number, fence in enumerate(fences[: ended + 1])
    ]


def _failed(fences: list[Fence], output: str) -> int:
    """Which fence failed: the one whose lines the traceback quotes, else the first of the kind that fails so."""
    frames = [(frame["file"], int(frame["line"]), frame["code"].strip()) for frame in FRAME.finditer(output)]
    for number, fence in enumerate(fences):
        lines = fence.code.split("\n")
        named = FILE_NAME.match(fence.code)
        for file, line, code in frames:
            quoted = line <= len(lines) and lines[line - 1].strip() == code
            if fence.kind == "python" and quoted and (named is None or named[1] == file):
                return number
    kind = "python" if "Traceback (most recent call last)" in output or "SyntaxError" in output else "shell"
    same = [number for number, fence in enumerate(fences) if fence.kind == kind]
    return same[0] if same else len(fences) - 1
