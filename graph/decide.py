"""The judge: a pure function from case, hypotheses and findings to the verdict, by the table in `rules.py`."""

from collections.abc import Sequence

from cases import Case, Understanding
from cases.sentences import Sentences
from graph import agent_errors, render
from graph.aggregate import settle
from graph.conflicts import reconciled
from graph.readings import read_again
from graph.render import locus_of, worded
from graph.review import reviewed
from graph.rubric import NO_CATEGORY
from graph.rules import OF_ALL, Matter, Settled, failures, first
from graph.verdict import JudgeInputs, Locus, Status, Verdict
from probes import Answer, Finding, Hypothesis
from probes.barriers import entry

say = Sentences(__name__)


def decide(
    case: Case,
    hypotheses: Sequence[Hypothesis],
    findings: Sequence[Finding],
    basis: JudgeInputs = JudgeInputs(),  # noqa: B008 - frozen
) -> Verdict:
    """The verdict that the findings allow; equal input gives equal output, whatever the order of the findings.

    `hypotheses` stand in the order of their rank.
    """
    settled = reconciled([settle(hypothesis, findings) for hypothesis in hypotheses])
    own = tuple(item for item in settled if item.hypothesis.proposer != "model")
    proposed = tuple(item for item in settled if item.hypothesis.proposer == "model")
    matter = Matter(case, own, proposed, bool(basis.unexplained))
    rule = first(OF_ALL, matter)
    heard = matter.settling if rule.speaks == "own" else proposed
    speaking = [item for item in heard if item.status is rule.status]
    told = [*speaking, *own] if rule.speaks == "proposed" else own
    verdict = _verdict(case, told, _leading(speaking, rule.status), rule.status, basis)
    idle = [item for item in proposed if item not in speaking]
    limits = tuple(dict.fromkeys((*verdict.limits, *_of_the_model(idle, basis))))
    verdict = verdict.model_copy(update={"limits": limits, "assistance": basis.assistance})
    asked = read_again(case, verdict, hypotheses, basis)
    return reviewed(worded(asked, findings, basis), own, basis.review)


def _of_the_model(idle: Sequence[Settled], basis: JudgeInputs) -> list[str]:
    """What a model did not help with, and what of its proposals does not count."""
    told = list(basis.assistance.failures) if basis.assistance else []
    told += [say("limit.not_shown", part=part) for part in (basis.assistance.unread if basis.assistance else ())]
    for item in idle:
        title = entry(item.hypothesis.barrier).title
        told.append(say("hypothesis.model_too", title=title, id=item.hypothesis.id))
    return told


def _leading(speaking: Sequence[Settled], status: Status) -> Settled | None:
    """The hypothesis the verdict speaks about: the first by rank of those that have its status, by own findings.

    Of several supported ones it is the one that the run met first: what failed later were attempts to pass it. Of open
    ones it is one that stopped the run, if any is known to have done so.
    """
    if status is Status.SUPPORTED:
        return min(speaking, key=lambda item: item.first_met)
    stopped = [item for item in speaking if item.caused is Answer.YES] if status is Status.INCONCLUSIVE else []
    return next((item for item in (*stopped, *speaking) if item.decisive), next(iter(speaking), None))


def _verdict(
    case: Case,
    settled: Sequence[Settled],
    leading: Settled | None,
    status: Status,
    basis: JudgeInputs,
) -> Verdict:
    supported = status is Status.SUPPORTED
    speaking = [item for item in settled if item.status is status] if status is not Status.SUPPORTED else [leading]
    decisive = tuple(finding for item in speaking if item for finding in item.decisive)
    exists = leading is not None and leading.present is Answer.YES and leading.passable is not Answer.YES
    rubric = leading.hypothesis.rubric if leading else basis.rubric
    own = agent_errors.concerning(basis.exclusions, leading)
    text = render.Words(case, settled, leading, status, decisive, own, rubric, basis.unexplained)
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
        rubric=rubric,
        leading=leading.hypothesis.id if leading else None,
        decisive=tuple(finding.id for finding in decisive),
        locus=_locus(leading, status),
        barrier_then=_then(case, leading),
        barrier_now={Answer.YES: True, Answer.NO: False}.get(leading.present) if leading else None,
        against=text.against(),
        would_change=text.would_change(),
        open_question=text.open_question(),
        capable_agent=text.capable_agent(),
        citations=text.citations(),
        limits=tuple(dict.fromkeys((*basis.notes, *(limit for finding in findings for limit in finding.limits)))),
        lab=any(finding.lab for finding in findings),
        understanding=_understanding(case),
    )


def _understanding(case: Case) -> tuple[Understanding, ...]:
    records = (run.transcript.understanding for run in failures(case) if run.transcript)
    return tuple(record for record in records if record)


def _locus(leading: Settled | None, status: Status) -> Locus | None:
    if status is Status.NOT_SUPPORTED:
        return Locus.AGENT_RUN
    if leading is None:
        return None
    measured = [finding.locus for finding in leading.decisive if finding.locus]
    return Locus(measured[0]) if measured else locus_of(leading.hypothesis)


def _then(case: Case, leading: Settled | None) -> bool | None:
    """Whether a run's own record shows the barrier; a claim is no record.

    Neither a task's words nor an answer are a barrier: they are what one in the task or in its grader is about.
    """
    if leading is None or locus_of(leading.hypothesis) in {Locus.TASK_TEXT, Locus.GRADER}:
        return None
    runs = {run.run_id for run in case.runs if run.transcript}
    cited = [citation for citation in leading.hypothesis.citations if citation.run_id in runs]
    return any(case.cites(citation) for citation in cited) if cited else None
