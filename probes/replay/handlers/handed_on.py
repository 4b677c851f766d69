"""Options of a Python program for the name under which something is published, and what it only asks another for.

`--model`, which is `org/name` unless somebody says otherwise and on which nothing depends, lets a program do its work
otherwise only where there is something else to give it. A plain word may choose how the work is done.
"""

import ast
import contextlib
from collections.abc import Iterator
from typing import NamedTuple

from cases import patterns as re

_PUBLISHED = re.compile(r"[\w.-]+(?:/[\w.-]+)+")
_SWITCHES = frozenset({"action", "choices", "nargs", "const"})
"""Keywords of argparse's `add_argument` for what is no value of any kind."""


def handed_on(source: str, output: str) -> frozenset[str]:
    """The flags of those options, as argparse declares them with their defaults, whose values stand nowhere but as what
    the failing function is given, which is none of the program's own, and of what goes with such a name there (its
    revision); none where the source cannot be parsed as Python.
    """
    failed = _failing_call(source, output)
    with contextlib.suppress(SyntaxError, ValueError, RecursionError):
        nodes = list(ast.walk(ast.parse(source)))
        own = {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)}
        calls = [node for node in nodes if isinstance(node, ast.Call)]
        if not failed or failed.rpartition(".")[2] in own:
            return frozenset()
        given = {id(one) for call in calls if ast.unparse(call.func) == failed for one in _arguments(call)}
        elsewhere = {node.attr for node in nodes if isinstance(node, ast.Attribute) and id(node) not in given}
        spelled = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
        declared = (value for call in calls for value in _values(call))
        found = [value for value in declared if value.name not in elsewhere | spelled]
        return frozenset(value.flag for value in found) if any(value.published for value in found) else frozenset()
    return frozenset()


def _arguments(call: ast.Call) -> Iterator[ast.expr]:
    yield from call.args
    yield from (one.value for one in call.keywords)


class _Value(NamedTuple):
    """A flag of an option that takes a text."""

    flag: str
    name: str
    """Under which the program has it."""
    published: bool
    """Whether the text is such a name unless somebody says otherwise."""


def _values(call: ast.Call) -> Iterator[_Value]:
    keywords = {one.arg: one.value for one in call.keywords}
    named = isinstance(call.func, ast.Attribute) and call.func.attr == "add_argument"
    flags = [one.value for one in call.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    if not named or not flags or not flags[0].startswith("-") or None in keywords or _SWITCHES & keywords.keys():
        return
    default = keywords.get("default")
    if not isinstance(default, ast.Constant) or not isinstance(default.value, str) or "://" in default.value:
        return
    dest = keywords.get("dest")
    long = next((flag for flag in flags if flag.startswith("--")), flags[0])
    name = dest.value if isinstance(dest, ast.Constant) else long.lstrip("-").replace("-", "_")
    published = _PUBLISHED.fullmatch(default.value) is not None
    yield from (_Value(flag, str(name), published) for flag in flags)


def handed_to_what_failed(source: str, output: str) -> frozenset[str]:
    """The texts that a Python program spells nowhere but in calls of the very function in whose call of its own it
    failed, as a traceback tells: what that was to bring, and not what the program has.
    """
    failed = _failing_call(source, output)
    with contextlib.suppress(SyntaxError, ValueError, RecursionError):
        found = list(_texts(ast.parse(source)))
        elsewhere = {text for callee, text in found if callee != failed}
        return frozenset(text for callee, text in found if failed and callee == failed and text not in elsewhere)
    return frozenset()


def _failing_call(source: str, output: str) -> str:
    """The function that the last line of the source's own which a traceback shows calls first; empty for none."""
    own = {line.strip() for line in source.splitlines() if line.strip()}
    shown = [line.strip() for line in output.splitlines() if line.startswith("    ") and line.strip() in own]
    with contextlib.suppress(SyntaxError, ValueError, RecursionError):
        calls = [node for node in ast.walk(ast.parse(shown[-1])) if isinstance(node, ast.Call)] if shown else []
        inner = [call for call in calls if not any(isinstance(one, ast.Call) for one in _below(call))]
        return ast.unparse(inner[0].func) if inner else ""
    return ""


def _below(call: ast.Call) -> Iterator[ast.AST]:
    return (node for part in (call.func, *call.args, *call.keywords) for node in ast.walk(part))


def _texts(tree: ast.AST, callee: str = "") -> Iterator[tuple[str, str]]:
    """Every text that a program spells, with the function in whose call it stands."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield callee, node.value
        else:
            yield from _texts(node, ast.unparse(node.func) if isinstance(node, ast.Call) else callee)
