"""Results as a table."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from impassable.result import Result

if TYPE_CHECKING:
    from pandas import DataFrame

COLUMNS = (
    "benchmark",
    "task_id",
    "status",
    "score",
    "category",
    "locus",
    "reason",
    "deficiency_exists",
    "deficiency_caused_failure",
    "barrier_then",
    "barrier_now",
    "runs",
    "claims",
    "claims_impassable",
    "seconds",
    "lab",
    "pack",
)


def to_dataframe(results: Iterable[Result]) -> "DataFrame":
    """A line for each result; needs pandas (`pip install "impassable[pandas]"`)."""
    from pandas import DataFrame

    return DataFrame([row(one) for one in results], columns=list(COLUMNS))


def row(result: Result) -> dict[str, object]:
    """What stands in a result's line; the seconds are those of its probes, added up."""
    verdict, claims = result.verdict, result.case.claims
    kept = {name: getattr(verdict, name) for name in COLUMNS if name in type(verdict).model_fields}
    return kept | {
        "benchmark": result.benchmark,
        "task_id": result.task_id,
        "category": verdict.deficiency_type,
        "runs": len(result.case.runs),
        "claims": len(claims),
        "claims_impassable": sum(claim.score == 1 for claim in claims),
        "seconds": sum(finding.seconds for finding in result.findings),
        "pack": result.pack,
    }
