"""Cases that ask two different things of the same call: read from the checks, and shown by leaving one out."""

import ast
import csv
import posixpath
import shlex
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from cases import Events
from cases import patterns as re
from cases.touches.promises import made_by_run
from probes.replay.target.changes import changed
from probes.replay.target.compared_files import SHELL, excluding
from probes.replay.target.granting import excluded
from sandboxes import Session
from sandboxes.tracing import Fact, FactKind
from sandboxes.tracing.minimal import MinimalLift

CONTRADICT: FactKind = "cases contradict"
MOST = 20
"""Files that are read."""
LENGTH = 300_000
"""Characters of each."""
LEAST = 4
"""Rows of a table of cases."""
SECONDS = 60
_OF_CHECKS = re.compile(r"(?i)(?:^|[/_.-])(?:tests?|checks?|cases?|specs?|expected|expectations?|golden)(?=$|[/_.-])")
_TABLES = (".csv", ".tsv", ".tab", ".txt", ".psv", ".dat", ".cases")
_SEPARATORS = ("|", "\t", ";", ",")
MOST_PAIRS = 2
_TOLD = re.compile(r"lines (\d+) to (\d+) and (\d+) to (\d+)")
_EQUAL = frozenset({"assertEqual", "assertEquals"})


@dataclass(frozen=True)
class _Case:
    """What is asked of one call."""

    call: str
    wanted: object
    first: int
    """Line, counted from 1."""
    last: int


def contradictions(session: Session, command: str, opened: Sequence[str], events: Events, folder: str) -> list[Fact]:
    """A fact for each file of checks with just one pair of cases that ask different things of the same, or with two
    statements of which one excludes the other.

    `opened` are absolute paths of what the failing `command`, run in `folder`, read; what the run wrote itself counts
    for none. Its `process` tells the lines of both; of a shell's checks, `places` hold both as they stand.
    """

    def own(path: str) -> bool:
        written = made_by_run(path, "", events.commands, events.writes)
        return written or bool(changed([posixpath.basename(path)], events))

    found = []
    for path in [path for path in opened if _OF_CHECKS.search(path)][:MOST]:
        if own(path):
            continue
        text = session.run(f"head -c {LENGTH} {shlex.quote(path)}", seconds=SECONDS, looks=True).output
        pairs = _pairs(_of_code(text) if path.endswith(".py") else _of_table(path, text))
        lines = [((one.first, one.last), (other.first, other.last)) for one, other in pairs if len(pairs) == 1]
        if not lines and path.endswith(".py"):
            exclude = list(excluded(session, path, text, folder, own))[:MOST_PAIRS]
            lines = [(_lines(one), _lines(other)) for one, other in exclude]
        for pair in lines:
            first, second = sorted(pair)
            found.append(_fact(path, first, second))
        if SHELL.search(path):
            both = islice(excluding(session, command, path, text, folder, own), 1)
            found += [
                _fact(path, (one.first, one.first), (one.second, one.second), (one.comparison, one.other))
                for one in both
            ]
    return found


def _fact(path: str, one: tuple[int, int], other: tuple[int, int], places: tuple[str, ...] = ()) -> Fact:
    told = f"lines {one[0]} to {one[1]} and {other[0]} to {other[1]}"
    return Fact(kind=CONTRADICT, subject=path, process=told, named=True, places=places)


def _lines(statement: ast.stmt) -> tuple[int, int]:
    return statement.lineno, statement.end_lineno or statement.lineno


def left_out(fact: Fact) -> tuple[MinimalLift, ...]:
    """The one case left out, or the other; none for a fact of another kind."""
    match = _TOLD.fullmatch(fact.process) if fact.kind == CONTRADICT else None
    if match is None:
        return ()
    numbers = [int(match[number]) for number in range(1, 5)]
    if fact.places:
        lines = zip(numbers[::2], fact.places, strict=True)
        return tuple(MinimalLift(fact, (_without(fact.subject, number, text),)) for number, text in lines)
    path, coded = shlex.quote(fact.subject), fact.subject.endswith(".py")
    kept = 'if (NR == a) { match($0, /^[ \\t]*/); print substr($0, 1, RLENGTH) "pass" } next' if coded else "next"
    script = shlex.quote(f"NR >= a && NR <= b {{ {kept} }} 1")
    each = f"awk -v a={{}} -v b={{}} {script.replace('{', '{{').replace('}', '}}')} {path} > /tmp/.kept"
    ways = (each.format(*numbers[:2]), each.format(*numbers[2:]))
    return tuple(MinimalLift(fact, (f"{way} && cat /tmp/.kept > {path}",)) for way in ways)


def _without(path: str, number: int, text: str) -> str:
    """What has a shell's check hold in any case."""
    cut = '{ print substr($0, 1, i - 1) "true" substr($0, i + length(c)); next }'
    script = f'BEGIN {{ c = ENVIRON["C"] }} NR == {number} && (i = index($0, c)) {cut} 1'
    kept = shlex.quote(path)
    return f"C={shlex.quote(text)} awk {shlex.quote(script)} {kept} > /tmp/.kept && cat /tmp/.kept > {kept}"


def _pairs(cases: Iterator[_Case]) -> list[tuple[_Case, _Case]]:
    """Two cases each with the same call and different results."""
    by_call = defaultdict[str, list[_Case]](list)
    for case in cases:
        by_call[case.call].append(case)
    found = []
    for same in by_call.values():
        first = same[0]
        found += [(first, other) for other in same[1:] if other.wanted != first.wanted]
    return found


def _of_table(path: str, text: str) -> Iterator[_Case]:
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
            yield _Case(repr(row[:-1]), row[-1].strip(), number, number)


def _of_code(text: str) -> Iterator[_Case]:
    """Each statement in a test of its own that compares a call of literals alone with a literal.

    A test that does anything else first, or is given something, may prepare what makes the difference.
    """
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    groups: list[ast.Module | ast.ClassDef] = [tree, *(node for node in tree.body if isinstance(node, ast.ClassDef))]
    for group in groups:
        methods = [node for node in group.body if isinstance(node, ast.FunctionDef)]
        if any("setup" in one.name.lower() or one.decorator_list for one in methods if not one.name.startswith("test")):
            continue
        for method in methods:
            given = [one.arg for one in method.args.args if one.arg != "self"]
            if method.name.startswith("test") and not given and not method.decorator_list:
                yield from _of_body(method.body)


def _of_body(body: Sequence[ast.stmt]) -> Iterator[_Case]:
    stated = [one for one in body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))]
    compared = [_compared(one) for one in stated]
    if all(compared):
        for statement, pair in zip(stated, compared, strict=True):
            if pair and (case := _case(statement, *pair) or _case(statement, *reversed(pair))):
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


def _case(statement: ast.stmt, call: ast.expr, wanted: ast.expr) -> _Case | None:
    given = [*call.args, *(word.value for word in call.keywords)] if isinstance(call, ast.Call) else []
    named = isinstance(call, ast.Call) and isinstance(call.func, ast.Name | ast.Attribute)
    whose = call.func.value if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) else None
    if not named or not given or not (whose is None or isinstance(whose, ast.Name)):
        return None
    if not all(map(_literal, (*given, wanted))):
        return None
    return _Case(ast.dump(call), ast.literal_eval(wanted), statement.lineno, statement.end_lineno or statement.lineno)


def _literal(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return True
