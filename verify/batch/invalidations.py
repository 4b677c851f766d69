"""Sample invalidations that Inspect could make, each with its provenance; proposed, and made by nobody here."""

from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from cases import EnvironmentNotReady, Run
from cases.sentences import Sentences
from evidence import read_pack
from graph.rules import failures
from graph.verdict import Status
from verify.batch.exported import Exported
from verify.batch.lines import Finished
from verify.failures import SCHEMA
from verify.terminal import warn

say = Sentences(__name__)

SCAFFOLD = "inspect_ai"


def invalidations(found: Exported) -> dict[str, object]:
    """For each supported audit the samples of Inspect's that it speaks of; every other sample is left alone.

    Raises:
        EnvironmentNotReady: Inspect is not installed, by whose own interface the logs are read.
    """
    if find_spec("inspect_ai") is None:
        raise EnvironmentNotReady(say("batch.invalidations.inspect_not_installed_pip"))
    proposed = [one for line in found.audits if line.status is Status.SUPPORTED for one in _of(line)]
    alone = [line.task_id for line in found.audits if line.status is not Status.SUPPORTED]
    return {"schema": SCHEMA, "invalidations": proposed, "left_alone": alone}


def _of(line: Finished) -> list[dict[str, Any]]:
    case = read_pack(Path(line.pack)).case
    runs = [run for run in failures(case) if run.environment.get("scaffold") == SCAFFOLD]
    if not runs:
        warn(say("batch.invalidations.no_run_comes_log", task_id=line.task_id))
    logs: dict[str, list[Run]] = {}
    for run in runs:
        logs.setdefault(run.source, []).append(run)
    return [one for log, some in logs.items() if (one := _proposal(line, log, some))]


def _proposal(line: Finished, log: str, runs: list[Run]) -> dict[str, Any] | None:
    from inspect_ai.log import ProvenanceData, read_eval_log_sample_summaries

    if not Path(log).is_file():
        warn(say("batch.invalidations.log_not_run_log", task_id=line.task_id, log=log))
        return None
    epochs = {run.run_id.rpartition(":")[2] for run in runs}
    samples = [
        {"id": one.id, "epoch": one.epoch, "uuid": one.uuid}
        for one in read_eval_log_sample_summaries(log)
        if str(one.id) == line.task_id and str(one.epoch) in epochs and one.uuid
    ]
    if not samples:
        warn(say("batch.invalidations.no_sample_uuid_any", task_id=line.task_id, log=log))
        return None
    provenance = ProvenanceData(
        timestamp=line.at,
        author=f"impassable {version('impassable')}",
        reason=line.reason,
        metadata={"pack": line.pack, "digest": line.digest, "status": line.status.value, "category": line.category},
    )
    return {"log": log, "samples": samples, "provenance": provenance.model_dump(mode="json")}
