"""What a ledger says: a line an audit that is finished, an audit that failed, a task that only claims speak of."""

import hashlib
import json
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field, TypeAdapter

from cases import Claim, Model, Outcome
from graph.rules import failures
from graph.verdict import Locus, Status
from probes import Answer, Ground
from verify.config import SHARING
from verify.terminal import one_line

if TYPE_CHECKING:
    from cases.merging import Entry
    from evidence import Packed
    from graph.verdict import Audit
    from verify.config import Configuration

version = cache(metadata.version)
"""The files of an installed package stay as they are while it runs."""
IMPASSABLE = 0.5
"""Score from which on a claim says that the task was impassable."""
_ELSEWHERE = {"run", "claims", "outcomes", "tasks", "benchmark", "out", "state"} | SHARING
"""Settings that say where things lie, whose content is in the task's own digest, and who does the work."""

_OF_THE_TASK = {Ground.TEXT, Ground.ARCHIVE, Ground.GRADER}
_LIVE = {Ground.WEB, Ground.ARCHIVE, Ground.MACHINE}

Missing = Literal["transcript", "task", "network", "probe", "person", "evidence"]
"""What somebody may bring: the last stands for what no option brings."""


class Claimed(Model):
    """What one source claimed."""

    source: str
    """The file's name without its ending: who judged."""
    kind: Literal["rubric", "judge", "person"]
    run_id: str | None
    score: float | None

    @property
    def impassable(self) -> bool | None:
        """What it says; None where it did not decide."""
        return None if self.score is None else self.score >= IMPASSABLE


class _Of(Model):
    ledger: Literal[1] = 1
    """The version of this form."""
    benchmark: str
    task_id: str


class Finished(_Of):
    """One audit, whose pack is written."""

    line: Literal["audit"] = "audit"
    key: str
    """Digest of the task as it was read and of the settings: what this line is the answer to."""
    status: Status
    score: Literal[0, 1]
    category: str
    locus: Locus | None
    reason: str
    settled_by: tuple[str, ...]
    """The probes whose findings decided; empty where nothing did."""
    missing: tuple[Missing, ...]
    """What an open one lacks."""
    barrier_then: bool | None
    barrier_now: bool | None
    lab: bool
    agents: tuple[str, ...]
    """Whose runs failed."""
    runs: int
    failed: int
    passed: int
    transcripts: int
    """Of failed runs."""
    claims: tuple[Claimed, ...]
    pack: str
    """Its folder, beside the ledger."""
    digest: str
    """SHA-256 of the pack's tag manifest, which names every byte of it."""
    seconds: float
    calls: int
    """Of a model."""
    cost: float | None
    """US dollars that these came to; None where no price is known."""
    version: str
    at: datetime

    def brief(self, out: Path) -> str:
        """The verdict and its pack below `out`, on one line of a terminal."""
        said = f"{self.status.value.replace('_', ' '):<13}  {self.task_id} of {self.benchmark}: {self.reason}"
        return one_line(f"{said}  {out / self.pack}")


class Failed(_Of):
    """One audit that could not be made; the same command tries it again."""

    line: Literal["error"] = "error"
    key: str
    message: str
    exit_code: int
    version: str
    at: datetime


class Unaudited(_Of):
    """A task that was not asked for, and what others claimed of it: without these, agreement would be of disputes."""

    line: Literal["claims"] = "claims"
    claims: tuple[Claimed, ...]


Line = Annotated[Finished | Failed | Unaudited, Field(discriminator="line")]
LINES: TypeAdapter[Finished | Failed | Unaudited] = TypeAdapter(Line)


def written(line: Finished | Failed | Unaudited) -> bytes:
    """The line as it stands in the file."""
    return json.dumps(line.model_dump(mode="json"), ensure_ascii=True, allow_nan=False).encode() + b"\n"


def key_of(entry: "Entry", configuration: "Configuration") -> str:
    """What an audit is the answer to: the task with its records, as the files hold them now, and the settings."""
    told = hashlib.sha256(repr((entry.benchmark, entry.task_id)).encode("utf-8", "backslashreplace"))
    for part in (entry.task, *(run.record for run in entry.runs), *entry.claims):
        told.update(part.model_dump_json().encode("utf-8", "backslashreplace"))
    for source in sorted({one.run.source for run in entry.runs for one in run.records if one.load}):
        told.update(repr((source, _stamp(source))).encode("utf-8", "backslashreplace"))
    told.update(_settings(configuration))
    return told.hexdigest()[:32]


