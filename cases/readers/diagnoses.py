"""Diagnoses of failed runs, verdicts of scanners, issues and feedback: claims that can be disputed like any other."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Literal

from cases import benchmarks
from cases.loading import load
from cases.model import Claim, Model
from cases.readers.base import ClaimRecord, Found, Problem
from cases.readers.fields import listed, mapping, stem_of, text_of, trimmed
from cases.readers.messages import clean
from cases.readers.sniff import Head
from cases.readers.streams import load_object
from cases.readers.tables import BadRowError, Row, read_table
from cases.sentences import Sentences

say = Sentences(__name__)

_YES = frozenset({"1", "1.0", "true", "yes", "c"})
_NO = frozenset({"0", "0.0", "false", "no", "i"})


class _AgentRx(Model):
    benchmarks: tuple[int, ...]
    agents: tuple[int, ...]
    names: dict[str, str]
    source: str


class _AgentDebug(Model):
    benchmarks: tuple[str, ...]
    source: str


class _Diagnoses(Model):
    agentrx: _AgentRx
    agentdebug: _AgentDebug


@cache
def _known() -> _Diagnoses:
    return load(_Diagnoses, __package__, "diagnoses.toml")


class AgentRxReader:
    """Reads what AgentRx's judge wrote of many trajectories, a claim each time that it judged one."""

    name = "AgentRx judge output"
    signs = "detailed_results whose entries have task_id and failures"
    omits = "token counts, timings and its comparison with a ground truth"

    def recognises(self, head: Head) -> bool:
        """The entries' keys."""
        return {"task_id", "failures"} <= head.item_keys("detailed_results")

    def read(self, path: Path) -> Found:
        """One claim a judgement."""
        found = Found()
        for number, raw in enumerate(listed(load_object(path, "report").get("detailed_results"))):
            entry = mapping(raw)
            task_id = trimmed(entry.get("task_id"))
            for at, failure in enumerate(listed(entry.get("failures"))):
                place = f"detailed_results[{number}].failures[{at}]"
                _add(found, path, place, task_id, *_agentrx(mapping(failure)))
        return found


def _agentrx(failure: dict[str, Any]) -> tuple[float | None, str | None, str]:
    known, case = _known().agentrx, trimmed(failure.get("failure_case")) or ""
    number = int(case) if case.isdecimal() else 0
    score = 1.0 if number in known.benchmarks else 0.0 if number in known.agents else None
    step = trimmed(failure.get("step_number"))
    said = [f"step {step}" if step else None, text_of(failure.get("description"))]
    said.append(text_of(failure.get("checklist_reasoning")))
    return score, known.names.get(case), "\n".join(one for one in said if one)


class AgentDebugReader:
    """Reads a diagnostic report of AgentDebugX; its root cause is the claim."""

    name = "AgentDebugX diagnostic report"
    signs = "trace_id and findings beside root_cause_step_index"
    omits = "attribution, recovery plans and findings other than the root cause's"

    def recognises(self, head: Head) -> bool:
        """The report's keys."""
        return {"trace_id", "findings", "root_cause_step_index"} <= head.json_keys

    def read(self, path: Path) -> Found:
        """One claim."""
        data, found = load_object(path, "report"), Found()
        findings = [mapping(one) for one in listed(data.get("findings"))]
        root = data.get("root_cause_event_id")
        first = next((one for one in findings if root and one.get("event_id") == root), findings[0] if findings else {})
        mode = mapping(first.get("failure_mode"))
        kind = trimmed(mode.get("mode_id"))
        score = None if kind is None else float(kind in _known().agentdebug.benchmarks)
        said = [text_of(data.get("summary")), *map(text_of, listed(first.get("evidence")))]
        task_id, run_id = trimmed(data.get("task_id")), trimmed(data.get("trace_id"))
        text = "\n".join(one for one in said if one)
        _add(found, path, "report", task_id or run_id, score, text_of(mode.get("name")), text, run_id=run_id)
        return found


