"""Agents that act by writing Python (smolagents): the tools that a code calls, and what each of them printed."""

from collections.abc import Sequence
from dataclasses import dataclass

from cases import patterns as re
from cases.events.acts import Act
from cases.events.data import is_tool, page_error, tools
from cases.events.folding import ToolUse, tool_uses
from cases.model import CommandRun, PageVisit

LAST = "\nLast output from code snippet:\n"
SECTION = re.compile(r"^Exit Code: (-?\d{1,9})\n(?=Stdout:)", re.MULTILINE)


FAILED_AT = re.compile(r"Code execution failed at line '(?P<statement>[\s\S]{1,4000}?)' due to:")
"""As smolagents says of the statement whose execution ended a code."""


@dataclass(frozen=True, slots=True)
class Section:
    """What one shell command printed."""

    exit_code: int
    output: str


def code_of(act: Act) -> str:
    """The Python that an act ran; empty where it called another tool by its name."""
    return str(act.arguments.get("code", "")) if is_tool(tools().python, act.tool) else ""


def refused_in(act: Act, use: ToolUse) -> bool:
    """Whether the code ended at its only call of a tool."""
    match = FAILED_AT.search(act.output or "")
    call = f"{use.tool}("
    return match is not None and call in match["statement"] and code_of(act).count(call) == 1


def commands(act: Act) -> list[CommandRun]:
    """The Python that was run and the shell commands in it, or the one that was called by name."""
    code, found = code_of(act), []
    if code:
        found.append(
            CommandRun(
                kind="python",
                command=code,
                tool="python_interpreter",
                output=act.output,
                exit_code=None,
                blocks=act.blocks,
            )
        )
    uses = tool_uses(code, tools().shell) if code else []
    if is_tool(tools().shell, act.tool):
        uses = [ToolUse(act.tool, _text(act), printed=True, conditional=False)]
    for use, section in _assigned(uses, act.output):
        if use.argument is not None:
            found.append(
                CommandRun(
                    kind="shell",
                    command=use.argument,
                    tool=use.tool,
                    output=section.output if section else None,
                    exit_code=section.exit_code if section else None,
                    blocks=act.blocks,
                )
            )
    return found


def visits(act: Act) -> list[PageVisit]:
    """Pages that the code opened; the text is the observation where the code opened just one."""
    urls = [use.argument for use in tool_uses(code_of(act), tools().visit) if use.argument]
    if is_tool(tools().visit, act.tool):
        urls.append(_text(act))
    text = act.output if len(urls) == 1 else None
    error = page_error(None, text or "")
    return [PageVisit(url=url, title=None, error=error, text=text, blocks=act.blocks) for url in urls]


def unexplained(answers: Sequence[Act], known: Sequence[CommandRun]) -> list[CommandRun]:
    """Observations without their code: their sections, or the whole, as commands that are not known."""
    shown = {(run.exit_code, run.output) for run in known}
    found: list[CommandRun] = []
    for act in answers:
        sections, _ = _sections(act.output or "")
        lost: list[tuple[int | None, str]] = [(section.exit_code, section.output) for section in sections]
        for code, output in lost or [(None, act.output or "")]:
            if (code, output) not in shown:
                kind = "shell" if sections else "python"
                found.append(
                    CommandRun(
                        kind="shell" if kind == "shell" else "python",
                        command="",
                        tool=None,
                        output=output,
                        exit_code=code,
                        blocks=act.blocks,
                    )
                )
    return found


def _text(act: Act) -> str:
    texts = [value for value in act.arguments.values() if isinstance(value, str)]
    return texts[0] if texts else ""


def _assigned(uses: list[ToolUse], text: str | None) -> list[tuple[ToolUse, Section | None]]:
    """Each call with the section it printed, in order; nothing is assigned where the numbers do not add up."""
    sections, from_last = _sections(text or "")
    certain = [use for use in uses if not use.conditional]
    if from_last:
        last = certain[-1] if certain else None
        return [(use, sections[0] if use is last else None) for use in certain]
    printed = [use for use in uses if use.printed]
    for chosen in (printed, [use for use in printed if not use.conditional], uses, certain):
        if chosen and len(chosen) == len(sections):
            given = dict(zip(map(id, chosen), sections, strict=True))
            return [(use, given.get(id(use))) for use in uses if id(use) in given or not use.conditional]
    if sections and len(sections) < len(printed) and "Error:" in (text or ""):
        return list(zip(printed, sections, strict=False))
    return [(use, None) for use in certain]


def _sections(text: str) -> tuple[list[Section], bool]:
    """What each command printed; where nothing was printed, the value of the last expression."""
    logs, _, last = text.partition(LAST)
    if found := _split(logs):
        return found, False
    value = _split(last)[:1]
    return value, bool(value)


def _split(text: str) -> list[Section]:
    marks = list(SECTION.finditer(text))
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    return [Section(int(mark[1]), text[mark.end() : end].strip()) for mark, end in zip(marks, ends, strict=False)]
