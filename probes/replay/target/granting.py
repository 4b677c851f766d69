"""Checks of which two cannot hold at once, whatever is made: shown by granting what one of them wants.

Where a check compares what a program made with something fixed, it is run with the latter in the place of the former.
What then fails, and asks of nothing but the same thing, excludes it.
"""

import ast
import base64
import posixpath
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from sandboxes import Session

SECONDS = 60
MOST = 4
"""Comparisons that are granted."""
_PURE = frozenset(
    {
        *("abs", "all", "any", "bool", "dict", "enumerate", "float", "int", "isinstance", "len", "list", "map", "max"),
        *("min", "range", "repr", "reversed", "round", "set", "sorted", "str", "sum", "tuple", "zip", "Decimal"),
        *("count", "decode", "endswith", "find", "findall", "fullmatch", "get", "group", "groups", "index", "isdigit"),
        *("items", "join", "keys", "loads", "lower", "lstrip", "match", "partition", "replace", "rpartition", "rstrip"),
        *("search", "split", "splitlines", "startswith", "strip", "upper", "values", "DictReader", "reader"),
    }
)
"""Functions and methods that depend on what they are given and on nothing else."""
_READS = frozenset({"Path", "open", "read", "read_text", "read_bytes", "load", "readlines"})
_TRIMS = frozenset({"strip", "rstrip", "lstrip"})
_EXCLUDED = "excluded "
_DRIVER = f"""
import sys, traceback
path, name = sys.argv[1:3]
sys.path.insert(0, path.rpartition("/")[0])
code = compile(sys.stdin.read(), path, "exec")
space = {{"__name__": name, "__file__": path}}
def tried(call):
    try:
        call()
    except AssertionError as error:
        frames = traceback.extract_tb(error.__traceback__)
        print("{_EXCLUDED}%d" % [one.lineno for one in frames if one.filename == path][-1])
    except BaseException as error:
        print("ended by", type(error).__name__)
tried(lambda: exec(code, space))
for test in [value for key, value in list(space.items()) if key.startswith("test") and callable(value)]:
    tried(test)
"""


@dataclass(frozen=True)
class _Compared:
    """A statement that compares what was made with something fixed."""

    statement: ast.Assert
    target: str
    """The variable, or its attribute, that holds what was made."""
    made: str
    """What makes it, as a dump."""
    wanted: str


def excluded(
    session: Session, path: str, text: str, folder: str, own: Callable[[str], bool]
) -> Iterator[tuple[ast.Assert, ast.Assert]]:
    """Statements of a file of checks, each with one that fails where what it wants is granted.

    `folder` is where the checks are run; `own` tells of a file's name whether the run wrote that. Files are fixed that
    lie in the folder of the checks: what lies elsewhere may be what the program made.
    """
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    bodies = list(_bodies(tree))
    name = "checks" if len(bodies) > 1 else "__main__"
    listing = f"find {shlex.quote(posixpath.dirname(path))} -type f -printf '%f\\n' | head -1000"
    beside = session.run(listing, seconds=SECONDS, looks=True).output.splitlines()
    given = frozenset(one for one in beside if not own(one))
    for compared in [one for body in bodies for one in _comparisons(body, tree, text, given)][:MOST]:
        granted = base64.b64encode(_granting(text, bodies, compared).encode()).decode()
        driver = f"python3 -c {shlex.quote(_DRIVER)} {shlex.quote(path)} {name}"
        run = f"cd {shlex.quote(folder)} && echo {granted} | base64 -d | {driver}"
        lines = session.run(run, seconds=SECONDS, looks=True).output.splitlines()
        for body in bodies:
            for one in body:
                fails = f"{_EXCLUDED}{one.lineno}" in lines and one is not compared.statement
                if fails and isinstance(one, ast.Assert) and _about(one, compared, tree, body):
                    yield compared.statement, one


def _bodies(tree: ast.Module) -> Iterator[Sequence[ast.stmt]]:
    """The file's own statements, and those of each test that is given nothing."""
    yield tree.body
    for one in tree.body:
        if isinstance(one, ast.FunctionDef) and one.name.startswith("test") and not (one.decorator_list or _given(one)):
            yield one.body


def _given(test: ast.FunctionDef) -> bool:
    arguments = test.args
    return bool(arguments.args or arguments.posonlyargs or arguments.kwonlyargs)