class FeedbackReader:
    """Reads what a person said of a pack (`verify feedback`)."""

    name = "feedback on a pack"
    signs = "feedback beside a schema"
    omits = "the pack's digest and status"

    def recognises(self, head: Head) -> bool:
        """The keys."""
        return {"schema", "feedback"} <= head.json_keys

    def read(self, path: Path) -> Found:
        """One claim of a person's."""
        said, found = mapping(load_object(path, "feedback").get("feedback")), Found()
        score = {"false alarm": 0.0, "confirmed": 1.0}.get(text_of(said.get("says")) or "")
        named = text_of(said.get("benchmark"))
        text = f"{text_of(said.get('by')) or 'somebody'}: {text_of(said.get('because')) or ''}"
        _add(found, path, "feedback", trimmed(said.get("task_id")), score, None, text, kind="person", benchmark=named)
        return found


def _add(
    found: Found,
    path: Path,
    place: str,
    task_id: str | None,
    score: float | None,
    category: str | None,
    text: str,
    *,
    run_id: str | None = None,
    kind: Literal["judge", "person"] = "judge",
    benchmark: str | None = None,
) -> None:
    if task_id is None:
        message, remedy = say("diagnoses.task_id_missing"), say("diagnoses.claim_left_out")
        found.problems.append(Problem(file=str(path), place=place, message=message, remedy=remedy))
        return
    stem = clean(stem_of(path))
    claim = Claim(
        claim_id=f"claim:{stem}:{place}",
        source=f"{path}: {place}",
        kind=kind,
        run_id=run_id,
        score=score,
        category=category,
        text=clean(text),
    )
    known = benchmarks.normalised(benchmark) if benchmark else None
    found.claims.append(ClaimRecord(known, clean(task_id), claim, benchmarks.of_file_name(stem)))


class ScoutReader:
    """Reads a scanner's results of Inspect Scout as its data frame writes them to CSV."""

    name = "Inspect Scout results CSV"
    signs = "the columns transcript_task_id, value and explanation"
    omits = "transcripts, references, token counts and errors of the scan"

    def recognises(self, head: Head) -> bool:
        """The columns that a claim needs."""
        return {"transcript_task_id", "value", "explanation"} <= set(head.columns)

    def read(self, path: Path) -> Found:
        """One claim a row; a value that is neither yes nor no is undecided."""

        def parse(row: Row, line: int) -> ClaimRecord:
            value = row["value"].strip().lower()
            score = 1.0 if value in _YES else 0.0 if value in _NO else None
            text = "\n".join(one for one in (row.get("answer", "").strip(), row["explanation"].strip()) if one)
            named = row.get("transcript_task_set", "").strip().rsplit("/", 1)[-1]
            return _row(path, line, row["transcript_task_id"], score, text, "judge", named)

        return _table(path, parse)


class IssueReader:
    """Reads a list of issues that somebody filed about tasks."""

    name = "issues CSV"
    signs = "the columns task_id and issue"
    omits = "columns other than benchmark, title and state"

    def recognises(self, head: Head) -> bool:
        """The columns that a claim needs."""
        return {"task_id", "issue"} <= set(head.columns)

    def read(self, path: Path) -> Found:
        """One claim a row: whoever files an issue says that the benchmark is at fault."""

        def parse(row: Row, line: int) -> ClaimRecord:
            link = row["issue"].strip()
            if not link.startswith(("https://", "http://")):
                raise BadRowError(say("diagnoses.issue_no_link", link=link[:40]))
            said = [link, *(row.get(name, "").strip() for name in ("title", "state"))]
            text = "\n".join(one for one in said if one)
            return _row(path, line, row["task_id"], 1.0, text, "person", row.get("benchmark", "").strip())

        return _table(path, parse)


def _table(path: Path, parse: Callable[[Row, int], ClaimRecord]) -> Found:
    table = read_table(path, parse)
    return Found(claims=table.rows, problems=table.problems)


def _row(
    path: Path, line: int, task: str, score: float | None, text: str, kind: Literal["judge", "person"], named: str
) -> ClaimRecord:
    task_id = clean(task.replace("\0", "").strip())
    if not task_id:
        raise BadRowError(say("diagnoses.task_id_missing"))
    stem = clean(stem_of(path))
    claim = Claim(claim_id=f"claim:{stem}:{line}", source=f"{path}:{line}", kind=kind, score=score, text=clean(text))
    known = benchmarks.normalised(named) if named else None
    return ClaimRecord(known, task_id, claim, benchmarks.of_file_name(stem))
