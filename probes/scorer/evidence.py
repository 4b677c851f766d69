"""What the marks prove: controls, observations, the table of all marks, and routes."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from probes.artifacts import ArtifactStore
from probes.model import Answer, Artifact, Control, Observation, Route, Tier
from probes.scorer.families import Form, equivalents, list_form, wrongs
from probes.scorer.grader import Grader
from probes.scorer.grading import Mark, Marks, Pair
from probes.scorer.judged import Judged
from probes.scorer.words import asked_forms

_NEAR = 0.01
"""By how much a mark may differ from the recorded score, which may be rounded."""


@dataclass(frozen=True)
class Bench:
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
    forms = [form.text for item in judged for form in equivalents(gold, item.asked)]
    wrong = [form.text for form in wrongs(gold)]
    answers = [gold, list_form(gold), *(item.answer for item in judged), *forms, *wrong]
    return tuple((answer, gold) for answer in dict.fromkeys(answers))


def forms_of(bench: Bench, judged: Judged) -> tuple[Form, ...]:
    """The expected answer's equivalent forms, with the run's own answer where that is one."""
    found = [form for form in equivalents(bench.gold, judged.asked) if form.equivalent]
    mine = judged.answer
    if judged.comparison.likeness == "same" and mine != bench.gold and mine not in {form.text for form in found}:
        found.append(Form(f"as {judged.run.run_id} wrote it", mine, equivalent=True))
    return tuple(found)


def sane(bench: Bench, graders: Iterable[Grader | None]) -> tuple[Control, ...]:
    """Controls of graders: the expected answer must get full marks, wrong ones must not."""
    controls = []
    for grader in dict.fromkeys(one.name for one in graders if one):
        marks = bench.marks.by[grader]
        best = max(
            (marks[text, bench.gold] for text in (bench.gold, list_form(bench.gold))), key=lambda mark: mark.full
        )
        controls.append(
            Control(
                name=f"{grader}: the expected answer, as it stands or as a JSON list",
                expected="full marks",
                observed=str(best),
                passed=best.full,
            )
        )
        passed = [form.name for form in wrongs(bench.gold) if marks[form.text, bench.gold].full]
        controls.append(
            Control(
                name=f"{grader}: {len(wrongs(bench.gold))} wrong answers",
                expected="none gets full marks",
                observed=", ".join(passed) or "none",
                passed=not passed,
            )
        )
    return tuple(controls)


def as_recorded(bench: Bench, judged: Judged) -> tuple[Control, ...]:
    """Controls of the record: it and the graders speak of the same answer."""
    mine, recorded = bench.mark(judged.grader, judged.answer), not judged.run.settled_by_rule
    controls = [
        Control(
            name=f"{judged.grader.name}: the answer of {judged.run.run_id}",
            expected="marked wrong, as the record says",
            observed=str(mine) if recorded else f"{mine}; the record does not say how it was marked",
            passed=recorded and not mine.full,
        )
    ]
    score = judged.run.score
    if score:
        near = [one.name for one in bench.graders if abs((bench.mark(one, judged.answer).mark or 0.0) - score) <= _NEAR]
        controls.append(
            Control(
                name=f"the score that the record gives {judged.run.run_id}",
                expected=f"{score:g}, from one of the graders",
                observed=", ".join(near) or "from none",
                passed=bool(near),
            )
        )
    return tuple(controls)


def observations(bench: Bench, judged: Judged, table: Artifact) -> tuple[Observation, ...]:
    """Every grader's marks of the run's answer, the expected one and its forms."""
    forms = forms_of(bench, judged)
    return tuple(
        Observation(
            name=f"grader {grader.name}",
            value=(
                f"the answer of {judged.run.run_id}: {bench.mark(grader, judged.answer)}; the expected answer itself: "
                f"{bench.mark(grader, bench.gold)}; full marks for "
                f"{sum(bench.full(grader, form.text) for form in forms)} of {len(forms)} equivalent forms"
            ),
            artifact=table.sha256,
        )
        for grader in bench.graders
    )


def table(bench: Bench, store: ArtifactStore) -> Artifact:
    """All marks as JSON; forms go by their names, so that the expected answer does not stand in it."""
    first = bench.judged[0]
    rows = [("the expected answer", bench.gold), ("the expected answer as a JSON list", list_form(bench.gold))]
    rows += [(f"the answer of {item.run.run_id}", item.answer) for item in bench.judged]
    rows += [(form.name, form.text) for form in equivalents(bench.gold, first.asked)]
    rows += [(f"wrong: {form.name}", form.text) for form in wrongs(bench.gold)]
    content = {
        "image": bench.marks.image,
        "graders": {grader.name: {"packages": grader.packages, "source": grader.source} for grader in bench.graders},
        "marks": [
            {"answer": name, **{grader.name: str(bench.mark(grader, text)) for grader in bench.graders}}
            for name, text in dict(rows).items()
        ],
    }
    return store.put(json.dumps(content, indent=1, ensure_ascii=False) + "\n", "marks.json", "application/json")


def passable(bench: Bench, judged: Judged) -> tuple[Answer, str, tuple[Route, ...]]:
    """Whether an agent that knew the answer could have known the form that is marked right."""
    grader, forms = judged.grader, forms_of(bench, judged)
    routes = tuple(_route(form.name, passed=bench.full(grader, form.text)) for form in forms)
    accepted = [form.name for form in forms if bench.full(grader, form.text)]
    if accepted:
        return Answer.YES, f"{grader.name} takes {len(accepted)} other forms: {', '.join(accepted[:3])}", routes
    if not judged.asked:
        return Answer.UNKNOWN, "the task's text is not known, so neither is the form that it asks for", routes
    asked = asked_forms(judged.asked)
    settled = [words for words, settles in asked if settles & judged.comparison.differences]
    if settled and bench.full(grader, bench.gold):
        note = f"the task's text asks for “{settled[0]}”, and the expected answer is in its own form marked right"
        route = Route(id="the-form-asked-for", tier=Tier.T1, result="passed", note=note)
        return Answer.YES, note, (route, *routes)
    if asked and not judged.by_form:
        words = f"the task's text asks for a form (“{asked[0][0]}”); a person must say whether the answer keeps to it"
        return Answer.UNKNOWN, words, routes
    words = f"the task's text asks for no form, and {grader.name} takes none of {len(forms)} equivalent ones"
    return (Answer.NO if forms else Answer.UNKNOWN), words, routes


def _route(name: str, *, passed: bool) -> Route:
    note = "the expected answer in this form"
    return Route(id=f"form: {name}", tier=Tier.T2, result="passed" if passed else "failed", note=note)
