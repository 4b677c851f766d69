"""Text that is only shown: what stands in it nobody met."""

import ast
from functools import lru_cache

from cases.events.data import is_tool, page_error, tools
from cases.events.folding import LONGEST
from cases.failing.forms import said
from cases.model import CommandRun
from cases.touches.names import shows_text, tests

POINTER = "version https://git-lfs.github.com/spec/"
"""With what the pointers of git-lfs to where large files are kept begin (its docs/spec.md)."""


def shows_pointer(event: object) -> bool:
    """Whether a command printed such a pointer."""
    return isinstance(event, CommandRun) and POINTER in (event.output or "")


def is_shown(event: CommandRun, line: str) -> bool:
    """Whether a line that a command printed is text that it shows, rather than a tool's own word."""
    if event.kind == "python":
        said_by_tool = event.failed == "yes" or page_error(None, line) is not None
        return not said_by_tool and _calls_what_shows(event.command)
    if not event.only_looks:
        return False
    names = {word.text for step in event.steps for word in step.command.words[:1]}
    return not any(one.about in names for one in said(line, "program", "shell"))


def is_test_log(event: CommandRun) -> bool:
    """Whether what a command printed tells of what it tested."""
    return any(tests(step.command) for step in event.steps if step.command.words)


@lru_cache(maxsize=1024)
def _calls_what_shows(code: str) -> bool:
    """Whether a piece of Python calls a tool that opens pages or shows texts, and none that runs commands."""
    try:
        tree = ast.parse(code) if len(code) <= LONGEST else None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        tree = None
    calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call)) if tree else ()
    names = {call.id for call in calls if isinstance(call, ast.Name)}
    shows = any(shows_text(name) or is_tool(tools().visit, name) for name in names)
    return shows and not any(is_tool(tools().shell, name) for name in names)
