"""What SWE-bench's harness writes of a submission: who was resolved, instance by instance or in lists."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from cases.model import Outcome, Run
from cases.readers.base import Found, Graded, Report, RunRecord
from cases.readers.fields import listed, mapping, stem_of, trimmed
from cases.readers.records import Place, records
from cases.readers.sniff import Head

LISTS = frozenset({"no_generation", "no_logs", "generated", "with_logs", "applied", "no_apply", "install_fail"})
"""Lists beside `resolved`; who stands in none of them was not resolved either."""
PASSED_IDS, FAILED_IDS = "resolved_ids", ("unresolved_ids", "error_ids", "empty_patch_ids")
FACTS = frozenset({"patch_is_None", "patch_exists", "patch_successfully_applied", "tests_status", "instance_id"})
"""Keys beside `resolved` in what is said of one instance."""


class SweBenchReportReader:
    """Reads lists of ids, reports by instance, and reports of the one instance that their folder is called by."""

    name = "SWE-bench report"
    signs = "resolved beside lists of ids or facts of a patch, or resolved_ids beside other lists of ids"
    omits = "which tests passed"

    def recognises(self, head: Head) -> bool:
        """Lists of ids, or what is said of instances."""
        shape = head.shape
        if "results" in shape:
            return False
        if "resolved" in shape:
            beside = {"array": LISTS, "boolean": FACTS}.get(shape["resolved"].kind, frozenset())
            return bool(beside & shape.keys())
        if PASSED_IDS in shape:
            return shape[PASSED_IDS].kind == "array" and bool({*FAILED_IDS, "completed_ids"} & shape.keys())
        told = [value.keys for value in shape.values() if value.kind == "map"]
        return bool(shape) and len(told) == len(shape) and all("resolved" in keys and FACTS & keys for keys in told)

    def read(self, path: Path) -> Found:
        """One report of the file, whose runs lie beside it."""
        told: dict[str, Outcome] = {}
        rest: list[Outcome] = []

        def take(data: dict[str, Any], _: Place) -> None:
            told.update(_told(data, path))
            if isinstance(data.get("resolved"), list):
                rest.append(Outcome.FAILED)

        problems = records(path, take)
        graded = tuple(Graded(_record(path, task_id, outcome)) for task_id, outcome in told.items())
        return Found(reports=[Report(path, graded, rest[0] if rest else None)], problems=problems)


def _told(data: Mapping[str, Any], path: Path) -> Iterator[tuple[str, Outcome]]:
    if isinstance(data.get("resolved"), bool):
        yield trimmed(data.get("instance_id")) or path.resolve().parent.name, _outcome(data["resolved"])
    elif isinstance(data.get("resolved"), list):
        yield from _of_lists(data, sorted(LISTS & data.keys()), "resolved")
    elif PASSED_IDS in data:
        yield from _of_lists(data, FAILED_IDS, PASSED_IDS)
    else:
        for key, value in data.items():
            if (task_id := trimmed(key)) and isinstance(said := mapping(value).get("resolved"), bool):
                yield task_id, _outcome(said)


def _of_lists(data: Mapping[str, Any], failed: Iterable[str], passed: str) -> Iterator[tuple[str, Outcome]]:
    for name in (*failed, passed):
        for item in listed(data.get(name)):
            if task_id := trimmed(item):
                yield task_id, _outcome(name == passed)


def _outcome(resolved: bool) -> Outcome:
    return Outcome.PASSED if resolved else Outcome.FAILED


def _record(path: Path, task_id: str, outcome: Outcome) -> RunRecord:
    run = Run(run_id=stem_of(path), outcome=outcome, source=str(path))
    return RunRecord(None, task_id, run, own_id=False)
