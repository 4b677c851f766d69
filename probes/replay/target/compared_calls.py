"""What a project's tests were seen to ask of one call: measured while they run, in the state in which they call it."""

import ast
import json
import posixpath
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import combinations
from typing import Any

from sandboxes import Session

SECONDS = 60
MOST = 5000
"""Comparisons that are read."""
_FOLDER = "/tmp/.compared"  # noqa: S108 - in a container
_LENGTH = 300_000
_ENDS = (ast.Try, ast.With, ast.AsyncWith, ast.Lambda, ast.If, ast.While)


@dataclass(frozen=True)
class Asserted:
    """A statement that compares what a call gave."""

    path: str
    """Absolute."""
    first: int
    """Line, counted from 1."""
    last: int


def asserted_otherwise(session: Session, command: str, folder: str) -> tuple[Asserted, Asserted] | None:
    """The only two statements of tests that were seen to ask different things of the same call in the same state, where
    there are just two; a comparison that may fail without its test's failing counts for none.

    `command` runs the tests, in `folder`.
    """
    hook = files(__package__).joinpath("hooks", "compared.py").read_text(encoding="utf-8")
    put = f"rm -rf {_FOLDER} && mkdir -p {_FOLDER} && printf %s {shlex.quote(hook)} > {_FOLDER}/sitecustomize.py"
    paths = f"PYTHONPATH={_FOLDER}${{PYTHONPATH:+:$PYTHONPATH}}"
    told = f"COMPARED_TO={_FOLDER}/told COMPARED_IN={shlex.quote(folder)}"
    if not session.run(put, seconds=20, looks=True).ok:
        return None
    session.run(f"export {paths} {told}; cd {shlex.quote(folder)}; {command}", seconds=SECONDS)
    found = session.run(f"head -n {MOST} {_FOLDER}/told 2>/dev/null; true", seconds=20, looks=True).output
    pairs = {frozenset(pair) for pair in _pairs(found)}
    if len(pairs) != 1 or len(only := next(iter(pairs))) != 2:
        return None
    both = [one for place in sorted(only) if (one := _statement(session, *place))]
    return (both[0], both[1]) if len(both) == 2 else None


def _pairs(told: str) -> Iterator[tuple[tuple[str, int, str], tuple[str, int, str]]]:
    """Places of two comparisons of the same call with different values, each with the function's name."""
    calls: dict[str, dict[tuple[str, str, int, str], None]] = {}
    for line in told.splitlines():
        try:
            one: dict[str, Any] = json.loads(line)
            place = (str(one["want"]), str(one["path"]), int(one["line"]), str(one["call"][2]))
        except (ValueError, KeyError, TypeError, IndexError):
            continue
        calls.setdefault(json.dumps(one.get("call")), {})[place] = None
    for wanted in calls.values():
        for mine, other in combinations(wanted, 2):
            if mine[0] != other[0]:
                yield mine[1:], other[1:]


def _statement(session: Session, path: str, line: int, function: str) -> Asserted | None:
    """The statement there, where a test fails when it does, and it compares just what the function gave: that may be
    equal to something else by chance.
    """
    text = session.run(f"head -c {_LENGTH} {shlex.quote(path)}", seconds=20, looks=True).output
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    around = list(_around(tree, line))
    inner = around[-1] if around else None
    if not isinstance(inner, ast.Expr) or any(isinstance(one, _ENDS) and not _of_cases(one) for one in around):
        return None
    test = next((one for one in reversed(around) if isinstance(one, ast.FunctionDef)), None)
    compared = inner.value.args[:2] if isinstance(inner.value, ast.Call) else []
    if test is None or not any(_gave(function, one, test) for one in compared):
        return None
    return Asserted(path, inner.lineno, inner.end_lineno or inner.lineno)


def _gave(function: str, value: ast.expr, test: ast.FunctionDef) -> bool:
    """Whether an expression is a call of the function, or a name that nothing but such calls are given in the test."""
    if isinstance(value, ast.Call):
        called = value.func
        return function == (called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", None))
    if not isinstance(value, ast.Name):
        return False
    stored = [one for one in ast.walk(test) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)]
    assigned = [one for one in ast.walk(test) if isinstance(one, ast.Assign) and len(one.targets) == 1]
    given = [one.value for one in assigned if isinstance(name := one.targets[0], ast.Name) and name.id == value.id]
    calls = [one for one in given if isinstance(one, ast.Call) and _gave(function, one, test)]
    return bool(calls) and len(calls) == sum(one.id == value.id for one in stored)


def _around(node: ast.AST, line: int) -> Iterator[ast.stmt]:
    """The statements that hold a line, the outermost first."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt) and child.lineno <= line <= (child.end_lineno or child.lineno):
            yield child
            yield from _around(child, line)


def _of_cases(node: ast.AST) -> bool:
    """Whether it only tells a case from the others."""
    return isinstance(node, ast.With) and all("subTest" in ast.unparse(one) for one in node.items)


def beside(path: str, files_there: Sequence[str]) -> list[str]:
    """Of these the files in a test's folder, or below."""
    folder = posixpath.dirname(path) + "/"
    return [one for one in files_there if one.startswith(folder)]
