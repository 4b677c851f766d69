"""The scorer probe: the benchmark's graders on a failed run's own answer, on equivalent ones and on wrong ones."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from cases.sentences import Sentences
from probes.contract import (
    FindingMaker,
    ProbeContext,
    ProbeTransientError,
    ProbeUnavailableError,
)
from probes.model import Answer, Finding, Hypothesis, Question
from probes.scorer import ScorerProbe, evidence, grading
from probes.scorer.evidence import GradedAnswers
from probes.scorer.grader import added, given, graders_for
from probes.scorer.judged import Judged, Unjudged, caused, judged_runs, unjudged_runs
from sandboxes import EngineUnavailable, ImageUnavailable, SandboxError

say = Sentences(__name__)

_NAMED = 3
"""Runs that a sentence speaks of before it only counts them."""
_OWN_FORM = say("probe.agent_written_expected")
_GIVEN = say("probe.grader_one_given")


class Working(ScorerProbe):
    """What does the work."""

    async def __call__(self, hypothesis: Hypothesis, context: ProbeContext) -> list[Finding]:
        """CAUSED=no without any grader where every answer is another one than expected; else what the graders say.

        Raises:
            ProbeUnavailableError: no Docker engine, or the graders' packages cannot be had.
            ProbeTransientError: the engine failed in the middle.
        """
        make = FindingMaker(self, hypothesis)
        judged, gold = judged_runs(context.case), context.case.task.gold
        left = unjudged_runs(context.case)
        if gold is None or not judged or (left and all(item.wrong for item in judged)):
            words = _nothing(context, left)
            limits = (*((words,) if left else ()), *added()[1])
            return [make(Question.PRESENT, Answer.UNKNOWN, words, limits=limits)]
        if all(item.wrong for item in judged):
            reasons = "; ".join(dict.fromkeys(item.comparison.reason for item in judged))
            who = say("probe.run_answer") if len(judged) == 1 else say("probe.answer_each_failed", judged=len(judged))
            return [make(Question.CAUSED, Answer.NO, say("probe.not_expected_one", who=who, reasons=reasons))]
        marks = await context.shared("scorer", lambda: _marked(context, judged, gold))
        return _findings(hypothesis, context, make, GradedAnswers(gold, judged, graders_for(context.case), marks))


def _nothing(context: ProbeContext, left: tuple[Unjudged, ...]) -> str:
    if left:
        told = "; ".join(f"of {item.run.run_id}: {item.reason}" for item in left[:_NAMED])
        more = say("probe.more", number=len(left) - _NAMED) if len(left) > _NAMED else ""
        return say("probe.whether_run_right", told=told, more=more)
    if context.case.task.gold is None:
        return say("probe.expected_answer_not")
    if not graders_for(context.case):
        return say("probe.no_grader_known", benchmark=context.case.benchmark)
    return say("probe.no_failed_run")


@asynccontextmanager
async def _marked(context: ProbeContext, judged: tuple[Judged, ...], gold: str) -> AsyncIterator[grading.Marks]:
    """All marks of the audit, from one container."""
    loop = asyncio.get_running_loop()

    def tell(text: str) -> None:
        with suppress(RuntimeError):  # the loop may have ended before a cancelled thread did
            loop.call_soon_threadsafe(context.say, text)

    graders, offline = graders_for(context.case), context.settings.offline
    try:
        yield await asyncio.to_thread(grading.mark, graders, evidence.pairs(gold, judged), tell, offline=offline)
    except (EngineUnavailable, ImageUnavailable) as error:
        raise ProbeUnavailableError(str(error)) from error
    except SandboxError as error:
        raise ProbeTransientError(str(error)) from error


def _findings(
    hypothesis: Hypothesis, context: ProbeContext, make: FindingMaker, graded: GradedAnswers
) -> list[Finding]:
    benchmark = context.case.benchmark
    causes = [caused(item, hypothesis.barrier, graded.marks, graded.gold, benchmark) for item in graded.judged]
    right = next((at for at, cause in enumerate(causes) if cause.answer is Answer.YES), None)
    subject = graded.judged[right or 0]
    table = evidence.table(graded, context.store)
    seen = evidence.observations(graded, subject, table)
    sane = evidence.sane(graded, (subject.grader,), subject)
    answer, words = _present(graded, subject)
    limits = (*([_GIVEN] if given(context.case) else []), *added()[1])
    present = make(Question.PRESENT, answer, words, observations=seen, controls=sane, artifacts=(table,), limits=limits)
    if right is None:
        reasons = "; ".join(dict.fromkeys(cause.reason for cause in causes))
        words = say("probe.whether_right_marked", run_id=subject.run.run_id, reasons=reasons)
        return [present, make(Question.CAUSED, Answer.UNKNOWN, words, observations=seen)]
    cause = causes[right]
    gave = say("probe.right_answer_task") if subject.allowed else say("probe.expected_answer")
    stopped = make(
        Question.CAUSED,
        Answer.YES,
        say(
            "probe.gave_marked_wrong",
            run_id=subject.run.run_id,
            gave=gave,
            reason=cause.reason,
            side_by_side=graded.side_by_side(subject.answer),
        ),
        observations=seen,
        controls=(*evidence.sane(graded, (subject.grader, cause.by), subject), *evidence.as_recorded(graded, subject)),
        citations=hypothesis.citations,
        artifacts=(table,),
    )
    return [present, _passable(make, graded, subject), stopped]


def _passable(make: FindingMaker, graded: GradedAnswers, subject: Judged) -> Finding:
    """Whether the form that is marked right could be known."""
    answer, words, routes = evidence.passable(graded, subject)
    worked = next((route.tier for route in routes if route.result == "passed"), None)
    return make(
        Question.PASSABLE,
        answer,
        f"{words[:1].upper()}{words[1:]}.",
        tier=worked if answer is Answer.YES else None,
        controls=evidence.sane(graded, (subject.grader,), subject),
        routes=routes,
        limits=(_OWN_FORM,) if answer is Answer.NO else (),
    )


def _present(graded: GradedAnswers, judged: Judged) -> tuple[Answer, str]:
    """Whether the grader that decided the run marks equal answers differently."""
    grader, forms = judged.grader, evidence.tried(graded, judged)
    allowed = judged.allowed
    if not graded.full(grader, graded.gold) and not allowed:
        return Answer.YES, say("probe.not_give_expected", name=grader.name)
    alike = say("probe.answers_task_text", words=allowed.words) if allowed else say("probe.equivalent_answers")
    if allowed and allowed.kind == "promise":
        given = [form.name for form in forms if graded.mark(grader, form.text).mark]
        promised = say("probe.parts_expected_answer", forms=len(forms), words=allowed.words)
        return (
            (Answer.NO, say("probe.gives_marks", name=grader.name, given=len(given), promised=promised))
            if given
            else (Answer.YES, say("probe.gives_nothing", name=grader.name, promised=promised))
        )
    missed = [form.name for form in forms if not graded.full(grader, form.text)]
    if not forms:
        return Answer.UNKNOWN, say("probe.no_other_form", name=grader.name)
    if missed:
        named = ", ".join(missed[:4])
        return Answer.YES, say(
            "probe.marks_wrong", name=grader.name, missed=len(missed), forms=len(forms), alike=alike, named=named
        )
    return Answer.NO, say("probe.gives_all_full", name=grader.name, forms=len(forms), alike=alike)
