"""What the marks prove: controls, observations, the table of all marks, and routes."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cases.answers.families import AS_IT_STANDS, NONSENSE, Form, equivalents, list_form, wrongs
from cases.answers.words import Asked, asked_forms, readable
from cases.sentences import Sentences
from probes.artifacts import ArtifactStore
from probes.model import Answer, Artifact, Control, Observation, Route, Tier
from probes.scorer.grader import Grader
from probes.scorer.grading import Mark, Marks, Pair
from probes.scorer.judged import Judged

say = Sentences(__name__)

_SENTENCE = 3
"""Words from which on a text says enough to tell its language."""
_NEAR = 0.01
"""By how much a mark may differ from the recorded score, which may be rounded."""


@dataclass(frozen=True)
class GradedAnswers:
    """The answers of one audit and their marks."""

    gold: str
    judged: tuple[Judged, ...]
    graders: tuple[Grader, ...]
    marks: Marks

    def full(self, grader: Grader, answer: str) -> bool:
        """Whether a grader takes an answer for right."""
        return self.marks.of(grader, answer, self.gold).full

    def mark(self, grader: Grader, answer: str) -> Mark:
        """One mark."""
        return self.marks.of(grader, answer, self.gold)

    def side_by_side(self, answer: str) -> str:
        """All graders' marks of one answer."""
        return ", ".join(f"{grader.name} {self.mark(grader, answer)}" for grader in self.graders)


def pairs(gold: str, judged: Sequence[Judged]) -> tuple[Pair, ...]:
    """Everything that is to be marked, each once."""
    forms = [form.text for item in judged for form in equivalents(gold, item.task)]
    wrong = [form.text for form in wrongs(gold)]
    allowed = [form.text for item in judged if item.allowed for form in (*item.allowed.samples, *item.allowed.beyond)]
    answers = [gold, list_form(gold), *(item.answer for item in judged), *forms, *allowed, *wrong]
    return tuple((answer, gold) for answer in dict.fromkeys(answers))


def forms_of(graded: GradedAnswers, judged: Judged) -> tuple[Form, ...]:
    """The expected answer's equivalent forms, with the run's own answer where that is one."""
    found = [form for form in equivalents(graded.gold, judged.task) if form.equivalent]
    mine = judged.answer
    if judged.comparison.likeness == "same" and mine != graded.gold and mine not in {form.text for form in found}:
        found.append(Form(f"as {judged.run.run_id} wrote it", mine, equivalent=True))
    return tuple(found)


def tried(graded: GradedAnswers, judged: Judged) -> tuple[Form, ...]:
    """What must be marked as the expected answer is: its equivalent forms, or what the task's text allows alike."""
    if judged.allowed is None:
        forms = forms_of(graded, judged)
        return tuple(form for form in forms if form.name not in AS_IT_STANDS or form.text == judged.answer)
    own = Form(f"as {judged.run.run_id} wrote it", judged.answer, equivalent=True)
    samples = [form for form in judged.allowed.samples if form.text not in {graded.gold, judged.answer}]
    return (*{form.text: form for form in samples}.values(), own)


def sane(graded: GradedAnswers, graders: Iterable[Grader | None], judged: Judged | None = None) -> tuple[Control, ...]:
    """Controls of graders: the expected answer must get full marks, wrong ones must not, and plain nonsense none."""
    beyond = judged.allowed.beyond if judged and judged.allowed else ()
    wrong = (*wrongs(graded.gold), *beyond)
    controls = []
    for grader in dict.fromkeys(one.name for one in graders if one):
        marks = graded.marks.by[grader]
        best = max(
            (marks[text, graded.gold] for text in (graded.gold, list_form(graded.gold))), key=lambda mark: mark.full
        )
        controls.append(
            Control(
                name=say("evidence.expected_forms", grader=grader),
                expected=say("evidence.full_marks"),
                observed=str(best),
                passed=best.full,
            )
        )
        passed = [form.name for form in wrong if marks[form.text, graded.gold].full]
        passed += [form.name for form in wrong[:NONSENSE] if marks[form.text, graded.gold].mark]
        controls.append(
            Control(
                name=f"{grader}: {len(wrong)} wrong answers",
                expected=say("evidence.none_gets_full"),
                observed=", ".join(dict.fromkeys(passed)) or "none",
                passed=not passed,
            )
        )
    return tuple(controls)