@cache
def _settings(configuration: "Configuration") -> bytes:
    return repr(configuration.model_copy(update=dict.fromkeys(_ELSEWHERE))).encode("utf-8", "backslashreplace")


@cache
def _stamp(source: str) -> tuple[int, int] | None:
    try:
        told = Path(source).stat()
    except (OSError, ValueError):
        return None
    return told.st_size, told.st_mtime_ns


def claimed(claims: Iterable[Claim]) -> tuple[Claimed, ...]:
    """What is kept of claims: who said what, and not how."""
    return tuple(Claimed(source=_source(one), kind=one.kind, run_id=one.run_id, score=one.score) for one in claims)


def _source(claim: Claim) -> str:
    """The file's name, without its line and what tells apart two files of one name."""
    return claim.claim_id.removeprefix("claim:").rpartition(":")[0] or claim.kind


def finished(packed: "Packed", key: str, seconds: float, *, offline: bool) -> Finished:
    """The line of an audit, of its masked form."""
    manifest = (packed.path / "tagmanifest-sha256.txt").read_bytes()
    digest = hashlib.sha256(manifest).hexdigest()
    return line_of(packed, digest, key=key, seconds=seconds, offline=offline, at=datetime.now(UTC))


def line_of(packed: "Packed", digest: str, *, key: str, seconds: float, offline: bool, at: datetime) -> Finished:
    """What a line says of an audit whose pack has this digest."""
    audit, pack = packed
    verdict, case = audit.verdict, audit.case
    failed = failures(case)
    return Finished(
        benchmark=case.benchmark,
        task_id=case.task_id,
        key=key,
        status=verdict.status,
        score=verdict.score,
        category=verdict.deficiency_type,
        locus=verdict.locus,
        reason=verdict.reason,
        settled_by=settled_by(audit),
        missing=missing(audit, offline=offline),
        barrier_then=verdict.barrier_then,
        barrier_now=verdict.barrier_now,
        lab=verdict.lab,
        agents=tuple(sorted({run.agent for run in failed if run.agent})),
        runs=len(case.runs),
        failed=sum(run.outcome is Outcome.FAILED for run in case.runs),
        passed=len(case.runs) - len(failed),
        transcripts=sum(run.transcript is not None for run in failed),
        claims=claimed(case.claims),
        pack=pack.name,
        digest=digest,
        seconds=round(seconds, 3),
        calls=verdict.assistance.calls if verdict.assistance else 0,
        cost=verdict.assistance.cost if verdict.assistance else None,
        version=version("impassable"),
        at=at,
    )


def settled_by(audit: "Audit") -> tuple[str, ...]:
    """The probes whose findings decided, or the person who did."""
    if audit.verdict.status is Status.INCONCLUSIVE:
        return ()
    if audit.verdict.by_person:
        return ("a person",)
    decisive = set(audit.verdict.decisive)
    return tuple(sorted({one.probe for one in audit.findings if one.id in decisive})) or ("the log alone",)


def missing(audit: "Audit", *, offline: bool) -> tuple[Missing, ...]:
    """What an open audit lacks, as far as somebody can bring it."""
    if audit.verdict.status is not Status.INCONCLUSIVE:
        return ()
    unknown = [one for one in audit.findings if one.valid_answer is Answer.UNKNOWN]
    grounds = {one.ground for one in unknown}
    unable = {control.name for one in unknown for control in one.controls if not control.passed}
    lacks: dict[Missing, bool] = {
        "transcript": not any(run.transcript for run in failures(audit.case)),
        "task": audit.case.task.prompt is None and bool(grounds & _OF_THE_TASK),
        "network": offline and bool(grounds & _LIVE),
        "probe": not offline and any(name.endswith(" probe runs") for name in unable),
        "person": bool(audit.verdict.open_question),
    }
    return tuple(name for name, lacking in lacks.items() if lacking) or ("evidence",)
