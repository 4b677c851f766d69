"""The files that a batch leaves beside its packs: a row a task, a row a claim, a row for every two sources."""

import csv
import io
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Any

from cases import EnvironmentNotReady
from cases.sentences import Sentences
from evidence.index import cell, placed
from verify.batch.agreement import ClaimRow, Pair, rows
from verify.batch.ledger import Reading
from verify.batch.lines import Finished

say = Sentences(__name__)

AT_ONCE = 1000
"""Rows that are held in memory."""
_LEFT_OUT = {"ledger", "line", "key", "claims"}
_LISTS = ("settled_by", "missing", "agents")
COLUMNS = tuple(name for name in Finished.model_fields if name not in _LEFT_OUT)


def write_results(ledger: Reading, folder: Path, claims: Sequence[ClaimRow], paired: Sequence[Pair]) -> list[str]:
    """Write `results.jsonl`, `.csv` and, where pyarrow is there, `.parquet`; of claims `claims.csv`, `agreement.csv`.

    Returns the files' names.

    Raises:
        EnvironmentNotReady: the folder cannot be written.
    """
    try:
        written = [_jsonl(ledger, folder), _csv(ledger, folder)]
        written += [write_parquet(ledger.audits(), folder / "results.parquet")] if find_spec("pyarrow") else []
        if claims:
            written += [_table(folder / "claims.csv", ClaimRow._fields, claims)]
            written += [_table(folder / "agreement.csv", Pair._fields, paired)]
    except OSError as error:
        raise EnvironmentNotReady(
            say("batch.results.results_cannot_written_make", folder=folder, strerror=error.strerror)
        ) from None
    return written


def claims_of(ledger: Reading) -> Iterator[ClaimRow]:
    """Every claim, also about tasks that were not audited."""
    yield from rows(ledger.audits())
    yield from rows(ledger.unaudited())


def _rows(lines: Iterable[Finished]) -> Iterator[dict[str, Any]]:
    for line in lines:
        row = line.model_dump(mode="json", include=set(COLUMNS))
        yield {**row, "claims": len(line.claims)}


def _jsonl(ledger: Reading, folder: Path) -> str:
    return placed(folder / "results.jsonl", (json.dumps(row) + "\n" for row in _rows(ledger.audits())))


def _csv(ledger: Reading, folder: Path) -> str:
    return placed(folder / "results.csv", csv_lines(ledger.audits()))


def csv_lines(lines: Iterable[Finished]) -> Iterator[str]:
    """The results as CSV, its heading first."""
    names = (*COLUMNS, "claims")
    return _lines(names, ([_joined(row[name]) for name in names] for row in _rows(lines)))


def _joined(value: object) -> object:
    return "; ".join(value) if isinstance(value, list) else value


def _table(path: Path, names: Sequence[str], cells: Iterable[Iterable[object]]) -> str:
    return placed(path, _lines(names, cells))


def _lines(names: Sequence[str], cells: Iterable[Iterable[object]]) -> Iterator[str]:
    for row in chain([names], cells):
        line = io.StringIO()
        csv.writer(line, lineterminator="\n").writerow([cell(value) for value in row])
        yield line.getvalue()


def write_parquet(lines: Iterable[Finished], path: Path) -> str:
    """Write the results as Parquet; returns the file's name.

    Raises:
        OSError: it cannot be written.
    """
    import pyarrow
    from pyarrow import parquet

    kinds: dict[str, Any] = dict.fromkeys(COLUMNS, pyarrow.string())
    kinds |= dict.fromkeys(_LISTS, pyarrow.list_(pyarrow.string()))
    kinds |= dict.fromkeys(("score", "runs", "failed", "passed", "transcripts", "calls", "claims"), pyarrow.int64())
    kinds |= dict.fromkeys(("barrier_then", "barrier_now", "lab"), pyarrow.bool_())
    kinds |= dict.fromkeys(("seconds", "cost"), pyarrow.float64())
    schema = pyarrow.schema(list(kinds.items()))
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with parquet.ParquetWriter(partial, schema) as file:
            for some in _some(_rows(lines)):
                file.write_table(pyarrow.Table.from_pylist(some, schema))
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
    return path.name


def _some(found: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    some: list[dict[str, Any]] = []
    for row in found:
        some.append(row)
        if len(some) == AT_ONCE:
            yield some
            some = []
    if some:
        yield some
