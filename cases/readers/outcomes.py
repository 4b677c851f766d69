"""Who passed what across runs: `benchmark, task_id, scaffold, model, date, correct, run_id`."""

from pathlib import Path

from cases import benchmarks
from cases.model import Outcome, Run
from cases.readers.base import Found, Graded, Report, RunRecord
from cases.readers.fields import date_of
from cases.readers.messages import clean
from cases.readers.sniff import Head
from cases.readers.tables import BadRowError, Row, read_rows
from cases.sentences import Sentences

say = Sentences(__name__)

CORRECT = {
    **dict.fromkeys(("1", "1.0", "true", "yes", "passed"), Outcome.PASSED),
    **dict.fromkeys(("0", "0.0", "false", "no", "failed"), Outcome.FAILED),
    **dict.fromkeys(("", "nan", "none", "null", "unknown"), Outcome.UNKNOWN),
}

Key = tuple[str | None, str]
"""Benchmark and task of a row."""


class OutcomesReader:
    """Reads cross-run outcomes."""

    name = "cross-run outcomes CSV"
    signs = "the columns task_id, correct and run_id"
    omits = ""

    def recognises(self, head: Head) -> bool:
        """The columns that an outcome needs."""
        columns = set(head.columns)
        return {"task_id", "correct", "run_id"} <= columns and "explanation" not in columns

    def read(self, path: Path) -> Found:
        """How one run a row ended."""
        source = str(path)

        def parse(row: Row, _: int) -> Graded:
            return Graded(_record(row, source))

        keys = list[Key]()
        known = dict[Key, Key]()

        def told(graded: Graded) -> None:
            key = (graded.record.benchmark, graded.record.task_id)
            keys.append(known.setdefault(key, key))

        rows, problems = read_rows(path, parse, told)
        return Found(reports=[Report(path, rows, anywhere=True, keys=keys)], problems=problems)


def _record(row: Row, source: str) -> RunRecord:
    task_id, run_id = (clean(row[name].replace("\0", "").strip()) for name in ("task_id", "run_id"))
    if not task_id or not run_id:
        raise BadRowError(say("outcomes.missing", column="run_id" if task_id else "task_id"))
    outcome = CORRECT.get(row["correct"].strip().lower())
    if outcome is None:
        raise BadRowError(say("outcomes.correct_neither_nor", correct=row["correct"].strip()[:40]))
    scaffold = clean(row.get("scaffold", "").strip())
    stated = row.get("benchmark", "").strip()
    run = Run(
        run_id=run_id.removesuffix("_UPLOAD"),
        agent=scaffold or None,
        model=clean(row.get("model", "").strip()) or None,
        date=date_of(row.get("date", "")),
        outcome=outcome,
        environment={"scaffold": scaffold} if scaffold else {},
        source=source,
    )
    return RunRecord(benchmarks.normalised(stated) if stated else None, task_id, run)