def _comparisons(body: Sequence[ast.stmt], tree: ast.Module, text: str, given: frozenset[str]) -> Iterator[_Compared]:
    values = {**_assigned(tree.body), **_assigned(body)}
    for statement in body:
        test = statement.test if isinstance(statement, ast.Assert) else None
        if not isinstance(statement, ast.Assert) or not isinstance(test, ast.Compare) or len(test.ops) > 1:
            continue
        sides = (test.left, test.comparators[0]) if isinstance(test.ops[0], ast.Eq) else ()
        for side, other in (sides, sides[::-1]) if sides else ():
            target = _trimmed(side)
            root = target.value if isinstance(target, ast.Attribute) else target
            made = values.get(root.id) if isinstance(root, ast.Name) else None
            wanted = ast.get_source_segment(text, other)
            if made is None or not wanted or all(map(_pure, _calls(made))):
                continue
            if _fixed(other, values, made, given):
                yield _Compared(statement, ast.unparse(target), ast.dump(made), " ".join(wanted.split()))
                break


def _trimmed(side: ast.expr) -> ast.expr:
    while isinstance(side, ast.Call) and isinstance(side.func, ast.Attribute) and side.func.attr in _TRIMS:
        side = side.func.value
    return side


def _assigned(body: Sequence[ast.stmt]) -> dict[str, ast.expr]:
    """What each variable is given that is given something once."""
    found, again = dict[str, ast.expr](), set[str]()
    for one in body:
        names = [each.id for each in ast.walk(one) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]
        for name in names:
            plain = isinstance(one, ast.Assign) and [ast.unparse(target) for target in one.targets] == [name]
            if name in found or not plain or not isinstance(one, ast.Assign):
                again.add(name)
            else:
                found[name] = one.value
    return {name: value for name, value in found.items() if name not in again}


def _names(node: ast.AST) -> list[str]:
    return [one.id for one in ast.walk(node) if isinstance(one, ast.Name)]


def _calls(node: ast.AST) -> list[ast.Call]:
    return [one for one in ast.walk(node) if isinstance(one, ast.Call)]


def _pure(call: ast.Call) -> bool:
    return _called(call) in _PURE


def _called(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def _fixed(wanted: ast.expr, values: dict[str, ast.expr], made: ast.expr, given: frozenset[str]) -> bool:
    """Whether it rests on constants, and on what stands in the given files."""
    ask, seen, called, texts = [wanted], set[str](), set[str](), set[str]()
    while ask:
        one = ask.pop()
        if one is made:
            return False
        called |= {_called(call) for call in _calls(one)}
        constants = (each.value for each in ast.walk(one) if isinstance(each, ast.Constant))
        texts |= {posixpath.basename(value) for value in constants if isinstance(value, str)}
        new = [name for name in _names(one) if name in values and name not in seen]
        seen.update(new)
        ask += [values[name] for name in new]
    reads_given = bool(texts & given) and all(text in given for text in texts if "." in text)
    return called <= _PURE | _READS and (not called & _READS or reads_given)


def _about(other: ast.Assert, compared: _Compared, tree: ast.Module, body: Sequence[ast.stmt]) -> bool:
    """Whether a statement asks of nothing but what was made, by what depends on that alone."""
    values, stored = {**_assigned(tree.body), **_assigned(body)}, _stored(tree.body) | _stored(body)
    ask, seen, meets = [other.test], set[str](), False
    while ask:
        one = ask.pop()
        if ast.dump(one) == compared.made:
            meets = True
            continue
        new = set(_names(one)) - _bound(one) - seen
        if not all(map(_pure, _calls(one))) or not new & stored <= set(values):
            return False
        seen |= new
        ask += [values[name] for name in new & set(values)]
    return meets


def _stored(body: Sequence[ast.stmt]) -> set[str]:
    """Every variable that these statements give something."""
    plain = (one for one in body if not isinstance(one, ast.FunctionDef | ast.ClassDef))
    return {
        each.id
        for one in plain
        for each in ast.walk(one)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    }


def _bound(expression: ast.expr) -> set[str]:
    """Variables of its comprehensions."""
    loops = (one for one in ast.walk(expression) if isinstance(one, ast.comprehension))
    return {name for loop in loops for name in _names(loop.target)}


def _granting(text: str, bodies: Sequence[Sequence[ast.stmt]], compared: _Compared) -> str:
    """The checks with what is wanted in the place of what was made, wherever the same makes it, each on its line."""
    lines = text.splitlines()
    for one in (each for body in bodies for each in body if isinstance(each, ast.Assign)):
        if ast.dump(one.value) == compared.made and isinstance(one.targets[0], ast.Name):
            target = ".".join((one.targets[0].id, *compared.target.split(".")[1:]))
            lines[(one.end_lineno or one.lineno) - 1] += f"; {target} = ({compared.wanted})"
    return "\n".join(lines)