def as_recorded(graded: GradedAnswers, judged: Judged) -> tuple[Control, ...]:
    """Controls of the record: it and the graders speak of the same answer."""
    mine, recorded = graded.mark(judged.grader, judged.answer), not judged.run.settled_by_rule
    controls = [
        Control(
            name=f"{judged.grader.name}: the answer of {judged.run.run_id}",
            expected=say("evidence.marked_wrong_record"),
            observed=str(mine) if recorded else say("evidence.record_not_say", mine=mine),
            passed=recorded and not mine.full,
        )
    ]
    score = judged.run.score
    if score:
        near = [
            one.name for one in graded.graders if abs((graded.mark(one, judged.answer).mark or 0.0) - score) <= _NEAR
        ]
        controls.append(
            Control(
                name=say("evidence.logged_score", run_id=judged.run.run_id),
                expected=say("evidence.one_graders", score=score),
                observed=", ".join(near) or say("evidence.from_none"),
                passed=bool(near),
            )
        )
    return tuple(controls)


def observations(graded: GradedAnswers, judged: Judged, table: Artifact) -> tuple[Observation, ...]:
    """Every grader's marks of the run's answer, the expected one and its forms."""
    forms = tried(graded, judged)
    return tuple(
        Observation(
            name=f"grader {grader.name}",
            value=(
                say(
                    "evidence.answer_expected_answer",
                    run_id=judged.run.run_id,
                    mark=graded.mark(grader, judged.answer),
                    gold=graded.mark(grader, graded.gold),
                    full=sum(graded.full(grader, form.text) for form in forms),
                    forms=len(forms),
                )
            ),
            artifact=table.sha256,
        )
        for grader in graded.graders
    )


def table(graded: GradedAnswers, store: ArtifactStore) -> Artifact:
    """All marks as JSON; forms go by their names, so that the expected answer does not stand in it."""
    first = graded.judged[0]
    rows = [
        (say("evidence.expected_answer"), graded.gold),
        (say("evidence.expected_answer_json"), list_form(graded.gold)),
    ]
    rows += [(say("evidence.answer", run_id=item.run.run_id), item.answer) for item in graded.judged]
    rows += [(form.name, form.text) for form in equivalents(graded.gold, first.task)]
    rows += [
        (form.name, form.text) for form in ((*first.allowed.samples, *first.allowed.beyond) if first.allowed else ())
    ]
    rows += [(f"wrong: {form.name}", form.text) for form in wrongs(graded.gold)]
    content = {
        "image": graded.marks.image,
        "graders": {grader.name: {"packages": grader.packages, "source": grader.source} for grader in graded.graders},
        "marks": [
            {"answer": name, **{grader.name: str(graded.mark(grader, text)) for grader in graded.graders}}
            for name, text in dict(rows).items()
        ],
    }
    return store.put(json.dumps(content, indent=1, ensure_ascii=False) + "\n", "marks.json", "application/json")


def passable(graded: GradedAnswers, judged: Judged) -> tuple[Answer, str, tuple[Route, ...]]:
    """Whether an agent that knew the answer could have known the form that is marked right."""
    grader, forms = judged.grader, tried(graded, judged)
    routes = tuple(_route(form.name, judged, passed=graded.full(grader, form.text)) for form in forms)
    accepted = [form.name for form in forms if graded.full(grader, form.text)]
    if judged.allowed and judged.allowed.kind == "promise":
        return Answer.UNKNOWN, say("evidence.whether_part_should"), routes
    if accepted and judged.allowed:
        return (
            Answer.UNKNOWN,
            say("evidence.takes_some_task", name=grader.name, accepted=", ".join(accepted[:3])),
            routes,
        )
    if accepted:
        named = ", ".join(accepted[:3])
        return Answer.YES, say("evidence.answer_marked_right", name=grader.name, named=named), routes
    if not judged.asked:
        return Answer.UNKNOWN, say("evidence.task_text_not"), routes
    return _asked(graded, judged, forms, routes)


