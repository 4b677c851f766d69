"""Cases that checks state, each a call and what it is to give: in a table, or in tests of Python's."""

import ast
import csv
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

LEAST = 4
"""Rows of a table of cases."""
_TABLES = (".csv", ".tsv", ".tab", ".txt", ".psv", ".dat", ".cases")
_SEPARATORS = ("|", "\t", ";", ",")
_EQUAL = frozenset({"assertEqual", "assertEquals"})
_VALUES = frozenset(
    {
        *("decimal.Decimal", "fractions.Fraction", "datetime.date", "datetime.time", "datetime.datetime"),
        *("datetime.timedelta", "pathlib.Path", "pathlib.PurePath", "pathlib.PurePosixPath", "uuid.UUID"),
        *("ipaddress.ip_address", "ipaddress.ip_network"),
    }
)
"""What makes the same value of the same literals each time it is called."""
_PLAIN_BASES = frozenset({"TestCase", "unittest.TestCase", "object"})


@dataclass(frozen=True)
class Case:
    """What is asked of one call."""

    call: str
    wanted: object
    first: int
    """Line, counted from 1."""
    last: int


def pairs_of(cases: Iterator[Case]) -> list[tuple[Case, Case]]:
    """Two cases each with the same call and different results."""
    by_call = defaultdict[str, list[Case]](list)
    for case in cases:
        by_call[case.call].append(case)
    found = []
    for same in by_call.values():
        first = same[0]
        found += [(first, other) for other in same[1:] if other.wanted != first.wanted]
    return found


def of_table(path: str, text: str) -> Iterator[Case]:
    """Each row of a table: its last cell is what is asked of those before."""
    lines = text.splitlines()
    separator = next((one for one in _SEPARATORS if lines and one in lines[0]), "")
    if not path.endswith(_TABLES) or not separator or '"' in text or len(lines) < LEAST:
        return
    rows = list(csv.reader(lines, delimiter=separator))
    width = len(rows[0])
    if width < 2 or any(row and len(row) != width for row in rows):
        return
    for number, row in enumerate(rows, 1):
        if row:
            yield Case(repr(row[:-1]), row[-1].strip(), number, number)


def of_code(text: str) -> Iterator[Case]:
    """Each statement in a test of its own that compares a call of literals alone with a literal.

    A test that does anything else first, or is given something, may prepare what makes the difference.
    """
    tree = _parsed(text)
    if tree is None:
        return
    known = _imported(tree)
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef) and _is_plain(node)]
    groups: list[ast.Module | ast.ClassDef] = [tree, *classes]
    for group in groups:
        methods = [node for node in group.body if isinstance(node, ast.FunctionDef)]
        if any("setup" in one.name.lower() or one.decorator_list for one in methods if not one.name.startswith("test")):
            continue
        for method in methods:
            given = [one.arg for one in method.args.args if one.arg != "self"]
            if method.name.startswith("test") and not given and not method.decorator_list:
                yield from _of_body(method.body, known)


def _is_plain(node: ast.ClassDef) -> bool:
    """Whether nothing around its tests may prepare them, or leave them out."""
    return not node.decorator_list and {ast.unparse(one) for one in node.bases} <= _PLAIN_BASES


def _of_body(body: Sequence[ast.stmt], known: Mapping[str, str]) -> Iterator[Case]:
    stated = [one for one in body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))]
    compared = [_compared(one) for one in stated]
    if all(compared):
        for statement, pair in zip(stated, compared, strict=True):
            if pair and (case := _case(statement, known, *pair) or _case(statement, known, *reversed(pair))):
                yield case


def _compared(statement: ast.stmt) -> tuple[ast.expr, ast.expr] | None:
    """The two sides of `assert a == b` or `self.assertEqual(a, b)`."""
    if isinstance(statement, ast.Assert) and isinstance(statement.test, ast.Compare):
        test = statement.test
        return (test.left, test.comparators[0]) if [type(one) for one in test.ops] == [ast.Eq] else None
    call = statement.value if isinstance(statement, ast.Expr) else None
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in _EQUAL:
        return (call.args[0], call.args[1]) if len(call.args) > 1 else None
    return None


def _case(statement: ast.stmt, known: Mapping[str, str], call: ast.expr, wanted: ast.expr) -> Case | None:
    if not _called_with_values(call, known) or not _literal(wanted):
        return None
    return Case(ast.unparse(call), ast.literal_eval(wanted), statement.lineno, statement.end_lineno or statement.lineno)


def _called_with_values(call: ast.expr, known: Mapping[str, str]) -> bool:
    """Whether it calls a function by its name, or one of a name's, with values alone."""
    given = [*call.args, *(word.value for word in call.keywords)] if isinstance(call, ast.Call) else []
    named = isinstance(call, ast.Call) and isinstance(call.func, ast.Name | ast.Attribute)
    whose = call.func.value if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) else None
    return (
        named
        and bool(given)
        and (whose is None or isinstance(whose, ast.Name))
        and all(_value(one, known) for one in given)
    )


def _value(node: ast.expr, known: Mapping[str, str]) -> bool:
    """Whether it is a literal, or a value that a type of the standard library makes of literals."""
    if not isinstance(node, ast.Call):
        return _literal(node)
    whose = node.func.value if isinstance(node.func, ast.Attribute) else node.func
    if not isinstance(whose, ast.Name) or whose.id not in known:
        return False
    name = known[whose.id]
    if isinstance(node.func, ast.Attribute):
        name = f"{name or whose.id}.{node.func.attr}"
    return name in _VALUES and all(map(_literal, (*node.args, *(word.value for word in node.keywords))))


def _literal(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return True


def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _imported(tree: ast.Module) -> dict[str, str]:
    """Names that a module imports at its top, with what they stand for."""
    known = dict[str, str]()
    for node in tree.body:
        if isinstance(node, ast.Import):
            known |= {one.asname or one.name.partition(".")[0]: one.name if one.asname else "" for one in node.names}
        if isinstance(node, ast.ImportFrom):
            source = f"{'.' * node.level}{node.module or ''}"
            known |= {one.asname or one.name: f"{source}.{one.name}" for one in node.names}
    return known
