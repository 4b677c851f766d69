"""Advice for whoever reports results: the tiers of SWE-bench's run report, filled from audits, for any benchmark.

Nothing is taken out of a count: a task whose failure was the benchmark's stays unresolved.
"""

from collections.abc import Sequence
from importlib.metadata import version

from graph.verdict import Status
from verify.batch.exported import Exported
from verify.batch.lines import Failed, Finished

SCHEMA_VERSION = 2
"""Of SWE-bench's run report."""


def advisory(found: Exported) -> dict[str, object]:
    """The report: what is settled as the benchmark's (`infra_failure`), and what stayed open (`ambiguous_failure`)."""
    several = len({line.benchmark for line in (*found.audits, *found.errors)}) > 1

    def named(lines: Sequence[Finished | Failed]) -> list[str]:
        return [f"{line.benchmark}/{line.task_id}" if several else line.task_id for line in lines]

    supported = [line for line in found.audits if line.status is Status.SUPPORTED]
    inconclusive = [line for line in found.audits if line.status is Status.INCONCLUSIVE]
    told = [*supported, *inconclusive]
    ids = {
        "submitted": named([*found.audits, *found.errors]),
        "completed": named(found.audits),
        "unresolved": named(found.audits),
        "infra_failure": named(supported),
        "ambiguous_failure": named(inconclusive),
        "error": named(found.errors),
    }
    counts = {f"{name}_instances": len(listed) for name, listed in ids.items()}
    reasons = dict(zip(named(told), [f"{line.category}: {line.reason}" for line in told], strict=True))
    return {
        "schema_version": SCHEMA_VERSION,
        "advisory": True,
        "author": f"impassable {version('impassable')}",
        "total_instances": len(ids["submitted"]),
        **counts,
        **{f"{name}_ids": sorted(listed) for name, listed in ids.items()},
        "failure_reasons": reasons | dict(zip(named(found.errors), [one.message for one in found.errors], strict=True)),
        "evidence": {
            name: {"status": line.status.value, "score": line.score, "pack": line.pack, "digest": line.digest}
            for name, line in zip(named(found.audits), found.audits, strict=True)
        },
    }
