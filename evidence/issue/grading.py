"""A grader's issue: who marked what how, and the lines that show it again."""

import ast
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from cases.secrets import MASK
from cases.sentences import Sentences
from evidence.artifacts import EvidenceFile
from evidence.report.graders import MarkTable, mark_tables
from graph.verdict import Audit
from probes import Finding
from probes.scorer import Grader
from probes.scorer.grader import given, shipped

say = Sentences(__name__)
scorer_says = Sentences("probes.scorer")


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
class Subject:
    """The run that was marked wrong."""

    run_id: str
    answer: str
    grader: str
    """The name of the grader that decided it."""


@dataclass(frozen=True)
class Grading:
    """What the graders made of its answer; from the pack's records and the program's own graders alone."""

    audit: Audit
    decisive: Sequence[Finding]
    evidence: tuple[EvidenceFile, ...]

    @cached_property
    def subject(self) -> Subject | None:
        """The run, as the control of its record names it."""
        names = [
            c.name
            for finding in self.decisive
            for c in finding.controls
            if c.expected == scorer_says("evidence.marked_wrong_record")
        ]
        for run in self.audit.case.runs:
            ending = f": {scorer_says('evidence.answer', run_id=run.run_id)}"
            for name in names:
                if run.answer is not None and name.endswith(ending):
                    return Subject(run.run_id, run.answer, name.removesuffix(ending))
        return None

    @property
    def answers(self) -> list[tuple[str, str]]:
        """The two answers, with their names."""
        if self.subject is None:
            return []
        gold = self.audit.case.task.gold or ""
        return [
            (scorer_says("evidence.answer", run_id=self.subject.run_id), self.subject.answer),
            (scorer_says("evidence.expected_answer"), gold),
        ]

    @property
    def masked(self) -> bool:
        """Whether one of them is masked."""
        return any(MASK in answer for _, answer in self.answers)

    @cached_property
    def table(self) -> MarkTable | None:
        """All marks."""
        return next(mark_tables(self.audit, self.evidence), None)

    @cached_property
    def rows(self) -> list[MarkRow]:
        """Every grader's marks, the one that decided the run first."""
        if self.table is None or self.subject is None:
            return []
        decided = self.subject.grader
        forms = {r.id.removeprefix("form: ") for finding in self.decisive for r in finding.routes}
        rows = [_row(self.table, name, self.subject.run_id, forms, decided) for name in self.table.graders]
        return sorted(rows, key=lambda row: row.name != decided)

    @property
    def steps(self) -> str:
        """Lines of a shell that mark the run's answer again, by the grader that decided and one that takes it."""
        if self.subject is None or not self.rows:
            return ""
        if self.masked:
            return say("steps.masked")
        known = self._known()
        full = [known[row.name] for row in self.rows if row.answer == "1" and row.name in known]
        others = sorted(full, key=lambda grader: not grader.official)[:1]
        first = [known[self.subject.grader]] if self.subject.grader in known else []
        gold = self.audit.case.task.gold or ""
        return "\n".join(_repeated(one, self.subject.answer, gold) for one in (*first, *others))

    def _known(self) -> dict[str, Grader]:
        """The graders of the table that this program ships itself, and the one that was given with the task.

        What packages add is not in everybody's hands.
        """
        if self.table is None:
            return {}
        own = given(self.audit.case)
        told = dict(zip(self.table.graders, zip(self.table.sources, self.table.packages, strict=True), strict=True))
        known = (*shipped(), own) if own else shipped()
        return {one.name: one for one in known if told.get(one.name) == (one.source, one.packages)}


def _row(table: MarkTable, name: str, run_id: str, forms: set[str], decided: str) -> MarkRow:
    at = table.graders.index(name)
    marks = {answer: values[at] for answer, values in table.rows}
    full = sum(marks.get(form) == "1" for form in forms)
    tried = sum(form in marks for form in forms)
    whose = say("marks.decided", source=table.sources[at]) if name == decided else table.sources[at]
    return MarkRow(
        name=name,
        whose=whose,
        version=", ".join(table.packages[at]) or say("marks.no_package"),
        answer=marks.get(scorer_says("evidence.answer", run_id=run_id), say("marks.none")),
        expected=marks.get(scorer_says("evidence.expected_answer"), say("marks.none")),
        forms=say("marks.forms", full=full, tried=tried),
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
