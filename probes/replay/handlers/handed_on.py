"""Options of a Python program for the name under which something is published, and what it only asks another for.

`--model`, which is `org/name` unless somebody says otherwise and on which nothing depends, lets a program do its work
otherwise only where there is something else to give it. A plain word may choose how the work is done.
"""

import ast
import contextlib
from collections.abc import Iterator

from cases import patterns as re

_PUBLISHED = re.compile(r"[\w.-]+(?:/[\w.-]+)+")
_SWITCHES = frozenset({"action", "choices", "nargs", "const"})
"""Keywords of argparse's `add_argument` for what is no value of any kind."""


def handed_on(source: str) -> frozenset[str]:
    """The flags of those options, as argparse declares them with their defaults; none where the source cannot be parsed
    as Python.
    """
    with contextlib.suppress(SyntaxError, ValueError, RecursionError):
        tree = ast.parse(source)
        asked = set(_asked_about(tree))
        declared = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
        return frozenset(flag for call in declared for flag, name in _values(call) if name not in asked)
    return frozenset()


def _values(call: ast.Call) -> Iterator[tuple[str, str]]:
    """The flags of an option that takes such a name, each with the name under which the program has it."""
    keywords = {one.arg: one.value for one in call.keywords}
    named = isinstance(call.func, ast.Attribute) and call.func.attr == "add_argument"
    flags = [one.value for one in call.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    if not named or not flags or not flags[0].startswith("-") or None in keywords or _SWITCHES & keywords.keys():
        return
    default = keywords.get("default")
    if not isinstance(default, ast.Constant) or not _PUBLISHED.fullmatch(str(default.value)):
        return
    dest = keywords.get("dest")
    long = next((flag for flag in flags if flag.startswith("--")), flags[0])
    name = dest.value if isinstance(dest, ast.Constant) else long.lstrip("-").replace("-", "_")
    yield from ((flag, str(name)) for flag in flags)


def _asked_about(tree: ast.AST) -> Iterator[str]:
    """The names of attributes and keys on which something depends: a branch, a comparison, or what is looked up."""
    for node in ast.walk(tree):
        for part in _deciding(node):
            for inner in ast.walk(part):
                if isinstance(inner, ast.Attribute):
                    yield inner.attr
                elif isinstance(inner, ast.Constant) and isinstance(inner.value, str):
                    yield inner.value


def _deciding(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.If | ast.While | ast.IfExp | ast.Assert):
        yield node.test
    elif isinstance(node, ast.Match):
        yield node.subject
    elif isinstance(node, ast.Compare | ast.BoolOp):
        yield node
    elif isinstance(node, ast.Subscript):
        yield node.slice
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("getattr", "vars", "eval"):
        yield from node.args


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
