"""A scanner for Inspect Scout: failed transcripts audited by trying, over logs or, through `as_scorer`, as a scorer.

    scout scan scan.py -T logs/           # scan.py: `from impassable.scout import impassable`

Its value is the rubric's score: 1 where the benchmark was impassable, 0 where it was not. What cannot be said is left
without a value, and `explanation` says why; what breaks raises.
"""

import json
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Unpack
from urllib.parse import unquote, urlparse

from anyio import CapacityLimiter, to_thread
from inspect_ai.scorer import Score, value_to_float
from inspect_scout import Result as Scanned
from inspect_scout import Scanner, Transcript, scanner

from impassable.asking import audit
from impassable.options import Options
from impassable.result import Result

PASSED = "passed"
INCONCLUSIVE = "inconclusive"
_Key = tuple[str, str]


@scanner(messages="all", name="impassable")
def impassable(**options: Unpack[Options]) -> Scanner[Transcript]:
    """Audit each failed transcript as `verify` does; all attempts at a task in one log are one case.

    Args:
        **options: Of `impassable.audit`, such as `profile="offline"` or `out="packs"`.
    """
    audits = _Audits(options)

    async def scan(transcript: Transcript) -> Scanned:
        if _passed(transcript):
            return Scanned(value=None, answer=PASSED, explanation="The run passed: there is no failure to audit.")
        found = await to_thread.run_sync(partial(audits.of, transcript), limiter=audits.limiter)
        return _told(found)

    return scan


class _Audits:
    """Audits of one scan, each made once, one after the other."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._done: dict[_Key, Result] = {}
        self.limiter = CapacityLimiter(1)

    def of(self, transcript: Transcript) -> Result:
        """What the audit of a transcript's task found."""
        task, log = _task_id(transcript), _log_of(transcript)
        if log is None:
            return self._from_messages(transcript, task)
        key = (str(log), task)
        if key not in self._done:
            self._done[key] = self._audit(task, log)
        return self._done[key]

    def _from_messages(self, transcript: Transcript, task: str) -> Result:
        """A sample whose log is not written yet, or not on this machine."""
        with tempfile.TemporaryDirectory(prefix="impassable-scout-") as folder:
            log = Path(folder, "log.json")
            log.write_text(json.dumps(_as_log(transcript, task)), encoding="utf-8")
            return self._audit(task, log)

    def _audit(self, task: str, log: Path) -> Result:
        return audit(task, **self._options | {"run": log})


def _task_id(transcript: Transcript) -> str:
    named = transcript.task_id or transcript.metadata.get("id")
    return str(named) if named is not None else transcript.transcript_id


def _log_of(transcript: Transcript) -> Path | None:
    told = urlparse(transcript.source_uri or "")
    path = Path(unquote(told.path) if told.scheme == "file" else transcript.source_uri or "")
    return path if transcript.source_type == "eval_log" and path.is_file() else None


def _passed(transcript: Transcript) -> bool:
    """What was scored; a sample that several scorers have scored passed where all say so."""
    if transcript.success is not None:
        return transcript.success
    scores: dict[str, Any] = transcript.metadata.get("scores") or {}
    worth: Callable[[Any], float] = value_to_float()
    return bool(scores) and all(isinstance(one, Score) and worth(one.value) == 1 for one in scores.values())


def _as_log(transcript: Transcript, task: str) -> dict[str, Any]:
    """A sample in the form of Inspect's JSON logs."""
    told = transcript.metadata
    scores = {name: one.model_dump(mode="json") for name, one in (told.get("scores") or {}).items()}
    sample = {
        "id": task,
        "epoch": transcript.task_repeat or told.get("epoch") or 1,
        "uuid": transcript.transcript_id,
        "input": next((one.text for one in transcript.messages if one.role == "user"), ""),
        "target": told.get("target") or "",
        "messages": [one.model_dump(mode="json") for one in transcript.messages],
        "scores": scores,
    }
    evaluation = {"task": transcript.task_set, "model": transcript.model, "run_id": transcript.source_id}
    return {"version": 2, "eval": evaluation, "samples": [sample]}


def _told(found: Result) -> Scanned:
    open_one = found.status == INCONCLUSIVE
    return Scanned(
        value=None if open_one else found.score,
        answer=found.status,
        explanation=found.reason,
        metadata={
            "pack": str(found.path),
            "category": found.verdict.deficiency_type,
            "locus": found.verdict.locus,
            "would_change": found.verdict.would_change,
        },
    )
