"""Verdicts that others gave: rubric CSV (one row a task and run) and judge CSV (one row a task)."""

import math
from pathlib import Path
from typing import Literal

from cases import benchmarks
from cases.model import Claim
from cases.readers.base import ClaimRecord, Found
from cases.readers.messages import clean
from cases.readers.sniff import Head
from cases.readers.tables import BadRowError, Row, read_table
from cases.sentences import Sentences

say = Sentences(__name__)

NO_GRADE = frozenset({"", "nan", "none", "null", "na", "n/a"})


class RubricReader:
    """`task_id, criteria, grade, correct, explanation, model_run`."""

    name = "rubric CSV"
    signs = "the columns task_id, grade and explanation"
    omits = "the columns correct and criteria beyond the benchmark they name"

    def recognises(self, head: Head) -> bool:
        """The columns that a claim needs."""
        return {"task_id", "grade", "explanation"} <= set(head.columns)

    def read(self, path: Path) -> Found:
        """One claim a row."""
        return _read(path, "rubric", "grade", "explanation")


class JudgeReader:
    """`task_id, final_grade, satisfies_rubric, num_evaluations, model_runs, reasoning`."""

    name = "judge CSV"
    signs = "the columns task_id, final_grade and reasoning"
    omits = "the columns satisfies_rubric and num_evaluations"

    def recognises(self, head: Head) -> bool:
        """The columns that a claim needs."""
        return {"task_id", "final_grade", "reasoning"} <= set(head.columns)

    def read(self, path: Path) -> Found:
        """One claim a row; it speaks of one run only where the judge saw a single one."""
        return _read(path, "judge", "final_grade", "reasoning")


def _read(path: Path, kind: Literal["rubric", "judge"], grade: str, text: str) -> Found:
    stem = _stem(path)
    hint = benchmarks.of_file_name(stem)

    def parse(row: Row, line: int) -> ClaimRecord:
        task_id = clean(row["task_id"].replace("\0", "").strip())
        if not task_id:
            raise BadRowError(say("claims.task_id_missing"))
        stated = row.get("benchmark") or row.get("criteria") or ""
        known = benchmarks.normalised(stated) if stated.strip() else None
        runs = [name.strip() for name in (row.get("model_run") or row.get("model_runs") or "").split(";")]
        claim = Claim(
            claim_id=f"claim:{stem}:{line}",
            source=f"{path}:{line}",
            kind=kind,
            run_id=runs[0].removesuffix("_UPLOAD") if len(runs) == 1 and runs[0] else None,
            score=_score(row[grade], grade),
            category=(row.get("deficiency_type") or row.get("category") or "").strip() or None,
            text=clean(row[text]),
        )
        return ClaimRecord(known, task_id, claim, hint)

    table = read_table(path, parse)
    return Found(claims=table.rows, problems=table.problems)


def _score(raw: str, column: str) -> float | None:
    if raw.strip().lower() in NO_GRADE:
        return None
    try:
        score = float(raw)
    except ValueError as error:
        raise BadRowError(say("claims.not_number", column=column, raw=raw.strip()[:40])) from error
    if not math.isfinite(score) or not 0 <= score <= 1:
        raise BadRowError(say("claims.not_lie_between", column=column, raw=raw.strip()[:40]))
    return score


def _stem(path: Path) -> str:
    return clean(path.name.removesuffix(".gz").removesuffix(".csv"))
