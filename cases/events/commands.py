"""What the acts of a run were: commands, pages opened, and calls of other tools."""

import ast
import shlex
from collections.abc import Sequence

from cases import patterns as re
from cases.events import codeagent
from cases.events.acts import Act
from cases.events.data import ToolKind, kind_of, page_error, sounds_like, tools, within
from cases.events.pages import console_error
from cases.events.subprocesses import as_command
from cases.events.terminal import printed
from cases.model import CommandRun, PageVisit, ToolCall

_WEB = re.compile(r"(?i)https?://")
_GOTO = re.compile(r"""\bgoto\(\s*(?:'(?P<url>https?://[^'\n]*)'|"(?P<quoted>https?://[^"\n]*)")""")
"""How BrowserGym's code opens a page."""
BASH = (["bash", "-lc"], ["bash", "-c"], ["sh", "-c"])


def commands(acts: Sequence[Act]) -> list[CommandRun]:
    """Every act that ran shell or Python code; code that calls tools is one, and so is each command in it."""
    found: list[CommandRun] = []
    for act in acts:
        if act.ran and act.nested and act.tool:
            found += codeagent.commands(act)
        elif act.ran and not act.nested and (kind := _code_of(act)):
            command = argument(act, getattr(tools(), kind)) if act.tool else ""
            found.append(
                CommandRun(
                    kind="shell" if kind == "shell" else "python",
                    command=command,
                    tool=act.runner or act.tool or None,
                    output=printed(command, act.output) if act.output else act.output,
                    exit_code=act.exit_code,
                    cwd=act.cwd,
                    blocks=act.blocks,
                )
            )
    lost = codeagent.unexplained([act for act in acts if act.nested and not act.tool], found)
    return [*map(as_command, found), *lost]


def _code_of(act: Act) -> str:
    """`shell` or `python`; what a terminal answered to a call that is lost was a command."""
    kind = kind_of(act.tool) if act.tool else "shell"
    return kind if kind in ("shell", "python") else ""


def visits(acts: Sequence[Act]) -> list[PageVisit]:
    """Every act that opened a page."""
    found: list[PageVisit] = []
    for act in acts:
        if act.ran and act.nested:
            found += codeagent.visits(act)
        elif act.ran and (url := _address(act)):
            told = act.output or ""
            error, inside = page_error(None, told) or console_error(url, told), within(told)
            found.append(PageVisit(url=url, title=None, error=error, text=act.output, inside=inside, blocks=act.blocks))
    return found


def _address(act: Act) -> str:
    """The address that a call opens; empty where it opens none."""
    kind = kind_of(act.tool) if act.tool else "shell"
    if kind == "visit":
        asked = argument(act, tools().visit)
        bracketed = asked.startswith("[") and asked.endswith("]")  # as WebVoyager's agents write theirs
        return asked[1:-1] if bracketed else _text(asked) or asked
    if kind:
        return ""
    given = [value for name in tools().visit.arguments if isinstance(value := act.arguments.get(name), str)]
    if given and _WEB.match(given[0]) and sounds_like(tools().visit, act.tool):
        return given[0]
    said = (_GOTO.search(value) for value in act.arguments.values() if isinstance(value, str))
    return next((match["url"] or match["quoted"] for match in said if match), "")


def others(acts: Sequence[Act]) -> list[ToolCall]:
    """Every other call of a tool that was carried out."""
    return [
        ToolCall(
            tool=act.tool, arguments=dict(act.arguments), output=act.output, exit_code=act.exit_code, blocks=act.blocks
        )
        for act in acts
        if act.ran and act.tool and kind_of(act.tool) in ("", "write") and not _address(act)
    ]


def argument(act: Act, kind: ToolKind) -> str:
    """The command, code or address; lists of words are joined as a shell would show them."""
    for name in kind.arguments:
        value = act.arguments.get(name)
        if isinstance(value, str):
            return value
        if isinstance(value, list) and value and all(isinstance(word, str) for word in value):
            whole = value[:2] in BASH or " " in value[0]
            return " ".join(value[2:] if value[:2] in BASH else value) if whole else shlex.join(value)
    if act.arguments:
        only = [value for value in act.arguments.values() if isinstance(value, str)]
        return only[0] if len(only) == 1 else ""
    return act.text.removeprefix(f"{act.tool}(").removesuffix(")")


def _text(given: str) -> str:
    """What a literal of Python or JSON says, where all that is given is one text; else empty."""
    try:
        value = ast.literal_eval(given)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    return value if isinstance(value, str) else ""