def _asked(
    graded: GradedAnswers, judged: Judged, forms: Sequence[Form], routes: tuple[Route, ...]
) -> tuple[Answer, str, tuple[Route, ...]]:
    """The same from what the agent was told, where the grader takes no other form."""
    asked, differences = asked_forms(judged.of_form), judged.comparison.differences
    settled = next((one for one in asked if one.settles & differences), None) if not judged.allowed else None
    told = (
        say("evidence.task_text_asks") if settled and settled.words in judged.asked else say("evidence.benchmark_asks")
    )
    if settled and not graded.full(judged.grader, graded.gold):
        return Answer.UNKNOWN, say("evidence.person_must_say", told=told, words=settled.words), routes
    if settled and settled.kept_by.isdisjoint(form.name for form in forms):
        note = say("evidence.expected_answer_own", told=told, words=settled.words)
        route = Route(id="the-form-asked-for", tier=Tier.T1, result="passed", note=note)
        return Answer.YES, note, (route, *routes)
    doubt = "" if settled and _keeps(judged, forms, settled) else _doubt(judged)
    if doubt:
        return Answer.UNKNOWN, doubt, routes
    none = say("evidence.takes_none_equivalent", name=judged.grader.name, forms=len(forms))
    asks = say("evidence.asks_answer", words=settled.words) if settled else say("evidence.asks_no_form")
    if judged.allowed:
        asks = say("evidence.allows_asks_no", words=judged.allowed.words)
        none = say("evidence.takes_none_answers", name=judged.grader.name, forms=len(forms))
    return (Answer.NO if forms else Answer.UNKNOWN), say("evidence.task_text", asks=asks, none=none), routes


def _keeps(judged: Judged, forms: Sequence[Form], asked: Asked) -> bool:
    """Whether the run's own answer is in the form that was asked for."""
    return any(form.name in asked.kept_by and form.text.strip() == judged.answer.strip() for form in forms)


def _doubt(judged: Judged) -> str:
    """What the agent was told, or may have been told, of the form; empty where it was told nothing."""
    if judged.instructions is None:
        return say("evidence.record_not_show")
    asked = asked_forms(judged.of_form)
    if asked and not judged.by_form:
        return say("evidence.task_text_asks_form", words=asked[0].words)
    differences = judged.comparison.differences
    if judged.allowed:
        differences = frozenset()
    near = next((one.words for one in asked if (one.settles | one.concerns) & differences), "")
    # What a scaffold says of its own protocol speaks of JSON and formats, too.
    far = (one for one in asked_forms("\n".join(judged.instructions)) if "JSON list" not in one.kept_by)
    near = near or next((one.words for one in far if (one.settles | _of_order(one)) & differences), "")
    if not all(readable(text) for text in (judged.asked, *judged.instructions) if len(text.split()) >= _SENTENCE):
        return say("evidence.rules_cannot_tell")
    return say("evidence.agent_told_person", near=near) if near else ""


def _of_order(asked: Asked) -> frozenset[str]:
    """What words concern that speak of an order and of nothing else."""
    return asked.concerns if asked.concerns == {"order"} else frozenset()


def _route(name: str, judged: Judged, *, passed: bool) -> Route:
    note = say("evidence.answer_task_text") if judged.allowed else say("evidence.expected_answer_form")
    return Route(id=f"form: {name}", tier=Tier.T2, result="passed" if passed else "failed", note=note)
