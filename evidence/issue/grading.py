"""A grader's issue: who marked what how, and the lines that show it again."""

import ast
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from cases.secrets import MASK
from evidence.artifacts import EvidenceFile
from evidence.report.graders import MarkTable, mark_tables
from graph.verdict import Audit
from probes import Finding
from probes.scorer import Grader, Judged, judged_runs
from probes.scorer.grader import graders_of

_MARKED_WRONG = "marked wrong, as the record says"
_EXPECTED = "the expected answer"


@dataclass(frozen=True)
class MarkRow:
    """One grader's marks."""

    name: str
    whose: str
    version: str
    answer: str
    """Its mark of the run's answer."""
    expected: str
    forms: str
    """How many of the equivalent forms that were tried it gives full marks."""


@dataclass(frozen=True)
class Grading:
    """What the graders made of the answer of the run that was marked wrong."""

    audit: Audit
    decisive: Sequence[Finding]
    evidence: tuple[EvidenceFile, ...]

    @cached_property
    def judged(self) -> Judged | None:
        """That run's answer beside the expected one."""
        names = {c.name for finding in self.decisive for c in finding.controls if c.expected == _MARKED_WRONG}
        found = judged_runs(self.audit.case)
        return next((one for one in found if f"{one.grader.name}: the answer of {one.run.run_id}" in names), None)

    @property
    def answers(self) -> list[tuple[str, str]]:
        """The two answers, with their names."""
        if self.judged is None:
            return []
        gold = self.audit.case.task.gold or ""
        return [(f"the answer of {self.judged.run.run_id}", self.judged.answer), (_EXPECTED, gold)]

    @property
    def masked(self) -> bool:
        """Whether one of them is masked."""
        return any(MASK in answer for _, answer in self.answers)

    @cached_property
    def rows(self) -> list[MarkRow]:
        """Every grader's marks, the one that decided the run first."""
        table = next(mark_tables(self.audit, self.evidence), None)
        if table is None or self.judged is None:
            return []
        decided = self.judged.grader.name
        forms = {r.id.removeprefix("form: ") for finding in self.decisive for r in finding.routes}
        rows = [_row(table, name, self.judged.run.run_id, forms, decided) for name in table.graders]
        return sorted(rows, key=lambda row: row.name != decided)

    @property
    def steps(self) -> str:
        """Lines of a shell that mark the run's answer again, by the grader that decided and one that takes it."""
        if self.judged is None:
            return ""
        if self.masked:
            return (
                "# the answers are masked in this public text; the pack without --public shows how to mark them again"
            )
        known = {grader.name: grader for grader in graders_of(self.audit.case.benchmark)}
        full = [known[row.name] for row in self.rows if row.answer == "1" and row.name in known]
        others = sorted(full, key=lambda grader: not grader.official)[:1]
        told = (
            _repeated(one, self.judged.answer, self.audit.case.task.gold or "") for one in (self.judged.grader, *others)
        )
        return "\n".join(told)


def _row(table: MarkTable, name: str, run_id: str, forms: set[str], decided: str) -> MarkRow:
    at = table.graders.index(name)
    marks = {answer: values[at] for answer, values in table.rows}
    full = sum(marks.get(form) == "1" for form in forms)
    tried = sum(form in marks for form in forms)
    whose = f"{table.sources[at]}{'; it decided this run' if name == decided else ''}"
    return MarkRow(
        name=name,
        whose=whose,
        version=", ".join(table.packages[at]) or "no package",
        answer=marks.get(f"the answer of {run_id}", "not marked"),
        expected=marks.get(_EXPECTED, "not marked"),
        forms=f"{full} of {tried}",
    )


def _repeated(grader: Grader, answer: str, gold: str) -> str:
    return "\n".join(_lines(grader, answer, gold))


def _lines(grader: Grader, answer: str, gold: str) -> Iterator[str]:
    yield f"# {' '.join(grader.name.split())}: {' '.join(grader.source.split())}"
    place = "".join(char if char.isascii() and char.isalnum() else "-" for char in f"grader-{grader.name}")
    path = ""
    if grader.packages:
        yield f"python3 -m pip install --quiet --no-deps --target {place} {shlex.join(grader.packages)}"
        path = f"PYTHONPATH={place} "
    yield f"{path}python3 - {shlex.join((answer, gold))} <<'GRADER'"
    yield _code(grader.code)
    yield f"import sys\nprint({grader.name!r}, grade(*sys.argv[1:]))"
    yield "GRADER"


def _code(code: str) -> str:
    """The grader's Python without comments and docstrings."""
    tree = ast.parse(code)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree)
