"""The specification probe: what the task's text leaves open, and what the answers of all runs say about it."""

from cases import Case
from cases.answers.words import asked_forms
from cases.sentences import Sentences, counted
from probes.contract import FindingMaker, ProbeContext, ReadingProbe
from probes.model import Answer, Barrier, Finding, Ground, Hypothesis, Observation, Question
from probes.specification.convergence import JUDGED, Convergence, Group
from probes.specification.reading import Reading, read
from probes.specification.signs import Found

say = Sentences(__name__)

_LENGTH = 120
"""Characters of an answer that are told."""


class SpecificationProbe(ReadingProbe):
    """Reads by rule; it never decides, since only a person can say what a text means."""

    name = "specification"
    ground = Ground.TEXT

    async def __call__(self, hypothesis: Hypothesis, context: ProbeContext) -> list[Finding]:
        """PRESENT=unknown with the signs and the groups of answers; nothing for a bare claim without both."""
        case, reading = context.case, read(context.case)
        if hypothesis.barrier is Barrier.UNSPECIFIED and not reading.suspect:
            return []
        make = FindingMaker(self, hypothesis)
        signs = reading.about(hypothesis.barrier)
        finding = make(
            Question.PRESENT,
            Answer.UNKNOWN,
            f"{_of_text(case, hypothesis.barrier, signs)} {_of_answers(reading.convergence)}",
            observations=(*_words(signs), *_table(case, reading.convergence)),
            citations=Reading.citations(case, signs),
        )
        return [finding]


def _of_text(case: Case, barrier: Barrier, signs: tuple[Found, ...]) -> str:
    text = case.task.prompt
    if not text:
        return say("probe.task_text_not")
    if barrier is Barrier.ANSWER_FORMAT:
        asked = [form.words for form in asked_forms(text) if form.settles]
        told = say("probe.asks_form_answer", asked=asked[0]) if asked else say("probe.asks_no_form")
        return say("probe.task_text", told=told)
    if barrier is Barrier.WRONG_GOLD:
        return say("probe.whether_expected_answer")
    if not signs:
        return say("probe.rule_task_text")
    by_sign: dict[str, list[str]] = {}
    for found in signs:
        by_sign.setdefault(found.sign.lacks, []).append(f"“{found.quote}”")
    parts = [
        say("probe.says", fromkeys=", ".join(dict.fromkeys(quotes)), lacks=lacks) for lacks, quotes in by_sign.items()
    ]
    return say("probe.task_text_2", parts="; it ".join(parts))


def _of_answers(convergence: Convergence) -> str:
    answers, groups = convergence.answers, convergence.groups
    if not answers:
        return say("probe.no_answer_run")
    if convergence.agreement == "too few":
        return say("probe.too_few", answers=counted(answers, "known answer"))
    if convergence.agreement == "scattered":
        return say("probe.answers_runs_fall", answers=answers, groups=len(groups))
    top = groups[0]
    on = {
        "another": say("probe.one_answer_not"),
        "expected": say("probe.expected_answer_read"),
        "open": say("probe.one_answer_not_known"),
    }[convergence.agreement]
    return say("probe.runs_agents_models", runs=len(top.runs), answers=answers, voices=len(top.voices), on=on)


def _words(signs: tuple[Found, ...]) -> tuple[Observation, ...]:
    return tuple(
        Observation(
            name=say("probe.place", start=found.start, end=found.end, sign=found.sign.id),
            value=say("probe.text", quote=found.quote, lacks=found.sign.lacks),
        )
        for found in signs
    )


def _table(case: Case, convergence: Convergence) -> tuple[Observation, ...]:
    """One line a group; an answer that is or may be the expected one is not printed."""
    return tuple(
        Observation(name=f"answers, group {number}", value=_told(case, group))
        for number, group in enumerate(convergence.groups[:JUDGED], start=1)
    )


def _told(case: Case, group: Group) -> str:
    gold = (case.task.gold or "").casefold().strip()
    voices = say("probe.agents_models", voices=len(group.voices)) if group.voices else ""
    who = f"{counted(len(group.runs), 'run')}{voices}"
    if group.expected:
        return say("probe.expected_answer", who=who)
    if group.likeness != "different" or (gold and gold in group.answer.casefold()):
        return say("probe.answer_expected_one", who=who)
    text = " ".join(group.answer.split())
    return say("probe.another_answer", who=who, how=text if len(text) <= _LENGTH else text[: _LENGTH - 1] + "…")
