"""The judge: a pure function from case, hypotheses and findings to the verdict (verdict rules 1 to 11)."""

import sys
from collections.abc import Sequence

from cases import Case, Outcome, Run
from graph import wording
from graph.barriers import barrier_kinds
from graph.review import reviewed
from graph.rubric import NO_CATEGORY
from graph.settle import Settled, settle
from graph.verdict import Basis, Locus, Status, Verdict
from probes import Answer, Finding, Hypothesis


def decide(
    case: Case,
    hypotheses: Sequence[Hypothesis],
    findings: Sequence[Finding],
    basis: Basis = Basis(),  # noqa: B008 - frozen
) -> Verdict:
    """The verdict that the findings allow; equal input gives equal output, whatever the order of the findings.

    `hypotheses` stand in the order of their rank.
    """
    settled = [settle(hypothesis, findings) for hypothesis in hypotheses]
    status = _status(case, settled)
    leading = _leading(settled, status)
    return reviewed(_verdict(case, settled, leading, status, basis), settled, basis.review)


def _status(case: Case, settled: Sequence[Settled]) -> Status:
    """Rules 6, 7 and 9."""
    statuses = [item.status for item in settled]
    if Status.SUPPORTED in statuses:
        return Status.SUPPORTED
    if settled:
        refuted = all(status is Status.NOT_SUPPORTED for status in statuses)
        return Status.NOT_SUPPORTED if refuted else Status.INCONCLUSIVE
    return Status.NOT_SUPPORTED if no_barrier_met(case) or not _failures(case) else Status.INCONCLUSIVE


def no_barrier_met(case: Case) -> bool:
    """Whether every failed run has a complete record (without a hypothesis: it shows no barrier)."""
    failed = _failures(case)
    recorded = [run for run in failed if run.transcript is not None]
    return bool(recorded) and all(run.transcript.complete for run in recorded if run.transcript)


def _failures(case: Case) -> list[Run]:
    return [run for run in case.runs if run.outcome is not Outcome.PASSED]


def _leading(settled: Sequence[Settled], status: Status) -> Settled | None:
    """The hypothesis the verdict speaks about: the first of its own status by rank.

    Of several supported ones it is the one that the run met first: what failed later were attempts to pass it.
    """
    own = [item for item in settled if item.status is status]
    if status is Status.SUPPORTED:
        return min(own, key=_first_met)
    return next(iter(own), None)


def _first_met(item: Settled) -> int:
    return min((citation.block for citation in item.hypothesis.citations), default=sys.maxsize)


def _verdict(
    case: Case,
    settled: Sequence[Settled],
    leading: Settled | None,
    status: Status,
    basis: Basis,
) -> Verdict:
    supported = status is Status.SUPPORTED
    speaking = [item for item in settled if item.status is status] if status is not Status.SUPPORTED else [leading]
    decisive = tuple(finding for item in speaking if item for finding in item.decisive)
    exists = leading is not None and leading.present is Answer.YES and leading.passable is not Answer.YES
    text = wording.Words(case, settled, leading, status, decisive)
    findings = [finding for item in settled for finding in item.findings]
    return Verdict(
        score=1 if supported else 0,
        deficiency_exists=exists,
        deficiency_caused_failure=supported,
        deficiency_type=leading.hypothesis.category if leading and exists else NO_CATEGORY,
        existence_reasoning=text.existence(),
        causation_reasoning=text.causation(),
        evidence=text.evidence(),
        status=status,
        reason=text.reason(),
        rubric=leading.hypothesis.rubric if leading else basis.rubric,
        leading=leading.hypothesis.id if leading else None,
        decisive=tuple(finding.id for finding in decisive),
        locus=_locus(leading, status),
        barrier_then=_then(case, leading),
        barrier_now={Answer.YES: True, Answer.NO: False}.get(leading.present) if leading else None,
        against=text.against(),
        would_change=text.would_change(),
        capable_agent=text.capable_agent(),
        citations=text.citations(),
        limits=tuple(dict.fromkeys((*basis.notes, *(limit for finding in findings for limit in finding.limits)))),
        lab=any(finding.lab for finding in findings),
    )


def _locus(leading: Settled | None, status: Status) -> Locus | None:
    if status is Status.NOT_SUPPORTED:
        return Locus.AGENT_RUN
    if leading is None:
        return None
    measured = [finding.locus for finding in leading.decisive if finding.locus]
    return Locus(measured[0]) if measured else barrier_kinds()[leading.hypothesis.barrier].locus


def _then(case: Case, leading: Settled | None) -> bool | None:
    """Whether a run's own record shows the barrier; a claim is no record."""
    if leading is None:
        return None
    runs = {run.run_id for run in case.runs if run.transcript}
    cited = [citation for citation in leading.hypothesis.citations if citation.run_id in runs]
    return any(case.cites(citation) for citation in cited) if cited else None
