"""Cases that ask two different things of the same call: read from the checks, and shown by leaving one out."""

import ast
import posixpath
import shlex
from collections.abc import Callable, Sequence
from itertools import islice

from cases import Events
from cases import patterns as re
from cases.touches.promises import made_by_run
from probes.replay.target.changes import changed
from probes.replay.target.compared_calls import asserted_otherwise, beside
from probes.replay.target.compared_files import SHELL, excluding
from probes.replay.target.granting import excluded
from probes.replay.target.stated_cases import of_code, of_table, pairs_of
from sandboxes import Session
from sandboxes.tracing import Fact, FactKind
from sandboxes.tracing.minimal import MinimalLift

CONTRADICT: FactKind = "cases contradict"
MOST = 20
"""Files that are read."""
LENGTH = 300_000
"""Characters of each."""
SECONDS = 60
_OF_CHECKS = re.compile(r"(?i)(?:^|[/_.-])(?:tests?|checks?|cases?|specs?|expected|expectations?|golden)(?=$|[/_.-])")
MOST_PAIRS = 2
_TOLD = re.compile(r"lines (\d+) to (\d+) and (\d+) to (\d+)(?: of (.+))?")


def contradictions(session: Session, command: str, opened: Sequence[str], events: Events, folder: str) -> list[Fact]:
    """A fact for each file of checks with just one pair of cases that ask different things of the same, or with two
    statements of which one excludes the other; where none has, one for just one pair of two files of tests.

    `opened` are absolute paths of what the failing `command`, run in `folder`, read; what the run wrote itself counts
    for none. Its `process` tells the lines of both; of a shell's checks, `places` hold both as they stand.
    """

    def own(path: str) -> bool:
        written = made_by_run(path, "", events.commands, events.writes)
        return written or bool(changed([posixpath.basename(path)], events))

    found = list[Fact]()
    for path in [path for path in opened if _OF_CHECKS.search(path)][:MOST]:
        if own(path):
            continue
        text = session.run(f"head -c {LENGTH} {shlex.quote(path)}", seconds=SECONDS, looks=True).output
        pairs = pairs_of(of_code(text) if path.endswith(".py") else of_table(path, text))
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
    return found or _measured(session, command, opened, folder, own)


def _measured(
    session: Session, command: str, opened: Sequence[str], folder: str, own: Callable[[str], bool]
) -> list[Fact]:
    """A fact for the two statements that were seen to ask different things of one call, in files of which the run wrote
    none, nor what lies beside them.
    """
    if not any(_OF_CHECKS.search(path) and path.endswith(".py") for path in opened):
        return []
    pair = asserted_otherwise(session, command, folder)
    if pair is None or any(own(path) for one in pair for path in (one.path, *beside(one.path, opened))):
        return []
    one, other = pair
    return [_fact(one.path, (one.first, one.last), (other.first, other.last), of=other.path)]


def _fact(path: str, one: tuple[int, int], other: tuple[int, int], places: tuple[str, ...] = (), of: str = "") -> Fact:
    told = f"lines {one[0]} to {one[1]} and {other[0]} to {other[1]}"
    told = f"{told} of {of}" if of else told
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
    other = shlex.quote(match[5] or fact.subject)
    kept = 'if (NR == a) { match($0, /^[ \\t]*/); print substr($0, 1, RLENGTH) "pass" } next' if coded else "next"
    script = shlex.quote(f"NR >= a && NR <= b {{ {kept} }} 1")
    each = ((path, *numbers[:2]), (other, *numbers[2:]))
    ways = (f"awk -v a={a} -v b={b} {script} {file} > /tmp/.kept && cat /tmp/.kept > {file}" for file, a, b in each)
    return tuple(MinimalLift(fact, (way,)) for way in ways)


def _without(path: str, number: int, text: str) -> str:
    """What has a shell's check hold in any case."""
    cut = '{ print substr($0, 1, i - 1) "true" substr($0, i + length(c)); next }'
    script = f'BEGIN {{ c = ENVIRON["C"] }} NR == {number} && (i = index($0, c)) {cut} 1'
    kept = shlex.quote(path)
    return f"C={shlex.quote(text)} awk {shlex.quote(script)} {kept} > /tmp/.kept && cat /tmp/.kept > {kept}"
